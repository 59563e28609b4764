//! What the traits of type parameters have: elementary functions and constants that are checked to be those of the standard library.

use super::body::Emitter;
use super::expr::CAST;
use super::types::known;
use super::{at, ident, located};
use crate::ir::{Called, Constant, Expr};
use crate::rules;
use crate::types::{FloatKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// What operands are called where a method is called on them.
const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// Whether a method is taken for an elementary function, and is one of a trait of a type parameter.
pub(super) fn is_of_trait(method: &str, operands: &[Expr]) -> bool {
    let is_parameter = matches!(operands[0].ty, Type::Float(FloatKind::Generic(_)));
    is_parameter && rules::method(method).is_some_and(|rule| rule.args.len() == operands.len())
}

impl Emitter<'_> {
    /// A method of a trait, checked to be the elementary function of its name.
    pub(super) fn method_of_trait(&self, name: &str, operands: &[Expr], span: Span) -> TokenStream {
        let names = OPERANDS[..operands.len()].iter().map(|name| ident(name, span));
        let names: Vec<Ident> = names.collect();
        let method = ident(name, span);
        let (receiver, rest) = (&names[0], &names[1..]);
        self.checked(name, &names, &quote!(#receiver.#method(#(#rest),*)), operands, span)
    }

    /// The user's call of a function of a trait.
    pub(super) fn called_of_trait(
        &self,
        called: &Called,
        operands: &[Expr],
        expr: &Expr,
    ) -> TokenStream {
        let tokens = located(called.tokens.clone());
        let names = called.arguments.iter().map(|name| ident(&name.to_string(), name.span()));
        let names: Vec<Ident> = names.collect();
        if let Some(name) = &called.rule {
            return self.checked(name, &names, &tokens, operands, expr.span);
        }
        let (rt, ty, number) = (&self.rt, known(&expr.ty), self.expr(&operands[0]));
        let argument = &names[0];
        if operands[0].ty.is_float() {
            return quote_spanned! {at(expr.span)=>
                #rt::elementary::nearest::<_, #ty>(#number, |#argument| #tokens)
            };
        }
        quote_spanned! {at(expr.span)=>
            {
                let #argument = #number;
                #rt::elementary::converted(#tokens, <#ty as #rt::Scalar>::constant(#argument as f64))
            }
        }
    }

    /// A cast from or to a type parameter, as `f64::from(x)` may be one, and those of partials and bars are.
    pub(super) fn cast_of_parameter(&self, operand: &Expr, ty: &Type) -> Option<TokenStream> {
        let is_parameter = |ty: &Type| matches!(ty, Type::Float(FloatKind::Generic(_)));
        let rt = &self.rt;
        let may_be_parameter = !self.product.interface.demands.is_empty();
        let unseen = matches!(operand.ty, Type::Unknown) && may_be_parameter;
        let number = if let (Type::Float(kind), true) = (ty, unseen) {
            let number = self.expr(operand);
            return match kind {
                FloatKind::F32 => Some(quote!(#rt::Cast::as_single(#number))),
                FloatKind::F64 => Some(quote!(#rt::Cast::as_double(#number))),
                FloatKind::Open(_) | FloatKind::Generic(_) | FloatKind::Directions(_) => None,
            };
        } else if is_parameter(&operand.ty) {
            let number = self.expr(operand);
            quote!(#rt::Scalar::double(#number))
        } else if is_parameter(ty) {
            let number = self.operand(operand, CAST);
            quote!(#number as f64)
        } else {
            return None;
        };
        let ty = known(ty)?;
        Some(quote!(<#ty as #rt::Scalar>::constant(#number)))
    }

    /// A call of which it is checked that its value is that of the elementary function.
    fn checked(
        &self,
        function: &str,
        names: &[Ident],
        call: &TokenStream,
        operands: &[Expr],
        span: Span,
    ) -> TokenStream {
        let (rt, function) = (&self.rt, ident(function, span));
        let operands = operands.iter().map(|operand| self.expr(operand));
        quote_spanned! {at(span)=>
            #rt::elementary::of_traits::#function(#(#operands,)* |#(#names),*| #call)
        }
    }

    /// The elementary function itself, in partials.
    pub(super) fn standard(&self, name: &str, operands: &[Expr], span: Span) -> TokenStream {
        let (rt, name) = (&self.rt, ident(name, span));
        let operands = operands.iter().map(|operand| self.expr(operand));
        quote!(#rt::elementary::#name(#(#operands),*))
    }

    /// Checks that what is taken for numbers is just these.
    pub(super) fn constants(&self) -> TokenStream {
        let rt = &self.rt;
        let checks = self.primal.constants.iter().map(|Constant { tokens, value, span }| {
            let number: TokenStream = value.parse().expect("numbers are tokens");
            let (text, tokens) = (tokens.to_string(), located(tokens.clone()));
            quote_spanned!(at(*span)=> #rt::elementary::is_constant(#tokens, #number, #text);)
        });
        checks.collect()
    }
}
