//! Operators of user types.

use super::body::Emitter;
use super::{at, respanned};
use crate::ir::{Arg, ArgKind, BinaryOp, Operator, Slot, UnaryOp};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// How tightly the operand of an operator binds.
const TIGHT: u8 = u8::MAX;

fn unary_token(op: UnaryOp) -> TokenStream {
    match op {
        UnaryOp::Neg => quote!(-),
        UnaryOp::Not => quote!(!),
    }
}

impl Emitter<'_> {
    /// The operator as it is.
    pub(super) fn primal_operator(
        &self,
        operator: Operator,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let operands: Vec<TokenStream> = args.iter().map(|arg| self.bare_operand(arg)).collect();
        let token = |op: BinaryOp, suffix: &str| -> TokenStream {
            format!("{}{suffix}", op.token()).parse().expect("operators are tokens")
        };
        match (operator, operands.as_slice()) {
            (Operator::Unary(op), [operand]) => {
                let op = unary_token(op);
                quote_spanned!(span=> #op #operand)
            }
            (Operator::Binary(op), [left, right]) => {
                let op = token(op, "");
                quote_spanned!(span=> #left #op #right)
            }
            (Operator::Assign(op), [left, right]) => {
                let op = token(op, "=");
                quote_spanned!(span=> #left #op #right)
            }
            _ => unreachable!("an operator has its operands"),
        }
    }

    /// A value of the type of the result, from values of the types of the operands.
    pub(super) fn witness_of_operator(
        &self,
        operator: Operator,
        operands: &[TokenStream],
    ) -> TokenStream {
        match (operator, operands) {
            (Operator::Binary(op), [left, right]) => {
                let op: TokenStream = op.token().parse().expect("operators are tokens");
                quote!(((#left) #op (#right)))
            }
            (Operator::Unary(op), [operand]) => {
                let op = unary_token(op);
                quote!((#op (#operand)))
            }
            (Operator::Assign(op), [place, value]) => {
                let op = format!("{}=", op.token()).parse::<TokenStream>();
                let op = op.expect("operators are tokens");
                quote!(*#place #op #value)
            }
            (Operator::Binary(_) | Operator::Unary(_) | Operator::Assign(_), _) => {
                unreachable!("an operator has its operands")
            }
        }
    }

    fn bare_operand(&self, arg: &Arg) -> TokenStream {
        match &arg.kind {
            ArgKind::Value(value) => self.operand(value, TIGHT),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => self.place(place),
            ArgKind::Omitted => TokenStream::new(),
        }
    }

    /// A sweep of an operator.
    pub(super) fn function_of_operator(
        &self,
        operator: Operator,
        sweep: &str,
        span: Span,
    ) -> TokenStream {
        self.function_in("operator", operator, sweep, span)
    }

    /// A sweep of a conversion into a type.
    pub(super) fn function_of_conversion(
        &self,
        target: &TokenStream,
        sweep: &str,
        span: Span,
    ) -> TokenStream {
        let (rt, span) = (&self.rt, at(span));
        let target = respanned(target.clone(), span);
        let rt = respanned(rt.clone(), span);
        // The type of what is converted, and the types of what follows it.
        let others = match sweep {
            "primal" => quote_spanned!(span=> _),
            "tangent" => quote_spanned!(span=> _, _),
            _ => quote_spanned!(span=> _, _, _),
        };
        let sweep = Ident::new(sweep, span);
        quote_spanned!(span=> #rt::conversion::#sweep::<#target, #others>)
    }

    /// A sweep of the tangent of an operator.
    pub(super) fn function_of_directed(
        &self,
        operator: Operator,
        sweep: &str,
        span: Span,
    ) -> TokenStream {
        self.function_in("directed", operator, sweep, span)
    }

    fn function_in(
        &self,
        module: &str,
        operator: Operator,
        sweep: &str,
        span: Span,
    ) -> TokenStream {
        let (rt, span) = (&self.rt, at(span));
        let name = |name: &str| Ident::new(name, span);
        let (kind, sweep, module) = (name(&operator.trait_name()), name(sweep), name(module));
        let kind = quote_spanned!(span=> #rt::operator::kind::#kind);
        match operator {
            Operator::Unary(_) => quote_spanned!(span=> #rt::#module::Unary::<#kind>::#sweep),
            Operator::Binary(_) => quote_spanned!(span=> #rt::#module::Binary::<#kind, _>::#sweep),
            Operator::Assign(_) => quote_spanned!(span=> #rt::#module::Assign::<#kind, _>::#sweep),
        }
    }

    /// The tangents of an operator in several directions: there are those of operators of floats.
    pub(super) fn tangents_of_operator(
        &self,
        operator: Operator,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let (rt, directions, span) = (&self.rt, self.directions(), at(span));
        let kind = Ident::new(&operator.trait_name(), span);
        let kind = quote_spanned!(span=> #rt::operator::kind::#kind);
        let args = args.iter().map(|arg| {
            let (value, direction) = (self.argument(arg), self.bare_direction(arg));
            quote!(#value, #direction)
        });
        let token = |op: BinaryOp, suffix: &str| -> TokenStream {
            format!("{}{suffix}", op.token()).parse().expect("operators are tokens")
        };
        let (names, call) = match operator {
            Operator::Unary(op) => {
                let op = unary_token(op);
                let call = quote! {
                    operation::<#kind, _, _>(&value, &())
                        .unary::<#directions, _, _>(value, along, |value| #op value)
                };
                (quote!(value, along), call)
            }
            Operator::Binary(op) => {
                let op = token(op, "");
                let call = quote! {
                    operation::<#kind, _, _>(&left, &right).binary::<#directions, _, _, _>(
                        left,
                        left_along,
                        right,
                        right_along,
                        |left, right| left #op right,
                    )
                };
                (quote!(left, left_along, right, right_along), call)
            }
            Operator::Assign(op) => {
                let op = token(op, "=");
                let call = quote! {
                    operation::<#kind, _, _>(&*left, &right).assign::<#directions, _, _>(
                        left,
                        left_along,
                        right,
                        right_along,
                        |left, right| *left #op right,
                    )
                };
                (quote!(left, left_along, right, right_along), call)
            }
        };
        quote_spanned! {span=>
            match (#(#args),*) {
                (#names) => {
                    use #rt::unseen::*;
                    #call
                }
            }
        }
    }

    /// The backward sweep of an operator, which is that function. That of an assignment is found by the bar of what it changes,
    /// which is of the same type.
    pub(super) fn backward_of_operator(
        &self,
        function: &TokenStream,
        args: &[Arg],
        head: &TokenStream,
        seed: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let rt = &self.rt;
        let args = args.iter().map(|arg| match (&arg.kind, &arg.slot) {
            (ArgKind::Omitted, Slot::Bar(bar, _)) => {
                let (bar, slot) = (self.shared(bar), self.slot(&arg.slot));
                quote!(#rt::operator::type_of(#bar), #slot)
            }
            _ => self.argument_with_slot(arg, span),
        });
        quote_spanned!(span=> #function (#head, #(#args,)* #seed);)
    }
}
