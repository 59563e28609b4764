//! Calls whose results lead to tests only, in tangents that follow tests. Any other tangent has no use for the tangent of such a call, and
//! is not to fail because there is none: a function without derivatives may well decide when a loop ends.

use super::body::Emitter;
use super::{at, respanned};
use crate::index::Var;
use crate::ir::{Arg, ArgKind, Call, Callee, Carrier, Expr, ExprKind};
use crate::types::{FloatKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

impl Emitter<'_> {
    /// The value and the tangent of a function at a path that returns a number, or only fails, if both its tangent and the function itself
    /// can be written with these arguments: rustc finds out which there is.
    pub(super) fn tangents_if_any(
        &self,
        call: &Call,
        slope: Option<Var>,
        span: Span,
    ) -> Option<TokenStream> {
        let Callee::Function(path) = &call.callee else { return None };
        let is_number =
            |slope: Var| matches!(self.body.vars[slope].ty, Type::Float(FloatKind::Directions(_)));
        let is_used = match (call.result, slope) {
            (Some(_), Some(slope)) if is_number(slope) => true,
            (None, None) => false,
            (Some(_) | None, _) => return None,
        };
        let has_turbofish = self.turbofish(call, "tangents").is_some();
        if has_turbofish || !call.args.iter().all(is_twofold) {
            return None;
        }
        let (directions, marker) = (self.directions()?, self.marker_of_directions());
        let args = call.args.iter().map(|arg| self.argument_with_direction(arg));
        let primal = self.primal_value(call, span);
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let zero = quote!(#rt::untested::zero::<#directions>());
        let untested = match (call.carrier, is_used) {
            (None, true) => quote!((#primal, #zero)),
            (None, false) => quote!({ #primal; ((), ()) }),
            (Some(Carrier::Option | Carrier::Result), true) => {
                quote!(#primal.map(|value| (value, #zero)))
            }
            (Some(Carrier::Option | Carrier::Result), false) => quote!(#primal.map(|_| ((), ()))),
        };
        let without = quote!(untested);
        let entries = self.entries_or(path, "__entries", "Callee", without, span);
        let count = 2 * call.args.len() + 1;
        let types: Vec<Ident> = (0..count).map(|n| format_ident!("A{n}")).collect();
        Some(quote_spanned! {span=> {
            use #rt::untested::Tested as _;
            trait __Tangents: Sized {
                fn __tangents<#(#types),*>(self, #(_: #types),*) -> #rt::untested::Untested {
                    #rt::untested::Untested
                }
            }
            impl __Tangents for #rt::untested::Untested {}
            #entries.__or(|callee| callee.__tangents(#marker, #(#args),*), || #untested)
        }})
    }
}

/// Whether an argument can be written twice, where only one of the two is evaluated.
fn is_twofold(arg: &Arg) -> bool {
    match &arg.kind {
        ArgKind::Value(value) => value.ty.is_copy() && is_of_variables(value),
        ArgKind::Shared(_) => true,
        ArgKind::Exclusive(_) | ArgKind::Omitted => false,
    }
}

/// Whether no code of the user's is in an expression.
fn is_of_variables(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Op(_, args) => args.iter().all(is_of_variables),
        ExprKind::Load(_) | ExprKind::Literal(_) | ExprKind::Guard(_) => true,
        ExprKind::Opaque(_) => false,
    }
}
