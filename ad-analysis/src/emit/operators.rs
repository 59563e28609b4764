//! Operators of user types.

use super::body::Emitter;
use super::{at, respanned};
use crate::ir::{Arg, ArgKind, BinaryOp, ByReference, Operator, Slot, UnaryOp};
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
            ArgKind::Shared(place) => {
                let place = self.shared(place);
                quote!((#place))
            }
            ArgKind::Exclusive(place) => self.place(place),
            ArgKind::Omitted => TokenStream::new(),
        }
    }

    /// A sweep of an operator.
    pub(super) fn function_of_operator(
        &self,
        operator: Operator,
        by_reference: ByReference,
        sweep: &str,
        span: Span,
    ) -> TokenStream {
        let rt = respanned(self.rt.clone(), at(span));
        let of_trait = trait_of_operator(&rt, (operator, by_reference), &quote!(_), at(span));
        let sweep = Ident::new(sweep, at(span));
        quote_spanned!(at(span)=> #of_trait::#sweep)
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
        let (rt, span) = (respanned(self.rt.clone(), at(span)), at(span));
        let of_trait = trait_of_directed(&rt, operator, &quote!(_), span);
        let sweep = Ident::new(sweep, span);
        quote_spanned!(span=> #of_trait::#sweep)
    }

    /// The tangents of an operator in several directions: there are those of operators of floats.
    pub(super) fn tangents_of_operator(
        &self,
        operator: Operator,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let (rt, directions, span) = (&self.rt, self.directions(), at(span));
        let kind = kind_of(rt, operator, span);
        // What is behind references is looked at as a value, and the operator is the one on references.
        let borrowed = |at: usize| {
            args.get(at).filter(|arg| matches!(arg.kind, ArgKind::Shared(_))).map(|_| quote!(&))
        };
        let (first, second) = (borrowed(0), borrowed(1));
        let args = args.iter().map(|arg| {
            let (value, direction) = (self.argument(arg), self.bare_direction(arg));
            match arg.kind {
                ArgKind::Shared(_) => {
                    quote!({ use #rt::unseen::*; Referred(#value).value() }, #direction)
                }
                ArgKind::Value(_) | ArgKind::Exclusive(_) | ArgKind::Omitted => {
                    quote!(#value, #direction)
                }
            }
        });
        let token = |op: BinaryOp, suffix: &str| -> TokenStream {
            format!("{}{suffix}", op.token()).parse().expect("operators are tokens")
        };
        let (names, call) = match operator {
            Operator::Unary(op) => {
                let op = unary_token(op);
                let call = quote! {
                    operation::<#kind, _, _>(&value, &())
                        .unary::<#directions, _, _>(value, along, |value| #op #first value)
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
                        |left, right| #first left #op #second right,
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
                        |left, right| *left #op #second right,
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

/// The trait of the runtime that an operator implements, by which of its operands are references.
pub(super) fn trait_of_operator(
    rt: &TokenStream,
    (operator, by_reference): (Operator, ByReference),
    right: &TokenStream,
    span: Span,
) -> TokenStream {
    let kind = kind_of(rt, operator, span);
    match (operator, by_reference) {
        (Operator::Unary(_), ByReference::Neither) => {
            quote_spanned!(span=> #rt::operator::Unary::<#kind>)
        }
        (Operator::Unary(_), ByReference::Left | ByReference::Right | ByReference::Both) => {
            quote_spanned!(span=> #rt::on_references::Unary::<#kind>)
        }
        (Operator::Binary(_), ByReference::Neither) => {
            quote_spanned!(span=> #rt::operator::Binary::<#kind, #right>)
        }
        (Operator::Binary(_), ByReference::Left) => {
            quote_spanned!(span=> #rt::on_references::Left::<#kind, #right>)
        }
        (Operator::Binary(_), ByReference::Right) => {
            quote_spanned!(span=> #rt::on_references::Right::<#kind, #right>)
        }
        (Operator::Binary(_), ByReference::Both) => {
            quote_spanned!(span=> #rt::on_references::Both::<#kind, #right>)
        }
        (Operator::Assign(_), ByReference::Neither) => {
            quote_spanned!(span=> #rt::operator::Assign::<#kind, #right>)
        }
        (Operator::Assign(_), ByReference::Left | ByReference::Right | ByReference::Both) => {
            quote_spanned!(span=> #rt::on_references::Assign::<#kind, #right>)
        }
    }
}

/// The trait of the runtime that the tangent of an operator implements.
pub(super) fn trait_of_directed(
    rt: &TokenStream,
    operator: Operator,
    right: &TokenStream,
    span: Span,
) -> TokenStream {
    let kind = kind_of(rt, operator, span);
    match operator {
        Operator::Unary(_) => quote_spanned!(span=> #rt::directed::Unary::<#kind>),
        Operator::Binary(_) => quote_spanned!(span=> #rt::directed::Binary::<#kind, #right>),
        Operator::Assign(_) => quote_spanned!(span=> #rt::directed::Assign::<#kind, #right>),
    }
}

/// The type that stands for an operator in the runtime.
pub(super) fn kind_of(rt: &TokenStream, operator: Operator, span: Span) -> TokenStream {
    let kind = Ident::new(&operator.trait_name(), span);
    quote_spanned!(span=> #rt::operator::kind::#kind)
}
