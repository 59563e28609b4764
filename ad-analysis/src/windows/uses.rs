//! How the iterations of a loop use lists.

use super::offset::{Invariants, Offset};
use crate::index::Var;
use crate::ir::{
    Arg, ArgKind, BinaryOp, Binding, Block, Call, Change, Expr, ExprKind, LoopKind, Op, Opaque,
    Place, Projection, Resize, Slot, Stmt, StmtKind, Sweep, UnaryOp, exprs_in_place,
};
use std::collections::BTreeMap;

/// How a list is used.
#[derive(Default)]
pub(super) struct Uses {
    /// Elements whose indices go up with the counter.
    pub(super) elements: Vec<Element>,
    /// Whether it is used in other ways.
    pub(super) others: bool,
    /// Whether it is changed.
    pub(super) is_written: bool,
}

/// The use of an element.
pub(super) struct Element {
    pub(super) index: Expr,
    pub(super) offset: Offset,
    /// The conditions on the instance under which it is used.
    pub(super) guards: Vec<Expr>,
    /// Whether each iteration comes to it in such an instance.
    pub(super) is_certain: bool,
}

/// The uses of all variables in an iteration.
pub(super) fn uses_of(invariants: &Invariants<'_>, block: &Block) -> BTreeMap<Var, Uses> {
    let mut found = Found { invariants, uses: BTreeMap::new(), guards: Vec::new() };
    found.block(block, true);
    found.uses
}

struct Found<'a> {
    invariants: &'a Invariants<'a>,
    uses: BTreeMap<Var, Uses>,
    guards: Vec<Expr>,
}

/// What is done with a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl Found<'_> {
    /// `is_certain` says whether each iteration comes here, where the guards hold.
    fn block(&mut self, block: &Block, is_certain: bool) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, is_certain));
    }

    fn stmt(&mut self, stmt: &Stmt, is_certain: bool) {
        match &stmt.kind {
            StmtKind::Let { var: _, value } => {
                value.iter().for_each(|value| self.expr(value, is_certain));
            }
            StmtKind::Assign { place, value } => {
                self.expr(value, is_certain);
                self.place(place, Access::Write, is_certain);
            }
            StmtKind::Increment { place, value } => {
                self.contribution(value, is_certain);
                self.place(place, Access::Write, is_certain);
            }
            StmtKind::Reset { place } | StmtKind::Pop { place, declares: _ } => {
                self.place(place, Access::Write, is_certain);
            }
            StmtKind::Push { place, transfer: _ } => self.place(place, Access::Read, is_certain),
            StmtKind::Swap { a, b } => {
                [a, b].into_iter().for_each(|place| self.place(place, Access::Write, is_certain));
            }
            StmtKind::Resize(Resize { list, change, len: _ }) => {
                let (Change::Extend(by) | Change::Truncate(by)) = change;
                self.expr(by, is_certain);
                self.place(list, Access::Write, is_certain);
            }
            StmtKind::Bind { view } => {
                if let Binding::View(view) = &self.invariants.body.vars[*view].binding {
                    self.place(&view.place, Access::Write, false);
                }
            }
            StmtKind::Call(call) => self.call(call, is_certain),
            StmtKind::Opaque(opaque) => self.opaque(opaque),
            StmtKind::If { test, then, otherwise } => {
                self.expr(test, is_certain);
                if let ExprKind::Guard(_) = test.kind {
                    self.guards.push(test.clone());
                    self.block(then, is_certain);
                    self.guards.pop();
                } else {
                    self.block(then, false);
                }
                self.block(otherwise, false);
            }
            StmtKind::Loop(inner) => {
                match &inner.kind {
                    LoopKind::Counted { var: _, range } => {
                        range.operands().for_each(|operand| self.expr(operand, is_certain));
                    }
                    LoopKind::While { test } => self.expr(test, false),
                    LoopKind::Forever => {}
                }
                self.block(&inner.body, false);
            }
            StmtKind::Block { target, body } => self.block(body, is_certain && target.is_none()),
            StmtKind::Exit { label: _, code: _ } => {}
        }
    }

    fn call(&mut self, call: &Call, is_certain: bool) {
        for Arg { kind, slot } in &call.args {
            match kind {
                ArgKind::Value(value) => self.expr(value, is_certain),
                ArgKind::Shared(place) => self.place(place, Access::Read, is_certain),
                ArgKind::Exclusive(place) => self.place(place, Access::Write, is_certain),
                ArgKind::Omitted => {}
            }
            match slot {
                Slot::Bar(place, _) => self.place(place, Access::Write, is_certain),
                Slot::Passive | Slot::Marker(_) => {}
            }
        }
        match &call.sweep {
            Sweep::Backward { seed: Some(place), primal: _ } => {
                self.place(place, Access::Write, is_certain);
            }
            Sweep::Backward { seed: None, primal: _ }
            | Sweep::Primal
            | Sweep::Forward { .. }
            | Sweep::Tangent { .. } => {}
        }
    }

    fn opaque(&mut self, opaque: &Opaque) {
        for &var in opaque.reads.iter().chain(&opaque.writes) {
            let uses = self.uses.entry(var).or_default();
            uses.others = true;
            uses.is_written |= opaque.writes.contains(&var);
        }
    }

    fn place(&mut self, place: &Place, access: Access, is_certain: bool) {
        exprs_in_place(place, &mut |index| self.expr(index, is_certain));
        let element = match place.projections.first() {
            Some(Projection::Index(index)) => {
                let offset = self.invariants.offset(index);
                offset.map(|offset| (index.clone(), offset))
            }
            Some(Projection::Field(_) | Projection::Slice { .. }) | None => None,
        };
        let uses = self.uses.entry(place.root).or_default();
        uses.is_written |= access == Access::Write;
        match element {
            Some((index, offset)) => {
                uses.elements.push(Element {
                    index,
                    offset,
                    guards: self.guards.clone(),
                    is_certain,
                });
            }
            None => uses.others = true,
        }
    }

    fn expr(&mut self, expr: &Expr, is_certain: bool) {
        match &expr.kind {
            ExprKind::Load(place) => self.place(place, Access::Read, is_certain),
            ExprKind::Op(op, args) => {
                let eager = match op {
                    Op::Unary(_)
                    | Op::Method(_)
                    | Op::Standard(_)
                    | Op::Cast
                    | Op::Len
                    | Op::Array
                    | Op::Tuple
                    | Op::Real
                    | Op::Number => args.len(),
                    Op::Binary(BinaryOp::And | BinaryOp::Or) | Op::Select => 1,
                    Op::Binary(_) => args.len(),
                    Op::Called(_)
                    | Op::Decided(_)
                    | Op::Vec
                    | Op::Struct(..)
                    | Op::Repeat(_)
                    | Op::VecRepeat
                    | Op::ToVec
                    | Op::Clone
                    | Op::Strong
                    | Op::Tested(_)
                    | Op::Traced(_)
                    | Op::TracedStrong
                    | Op::Direction
                    | Op::Given
                    | Op::FromBits
                    | Op::Spacing
                    | Op::Unclear(_)
                    | Op::Shape
                    | Op::ZeroBar
                    | Op::ZeroTangent
                    | Op::Placeholder => 0,
                };
                for (position, arg) in args.iter().enumerate() {
                    self.expr(arg, is_certain && position < eager);
                }
            }
            ExprKind::Opaque(opaque) => self.opaque(opaque),
            ExprKind::Literal(_) | ExprKind::Guard(_) => {}
        }
    }

    /// What is added to a bar. A partial by which a bar is multiplied unless it is zero is made of what the statement
    /// that is differentiated has read, whatever the bar. The user's choices between floats are statements, not expressions.
    fn contribution(&mut self, value: &Expr, is_certain: bool) {
        match &value.kind {
            ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => self.contribution(&args[0], is_certain),
            ExprKind::Op(Op::Binary(BinaryOp::Add | BinaryOp::Sub), args) => {
                args.iter().for_each(|arg| self.contribution(arg, is_certain));
            }
            ExprKind::Op(Op::Select, args) if is_zero_of(&args[0], &args[1]) => {
                self.expr(&args[0], is_certain);
                self.expr(&args[2], is_certain);
            }
            ExprKind::Op(..)
            | ExprKind::Load(_)
            | ExprKind::Literal(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => self.expr(value, is_certain),
        }
    }
}

/// Whether a test asks for a bar of zero, for which there is zero.
fn is_zero_of(test: &Expr, value: &Expr) -> bool {
    let is_zero = |expr: &Expr| expr.as_float() == Some(0.0);
    let is_test =
        matches!(&test.kind, ExprKind::Op(Op::Binary(BinaryOp::Eq), sides) if is_zero(&sides[1]));
    is_test && is_zero(value)
}
