//! Floats as integers of their bits, and back.

use super::Lowerer;
use crate::ir::{Expr, ExprKind, Op};
use crate::types::{FloatKind, Type};
use proc_macro2::Span;

impl Lowerer<'_> {
    /// `x.to_bits()`: an integer. `None` if the width of the float is not known.
    pub(super) fn bits_of(&mut self, float: &syn::Expr, span: Span) -> Option<Expr> {
        let (value, ty) = self.attempt("the bits of a float", |this| {
            let value = this.value(float);
            let ty = integer_of(&this.types.shallow(&value.ty))?;
            Some((value, ty))
        })?;
        Some(Expr::new(ExprKind::Op(Op::Method("to_bits".into()), vec![value]), ty, span))
    }

    /// `f64::to_bits(x)`, `f64::from_bits(n)`. What is made of bits has a name: whether there is a derivative, and which, is found out
    /// for whole statements.
    pub(super) fn bits_function(
        &mut self,
        name: &str,
        path: &syn::ExprPath,
        arg: &syn::Expr,
        span: Span,
    ) -> Option<Expr> {
        let owner = path.path.segments.iter().rev().nth(1)?;
        let float = match owner.ident.to_string().as_str() {
            "f64" => Type::Float(FloatKind::F64),
            "f32" => Type::Float(FloatKind::F32),
            _ => return None,
        };
        let integer = integer_of(&float)?;
        let value = self.value(arg);
        if name == "to_bits" {
            self.types.unify(&value.ty, &float);
            let bits = ExprKind::Op(Op::Method("to_bits".into()), vec![value]);
            return Some(Expr::new(bits, integer, span));
        }
        self.types.unify(&value.ty, &integer);
        let is_literal = value.as_literal().is_some();
        let value = Expr::new(ExprKind::Op(Op::FromBits, vec![value]), float, span);
        if is_literal {
            return Some(value);
        }
        let var = self.name_value("rebuilt", value);
        Some(self.load(var, span))
    }
}

/// The type of the bits of a float.
fn integer_of(float: &Type) -> Option<Type> {
    match float {
        Type::Float(FloatKind::F64) => Type::int("u64"),
        Type::Float(FloatKind::F32) => Type::int("u32"),
        Type::Float(FloatKind::Generic(_) | FloatKind::Directions(_) | FloatKind::Open(_))
        | Type::Int(_)
        | Type::Bool
        | Type::Array(..)
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Tuple(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => None,
    }
}
