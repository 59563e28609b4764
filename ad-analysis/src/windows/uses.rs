//! How the iterations of a loop use lists.

use super::offset::{Invariants, Offset};
use crate::index::Var;
use crate::ir::{
    BinaryOp, Binding, Block, Expr, ExprKind, Loop, Op, Place, Projection, Stmt, StmtKind, UnaryOp,
    each_expr, exprs_in_place, framed, places_in,
};
use crate::rules::{CALLED, dearest};
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
    /// Whether elements are exchanged, or go to the stack or come from there.
    pub(super) is_moved: bool,
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

/// The uses of all variables in the iterations of a loop, if tests of indices take much of its time: it contains no loops, calls or functions,
/// and uses the stack in frames at most.
pub(super) fn uses_of(invariants: &Invariants<'_>, inner: &Loop) -> Option<BTreeMap<Var, Uses>> {
    let mut found = Found {
        invariants,
        uses: BTreeMap::new(),
        guards: Vec::new(),
        is_light: true,
        uses_stack: false,
    };
    found.block(&inner.body, true);
    let is_framed = || framed(invariants.body, inner).is_some();
    (found.is_light && (!found.uses_stack || is_framed())).then_some(found.uses)
}

struct Found<'a> {
    invariants: &'a Invariants<'a>,
    uses: BTreeMap<Var, Uses>,
    guards: Vec<Expr>,
    is_light: bool,
    uses_stack: bool,
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
        each_expr(stmt, &mut |expr| self.is_light &= dearest(expr) < CALLED);
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
            StmtKind::Reset { place } => self.place(place, Access::Write, is_certain),
            StmtKind::Push { place, transfer: _ } => {
                self.uses_stack = true;
                self.moved(place, Access::Read, is_certain);
            }
            StmtKind::Pop { place, declares: _ } => {
                self.uses_stack = true;
                self.moved(place, Access::Write, is_certain);
            }
            StmtKind::Swap { a, b } => {
                [a, b].into_iter().for_each(|place| self.moved(place, Access::Write, is_certain));
            }
            StmtKind::Bind { view } => self.view(*view),
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
            StmtKind::Block { target, body } => self.block(body, is_certain && target.is_none()),
            StmtKind::Exit { label: _, code: _ } => {}
            StmtKind::Resize(_) | StmtKind::Call(_) | StmtKind::Opaque(_) | StmtKind::Loop(_) => {
                self.is_light = false;
            }
        }
    }

    /// The indices of a local reference stay as they are.
    fn view(&mut self, view: Var) {
        let Binding::View(view) = &self.invariants.body.vars[view].binding else { return };
        exprs_in_place(&view.place, &mut |index| {
            places_in(index, &mut |place| self.uses.entry(place.root).or_default().others = true);
        });
    }

    fn moved(&mut self, place: &Place, access: Access, is_certain: bool) {
        self.place(place, access, is_certain);
        self.uses.entry(place.root).or_default().is_moved = true;
    }

    fn place(&mut self, place: &Place, access: Access, is_certain: bool) {
        exprs_in_place(place, &mut |index| self.expr(index, is_certain));
        let element = match place.projections.first() {
            Some(Projection::Index(index)) => {
                let offset = self.invariants.offset(index);
                offset.map(|offset| (index.clone(), offset))
            }
            Some(
                Projection::Field(_)
                | Projection::Boxed
                | Projection::Slice { .. }
                | Projection::Got { .. },
            )
            | None => None,
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
                let evaluated = evaluated(op, args);
                for (position, arg) in args.iter().enumerate() {
                    self.expr(arg, is_certain && position < evaluated);
                }
            }
            ExprKind::Opaque(_) => self.is_light = false,
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

/// How many operands are evaluated whatever the others are. Of operations that are not known here it is not known of any.
fn evaluated(op: &Op, args: &[Expr]) -> usize {
    if matches!(op, Op::Select | Op::Binary(BinaryOp::And | BinaryOp::Or)) {
        return 1;
    }
    let is_known = matches!(
        op,
        Op::Unary(_)
            | Op::Binary(_)
            | Op::Method(_)
            | Op::Standard(_)
            | Op::Cast
            | Op::Len
            | Op::Real
            | Op::Number
    );
    if is_known { args.len() } else { 0 }
}
