//! Backward sweeps whose seed is zero: nothing is to be added, as where a function computes several candidates and uses one.

use super::Adjoint;
use crate::ir::{
    BinaryOp, Binding, Body, Expr, ExprKind, Op, StmtKind, each_expr, each_expr_mut, each_stmt,
    each_stmt_mut, leaves_stack_alone,
};
use crate::rules::{CALLED, cost, dearest};
use crate::types::{FloatKind, Type};

/// What a sweep costs at least, in multiplications, for a test to cost little beside it, if something is kept for it: loops around such
/// calls are not vectorised.
const LONG: u32 = 24;

/// Has a backward sweep do nothing if its seed is zero, where the seed is made of numbers and all that is propagated, nothing waits on the
/// stack for being popped, and a test costs little beside the sweep.
pub fn leave_without_seed(adjoint: &mut Adjoint, primal: &Body) {
    let body = &mut adjoint.backward;
    let Some(test) = adjoint.seed.and_then(|seed| is_not_zero(&body.load(seed))) else { return };
    // The bars of other dependents are seeds, too, and so is that of what a `&mut` refers to.
    if primal.dependents.iter().any(|&dependent| primal.result != Some(dependent)) {
        return;
    }
    let is_seed = |var| matches!(primal.vars[var].binding, Binding::Exclusive);
    if adjoint.bars.iter().any(|param| param.bar.is_some() && is_seed(param.param)) {
        return;
    }
    let (mut is_long, mut is_alone, mut total) = (false, true, 0_u32);
    each_stmt(&body.block, &mut |stmt| {
        is_long |= matches!(stmt.kind, StmtKind::Loop(_));
        each_expr(stmt, &mut |expr| total = total.saturating_add(cost(expr)));
        let is_transfer = matches!(stmt.kind, StmtKind::Push { .. } | StmtKind::Pop { .. });
        is_alone &= !is_transfer && leaves_stack_alone(stmt);
    });
    each_stmt(&primal.block, &mut |stmt| {
        each_expr(stmt, &mut |expr| is_long |= dearest(expr) >= CALLED);
    });
    is_long |= total >= LONG && !body.kept.is_empty();
    if !is_long || !is_alone {
        return;
    }
    if let Some(seed) = adjoint.seed {
        let seed = body.load(seed);
        each_stmt_mut(&mut body.block, &mut |stmt| {
            each_expr_mut(stmt, &mut |expr| without_tests(&seed, expr));
        });
    }
    let span = test.span;
    let [otherwise, outermost] = [(); 2].map(|()| body.new_block(Vec::new()));
    let then = std::mem::replace(&mut body.block, outermost);
    let whole = body.stmt(StmtKind::If { test, then, otherwise }, span);
    body.block.stmts.push(whole);
}

/// Whether a seed that is made of numbers is not zero.
fn is_not_zero(seed: &Expr) -> Option<Expr> {
    match &seed.ty {
        Type::Float(FloatKind::F64 | FloatKind::F32 | FloatKind::Generic(_)) => {
            let operands = vec![seed.clone(), Expr::zero(seed.ty.clone())];
            Some(Expr::op(Op::Binary(BinaryOp::Ne), operands, Type::Bool))
        }
        Type::Tuple(types) => {
            let ExprKind::Load(place) = &seed.kind else { return None };
            let parts = types.iter().enumerate();
            let mut tests = parts.map(|(position, ty)| {
                is_not_zero(&Expr::load(place.field(position), ty.clone(), seed.span))
            });
            let first = tests.next()??;
            tests.try_fold(first, |any, test| {
                Some(Expr::op(Op::Binary(BinaryOp::Or), vec![any, test?], Type::Bool))
            })
        }
        Type::Float(FloatKind::Open(_) | FloatKind::Directions(_))
        | Type::Int(_)
        | Type::Bool
        | Type::Array(..)
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => None,
    }
}

/// Drops tests whether the seed is zero.
fn without_tests(seed: &Expr, expr: &mut Expr) {
    let ExprKind::Op(op, args) = &mut expr.kind else { return };
    args.iter_mut().for_each(|arg| without_tests(seed, arg));
    let is_zero = |test: &Expr| match &test.kind {
        ExprKind::Op(Op::Binary(BinaryOp::Eq), sides) => {
            sides[0] == *seed && sides[1].as_float() == Some(0.0)
        }
        ExprKind::Op(..) | ExprKind::Literal(_) | ExprKind::Load(_) => false,
        ExprKind::Guard(_) | ExprKind::Opaque(_) => false,
    };
    if *op == Op::Select && is_zero(&args[0]) {
        *expr = args.swap_remove(2);
    }
}
