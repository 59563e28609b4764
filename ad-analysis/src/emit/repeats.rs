//! Whether what is called may run twice, asked and proved in generated code.

use super::body::Emitter;
use super::{at, hidden_name, respanned};
use crate::derive::number_of_field;
use crate::ir::{ArgKind, Call, Callee, is_directed};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

impl Emitter<'_> {
    /// Whether a callee may run twice: a constant of a function, which is asked in the name of `callers`, otherwise an
    /// expression that is never run, whose type says it.
    pub(super) fn repeatable(&self, call: &Call, span: Span) -> TokenStream {
        let rt = &self.rt;
        match (&call.callee, call.args.as_slice()) {
            (callee @ (Callee::Function(_) | Callee::Derivative(..)), _) => {
                let entries = self.entries_of(callee, span);
                quote!(#entries.__is_repeatable(&callers))
            }
            (Callee::Associated(path), _) => {
                let (function, turbofish) =
                    (self.hidden_function(path, "repeatable", span), turbofish_of(path));
                let parsed = syn::parse2::<syn::Path>(path.clone()).expect("it is a path");
                let last = parsed.segments.last().map(|last| last.ident.clone());
                let last = last.expect("a function of a type has a name");
                let name = hidden_name(&self.prefix_of(&last), "repeatable");
                let fallback = (!self.is_of_trait(&parsed))
                    .then(|| self.fallback_by_path(&name, &last, call.args.len() + 1, span));
                self.told_apart(|shown| {
                    let returned = self.returned(call, shown);
                    let args = self.witness_of_args(call, shown);
                    quote!({ #fallback #function #turbofish(#(#args,)* #returned) })
                })
            }
            // Run time knows.
            (Callee::Method(_), [receiver, ..]) if self.is_receiver_of_dyn(receiver) => {
                quote!(#rt::method::Is::<false>)
            }
            (Callee::Method(name), [receiver, ..]) => {
                let function = self.method_name(name, "repeatable_of", span);
                let others = call.args.len();
                let fallback = self.fallback_by_receiver(&function, others, span);
                self.told_apart(|shown| {
                    let returned = self.returned(call, shown);
                    let args = self.witness_of_args(call, shown);
                    let receiver = self.witness_of_receiver(receiver, shown);
                    let others = &args[1..];
                    quote!({ #fallback (&#receiver).#function(#(#others,)* #returned) })
                })
            }
            (Callee::Method(_), []) => unreachable!("a method has a receiver"),
            (
                Callee::Operator(_)
                | Callee::DirectedOperator(_)
                | Callee::Conversion(_)
                | Callee::Given,
                _,
            ) => {
                quote!(#rt::method::Is::<true>)
            }
        }
    }

    /// Whether a function at a path may run twice that is called as it is, for no derivative passes through it: it need not
    /// be annotated, and may do anything then.
    pub(super) fn repeatable_as_it_is(&self, call: &Call, span: Span) -> Option<TokenStream> {
        let Callee::Function(path) = &call.callee else { return None };
        let entries = self.entries_or(path, "__entries", "CalledAsItIs", quote!(unannotated), span);
        Some(quote!(#entries.__is_repeatable(&callers)))
    }

    /// A trait of all types with a function that says that something may run twice: whether there is one of
    /// the type itself is asked elsewhere. It is found last.
    fn fallback_by_receiver(&self, name: &Ident, args: usize, span: Span) -> TokenStream {
        let rt = &self.rt;
        let name = Ident::new(&name.to_string(), at(span));
        let types: Vec<Ident> = (0..args).map(|n| format_ident!("A{n}")).collect();
        quote_spanned! {at(span)=>
            trait __Function {
                fn #name<#(#types),*>(&self, #(_: #types),*) -> #rt::method::Is<true> {
                    #rt::method::Is
                }
            }
            impl<T: ?Sized> __Function for &T {}
        }
    }

    /// The same of a function that is called by its path, which has a rule then. Where the parameters of its type are left to rustc, the
    /// arguments tell them.
    fn fallback_by_path(
        &self,
        name: &Ident,
        function: &Ident,
        args: usize,
        span: Span,
    ) -> TokenStream {
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let name = Ident::new(&name.to_string(), span);
        let types: Vec<Ident> = (0..args).map(|n| format_ident!("A{n}")).collect();
        let number = Literal::u128_unsuffixed(number_of_field(&function.to_string()));
        // No rule has second derivatives, which is said elsewhere.
        let bounds = (!is_directed(function)).then(|| {
            quote_spanned! {span=>
                where
                    Self: #rt::rules::Found<#number, #rt::rules::Again, (#(#types,)*)>,
            }
        });
        quote_spanned! {span=>
            trait __Function {
                fn #name<#(#types),*>(#(_: #types),*) -> #rt::method::Is<true>
                #bounds
                {
                    #rt::method::Is
                }
            }
            impl<T: ?Sized> __Function for T {}
        }
    }

    /// The arguments in code that is never run: nothing is moved, and nothing borrowed for long.
    pub(super) fn arguments_never_run(&self, call: &Call) -> Vec<TokenStream> {
        let rt = &self.rt;
        let args = call.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value(value) => {
                let value = self.reference_to(value);
                quote!(#rt::method::like(#value))
            }
            ArgKind::Shared(place) => self.shared(place),
            ArgKind::Exclusive(place) => {
                let place = self.shared(place);
                quote!(#rt::method::like_mut(#place))
            }
            ArgKind::Omitted => TokenStream::new(),
        });
        args.collect()
    }

    /// Proves that a callee that is found by types may run twice: the function of the runtime says why it has to.
    pub(super) fn repeatable_check(&self, call: &Call, why: &str, span: Span) -> TokenStream {
        let rt = &self.rt;
        let args = self.arguments_never_run(call);
        let untold = || quote!(#rt::method::returned::<_>());
        let test = match (&call.callee, call.args.as_slice()) {
            (Callee::Associated(path), _) => {
                let (function, turbofish) =
                    (self.hidden_function(path, "repeatable", span), turbofish_of(path));
                self.told_apart(|shown| {
                    let returned = self.returned_by_taker(call, shown).unwrap_or_else(untold);
                    quote!(#function #turbofish(#(#args,)* #returned))
                })
            }
            (Callee::Method(_), [receiver, ..]) if self.is_receiver_of_dyn(receiver) => {
                quote!(#rt::method::Is::<false>)
            }
            (Callee::Method(name), [receiver, ..]) => {
                let receiver = self.receiver_of_call(receiver);
                let (function, others) =
                    (self.method_name(name, "repeatable_of", span), &args[1..]);
                self.told_apart(|shown| {
                    let returned = self.returned_by_taker(call, shown).unwrap_or_else(untold);
                    quote!(#receiver.#function(#(#others,)* #returned))
                })
            }
            // Operators are known to be.
            (
                Callee::Function(_)
                | Callee::Derivative(..)
                | Callee::Method(_)
                | Callee::Operator(_)
                | Callee::DirectedOperator(_)
                | Callee::Conversion(_)
                | Callee::Given,
                _,
            ) => return TokenStream::new(),
        };
        let why = Ident::new(why, at(span));
        quote_spanned!(at(span)=> #rt::method::#why(|| #test);)
    }
}

/// The generic arguments that a path gives the function at its end.
fn turbofish_of(path: &TokenStream) -> Option<TokenStream> {
    let path = syn::parse2::<syn::Path>(path.clone()).ok()?;
    let syn::PathArguments::AngleBracketed(args) = &path.segments.last()?.arguments else {
        return None;
    };
    let given = args.args.iter();
    Some(quote!(::<#(#given),*>))
}
