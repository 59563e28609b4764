//! What the forward sweep proves to rustc about methods: that they are found where the macro takes them from.

use super::body::Emitter;
use super::operators::kind_of;
use super::{at, located, respanned};
use crate::ir::{
    Arg, ArgKind, Binding, Call, Callee, IndexMethod, Operator, Resolution, is_operator_method,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// What a method is called on, in the eyes of the user.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Value,
    Shared,
    Exclusive,
}

impl Emitter<'_> {
    /// Proves that the method of a call is the one the macro takes it for.
    pub(super) fn resolution_proof(&self, call: &Call, span: Span) -> Option<TokenStream> {
        match (&call.callee, &call.resolution) {
            (Callee::Operator(operator), Resolution::MethodOf(of)) => {
                Some(self.operator_proof(*operator, call, of, span))
            }
            (Callee::Operator(operator), Resolution::MethodOfReferent(of)) => {
                let mut proof = self.operator_proof(*operator, call, of, span);
                proof.extend(self.proof_of_no_other(*operator, call, span));
                Some(proof)
            }
            (Callee::Operator(_), Resolution::OnReferences) => {
                Some(self.proof_on_references(call, span))
            }
            (Callee::Operator(operator), Resolution::AsNamed) => {
                self.proof_of_single_references(*operator, call, span)
            }
            (Callee::Conversion(_), Resolution::MethodOf(function)) => {
                self.conversion_proof(function, span)
            }
            (Callee::Method(_), Resolution::Index { by, method }) => {
                self.index_proof((by, *method), call, span)
            }
            (Callee::Method(name), _) => {
                let receiver = call.args.first()?;
                let is_found_first = self.receiver_kind(receiver) == Receiver::Shared
                    || !is_operator_method(&name.to_string());
                if is_found_first { None } else { self.method_proof(name, call, span) }
            }
            (Callee::Associated(path), Resolution::MethodOf(_)) => {
                let path = syn::parse2::<syn::Path>(path.clone()).ok()?;
                let receiver = call.args.first()?;
                let is_found_first = match (&receiver.kind, self.receiver_kind(receiver)) {
                    (ArgKind::Value(_) | ArgKind::Omitted, _) => true,
                    (ArgKind::Shared(_), Receiver::Shared) => true,
                    (ArgKind::Exclusive(_), Receiver::Exclusive) => true,
                    (ArgKind::Shared(_), Receiver::Value | Receiver::Exclusive) => false,
                    (ArgKind::Exclusive(_), Receiver::Value | Receiver::Shared) => false,
                };
                let name = &path.segments.last()?.ident;
                if is_found_first { None } else { self.method_proof(name, call, span) }
            }
            (Callee::Operator(_), Resolution::Index { .. }) => None,
            (
                Callee::Function(_)
                | Callee::Derivative(..)
                | Callee::Associated(_)
                | Callee::DirectedOperator(_)
                | Callee::Conversion(_)
                | Callee::Given,
                _,
            ) => None,
        }
    }

    /// What is indexed has that index itself, and not what it dereferences to.
    fn index_proof(
        &self,
        (by, method): (&TokenStream, IndexMethod),
        call: &Call,
        span: Span,
    ) -> Option<TokenStream> {
        let (ArgKind::Shared(place) | ArgKind::Exclusive(place)) = &call.args.first()?.kind else {
            return None;
        };
        let proof = match method {
            IndexMethod::Get => "indexed_by",
            IndexMethod::GetMut | IndexMethod::Set => "indexed_mut_by",
        };
        let proof = Ident::new(proof, at(span));
        let (rt, by, indexed) = (&self.rt, located(by.clone()), self.shared(place));
        Some(quote_spanned!(at(span)=> if false { #rt::#proof::<#by, _>(#indexed); }))
    }

    /// A function that is taken for a conversion is that of the trait, and none of the type itself. All types have one into themselves.
    fn conversion_proof(&self, function: &TokenStream, span: Span) -> Option<TokenStream> {
        let mut of: syn::Path = syn::parse2(function.clone()).ok()?;
        let name = of.segments.pop()?.ident;
        of.segments.pop_punct();
        let (rt, of) = (&self.rt, located(quote!(#of)));
        let (of_trait, name) = match name == "from" {
            true => ("From", "from"),
            false => ("Into", "into"),
        };
        let [of_trait, name] = [of_trait, name].map(|name| Ident::new(name, at(span)));
        Some(quote_spanned! {at(span)=>
            if false { #rt::method::same(<#of>::#name, <#of as ::core::convert::#of_trait<#of>>::#name); }
        })
    }

    /// A method that is taken for an operator is that of the operator, and none of the type itself: each
    /// function has a type of its own.
    fn operator_proof(
        &self,
        operator: Operator,
        call: &Call,
        of: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let (rt, span) = (&self.rt, at(span));
        let [kind, method] =
            [operator.trait_name(), operator.method()].map(|name| Ident::new(&name, span));
        let operand = call.args.get(1).map(|arg| self.reference_to_operand(arg));
        match operand {
            Some(operand) => quote_spanned! {span=>
                if false {
                    #rt::method::is_operator(#of::#method, <#of as ::core::ops::#kind<_>>::#method, #operand);
                }
            },
            None => quote_spanned! {span=>
                if false { #rt::method::same(#of::#method, <#of as ::core::ops::#kind>::#method); }
            },
        }
    }

    /// An operator on references is one of its own, which only floats are known to have as they have the one on values.
    fn proof_on_references(&self, call: &Call, span: Span) -> TokenStream {
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let operands: Vec<TokenStream> =
            call.args.iter().map(|arg| respanned(self.reference_to_operand(arg), span)).collect();
        match operands.as_slice() {
            [operand] => quote_spanned! {span=>
                if false { #rt::operator::on_references(#operand, &()); }
            },
            operands => quote_spanned! {span=>
                if false { #rt::operator::on_references(#(#operands),*); }
            },
        }
    }

    /// What is handed to an operator as a reference is none to a reference: there is no such operator.
    fn proof_of_single_references(
        &self,
        operator: Operator,
        call: &Call,
        span: Span,
    ) -> Option<TokenStream> {
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let kind = kind_of(&rt, operator, span);
        // Each operand as it is, and as a reference to that, by references to both.
        let operands = call.args.iter().map(|arg| {
            let operand = respanned(self.reference_to_operand(arg), span);
            match &arg.kind {
                ArgKind::Shared(_) => {
                    vec![quote_spanned!(span=> &#operand), quote_spanned!(span=> &&#operand)]
                }
                ArgKind::Value(_) | ArgKind::Exclusive(_) | ArgKind::Omitted => vec![operand],
            }
        });
        let operands: Vec<Vec<TokenStream>> = operands.collect();
        let others: Vec<TokenStream> = match operands.as_slice() {
            [only] => only[1..]
                .iter()
                .map(|operand| quote_spanned!(span=> #rt::on_references::operand::<#kind, _>(#operand)))
                .collect(),
            [left, right] => {
                let pairs = left.iter().flat_map(|left| right.iter().map(move |right| (left, right)));
                let others = pairs.skip(1).map(|(left, right)| {
                    quote_spanned!(span=> #rt::on_references::operands::<#kind, _, _>(#left, #right))
                });
                others.collect()
            }
            _ => Vec::new(),
        };
        (!others.is_empty()).then(|| {
            quote_spanned! {span=>
                if false {
                    use #rt::on_references::{HasOperator as _, NoOperator as _};
                    #(#others.has_no_operator();)*
                }
            }
        })
    }

    /// Rust finds the operator on a reference before that on what it refers to. With one more trait that has such a method for all
    /// references, the call is ambiguous if there is one.
    fn proof_of_no_other(
        &self,
        operator: Operator,
        call: &Call,
        span: Span,
    ) -> Option<TokenStream> {
        let span = at(span);
        let name = Ident::new(&operator.method(), span);
        let of_trait = Ident::new(&operator.trait_name(), span);
        let reference = self.reference_to_operand(call.args.first()?);
        // The method is called on `self`.
        let (receiver, mutable) = match self.is_self_exclusive() {
            true => {
                let rt = &self.rt;
                (quote_spanned!(span=> #rt::method::like_mut(#reference)), quote!(mut))
            }
            false => (reference, TokenStream::new()),
        };
        let others: Vec<TokenStream> = self.arguments_never_run(call).into_iter().skip(1).collect();
        let types: Vec<Ident> = (0..others.len()).map(|n| format_ident!("A{n}")).collect();
        Some(quote_spanned! {span=>
            if false {
                use ::core::ops::#of_trait as _;
                trait __OfReferences: Sized {
                    fn #name<#(#types),*>(self, #(_: #types),*) {}
                }
                impl<T> __OfReferences for &#mutable T {}
                (#receiver).#name(#(#others),*);
            }
        })
    }

    /// Whether `self` is a `&mut`.
    fn is_self_exclusive(&self) -> bool {
        let own = self.primal.params.first();
        own.is_some_and(|own| matches!(self.primal.vars[*own].binding, Binding::Exclusive))
    }

    fn reference_to_operand(&self, arg: &Arg) -> TokenStream {
        match &arg.kind {
            ArgKind::Value(value) => self.reference_to(value),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => self.shared(place),
            ArgKind::Omitted => TokenStream::new(),
        }
    }

    /// Rust finds a method that takes its receiver by value before one that takes it by reference, also one of
    /// a trait before one of the type. With one more trait that has such a method for all types, the call is
    /// ambiguous if there is another.
    fn method_proof(&self, name: &Ident, call: &Call, span: Span) -> Option<TokenStream> {
        let span = at(span);
        let name = super::ident(&name.to_string(), span);
        let rt = &self.rt;
        let receiver = match &call.args.first()?.kind {
            ArgKind::Value(value) => self.reference_to(value),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => self.shared(place),
            ArgKind::Omitted => return None,
        };
        // Which method is found does not depend on the arguments. Of some nothing tells the type here, as of a `None`.
        let is_told = |arg: &Arg| match &arg.kind {
            ArgKind::Value(value) => value.ty.is_seen() || value.as_place().is_some(),
            ArgKind::Shared(_) | ArgKind::Exclusive(_) => true,
            ArgKind::Omitted => false,
        };
        let mut others = self.arguments_never_run(call);
        others.drain(..1);
        if !call.args[1..].iter().all(is_told) {
            others.clear();
        }
        let types: Vec<Ident> = (0..others.len()).map(|n| format_ident!("A{n}")).collect();
        Some(quote_spanned! {span=>
            if false {
                trait __ByValue: Sized {
                    fn #name<#(#types),*>(self, #(_: #types),*) {}
                }
                impl<T> __ByValue for T {}
                let _ = #rt::method::like(#receiver).#name(#(#others),*);
            }
        })
    }

    fn receiver_kind(&self, receiver: &Arg) -> Receiver {
        let (ArgKind::Shared(place) | ArgKind::Exclusive(place)) = &receiver.kind else {
            return Receiver::Value;
        };
        match &self.body.vars[place.root].binding {
            Binding::Shared if place.is_whole() => Receiver::Shared,
            Binding::Exclusive if place.is_whole() => Receiver::Exclusive,
            Binding::Shared
            | Binding::Exclusive
            | Binding::Value
            | Binding::View(_)
            | Binding::Global(_) => Receiver::Value,
        }
    }
}
