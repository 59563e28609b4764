//! Tangents in several directions, and bars for several seeds: how derivatives are added and weighted whose type is a parameter.

use super::body::Emitter;
use super::expr::POSTFIX;
use super::types::known;
use crate::ir::{BinaryOp, Expr, ExprKind, Op, Place, UnaryOp};
use crate::types::{FloatKind, Type};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// Whether a value of a type is the derivatives of a float in several directions.
pub(super) fn are_directions(ty: &Type) -> bool {
    matches!(ty, Type::Float(FloatKind::Directions(_)))
}

impl Emitter<'_> {
    /// An operation whose result are derivatives in several directions, unless it is written as any other.
    pub(super) fn of_directions(&self, op: &Op, args: &[Expr], expr: &Expr) -> Option<TokenStream> {
        if let (Op::ZeroTangent, Some(parameter)) = (op, self.directions()) {
            let (rt, value) = (&self.rt, self.reference_to(&args[0]));
            if let (false, Some(ty)) = (args[0].ty.is_seen(), known(&expr.ty)) {
                let types = quote!(::core::marker::PhantomData::<(#parameter, #ty)>);
                return Some(quote!({
                    use #rt::unseen::*;
                    Shaped(#value, #types).zero()
                }));
            }
            return Some(quote!(#rt::zeros_along::<#parameter, _>(#value)));
        }
        if let (Op::ZeroBar, Some(parameter)) = (op, self.directions()) {
            let (rt, shape) = (&self.rt, self.operand(&args[0], POSTFIX));
            return Some(quote!(#rt::zeros_along::<#parameter, _>(&#shape.zero_bar())));
        }
        if !are_directions(&expr.ty) {
            return None;
        }
        let method = match op {
            Op::Binary(BinaryOp::Add) => quote!(plus),
            Op::Binary(BinaryOp::Sub) => quote!(minus),
            Op::Binary(BinaryOp::Mul) => quote!(times),
            Op::Binary(BinaryOp::Div) => quote!(over),
            Op::Unary(UnaryOp::Neg) => quote!(negative),
            Op::Strong if !are_directions(&args[0].ty) => {
                let (weighted, bar) = (self.operand(&args[1], POSTFIX), self.expr(&args[0]));
                return Some(quote!(#weighted.under(#bar)));
            }
            Op::Strong => return Some(self.strongly(&args[0], &args[1])),
            _ => return None,
        };
        let receiver = self.operand(&args[0], POSTFIX);
        let rest = args[1..].iter().map(|arg| self.expr(arg));
        Some(quote!(#receiver.#method(#(#rest),*)))
    }

    /// Weighted with a partial that may be infinite, by the operations by which one derivative is: see [`Expr::weighted`].
    fn strongly(&self, derivatives: &Expr, partial: &Expr) -> TokenStream {
        let receiver = self.operand(derivatives, POSTFIX);
        if let Some(divided) = self.strongly_divided(&receiver, partial, Sign::Plus) {
            return divided;
        }
        match &partial.kind {
            ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => {
                if let Some(divided) = self.strongly_divided(&receiver, &args[0], Sign::Minus) {
                    return divided;
                }
            }
            ExprKind::Op(Op::Select, args) => {
                let test = self.expr(&args[0]);
                let [then, otherwise] =
                    [1, 2].map(|branch| self.strongly(derivatives, &args[branch]));
                return quote!((if #test { #then } else { #otherwise }));
            }
            ExprKind::Op(..)
            | ExprKind::Load(_)
            | ExprKind::Literal(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => {}
        }
        let partial = self.expr(partial);
        quote!(#receiver.strongly(#partial))
    }

    /// Divided by `p`, for a partial `1 / p` or `1 / p * q`.
    fn strongly_divided(
        &self,
        receiver: &TokenStream,
        partial: &Expr,
        sign: Sign,
    ) -> Option<TokenStream> {
        match &partial.kind {
            ExprKind::Op(Op::Binary(BinaryOp::Div), args) if partial.is_reciprocal() => {
                let divisor = match sign {
                    Sign::Plus => self.expr(&args[1]),
                    Sign::Minus => {
                        let divisor = self.operand(&args[1], POSTFIX);
                        quote!(-#divisor)
                    }
                };
                Some(quote!(#receiver.strongly_over(#divisor)))
            }
            ExprKind::Op(Op::Binary(BinaryOp::Mul), args) if args[0].is_reciprocal() => {
                let divided = self.strongly_divided(receiver, &args[0], sign)?;
                let factor = self.expr(&args[1]);
                Some(quote!(#divided.strongly(#factor)))
            }
            ExprKind::Op(..)
            | ExprKind::Load(_)
            | ExprKind::Literal(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => None,
        }
    }

    /// Adds to derivatives in several directions.
    pub(super) fn added_directions(&self, place: &Place, value: &Expr, span: Span) -> TokenStream {
        let target = self.place(place);
        let (method, value) = match &value.kind {
            ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => (quote!(minus), self.expr(&args[0])),
            _ => (quote!(plus), self.expr(value)),
        };
        quote_spanned!(span=> #target = (#target).#method(#value);)
    }

    /// What tells a callee the type of the derivatives in several directions.
    pub(super) fn marker_of_directions(&self) -> Option<TokenStream> {
        let directions = self.directions()?;
        Some(quote!(::core::marker::PhantomData::<#directions>))
    }

    /// The name of the forward sweep that is called, and what tells that the type of the directions.
    pub(super) fn forward_of_callee(&self) -> (&'static str, Option<TokenStream>) {
        match self.is_along {
            true => ("forward_along", self.marker_of_directions()),
            false => ("forward", None),
        }
    }

    /// The same of the backward sweep, for bars of some type.
    pub(super) fn backward_of_callee(&self) -> (&'static str, Option<TokenStream>) {
        let marker = self.marker_of_directions();
        let sweep = match (self.is_along, &marker) {
            (true, _) => "backward_along",
            (false, Some(_)) => "backwards",
            (false, None) => "backward",
        };
        (sweep, marker)
    }

    /// The type parameter that stands for derivatives in several directions, in a tangent of that kind.
    pub(super) fn directions(&self) -> Option<TokenStream> {
        let name = self.several.clone()?;
        known(&Type::Float(FloatKind::Directions(name)))
    }
}

/// The sign of a partial.
#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}
