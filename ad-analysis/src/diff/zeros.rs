//! Zero tangents, of the types and shapes of values.

use super::tangent::Builder;
use crate::ir::{Expr, ExprKind, Op};
use crate::types::Type;

impl Builder<'_> {
    /// A value of the type of an expression, and of its shape, whose floats are zero.
    pub(super) fn zero_like(&self, expr: &Expr) -> Expr {
        let ty = &expr.ty;
        if ty.is_float() {
            return Expr::zero(ty.clone());
        }
        if ty.is_discrete() {
            return expr.clone();
        }
        let is_list_of_floats = ty.element().is_some_and(Type::is_float);
        match &expr.kind {
            ExprKind::Load(_) if is_list_of_floats && ty.has_dynamic_shape() => {
                let element = ty.element().expect("asked before").clone();
                let len = Expr::op(Op::Len, vec![expr.clone()], Type::USIZE);
                let list = Type::vec(element.clone());
                Expr::op(Op::VecRepeat, vec![Expr::zero(element), len], list)
            }
            ExprKind::Op(Op::ToVec, args) if is_list_of_floats => {
                let element = ty.element().expect("asked before").clone();
                let len = Expr::op(Op::Len, vec![args[0].clone()], Type::USIZE);
                Expr::op(Op::VecRepeat, vec![Expr::zero(element), len], ty.clone())
            }
            ExprKind::Op(Op::Clone, args) => self.zero_like(&args[0]),
            ExprKind::Literal(text) if is_text(text) => expr.clone(),
            ExprKind::Op(
                op @ (Op::Array | Op::Vec | Op::Tuple | Op::Boxed | Op::Struct(..)),
                args,
            ) => {
                let zeros = args.iter().map(|arg| self.zero_like(arg)).collect();
                Expr { kind: ExprKind::Op(op.clone(), zeros), ..expr.clone() }
            }
            ExprKind::Op(
                op @ (Op::Repeat(_)
                | Op::VecRepeat
                | Op::Given
                | Op::Real
                | Op::Number
                | Op::Direction),
                args,
            ) => {
                let mut zeros = args.clone();
                zeros[0] = self.zero_like(&args[0]);
                Expr { kind: ExprKind::Op(op.clone(), zeros), ..expr.clone() }
            }
            ExprKind::Op(Op::Select, args) => {
                let zeros = args[1..].iter().map(|arg| self.zero_like(arg));
                let args = [args[0].clone()].into_iter().chain(zeros).collect();
                Expr { kind: ExprKind::Op(Op::Select, args), ..expr.clone() }
            }
            ExprKind::Op(Op::Binary(_) | Op::Unary(_) | Op::Method(_) | Op::Cast, _)
            | ExprKind::Literal(_)
                if !ty.has_placeholder() =>
            {
                Expr::zero(ty.clone())
            }
            _ => {
                Expr::new(ExprKind::Op(Op::ZeroTangent, vec![expr.clone()]), ty.clone(), expr.span)
            }
        }
    }

    /// As many zeros as a list has elements.
    pub(super) fn zero_list(&self, list: &Expr) -> Expr {
        match list.ty.element() {
            Some(element) if element.is_float() => {
                let len = Expr::op(Op::Len, vec![list.clone()], Type::USIZE);
                let (zero, ty) = (Expr::zero(element.clone()), Type::vec(element.clone()));
                Expr::op(Op::VecRepeat, vec![zero, len], ty)
            }
            element => {
                let ty = element.map_or(Type::Unknown, |element| Type::vec(element.clone()));
                Expr::op(Op::ZeroTangent, vec![list.clone()], ty)
            }
        }
    }
}

/// Whether a literal is a text, or a part of one.
fn is_text(literal: &str) -> bool {
    literal.contains(['"', '\''])
}
