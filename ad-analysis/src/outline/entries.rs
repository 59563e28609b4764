//! The uniform entry of a loop whose body is a function: what is the same however it is reversed.

use super::captures::Capture;
use super::generic;
use super::items::{Lead, Parts, argument};
use super::marks::{Repetition, Reversal};
use crate::emit::{bar_type, known_type};
use crate::interface::Passing;
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// A sweep of the loop.
#[derive(Clone, Copy)]
pub(super) enum Sweep {
    Forward,
    Backward,
}

/// What the backward sweep of a step is given for what is captured, each time a value and a slot.
pub(super) struct Slots {
    pub(super) all: Vec<TokenStream>,
    /// The same without bars of what is no state.
    pub(super) of_state: Vec<TokenStream>,
}

/// A loop and its parts.
pub(super) struct Entries<'a> {
    pub(super) parts: &'a Parts<'a>,
    pub(super) repetition: &'a Repetition,
}

impl Entries<'_> {
    /// The uniform entry of the loop.
    pub(super) fn items(&self) -> TokenStream {
        let Parts { step, steps, .. } = self.parts;
        let leads = self.leads().len();
        let captures = self.parts.captures().iter().enumerate();
        let exclusive = captures
            .filter(|(_, capture)| capture.is_state())
            .map(|(position, _)| syn::Index::from(position + leads));
        let (rt, forward, backward) = (self.rt(), self.forward(), self.backward());
        let tangent = self.parts.mark.has_tangent().then(|| self.tangent());
        quote! {
            #[doc(hidden)]
            struct #steps {}
            #[automatically_derived]
            #[allow(clippy::all)]
            impl #steps {
                const fn __entries<Callee>(callee: Callee) -> Self {
                    ::core::mem::forget(callee);
                    Self {}
                }
                const fn __is_repeatable(&self, callers: &#rt::Callers<'_>) -> bool {
                    #step {}.__is_repeatable(callers)
                }
                const fn __says(&self, _: &#rt::Question<'_>) -> bool {
                    true
                }
                const fn __is_exclusive(&self, parameter: usize) -> bool {
                    ::core::matches!(parameter, #(#exclusive)|*)
                }
                #forward
                #backward
                #tangent
            }
        }
    }

    /// What the loop is called at run time.
    pub(super) fn loop_name(&self) -> String {
        let function = &self.parts.known.lowered.interface.name;
        format!("loop {} in `{function}`", self.parts.position + 1)
    }

    pub(super) fn leads(&self) -> Vec<Lead<'_>> {
        self.parts.leads(self.repetition)
    }

    pub(super) fn rt(&self) -> TokenStream {
        let facade = &self.parts.known.lowered.interface.facade;
        quote!(#facade::__private)
    }

    /// The place of the truth value in the state that says whether there is another step.
    pub(super) fn goes_on(&self) -> Option<syn::Index> {
        self.repetition.goes_on.as_ref().map(|_| syn::Index::from(self.parts.state().count()))
    }

    /// What the forward sweep keeps: from where the backward sweep goes on, and the zeros that stand for bars of
    /// the state that the caller does not pass.
    fn kept(&self) -> TokenStream {
        let rt = self.rt();
        let owned = self.parts.state().map(|(.., capture)| capture.owned());
        let goes_on = self.goes_on().map(|_| quote!(bool));
        let state = quote!((#(#owned,)* #goes_on));
        let run = match &self.repetition.reversal {
            Reversal::Schedule(plan) => self.schedule_type(plan, &state),
            Reversal::FixedPoint(_) => quote!(#rt::FixedPoint<#state>),
            Reversal::Independent => quote!(#rt::Independent<#state>),
        };
        let active = self.parts.state().filter(|(.., capture)| capture.is_active);
        let zeros = active.map(|(.., capture)| {
            let owned = capture.owned();
            quote!(::core::option::Option<<#owned as #rt::Differentiable>::Bar>)
        });
        quote!(::core::option::Option<(#run, (#(#zeros,)*))>)
    }

    /// What gives the value of the loop variable, and that in a call of the step.
    fn counter(&self) -> (TokenStream, TokenStream) {
        match self.repetition.range {
            Some(_) => (
                quote! {
                    let at = |step: usize| (start..end).nth(step).expect("a step of the loop");
                },
                quote!(at(step)),
            ),
            None => (TokenStream::new(), TokenStream::new()),
        }
    }

    /// The arguments of the step with the state; `slot` is what follows the argument of a capture.
    pub(super) fn arguments(&self, slot: impl Fn(usize, &Capture) -> TokenStream) -> TokenStream {
        let mut places = self.parts.state().map(|(place, ..)| place);
        let args = self.parts.captures().iter().enumerate().map(|(position, capture)| {
            let name = argument(position);
            let value = match capture.passing {
                Passing::Value | Passing::Shared => quote!(#name),
                Passing::Exclusive => state_part(capture, &places.next().expect("a part of it")),
            };
            let slot = slot(position, capture);
            quote!(#value, #slot)
        });
        quote!(#(#args)*)
    }

    /// The call of the step that advances the state.
    pub(super) fn advanced(&self) -> TokenStream {
        let step = &self.parts.step;
        let (_, counter) = self.counter();
        let counter = self.repetition.range.as_ref().map(|_| quote!(#counter,));
        let args = self.arguments(|_, _| TokenStream::new());
        let goes_on = self.goes_on().map(|place| quote!(&mut state.#place,));
        let completes = self.repetition.completes().map(|_| quote!(false));
        let turbofish = self.parts.found.generics.turbofish();
        quote!(#step #turbofish(#counter #args #goes_on #completes))
    }

    /// The activity of what is no state, as the caller of a sweep tells it.
    pub(super) fn marker(&self, sweep: Sweep, position: usize) -> TokenStream {
        let (rt, activity, capture) =
            (self.rt(), generic(position), &self.parts.captures()[position]);
        match sweep {
            Sweep::Forward => quote!(<#activity as #rt::Marker>::MARKER),
            Sweep::Backward => {
                let bar_ty = bar_type(&capture.ty, &capture.spelled, &rt);
                quote!(<<#activity as #rt::Slot<#bar_ty>>::Marker as #rt::Marker>::MARKER)
            }
        }
    }

    /// Runs the forward sweep of the step; `marker` gives the activity of what is not state.
    pub(super) fn forward_step(
        &self,
        marker: impl Fn(usize) -> TokenStream,
        completes: bool,
    ) -> TokenStream {
        let (step, rt) = (&self.parts.step, self.rt());
        let (_, counter) = self.counter();
        let counter = self.repetition.range.as_ref().map(|_| quote!(#counter, #rt::Off,));
        let args = self.arguments(|position, capture| {
            let active = match (capture.is_active, capture.is_state()) {
                (false, _) => quote!(#rt::Off),
                (true, true) => quote!(#rt::On),
                (true, false) => marker(position),
            };
            quote!(#active,)
        });
        let goes_on = self.goes_on().map(|place| quote!(&mut state.#place, #rt::Off,));
        let completes = self.repetition.completes().map(|_| quote!(#completes, #rt::Off));
        quote! {
            let (_, kept) = #step {}.__forward(
                &mut *stack, #rt::On, #counter #args #goes_on #completes
            );
        }
    }

    /// Runs the backward sweep of the step.
    pub(super) fn backward_step(&self, slots: &[TokenStream], completes: bool) -> TokenStream {
        let (step, rt) = (&self.parts.step, self.rt());
        let (_, counter) = self.counter();
        let counter = self.repetition.range.as_ref().map(|_| quote!(&#counter, (),));
        let goes_on = self.goes_on().map(|_| quote!((), (),));
        let completes = self.repetition.completes().map(|_| quote!(&#completes, (),));
        quote! {
            #step {}.__backward(
                &mut *stack, #rt::On, kept, #counter #(#slots,)* #goes_on #completes (),
            );
        }
    }

    /// A copy of the state before the first step.
    pub(super) fn initial(&self) -> TokenStream {
        let initial = self.parts.state().map(|(_, position, capture)| {
            let name = argument(position);
            match capture.ty {
                Type::Slice(_) => quote!(#name.to_vec()),
                _ => quote!(::core::clone::Clone::clone(&*#name)),
            }
        });
        let goes_on = self.goes_on().map(|_| quote!(true));
        quote!((#(#initial,)* #goes_on))
    }

    /// What a state owns on the heap.
    pub(super) fn heap_bytes(&self, state: &TokenStream) -> TokenStream {
        let rt = self.rt();
        let parts = self
            .parts
            .state()
            .map(|(place, ..)| quote!(+ (&&&#rt::heap::Owner(&#state.#place)).heap_bytes()));
        quote! {{
            #[allow(unused_imports)]
            use #rt::heap::{OfElements, OfStorable, OfUnknown};
            0 #(#parts)*
        }}
    }

    fn forward(&self) -> TokenStream {
        let Parts { step, steps, mark, .. } = self.parts;
        let (rt, facade, kept) =
            (self.rt(), &self.parts.known.lowered.interface.facade, self.kept());
        let leads = self.leads();
        let lead_names = leads.iter().map(|lead| &lead.name);
        let lead_generics = (0..leads.len()).map(lead_generic);
        let lead_params = leads.iter().enumerate().map(|(position, Lead { name, ty, .. })| {
            let generic = lead_generic(position);
            quote!(#name: #ty, _: #generic)
        });
        let params = self.parts.params(|position, _| argument(position));
        let (mut generics, mut slots, mut active) = (Vec::new(), Vec::new(), Vec::new());
        for (position, capture) in self.parts.captures().iter().enumerate() {
            let name = generic(position);
            slots.push(quote!(_: #name));
            generics.push(match (capture.is_active, capture.ty.is_known()) {
                (true, _) => quote!(#name: #rt::Marker),
                (false, true) => quote!(#name),
                (false, false) => quote!(#name: #rt::Passive),
            });
            if capture.is_active {
                active.push(quote!(<#name as #rt::Marker>::ON));
            }
        }
        let args = (0..self.parts.captures().len()).map(argument);
        let ((at, _), initial) = (self.counter(), self.initial());
        let (results, zeros) = (self.results(), self.zeros());
        let run = match &self.repetition.reversal {
            Reversal::Schedule(plan) => self.run_schedule(plan),
            Reversal::FixedPoint(_) => self.run_to_fixed_point(),
            Reversal::Independent => self.run_independently(),
        };
        let known = &self.parts.found.generics;
        let (lifetimes, own) = (known.lifetimes(), known.params());
        let (bounds, turbofish) = (known.demands(), known.turbofish());
        let why = "the body of this loop runs again, but it has effects that must happen once";
        let repeats = match turbofish.is_empty() {
            true => quote_spanned! {mark.span=>
                const _: () = ::core::assert!(#step {}.__is_repeatable(&#rt::Callers::NONE), #why);
            },
            false => quote_spanned! {mark.span=>
                const {
                    let types = ::core::marker::PhantomData;
                    ::core::assert!(#step {}.__is_repeatable_for #turbofish (types), #why)
                };
            },
        };
        quote! {
            fn __forward<#lifetimes Primal, #(#lead_generics,)* #(#generics,)* #own>(
                self, stack: &mut #facade::Stack, _: Primal, #(#lead_params,)* #(#params, #slots),*
            ) -> ((), #kept) #bounds {
                #repeats
                if !(#(#active)||*) {
                    #steps #turbofish(#(#lead_names,)* #(#args),*);
                    return ((), ::core::option::Option::None);
                }
                #at
                let initial = #initial;
                #run
                #results
                let zeros = (#(#zeros,)*);
                ((), ::core::option::Option::Some((run, zeros)))
            }
        }
    }

    /// Hands the last state to the caller.
    pub(super) fn results(&self) -> TokenStream {
        let results = self.parts.state().map(|(place, position, capture)| {
            let name = argument(position);
            match capture.ty {
                Type::Slice(_) => quote!(#name.clone_from_slice(&last.#place);),
                _ => quote!(*#name = last.#place;),
            }
        });
        quote!(#(#results)*)
    }

    /// What stands for bars of the state that the caller does not pass.
    fn zeros(&self) -> Vec<TokenStream> {
        let rt = self.rt();
        let active = self.parts.state().filter(|(.., capture)| capture.is_active);
        let zeros = active.map(|(_, position, _)| {
            let (name, activity) = (argument(position), generic(position));
            quote! {
                (!<#activity as #rt::Marker>::ON)
                    .then(|| #rt::Differentiable::zero_bar(&*#name))
            }
        });
        zeros.collect()
    }

    fn backward(&self) -> TokenStream {
        let (rt, facade, kept) =
            (self.rt(), &self.parts.known.lowered.interface.facade, self.kept());
        let leads = self.leads();
        let lead_generics = (0..leads.len()).map(lead_generic);
        let lead_params = leads.iter().enumerate().map(|(position, Lead { name, ty, .. })| {
            let generic = lead_generic(position);
            quote!(#name: &#ty, _: #generic)
        });
        let (mut generics, mut params, mut bars) = (Vec::new(), Vec::new(), Vec::new());
        let mut slots = Slots { all: Vec::new(), of_state: Vec::new() };
        let mut values = Vec::new();
        let mut zeros = 0;
        for (position, capture) in self.parts.captures().iter().enumerate() {
            let (name, spelled) = (argument(position), &capture.spelled);
            let (activity, bar) = (generic(position), bar(position));
            let value = match capture.passing {
                Passing::Value => {
                    values.push(quote!(let #name = *#name;));
                    params.push(quote!(#name: &#spelled));
                    quote!(&#name)
                }
                Passing::Shared => {
                    params.push(quote!(#name: &#spelled));
                    quote!(#name)
                }
                Passing::Exclusive => {
                    params.push(quote!(_: ()));
                    quote!(())
                }
            };
            if !capture.is_active {
                generics.push(match capture.ty.is_known() {
                    true => quote!(#activity),
                    false => quote!(#activity: #rt::Passive),
                });
                params.push(quote!(_: #activity));
                slots.all.push(quote!(#value, ()));
                slots.of_state.push(quote!(#value, ()));
                continue;
            }
            let bar_ty = bar_type(&capture.ty, spelled, &rt);
            generics.push(quote!(#activity: #rt::Slot<#bar_ty>));
            params.push(quote!(mut #bar: #activity));
            let scratch = format_ident!("zero_{position}");
            let (declared, zero) = match (capture.is_state(), &capture.ty) {
                (true, _) => {
                    let place = syn::Index::from(zeros);
                    zeros += 1;
                    let there = quote!(#scratch.as_mut().expect("a zero in place of a bar"));
                    (quote!(let mut #scratch = zeros.#place;), there)
                }
                (false, ty @ Type::Slice(_)) if known_type(ty).is_some() => {
                    (TokenStream::new(), quote!(&mut []))
                }
                (false, _) => {
                    let zero = quote!({
                        #scratch = #rt::Differentiable::zero_bar(&*#name);
                        &mut #scratch
                    });
                    (quote!(let mut #scratch;), zero)
                }
            };
            bars.push(quote! {
                #declared
                let #bar: &mut #bar_ty = match #rt::Slot::bar(&mut #bar) {
                    ::core::option::Option::Some(bar) => bar,
                    ::core::option::Option::None => #zero,
                };
            });
            let of_state = match capture.is_state() {
                true => quote!(&mut *#bar),
                false => quote!(()),
            };
            let slot = match capture.is_state() {
                true => of_state.clone(),
                false => quote! {
                    #rt::when::<<#activity as #rt::Slot<#bar_ty>>::Marker, _>(&mut *#bar)
                },
            };
            slots.all.push(quote!(#value, #slot));
            slots.of_state.push(quote!(#value, #of_state));
        }
        let bounds =
            self.repetition.range.as_ref().map(|_| quote!(let (start, end) = (*start, *end);));
        let (at, _) = self.counter();
        let go_on = match &self.repetition.reversal {
            Reversal::Schedule(_) => self.reverse_schedule(&slots),
            Reversal::FixedPoint(_) => self.reverse_fixed_point(&slots),
            Reversal::Independent => self.reverse_independently(&slots),
        };
        let own = &self.parts.found.generics;
        let (lifetimes, own, where_clause) = (own.lifetimes(), own.params(), own.demands());
        quote! {
            #[allow(unused)]
            fn __backward<#lifetimes Primal, #(#lead_generics,)* #(#generics,)* #own>(
                self, stack: &mut #facade::Stack, _: Primal, kept: #kept,
                #(#lead_params,)* #(#params,)* _: impl #rt::Seed<()>,
            ) #where_clause {
                let ::core::option::Option::Some((mut run, zeros)) = kept else { return };
                #(#bars)*
                #(#values)*
                #bounds
                #at
                #go_on
            }
        }
    }
}

/// A part of the state, as a step takes it.
fn state_part(capture: &Capture, place: &syn::Index) -> TokenStream {
    match capture.ty {
        Type::Slice(_) => quote!(&mut state.#place[..]),
        _ => quote!(&mut state.#place),
    }
}

/// The name of the bar of a parameter of the loop.
pub(super) fn bar(position: usize) -> Ident {
    format_ident!("bar_{position}")
}

fn lead_generic(position: usize) -> Ident {
    format_ident!("Lead{position}")
}
