//! Indices that go up with the counter of a loop: the counter and what stays the same.

use crate::index::{BitSet, Var};
use crate::ir::{BinaryOp, Body, Expr, ExprKind, Op, places_in, print_expr};

/// What a loop leaves as it is.
#[derive(Clone, Copy)]
pub(super) struct Invariants<'a> {
    pub(super) body: &'a Body,
    pub(super) counter: Var,
    /// What its iterations declare or change, and the counter.
    pub(super) changed: &'a BitSet<Var>,
}

/// The difference between an index and the counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offset {
    /// What is added and subtracted, with its sign, in the order of the alphabet.
    pub(super) terms: Vec<String>,
    /// The sum of the literals.
    pub(super) literal: i64,
}

impl Invariants<'_> {
    /// The offset of an index to which the counter is added once.
    pub(super) fn offset(&self, index: &Expr) -> Option<Offset> {
        let mut offset = Offset { terms: Vec::new(), literal: 0 };
        let counters = self.collect(index, true, &mut offset)?;
        offset.terms.sort();
        (counters == 1).then_some(offset)
    }

    /// Adds the terms of a sum, and counts how often the counter is among them.
    fn collect(&self, expr: &Expr, is_added: bool, offset: &mut Offset) -> Option<i64> {
        if let ExprKind::Op(Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub)), sides) = &expr.kind {
            let left = self.collect(&sides[0], is_added, offset)?;
            let right = self.collect(&sides[1], is_added == (*op == BinaryOp::Add), offset)?;
            return left.checked_add(right);
        }
        let sign = if is_added { 1 } else { -1 };
        if expr.as_var() == Some(self.counter) {
            return Some(sign);
        }
        if let Some(text) = expr.as_literal() {
            let value: i64 = text.trim_end_matches("usize").replace('_', "").parse().ok()?;
            offset.literal = offset.literal.checked_add(sign * value)?;
            return Some(0);
        }
        if !self.is_invariant(expr) {
            return None;
        }
        let sign = if is_added { '+' } else { '-' };
        offset.terms.push(format!("{sign}{}", print_expr(self.body, expr)));
        Some(0)
    }

    /// Whether an expression has the same value in all iterations.
    pub(super) fn is_invariant(&self, expr: &Expr) -> bool {
        let mut is_invariant = is_seen(expr);
        places_in(expr, &mut |place| {
            is_invariant &= !self.changed.contains(self.body.root_of(place));
            is_invariant &= !self.changed.contains(place.root);
        });
        is_invariant
    }
}

/// Whether an expression is no code that is kept as it is.
fn is_seen(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Load(_) => true,
        ExprKind::Op(_, args) => args.iter().all(is_seen),
        ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}
