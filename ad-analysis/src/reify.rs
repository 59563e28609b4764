//! Makes explicit what the backward sweep may have to know besides the values of the user's own
//! variables: which branch was taken, by which exit a construct was left, how often a loop ran, and
//! the shape of values whose bars must be made. Each becomes an ordinary variable, so that the same
//! analyses that decide whether a value is kept, stored or computed again decide it for control.
//!
//! ```text
//! if x > 0.0 { … } else { … }        let test = x > 0.0; if test { … } else { … }
//! while p { … }                      let trips = 0; while p { trips = trips + 1; … }
//! loop { if p { break } if q { break } … }
//!                                    let exit = 0; loop { if p { exit = 1; break } if q { exit = 2; break } … }
//! let v = x.to_vec();                let v = x.to_vec(); let v_len = x.len();
//! v.push(e);                         v.push(e); v_len = v_len + 1;
//! ```
//!
//! With `split_results`, an expensive operation whose derivative reuses its result (`exp`, `sqrt`, …), or whose result
//! the derivative of the operation around it reads (`y * x.tanh()`), gets a variable for it, so that the result can be kept instead of computed
//! twice; and a test by which partials are chosen (`min`, `max`) one for its outcome, which is a bit where operands would be kept for it:
//!
//! ```text
//! m = m.min(x);                      let first = m <= x || x.is_nan(); m = decided(m.min(x), first);
//! ```

mod lent;
mod results;
mod shapes;

use crate::index::{BitSet, Index, Label, StmtId, Var};
use crate::ir::{
    ArgKind, BinaryOp, Block, Body, Call, CallMode, Change, Expr, ExprKind, Loop, LoopKind, Op,
    Place, Projection, Range, Resize, Stmt, StmtKind, Target, completes, each_expr, each_stmt,
    exits_of_block, places_in, written_by,
};
use crate::rules::is_cheap;
use crate::types::Type;
use lent::{Lent, Open};
use proc_macro2::Span;
use results::Within;
use std::collections::HashMap;

/// What [`reify`] found out besides the statements it added.
#[derive(Clone, Debug, Default)]
pub struct Reified {
    /// The variable that holds what is needed to make a zero bar of a variable of dynamic shape: a
    /// length for a `Vec` of scalars, a shape otherwise.
    pub shapes: HashMap<Var, Var>,
    /// The variable that holds the shape of what an assignment overwrites, if that is a part of a variable and a list, or differs in shape by the variants
    /// of enums.
    pub part_shapes: HashMap<StmtId, Var>,
    /// The statements that were added.
    pub added: BitSet<StmtId>,
    /// The variables that tell by a test of parameters whether the only exit of a block was taken: they are assigned once.
    pub told_exits: BitSet<Var>,
}

/// Adds the variables and statements described in the [module documentation](self).
pub fn reify(body: &mut Body, split_results: bool) -> Reified {
    let mut written = BitSet::new();
    let mut resized = BitSet::new();
    let mut moved = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        written.extend(written_by(body, stmt));
        each_expr(stmt, &mut |value| shapes::note_moves(body, value, &mut moved));
        if let StmtKind::Resize(resize) = &stmt.kind {
            resized.insert(body.root_of(&resize.list));
        }
    });
    let mut reifier = Reifier {
        body: std::mem::replace(body, Body::new("")),
        written,
        resized,
        moved,
        lens: HashMap::new(),
        codes: HashMap::new(),
        exit_vars: HashMap::new(),
        lent: Lent::default(),
        reified: Reified::default(),
        split_results,
        out: Vec::new(),
    };
    let target = reifier.body.target.clone();
    let empty = Block { scope: Index::new(0), stmts: Vec::new() };
    let block = std::mem::replace(&mut reifier.body.block, empty);
    reifier.body.target = reifier.reify_target_of_block(target, &block, completes(&block));
    reifier.shapes_of_params();
    let prologue = std::mem::take(&mut reifier.out);
    let mut block = reifier.block(block);
    block.stmts.splice(0..0, prologue);
    reifier.body.block = block;
    *body = reifier.body;
    reifier.reified
}

struct Reifier {
    body: Body,
    /// Variables that are written after their declaration.
    written: BitSet<Var>,
    /// Lists that grow or shrink.
    resized: BitSet<Var>,
    /// Variables out of which a part may be moved.
    moved: BitSet<Var>,
    /// The variables that hold the lengths of lists that grow or shrink.
    lens: HashMap<Var, Var>,
    /// How many exits of a construct have been numbered.
    codes: HashMap<Label, u8>,
    /// The variables that tell by which exit a construct was left.
    exit_vars: HashMap<Label, Var>,
    lent: Lent,
    reified: Reified,
    split_results: bool,
    /// The statements of the block under construction.
    out: Vec<Stmt>,
}

impl Reifier {
    fn emit(&mut self, kind: StmtKind, span: Span) {
        let stmt = self.body.stmt(kind, span);
        self.reified.added.insert(stmt.id);
        self.out.push(stmt);
    }

    /// Declares a variable of its own for a value.
    fn name_value(&mut self, hint: &str, value: Expr) -> Var {
        let span = value.span;
        let var = self.body.local(hint, value.ty.clone(), span);
        self.emit(StmtKind::Let { var, value: Some(value) }, span);
        var
    }

    fn block(&mut self, block: Block) -> Block {
        let outer = std::mem::take(&mut self.out);
        self.stmts(block.stmts);
        Block { scope: block.scope, stmts: std::mem::replace(&mut self.out, outer) }
    }

    fn stmts(&mut self, stmts: Vec<Stmt>) {
        self.lent.enter(Open::new(&self.body, &stmts));
        for (at, stmt) in stmts.into_iter().enumerate() {
            self.lent.come_to(at);
            self.stmt(stmt);
        }
        self.lent.leave();
    }

    fn stmt(&mut self, stmt: Stmt) {
        let Stmt { id, span, kind } = stmt;
        self.shape_of_part(id, &kind, span);
        let kind = match kind {
            StmtKind::If { test, then, otherwise } => {
                let decides = completes(&then) && completes(&otherwise);
                let test = if decides && !self.is_stable(&test) {
                    let var = self.name_value("test", test);
                    self.body.load(var)
                } else {
                    test
                };
                StmtKind::If { test, then: self.block(then), otherwise: self.block(otherwise) }
            }
            StmtKind::Loop(inner) => StmtKind::Loop(self.reify_loop(inner, span)),
            StmtKind::Block { target, body } => {
                let ends = completes(&body);
                let target = target.map(|target| self.reify_target_of_block(target, &body, ends));
                StmtKind::Block { target, body: self.block(body) }
            }
            StmtKind::Exit { label, code: _ } => {
                self.shapes_before_exit(label, span);
                let code = self.codes.entry(label).or_insert(0);
                *code = code.saturating_add(1);
                let code = *code;
                if let Some(&exit) = self.exit_vars.get(&label) {
                    let place = Place::var(exit);
                    self.emit(StmtKind::Assign { place, value: Expr::code(code) }, span);
                }
                StmtKind::Exit { label, code }
            }
            StmtKind::Let { var, value } => {
                let value = value.map(|value| self.split(value, Within::Nothing));
                StmtKind::Let { var, value }
            }
            StmtKind::Assign { place, value } => {
                let value = self.split(value, Within::Nothing);
                let root = self.body.root_of(&place);
                let place = self.capture_indices(place, &[root]);
                StmtKind::Assign { place, value }
            }
            StmtKind::Call(mut call) => {
                if call.mode != CallMode::Joint {
                    call.kept = Some(self.body.local("kept", Type::Unknown, span));
                }
                self.capture_arguments(&mut call);
                StmtKind::Call(call)
            }
            StmtKind::Resize(resize) => {
                let len = self.lens.get(&self.body.root_of(&resize.list)).copied();
                StmtKind::Resize(Resize { len, ..resize })
            }
            StmtKind::Swap { a, b } => {
                let roots = [self.body.root_of(&a), self.body.root_of(&b)];
                let a = self.capture_indices(a, &roots);
                StmtKind::Swap { a, b: self.capture_indices(b, &roots) }
            }
            kind @ (StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. }) => kind,
        };
        let continues = !matches!(kind, StmtKind::Exit { .. });
        self.out.push(Stmt { id, span, kind });
        if continues {
            self.shape_after(span);
            self.shapes_of_released(span);
        }
    }

    /// Whether an expression has the same value wherever it can be evaluated.
    fn is_stable(&self, expr: &Expr) -> bool {
        let mut stable = true;
        places_in(expr, &mut |place| stable &= !self.written.contains(place.root));
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Guard(_) => true,
            ExprKind::Load(place) => stable && place.is_whole(),
            ExprKind::Op(op, args) => *op == Op::Len && stable && args[0].as_var().is_some(),
            ExprKind::Opaque(_) => false,
        }
    }

    fn reify_target(&mut self, target: Target, body: &Block, falls_through: bool) -> Target {
        let label = target.label;
        self.lent.note(label);
        let exits = exits_of_block(body).into_iter().filter(|exit| exit.0 == label).count();
        if exits + usize::from(falls_through) <= 1 {
            return target;
        }
        let var = self.name_value("exit", Expr::code(0));
        self.exit_vars.insert(label, var);
        Target { label, exit: Some(var) }
    }

    /// The same for what runs once. A loop may not come to the test in its body, which could panic before it.
    fn reify_target_of_block(
        &mut self,
        target: Target,
        body: &Block,
        falls_through: bool,
    ) -> Target {
        let label = target.label;
        let Some(taken) = self.first_test(label, body).filter(|_| falls_through) else {
            return self.reify_target(target, body, falls_through);
        };
        self.lent.note(label);
        let code = Expr::op(Op::Select, vec![taken, Expr::code(1), Expr::code(0)], Type::U8);
        let var = self.name_value("exit", code);
        self.reified.told_exits.insert(var);
        Target { label, exit: Some(var) }
    }

    /// What tells whether the only exit of a block is taken, `if n == 0 { return x; }` at its beginning: a test of parameters, which costs less
    /// than to store its outcome.
    fn first_test(&self, label: Label, body: &Block) -> Option<Expr> {
        let StmtKind::If { test, then, otherwise } = &body.stmts.first()?.kind else { return None };
        let last = &then.stmts.last()?.kind;
        let is_taken = matches!(last, StmtKind::Exit { label: taken, .. } if *taken == label);
        let mut are_fixed = true;
        places_in(test, &mut |place| {
            let is_param = self.body.params.contains(&place.root);
            are_fixed &= is_param && place.is_whole() && !self.written.contains(place.root);
        });
        let exits = exits_of_block(body).into_iter().filter(|exit| exit.0 == label).count();
        let is_only = exits == 1 && is_taken && completes(otherwise);
        (is_only && are_fixed && is_cheap(test)).then(|| test.clone())
    }

    fn reify_loop(&mut self, inner: Loop, span: Span) -> Loop {
        let Loop { target, kind, trips: _, body } = inner;
        let has_exits = !exits_of_block(&body).is_empty();
        let (kind, counts) = match kind {
            LoopKind::Counted { var, range } => {
                let range = self.reify_range(range);
                (LoopKind::Counted { var, range }, has_exits)
            }
            kind @ LoopKind::While { .. } => (kind, true),
            LoopKind::Forever => (LoopKind::Forever, true),
        };
        let ends = !matches!(kind, LoopKind::Forever);
        let target = self.reify_target(target, &body, ends);
        let trips = counts.then(|| self.name_value("trips", Expr::usize(0)));
        let outer = std::mem::take(&mut self.out);
        if let Some(trips) = trips {
            let next = Expr::binary(BinaryOp::Add, self.body.load(trips), Expr::usize(1));
            self.emit(StmtKind::Assign { place: Place::var(trips), value: next }, span);
        }
        let scope = body.scope;
        self.stmts(body.stmts);
        let body = Block { scope, stmts: std::mem::replace(&mut self.out, outer) };
        Loop { target, kind, trips, body }
    }

    fn reify_range(&mut self, mut range: Range) -> Range {
        let hints = ["start", "end"].into_iter().chain(std::iter::repeat("step"));
        for (operand, hint) in range.operands_mut().zip(hints) {
            if !self.is_stable(operand) {
                let var = self.name_value(hint, operand.clone());
                *operand = self.body.load(var);
            }
        }
        range
    }

    /// Gives names to indices that read what the statement overwrites: the backward sweep must know
    /// them before it can restore that.
    fn capture_indices(&mut self, place: Place, written: &[Var]) -> Place {
        let Place { root, projections } = place;
        let steps = projections.into_iter().map(|step| match step {
            step @ (Projection::Field(_) | Projection::Boxed) => step,
            Projection::Index(index) => Projection::Index(self.capture(index, written)),
            Projection::Slice { start, end } => Projection::Slice {
                start: start.map(|start| self.capture(start, written)),
                end: end.map(|end| self.capture(end, written)),
            },
            Projection::Got { getter, at } => {
                Projection::Got { getter, at: self.capture(at, written) }
            }
        });
        let projections = steps.collect();
        Place { root, projections }
    }

    /// Gives a name to a value that reads any of these variables.
    fn capture(&mut self, value: Expr, written: &[Var]) -> Expr {
        let mut reads = false;
        places_in(&value, &mut |read| reads |= written.contains(&self.body.root_of(read)));
        if !reads {
            return value;
        }
        let span = value.span;
        let var = self.name_value("index", value.clone());
        // An operand, `x *= x`, may have a bar.
        self.shape_of_new(var, Some(value), true, span);
        self.body.load(var)
    }

    fn capture_arguments(&mut self, call: &mut Call) {
        let written: Vec<Var> = call
            .args
            .iter()
            .filter_map(|arg| match &arg.kind {
                ArgKind::Exclusive(place) => Some(self.body.root_of(place)),
                ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => None,
            })
            .collect();
        for arg in &mut call.args {
            match &mut arg.kind {
                ArgKind::Value(value) => *value = self.capture(value.clone(), &written),
                ArgKind::Shared(place) | ArgKind::Exclusive(place) => {
                    *place = self.capture_indices(place.clone(), &written);
                }
                ArgKind::Omitted => {}
            }
        }
    }

    /// The length of a list that grows or shrinks, if its shape is something else.
    fn define_len(&mut self, var: Var, value: Option<&Expr>, declares: bool, span: Span) {
        if !self.resized.contains(var) {
            return;
        }
        if let Some(&shape) = self.reified.shapes.get(&var)
            && self.body.vars[shape].ty == Type::USIZE
        {
            self.lens.insert(var, shape);
            return;
        }
        let len = *self.lens.entry(var).or_insert_with(|| {
            let hint = format!("{}_len", self.body.vars[var].name);
            self.body.local(&hint, Type::USIZE, span)
        });
        let value = value.map(|value| self.len_of(value, var));
        self.set(len, value, declares, span);
    }

    fn set(&mut self, var: Var, value: Option<Expr>, declares: bool, span: Span) {
        match (declares, value) {
            (true, value) => self.emit(StmtKind::Let { var, value }, span),
            (false, Some(value)) => {
                self.emit(StmtKind::Assign { place: Place::var(var), value }, span);
            }
            (false, None) => {}
        }
    }

    /// The length after a change is told from that before, so that it can be undone.
    fn shape_of_resized(&mut self, resize: &Resize, span: Span) {
        let list = self.body.root_of(&resize.list);
        let Some(&len) = self.lens.get(&list) else { return };
        let present = self.body.load(list);
        let before = self.body.load(len);
        let by = |op, count: &Expr| Expr::binary(op, before.clone(), count.clone());
        let value = match &resize.change {
            Change::Extend(Expr { kind: ExprKind::Op(Op::Array | Op::Vec, items), .. }) => {
                by(BinaryOp::Add, &Expr::usize(items.len()))
            }
            Change::Extend(Expr { kind: ExprKind::Op(Op::VecRepeat, args), .. })
                if args[1].as_literal().is_some() =>
            {
                by(BinaryOp::Add, &args[1])
            }
            Change::Truncate(Expr {
                kind: ExprKind::Op(Op::Binary(BinaryOp::Sub), args), ..
            }) if args[1].as_literal().is_some() && self.is_len(&args[0], list) => {
                by(BinaryOp::Sub, &args[1])
            }
            Change::Truncate(rest) if rest.as_literal().is_some() => rest.clone(),
            Change::Extend(_) | Change::Truncate(_) => {
                Expr::op(Op::Len, vec![present.clone()], Type::USIZE)
            }
        };
        self.set(len, Some(value), false, span);
        if self.reified.shapes.get(&list).is_some_and(|&shape| shape != len) {
            self.define_shape(list, Some(present), false, span);
        }
    }

    fn is_len(&self, expr: &Expr, list: Var) -> bool {
        let ExprKind::Op(Op::Len, args) = &expr.kind else { return false };
        args[0].as_place().is_some_and(|place| {
            let place = self.body.resolve(place);
            place.root == list && place.is_whole()
        })
    }
}
