//! Calls of user functions and of their sweeps.

use super::body::Emitter;
use super::{at, located, respanned};
use crate::index::Var;
use crate::ir::{Arg, ArgKind, Binding, Call, CallMode, Carrier, Guard, Place, Slot, Sweep};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emitter<'_> {
    /// A call of a user function, or of one of its sweeps.
    pub(super) fn call(&self, call: &Call, span: Span) -> TokenStream {
        match &call.sweep {
            Sweep::Primal => self.primal_call(call, span),
            Sweep::Forward { primal } => self.forward_call(call, primal, span),
            Sweep::Backward { seed, primal } => {
                self.backward_call(call, seed.as_ref(), primal, span)
            }
            Sweep::Tangent { .. } => unreachable!("tangents are not emitted"),
        }
    }

    fn primal_call(&self, call: &Call, span: Span) -> TokenStream {
        let callee = located(call.callee.clone());
        let args = call.args.iter().map(|arg| self.argument(arg));
        let value = quote_spanned!(span=> #callee(#(#args),*));
        match call.result {
            _ if call.failure.is_some() => {
                let pattern = self.caught_pattern(call);
                let (rt, ty) = (&self.rt, self.caught_type(call));
                quote_spanned!(span=> let #pattern #ty = #rt::caught(#value);)
            }
            Some(result) => {
                let (binder, ty) = (self.binder(result), self.ascription(result));
                let value = self.or_fail(value, call.carrier, span);
                quote_spanned!(span=> let #binder #ty = #value;)
            }
            None => quote_spanned!(span=> #value;),
        }
    }

    fn forward_call(&self, call: &Call, primal: &Guard, span: Span) -> TokenStream {
        let args = call.args.iter().map(|arg| {
            let (value, marker) = (self.argument(arg), self.marker(&arg.slot));
            quote!(#value, #marker)
        });
        let (stack, wanted) = (&self.stack, self.wanted(primal));
        let turbofish = self.turbofish(call);
        let entries = self.entries_of(&call.callee, span);
        let checks = self.checks(call, span);
        let result = call.result.map_or_else(|| quote!(_), |result| self.binder(result));
        let kept = call.kept.map_or_else(|| quote!(_), |kept| self.binder(kept));
        let payload = call.result.filter(|_| call.carrier.is_some()).map(|result| {
            let (name, binder) = (self.name(result), self.binder(result));
            let value = self.or_fail(name, call.carrier, span);
            quote_spanned!(span=> let #binder = #value;)
        });
        if call.failure.is_some() {
            let (rt, pattern, ty) = (&self.rt, self.caught_pattern(call), self.caught_type(call));
            let outcome = call.failure.map(|failure| self.name(failure));
            return quote_spanned! {span=>
                #checks
                let (#outcome, #kept) =
                    #entries.__forward #turbofish (&mut *#stack, #wanted, #(#args),*);
                let #pattern #ty = #rt::caught(#outcome);
            };
        }
        let proof = call.result.and_then(|result| {
            let (name, ty) = (self.name(result), self.ascription(result)?);
            let binder = self.binder(result);
            Some(quote_spanned!(span=> let #binder #ty = #name;))
        });
        quote_spanned! {span=>
            #checks
            let (#result, #kept) =
                #entries.__forward #turbofish (&mut *#stack, #wanted, #(#args),*);
            #payload
            #proof
        }
    }

    /// The variables for the payload and the failure of a call.
    fn caught_pattern(&self, call: &Call) -> TokenStream {
        let binder = |var: Option<Var>| var.map_or_else(|| quote!(_), |var| self.binder(var));
        let (result, failure) = (binder(call.result), binder(call.failure));
        quote!((#result, #failure))
    }

    fn caught_type(&self, call: &Call) -> Option<TokenStream> {
        let ty = self.type_written(call.result?)?;
        Some(quote!(: (#ty, _)))
    }

    fn backward_call(
        &self,
        call: &Call,
        seed: Option<&Place>,
        primal: &Guard,
        span: Span,
    ) -> TokenStream {
        let args = call.args.iter().map(|arg| {
            let value = match &arg.kind {
                ArgKind::Value(value) => self.reference_to(value),
                ArgKind::Shared(_) | ArgKind::Exclusive(_) => self.argument(arg),
                ArgKind::Omitted => {
                    let rt = &self.rt;
                    quote!(#rt::unread())
                }
            };
            let slot = self.slot(&arg.slot);
            quote!(#value, #slot)
        });
        let (stack, wanted) = (&self.stack, self.wanted(primal));
        let turbofish = self.turbofish(call);
        let entries = self.entries_of(&call.callee, span);
        let kept = call.kept.map(|kept| self.name(kept));
        let seed = self.seed(seed);
        quote_spanned! {span=>
            #entries.__backward #turbofish (&mut *#stack, #wanted, #kept, #(#args,)* #seed);
        }
    }

    /// The payload of what a call returned; without one the function fails, as `?` has it.
    fn or_fail(&self, call: TokenStream, carrier: Option<Carrier>, span: Span) -> TokenStream {
        let (stack, mark) = (&self.stack, &self.mark);
        match carrier {
            None => call,
            Some(Carrier::Option) => quote_spanned! {span=>
                match #call {
                    ::core::option::Option::Some(payload) => payload,
                    ::core::option::Option::None => {
                        #stack.rewind(#mark);
                        return (::core::option::Option::None, ::core::option::Option::None);
                    }
                }
            },
            Some(Carrier::Result) => quote_spanned! {span=>
                match #call {
                    ::core::result::Result::Ok(payload) => payload,
                    ::core::result::Result::Err(error) => {
                        #stack.rewind(#mark);
                        return (
                            ::core::result::Result::Err(::core::convert::From::from(error)),
                            ::core::option::Option::None,
                        );
                    }
                }
            },
        }
    }

    fn seed(&self, seed: Option<&Place>) -> TokenStream {
        let rt = &self.rt;
        let Some(seed) = seed else { return quote!(#rt::Unweighted) };
        let ty = self.body.place_type(seed);
        let value = self.place(seed);
        if ty.is_copy() { value } else { quote!(#value.clone()) }
    }

    fn wanted(&self, primal: &Guard) -> TokenStream {
        let rt = &self.rt;
        if primal.is_never() { quote!(#rt::Off) } else { quote!(#rt::On) }
    }

    fn argument(&self, arg: &Arg) -> TokenStream {
        match &arg.kind {
            ArgKind::Value(value) => self.expr(value),
            ArgKind::Shared(place) => self.shared(place),
            ArgKind::Exclusive(place) => self.exclusive(place),
            ArgKind::Omitted => TokenStream::new(),
        }
    }

    fn marker(&self, slot: &Slot) -> TokenStream {
        let rt = &self.rt;
        match slot {
            Slot::Passive | Slot::Bar(..) => quote!(#rt::Off),
            Slot::Marker(condition) if condition.is_always() => quote!(#rt::On),
            Slot::Marker(condition) => {
                let ty = self.condition_type(condition);
                quote!(<#ty as #rt::Marker>::MARKER)
            }
        }
    }

    fn slot(&self, slot: &Slot) -> TokenStream {
        let rt = &self.rt;
        match slot {
            Slot::Passive | Slot::Marker(_) => quote!(()),
            Slot::Bar(place, condition) if condition.is_always() => self.exclusive(place),
            Slot::Bar(place, condition) => {
                let (bar, ty) = (self.exclusive(place), self.condition_type(condition));
                quote!(#rt::when::<#ty, _>(#bar))
            }
        }
    }

    /// Generic arguments given to a callee, followed by one for each of those the sweeps have besides.
    fn turbofish(&self, call: &Call) -> Option<TokenStream> {
        let path: syn::Path = syn::parse2(call.callee.clone()).ok()?;
        let last = path.segments.last()?;
        let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
        let given = args.args.iter();
        let inferred = std::iter::repeat_n(quote!(_), call.args.len() + 1);
        Some(quote!(::<#(#given,)* #(#inferred),*>))
    }

    /// The entries of a callee, found where the callee is found. If there are none, rustc reports that
    /// in the library's words.
    pub(super) fn entries_of(&self, callee: &TokenStream, span: Span) -> TokenStream {
        // One span for all of it: rustc reports a missing adjoint once.
        let span = at(span);
        let rt = respanned(self.rt.clone(), span);
        let path = respanned(self.entries_path(callee), span);
        quote_spanned! {span=>
            { use #rt::fallback::*; use #path as __callee; __callee::__entries(#rt::Callee) }
        }
    }

    fn entries_path(&self, callee: &TokenStream) -> TokenStream {
        let Ok(mut path) = syn::parse2::<syn::Path>(callee.clone()) else { return callee.clone() };
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let last = path.segments.last().map(|segment| segment.ident.clone());
        let other = self.product.callees.iter().find(|(name, _)| Some(name) == last.as_ref());
        match other {
            Some((_, path)) => located(path.clone()),
            None => located(quote!(#path)),
        }
    }

    /// What only the callee knows: a joint call runs twice, so the callee must be repeatable; and what
    /// is passed on as a `&mut` must not become a `&` on the way, for the value it has would be needed.
    fn checks(&self, call: &Call, span: Span) -> TokenStream {
        let entries = self.entries_of(&call.callee, span);
        let mut checks = Vec::new();
        if call.mode == CallMode::Joint {
            let message = "this call runs twice, but the function called has effects that must \
                           happen once: use `#[split]`";
            checks.push((quote!(#entries.__is_repeatable()), message.to_owned()));
        }
        for (index, arg) in call.args.iter().enumerate() {
            let ArgKind::Exclusive(place) = &arg.kind else { continue };
            let variable = &self.body.vars[place.root];
            if matches!(variable.binding, Binding::Exclusive | Binding::View(_)) {
                let name = &variable.name;
                let message = format!(
                    "`{name}` is a `&mut`, and the function called takes a `&`: pass `&*{name}`"
                );
                let index = proc_macro2::Literal::usize_unsuffixed(index);
                checks.push((quote!(#entries.__is_exclusive(#index)), message));
            }
        }
        let checks = checks.into_iter().map(|(test, message)| {
            quote_spanned!(at(span)=> const _: () = ::core::assert!(#test, #message);)
        });
        checks.collect()
    }
}
