//! Identities that hold to the last bit.

use crate::ir::{BinaryOp, Expr, ExprKind, Op, UnaryOp};
use crate::types::Type;

/// Simplifies an expression and its operands.
pub(super) fn fold(expr: &mut Expr) {
    let ExprKind::Op(op, args) = &mut expr.kind else { return };
    args.iter_mut().for_each(fold);
    let simpler = match op {
        Op::Binary(op) => binary(*op, args),
        Op::Unary(UnaryOp::Neg) => negated(&args[0]).cloned(),
        Op::Cast if expr.ty.is_float() => {
            integer(&args[0]).map(|value| Expr::literal(&format!("{value}.0"), expr.ty.clone()))
        }
        Op::Select => match args[0].as_literal().map(|test| &**test) {
            Some("true") => Some(args[1].clone()),
            Some("false") => Some(args[2].clone()),
            _ => None,
        },
        Op::Method(name) if &**name == "powi" && is_literal(&args[1], "1") => Some(args[0].clone()),
        // No literal is. One without a suffix has no methods either.
        Op::Method(name)
            if &**name == "is_nan" && args[0].as_float().is_some_and(|value| !value.is_nan()) =>
        {
            Some(Expr::literal("false", Type::Bool))
        }
        _ => None,
    };
    if let Some(simpler) = simpler.filter(|simpler| simpler.ty == expr.ty) {
        *expr = simpler;
    }
}

fn binary(op: BinaryOp, args: &[Expr]) -> Option<Expr> {
    let [left, right] = args else { return None };
    if left.ty.is_float() {
        return match op {
            BinaryOp::Mul if left.as_float() == Some(1.0) => Some(right.clone()),
            BinaryOp::Mul | BinaryOp::Div if right.as_float() == Some(1.0) => Some(left.clone()),
            BinaryOp::Eq => {
                let equal = left.as_float()? == right.as_float()?;
                Some(Expr::literal(if equal { "true" } else { "false" }, Type::Bool))
            }
            BinaryOp::Add => {
                negated(right).map(|term| Expr::binary(BinaryOp::Sub, left.clone(), term.clone()))
            }
            BinaryOp::Sub => {
                negated(right).map(|term| Expr::binary(BinaryOp::Add, left.clone(), term.clone()))
            }
            _ => None,
        };
    }
    if op == BinaryOp::Or && is_literal(right, "false") {
        return Some(left.clone());
    }
    if op == BinaryOp::Eq {
        let equal = number(left)? == number(right)?;
        return Some(Expr::literal(if equal { "true" } else { "false" }, Type::Bool));
    }
    let (left, right) = (integer(left)?, integer(right)?);
    let value = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        _ => None,
    }?;
    let fits = value >= 0 && i8::try_from(value).is_ok();
    fits.then(|| Expr::literal(&value.to_string(), args[0].ty.clone()))
}

/// `x`, of `-x`.
fn negated(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => Some(&args[0]),
        ExprKind::Literal(_)
        | ExprKind::Load(_)
        | ExprKind::Op(..)
        | ExprKind::Opaque(_)
        | ExprKind::Guard(_) => None,
    }
}

/// A literal without a suffix, perhaps with a sign.
fn number(expr: &Expr) -> Option<i128> {
    match negated(expr) {
        Some(positive) => Some(-number(positive)?),
        None => expr.as_literal()?.parse().ok(),
    }
}

/// A literal without a suffix, small enough for every type.
fn integer(expr: &Expr) -> Option<i128> {
    let value = expr.as_literal()?.parse().ok()?;
    (0..128).contains(&value).then_some(value)
}

fn is_literal(expr: &Expr, text: &str) -> bool {
    expr.as_literal().is_some_and(|literal| &**literal == text)
}
