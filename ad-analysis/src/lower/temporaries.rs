//! When temporaries are dropped.
//!
//! What an expression has been lowered to is in variables of the library's own, which live as long as the block that they
//! are declared in. In Rust a temporary lives as long as the statement, the condition or the call of a closure that it is a
//! part of. So where the type of one may have a destructor, as a guard of a lock has, the statements that its expression has
//! become are put in a block, and what outlives it is declared before.
//!
//! ```text
//! let a = m.lock().unwrap()[0];           let a; { let base = m.lock().unwrap(); a = base[0]; }
//! ```
//!
//! Where it depends on the edition when a temporary is dropped, generated code proves that its type has no destructor.

use super::items::Item;
use super::{Lowerer, Operand};
use crate::index::{BitSet, Var};
use crate::ir::{
    ArgKind, Binding, Class, Ending, Expr, ExprKind, Op, Opaque, Place, Stmt, StmtKind, each_block,
    each_expr, each_place, exprs_in_place, places_in,
};
use crate::types::Type;
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use std::rc::Rc;

/// Types of the standard library whose destructors nobody notices.
const UNNOTICED: [&str; 3] = ["str", "String", "char"];

/// An `Option` in parts with which something is done that parts do not allow.
pub(super) struct Unparted {
    /// Where its variable is declared.
    pub(super) site: String,
    /// What is in it.
    pub(super) payload: Type,
    /// Where that is done.
    pub(super) span: Span,
}

/// What becomes of variables in some statements.
#[derive(Default)]
struct Uses {
    /// They are read, lent or taken apart.
    mentioned: BitSet<Var>,
    /// Their values are moved, or copied.
    moved: BitSet<Var>,
}

impl Uses {
    fn of(stmts: &[Stmt], lowerer: &Lowerer<'_>) -> Self {
        let mut uses = Self::default();
        stmts.iter().for_each(|stmt| uses.look_at(stmt, lowerer));
        uses
    }

    fn look_at(&mut self, stmt: &Stmt, lowerer: &Lowerer<'_>) {
        each_expr(stmt, &mut |expr| self.look_into(expr));
        each_place(stmt, &mut |place| {
            self.mentioned.insert(lowerer.body.root_of(place));
        });
        match &stmt.kind {
            StmtKind::Bind { view } => {
                let place = lowerer.body.resolve(&Place::var(*view));
                self.mentioned.insert(place.root);
                exprs_in_place(&place, &mut |index| {
                    places_in(index, &mut |place| {
                        self.mentioned.insert(place.root);
                    });
                });
            }
            StmtKind::Opaque(opaque) => self.mentioned.extend(opaque.reads.iter().copied()),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Call(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
        let mut inner = Self::default();
        each_block(stmt, &mut |block| {
            block.stmts.iter().for_each(|stmt| inner.look_at(stmt, lowerer));
        });
        self.mentioned.extend(inner.mentioned.iter());
        // What is moved in some cases is still there in the others.
        if matches!(stmt.kind, StmtKind::Block { .. }) {
            self.moved.extend(inner.moved.iter());
        }
    }

    fn look_into_item(&mut self, item: &Item) {
        match item {
            Item::Operand(Operand::Value(value)) => self.look_into(value),
            Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => {}
            Item::Tuple(parts) => parts.iter().for_each(|part| self.look_into_item(part)),
        }
    }

    fn look_into(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) if place.is_whole() => {
                self.moved.insert(place.root);
            }
            ExprKind::Op(Op::Len | Op::Clone | Op::ToVec, _)
            | ExprKind::Load(_)
            | ExprKind::Literal(_)
            | ExprKind::Guard(_) => {}
            ExprKind::Op(_, args) => args.iter().for_each(|arg| self.look_into(arg)),
            ExprKind::Opaque(opaque) => self.mentioned.extend(opaque.reads.iter().copied()),
        }
    }
}

impl Lowerer<'_> {
    /// Ends the life of the temporaries that the statements from an index on have declared, behind a whole statement.
    pub(super) fn end_temporaries(&mut self, start: usize) {
        let temporaries = self.temporaries(start);
        if !temporaries.is_empty() {
            self.enclose(start, |_| false);
        }
    }

    /// A value, computed by the statements from an index on, whose temporaries end here.
    pub(super) fn without_temporaries(&mut self, start: usize, mut value: Expr) -> Expr {
        let mut uses = Uses::default();
        uses.look_into(&value);
        let mut temporaries = self.temporaries(start);
        temporaries.subtract(&uses.moved);
        if !temporaries.is_empty() {
            self.put_aside(&mut value);
            self.enclose(start, |var| value.as_var() == Some(var));
        }
        value
    }

    /// The same of an item.
    pub(super) fn item_without_temporaries(&mut self, start: usize, item: Item) -> Item {
        if self.temporaries_but(start, &item).is_empty() {
            return item;
        }
        let item = self.settled(item);
        self.enclose(start, |var| item.mentions(var));
        item
    }

    /// Puts the statements from an index on in a block. Variables that have a name or that are wanted are declared before.
    fn enclose(&mut self, start: usize, is_wanted: impl Fn(Var) -> bool) {
        let stmts = self.out.split_off(start);
        let span = stmts[0].span;
        let is_named = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Bind { view } if self.is_user_variable(view));
        let (after, stmts): (Vec<Stmt>, Vec<Stmt>) = stmts.into_iter().partition(is_named);
        let on_the_way = Uses::of(&after, self).mentioned;
        let mut inside = Vec::new();
        for stmt in stmts {
            let outlives = declared_by(&stmt.kind).filter(|&var| {
                self.is_known_by_name(var) || is_wanted(var) || on_the_way.contains(var)
            });
            match outlives {
                Some(var) => self.outlive(var, stmt, &mut inside),
                None => inside.push(stmt),
            }
        }
        // Nothing that is left can refer to what has ended.
        let ended: BitSet<Var> = inside.iter().filter_map(|stmt| declared_by(&stmt.kind)).collect();
        self.aliases.values_mut().for_each(|origins| origins.retain(|var| !ended.contains(*var)));
        let body = self.body.new_block(inside);
        let block = self.body.stmt(StmtKind::Block { target: None, body }, span);
        self.out.push(block);
        self.out.extend(after);
    }

    /// Declares a variable before the block, which gets its value in it.
    fn outlive(&mut self, var: Var, stmt: Stmt, inside: &mut Vec<Stmt>) {
        let Stmt { kind, span, .. } = stmt;
        let mut early = None;
        let late = match kind {
            // What is known beforehand is there from the beginning.
            StmtKind::Let { value: Some(value), .. } if is_known(&value) => {
                early = Some(value);
                None
            }
            StmtKind::Let { var: _, value } => value,
            mut kind => {
                let own = self.body.local("returned", self.body.vars[var].ty.clone(), span);
                if let StmtKind::Call(call) = &mut kind {
                    call.result = Some(own);
                }
                inside.push(self.body.stmt(kind, span));
                Some(self.load(own, span))
            }
        };
        let declaration = self.body.stmt(StmtKind::Let { var, value: early }, span);
        self.out.push(declaration);
        if let Some(value) = late {
            let assign = StmtKind::Assign { place: Place::var(var), value };
            inside.push(self.body.stmt(assign, span));
        }
    }

    /// Proves that nobody notices when the temporaries are dropped that the statements from an index on have declared.
    pub(super) fn prove_unnoticed(&mut self, start: usize) {
        let temporaries = self.declared(start);
        if temporaries.is_empty() {
            return;
        }
        let stmts = self.out.split_off(start);
        let mut open = BitSet::new();
        for stmt in stmts {
            if let Some(var) = declared_by(&stmt.kind).filter(|var| temporaries.contains(*var)) {
                open.insert(var);
            }
            let valued: Vec<Var> = open.iter().filter(|var| gets_value(&stmt, *var)).collect();
            let span = stmt.span;
            self.out.push(stmt);
            for var in valued {
                open.remove(var);
                let proof = self.proof_of_no_destructor(var, span);
                let proof = self.body.stmt(proof, span);
                self.out.push(proof);
            }
        }
    }

    fn proof_of_no_destructor(&mut self, var: Var, span: Span) -> StmtKind {
        let facade = self.facade();
        let name = Ident::new(&self.body.vars[var].name, Span::call_site());
        StmtKind::Opaque(Rc::new(Opaque {
            tokens: quote_spanned!(span=> #facade::__private::dropped_unnoticed(&#name);),
            reads: vec![var],
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::State,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: None,
        }))
    }

    /// Whether statements declare a variable of the user's whose destructor may be noticed.
    pub(super) fn has_noticed_locals(&self, first: usize, end: usize) -> bool {
        self.out[first..end].iter().filter_map(|stmt| declared_by(&stmt.kind)).any(|var| {
            let is_local = matches!(self.body.vars[var].binding, Binding::Value);
            is_local && self.is_user_variable(var) && self.may_be_noticed(&self.body.vars[var].ty)
        })
    }

    /// The temporaries that are still there, but for those whose values an item is made of.
    pub(super) fn temporaries_but(&self, start: usize, item: &Item) -> BitSet<Var> {
        let mut uses = Uses::default();
        uses.look_into_item(item);
        let mut found = self.temporaries(start);
        found.subtract(&uses.moved);
        found
    }

    /// The temporaries that the statements from an index on have declared and that are still there at their end.
    pub(super) fn temporaries(&self, start: usize) -> BitSet<Var> {
        let mut found = self.declared(start);
        if found.is_empty() {
            return found;
        }
        let uses = Uses::of(&self.out[start..], self);
        found.subtract(&uses.moved);
        for stmt in &self.out[start..] {
            // A name for a part of a temporary keeps it.
            if let StmtKind::Bind { view } = stmt.kind
                && self.is_user_variable(view)
            {
                found.remove(self.body.root_of(&Place::var(view)));
            }
            // What a call that may fail returns is often nothing.
            if let StmtKind::Call(call) = &stmt.kind
                && call.carrier.is_some()
                && let Some(result) = call.result.filter(|var| !uses.mentioned.contains(*var))
            {
                found.remove(result);
            }
        }
        found
    }

    /// The variables for values of types that may have destructors, without a name of the user's.
    fn declared(&self, start: usize) -> BitSet<Var> {
        let mut made = BitSet::new();
        self.out[start..].iter().for_each(|stmt| self.note_made(stmt, &mut made));
        let declared = self.out[start..].iter().filter_map(|stmt| declared_by(&stmt.kind));
        declared.filter(|var| made.contains(*var)).collect()
    }

    /// Notes the variables that get such a value in a statement, or in a block of it.
    fn note_made(&self, stmt: &Stmt, made: &mut BitSet<Var>) {
        each_block(stmt, &mut |block| {
            block.stmts.iter().for_each(|stmt| self.note_made(stmt, made));
        });
        let var = match &stmt.kind {
            StmtKind::Assign { place, value } if place.is_whole() => {
                self.is_made_value(value, made).then_some(place.root)
            }
            kind => declared_by(kind).filter(|_| self.is_made(kind, made)),
        };
        let is_noticed = |var: &Var| {
            !self.is_known_by_name(*var) && self.may_be_noticed(&self.body.vars[*var].ty)
        };
        made.extend(var.filter(is_noticed));
    }

    fn is_made_value(&self, value: &Expr, made: &BitSet<Var>) -> bool {
        match &value.kind {
            // What is made of constants is data.
            ExprKind::Opaque(opaque) => opaque.class != Class::Pure,
            ExprKind::Load(place) => place.is_whole() && made.contains(place.root),
            ExprKind::Op(Op::Tuple | Op::Array, parts) => parts.iter().any(|part| {
                matches!(part.kind, ExprKind::Load(_)) && self.is_made_value(part, made)
            }),
            ExprKind::Literal(_) | ExprKind::Op(..) | ExprKind::Guard(_) => false,
        }
    }

    /// Whether values are temporaries that are put together, to be dropped in the order in which they stand there.
    pub(super) fn holds_temporaries(&self, value: &Expr) -> bool {
        let ExprKind::Op(Op::Tuple | Op::Array, parts) = &value.kind else { return false };
        parts
            .iter()
            .filter_map(Expr::as_var)
            .any(|var| !self.is_known_by_name(var) && self.may_be_noticed(&self.body.vars[var].ty))
    }

    /// Whether a statement declares a variable for what code returns, or a call of what has no derivative, or for what is
    /// moved from such a variable. What has a derivative is data.
    fn is_made(&self, kind: &StmtKind, found: &BitSet<Var>) -> bool {
        let is_passive = |place: &Place| {
            let root = self.body.root_of(place);
            found.contains(root) || self.is_passive(root)
        };
        match kind {
            StmtKind::Let { var: _, value: Some(value) } => self.is_made_value(value, found),
            StmtKind::Call(call) => call.args.iter().all(|arg| match &arg.kind {
                ArgKind::Value(value) => {
                    let mut all = true;
                    places_in(value, &mut |place| all &= is_passive(place));
                    all
                }
                ArgKind::Shared(place) | ArgKind::Exclusive(place) => is_passive(place),
                ArgKind::Omitted => true,
            }),
            StmtKind::Let { var: _, value: None }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => false,
        }
    }

    /// Whether a place is in what code has returned, which is dropped with the statement.
    pub(super) fn is_in_temporary(&self, place: &Place) -> bool {
        let is_declared = |stmt: &Stmt| {
            // One without a value gets it in a block.
            let is_value = |value: &Expr| matches!(value.kind, ExprKind::Opaque(_));
            matches!(&stmt.kind, StmtKind::Let { var, value }
                if *var == place.root && value.as_ref().is_none_or(is_value))
        };
        !self.is_known_by_name(place.root)
            && self.may_be_noticed(&self.body.vars[place.root].ty)
            && self.out.iter().any(is_declared)
    }

    /// Whether a name of the user's stands for a variable, or for something that it is a part of, or for what is followed and
    /// needs no variable.
    fn is_known_by_name(&self, var: Var) -> bool {
        let is_part = |optional: &super::optional::Optional| optional.mentions(var);
        let is_followed = self.closures.contains_key(&var) || self.iterators.contains_key(&var);
        self.is_user_variable(var) || is_followed || self.optionals.values().any(is_part)
    }

    /// The `Option`s in parts that have to be whole: something is done with them that takes what is in them away, and that may have
    /// a destructor, or nobody has seen its type. Parts would keep it to the end of their block.
    pub(super) fn kept_whole(&mut self) -> Vec<String> {
        let mut whole = Vec::new();
        for Unparted { site, payload, span } in self.unparted.take() {
            if !self.may_be_noticed(&self.types.resolve(&payload)) {
                continue;
            }
            if self.calls.whole.contains(&site) {
                self.errors.report(
                    span,
                    "this drops a value of a type that the macro does not see",
                    "give its type where it is declared, `let mut name: Option<…> = …`",
                );
            }
            whole.push(site);
        }
        whole
    }

    /// Whether values of a type may do something when they are dropped.
    fn may_be_noticed(&self, ty: &Type) -> bool {
        match self.types.shallow(ty) {
            Type::Float(_) | Type::Int(_) | Type::Bool => false,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                self.may_be_noticed(&element)
            }
            Type::Tuple(fields) => fields.iter().any(|field| self.may_be_noticed(field)),
            Type::Named(name) => !UNNOTICED.contains(&&*name),
            known @ (Type::Unknown | Type::Infer(_)) => {
                !self.types.is_float(&known) && !self.types.is_int(&known)
            }
        }
    }
}

/// Whether a variable has its value behind a statement.
fn gets_value(stmt: &Stmt, var: Var) -> bool {
    let mut found = match &stmt.kind {
        StmtKind::Let { var: _, value: None } => false,
        StmtKind::Assign { place, value: _ } => place.is_whole() && place.root == var,
        kind => declared_by(kind) == Some(var),
    };
    each_block(stmt, &mut |block| {
        found |= block.stmts.iter().any(|stmt| gets_value(stmt, var));
    });
    found
}

/// Whether a value is the same wherever it is computed.
fn is_known(value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Literal(_) | ExprKind::Op(Op::Placeholder, _))
}

/// The variable that a statement declares for a value.
fn declared_by(kind: &StmtKind) -> Option<Var> {
    match kind {
        StmtKind::Let { var, value: _ } => Some(*var),
        StmtKind::Call(call) => call.result,
        StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => None,
    }
}
