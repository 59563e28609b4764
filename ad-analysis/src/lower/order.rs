//! The order in which Rust evaluates operands.
//!
//! What an operand has been lowered to is read where its expression ends up, behind the statements that later operands
//! have become. So what these may change is put aside before them: values as a whole, of places the indices, which Rust
//! evaluates where a place is named, also where the borrow begins later.
//!
//! ```text
//! g(&x[i], { i += 1; y })                 let operand_index = i; i = i + 1; g(&x[operand_index], y);
//! ```

use super::items::Item;
use super::optional::Optional;
use super::pipelines::Pipeline;
use super::sequences::Sequence;
use super::subjects::Subject;
use super::{Lowerer, Operand};
use crate::index::{BitSet, Var};
use crate::ir::{
    ArgKind, Body, Class, Expr, ExprKind, Opaque, Place, Projection, Stmt, StmtKind, each_block,
    each_expr, exprs_in_place, places_in, written_by,
};

/// What the statements do that later operands have become.
pub(super) struct Later {
    written: BitSet<Var>,
    /// Whether somebody may see that they have run, or not: they may leave, or have an effect outside of the function.
    is_seen: bool,
}

impl Later {
    pub(super) fn of(body: &Body, stmts: &[Stmt]) -> Self {
        let mut later = Self { written: BitSet::new(), is_seen: false };
        stmts.iter().for_each(|stmt| later.look_at(body, stmt));
        later
    }

    fn look_at(&mut self, body: &Body, stmt: &Stmt) {
        self.written.extend(written_by(body, stmt));
        let mut run = |opaque: &Opaque| self.is_seen |= opaque.class == Class::Once;
        match &stmt.kind {
            StmtKind::Opaque(opaque) => run(opaque),
            StmtKind::Exit { .. } => self.is_seen = true,
            StmtKind::Call(call) => self.is_seen |= call.carrier.is_some(),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
        let mut run = |opaque: &Opaque| self.is_seen |= opaque.class == Class::Once;
        each_expr(stmt, &mut |expr| {
            if let ExprKind::Opaque(opaque) = &expr.kind {
                run(opaque);
            }
        });
        each_block(stmt, &mut |block| {
            block.stmts.iter().for_each(|stmt| self.look_at(body, stmt));
        });
    }

    /// Whether an index of a place may change.
    pub(super) fn moves(&self, body: &Body, place: &Place) -> bool {
        let mut changes = false;
        exprs_in_place(place, &mut |index| changes |= self.may_change(body, index));
        changes
    }

    fn may_change(&self, body: &Body, expr: &Expr) -> bool {
        let mut found = false;
        places_in(expr, &mut |place| found |= self.written.contains(body.root_of(place)));
        found
    }
}

/// What has been lowered, and is read after other operands have been evaluated.
pub(super) trait Operands {
    /// Makes it independent of what later statements do.
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later);
}

impl Lowerer<'_> {
    /// Lowers what Rust evaluates after what has been lowered already.
    pub(super) fn after<R>(
        &mut self,
        earlier: &mut impl Operands,
        lower: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let before = self.out.len();
        let result = lower(self);
        if self.out.len() > before {
            let stmts = self.out.split_off(before);
            let later = Later::of(&self.body, &stmts);
            earlier.put_aside(self, &later);
            self.out.extend(stmts);
        }
        result
    }

    /// Lowers operands one after the other.
    pub(super) fn in_order<E, T: Operands>(
        &mut self,
        exprs: impl IntoIterator<Item = E>,
        mut lower: impl FnMut(&mut Self, E) -> T,
    ) -> Vec<T> {
        let mut operands = Vec::new();
        for expr in exprs {
            let operand = self.after(&mut operands, |this| lower(this, expr));
            operands.push(operand);
        }
        operands
    }
}

impl<T: Operands> Operands for Vec<T> {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        self.iter_mut().for_each(|operand| operand.put_aside(lowerer, later));
    }
}

impl<A: Operands, B: Operands> Operands for (&mut A, &mut B) {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        self.0.put_aside(lowerer, later);
        self.1.put_aside(lowerer, later);
    }
}

impl<T: Operands> Operands for Option<T> {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        if let Some(operand) = self {
            operand.put_aside(lowerer, later);
        }
    }
}

impl Operands for Expr {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, _: &Later) {
        lowerer.put_aside(self);
    }
}

/// A value that is put aside only if it may change.
pub(super) struct Changing(pub(super) Expr);

impl Operands for Changing {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        if later.may_change(&lowerer.body, &self.0) {
            lowerer.put_aside(&mut self.0);
        }
    }
}

impl Operands for Place {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        let is_checked = later.is_seen && self.is_computed();
        if is_checked || later.moves(&lowerer.body, self) {
            *self = lowerer.capture(self.clone(), "operand");
        }
        if is_checked {
            // An index that is out of bounds panics before anything else happens.
            lowerer.make_view("checked", self, false, proc_macro2::Span::call_site());
        }
    }
}

impl Operands for Projection {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        match self {
            Projection::Field(_) | Projection::Boxed => {}
            Projection::Index(index) | Projection::Got { at: index, .. } => {
                index.put_aside(lowerer, later);
            }
            Projection::Slice { start, end } => {
                start.put_aside(lowerer, later);
                end.put_aside(lowerer, later);
            }
        }
    }
}

impl Operands for Operand {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        match self {
            Operand::Value(value) => value.put_aside(lowerer, later),
            Operand::Reference { place, mutable: _, span: _ } => place.put_aside(lowerer, later),
        }
    }
}

impl Operands for ArgKind {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        match self {
            ArgKind::Value(value) => value.put_aside(lowerer, later),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => place.put_aside(lowerer, later),
            ArgKind::Omitted => {}
        }
    }
}

impl Operands for Item {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        match self {
            Item::Operand(Operand::Value(_)) => *self = lowerer.settled(self.clone()),
            Item::Operand(reference @ Operand::Reference { .. }) => {
                reference.put_aside(lowerer, later);
            }
            Item::Tuple(parts) => parts.put_aside(lowerer, later),
            // What it refers to is settled, or is a place.
            Item::Lent(item) => match &mut **item {
                Item::Operand(Operand::Value(_)) => {}
                item => item.put_aside(lowerer, later),
            },
        }
    }
}

impl Operands for Optional {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        if !later.may_change(&lowerer.body, &self.some)
            && !later.may_change_item(lowerer, &self.payload)
        {
            return;
        }
        if refers(&self.payload) {
            lowerer.put_aside(&mut self.some);
            self.payload.put_aside(lowerer, later);
            return;
        }
        // The payload is not to be touched if there is none.
        let span = self.some.span;
        let parts = lowerer.new_parts("operand", span);
        let failure = self.failure.clone();
        lowerer.store_optional(self.clone(), parts, span);
        *self = Optional { failure, ..lowerer.optional_of(parts, span) };
    }
}

impl Later {
    fn may_change_item(&self, lowerer: &Lowerer<'_>, item: &Item) -> bool {
        match item {
            Item::Operand(Operand::Value(value)) => self.may_change(&lowerer.body, value),
            Item::Operand(Operand::Reference { place, mutable: _, span: _ }) => {
                self.moves(&lowerer.body, place)
            }
            Item::Tuple(parts) => parts.iter().any(|part| self.may_change_item(lowerer, part)),
            Item::Lent(item) => self.may_change_item(lowerer, item),
        }
    }
}

/// Whether an item consists of references.
fn refers(item: &Item) -> bool {
    match item {
        Item::Operand(Operand::Value(_)) => false,
        Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => true,
        Item::Tuple(parts) => parts.iter().all(refers),
    }
}

impl Operands for Sequence {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        for bound in self.range.operands_mut() {
            if later.may_change(&lowerer.body, bound) {
                lowerer.put_aside(bound);
            }
        }
    }
}

impl Operands for Pipeline {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        self.sequence.put_aside(lowerer, later);
    }
}

impl Operands for Subject {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        match self {
            Subject::Item(item) => item.put_aside(lowerer, later),
            Subject::Tuple(parts) => parts.put_aside(lowerer, later),
            Subject::Optional(optional) => optional.put_aside(lowerer, later),
            Subject::Verbatim(code) => {
                let reads =
                    |var: &Var| later.written.contains(lowerer.body.root_of(&Place::var(*var)));
                if code.reads.iter().any(reads) {
                    *self = Subject::Verbatim(lowerer.named_code(code.clone()));
                }
            }
        }
    }
}
