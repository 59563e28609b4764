//! The functions that a checkpointed loop becomes.

use super::captures::{Capture, Captures};
use super::{Mark, generic};
use crate::emit::{bar_type, located};
use crate::interface::Passing;
use crate::lower::Lowered;
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::visit_mut::VisitMut;
use syn::{Expr, ItemFn};

pub(super) struct Parts<'a> {
    pub(super) mark: &'a Mark,
    pub(super) found: &'a Captures,
    /// The name of the step.
    pub(super) step: Ident,
    /// The name of the loop.
    pub(super) steps: Ident,
    pub(super) lowered: &'a Lowered,
}

impl Parts<'_> {
    fn captures(&self) -> &[Capture] {
        &self.found.captures
    }

    /// The captures that are the state, and their places in it.
    fn state(&self) -> impl Iterator<Item = (syn::Index, usize, &Capture)> {
        let captures = self.captures().iter().enumerate();
        let state = captures.filter(|(_, capture)| capture.is_state()).enumerate();
        state.map(|(place, (position, capture))| (syn::Index::from(place), position, capture))
    }

    /// The call that takes the place of the loop.
    pub(super) fn call(&self) -> TokenStream {
        let Self { steps, mark, .. } = self;
        let (number, start, end) = (&mark.plan.number, &mark.start, &mark.end);
        let args = self.captures().iter().map(|capture| {
            let name = &capture.name;
            match (capture.passing, capture.is_reference) {
                (Passing::Value, _) => quote!(#name),
                (Passing::Shared, true) => quote!(&*#name),
                (Passing::Shared, false) => quote!(&#name),
                (Passing::Exclusive, true) => quote!(&mut *#name),
                (Passing::Exclusive, false) => quote!(&mut #name),
            }
        });
        quote_spanned!(mark.span=> #[split] #steps(#number, #start, #end, #(#args),*);)
    }

    /// The body of the loop as a function.
    pub(super) fn step(&self) -> ItemFn {
        let (step, index) = (&self.step, &self.found.index);
        let (pat, mut block) = (&self.mark.repetition.pat, self.mark.repetition.body.clone());
        let behind = self.captures().iter().filter(|capture| capture.is_behind());
        let names = behind.map(|capture| capture.name.to_string()).collect();
        Dereference { names }.visit_block_mut(&mut block);
        let params = self.params(|_, capture| capture.name.clone());
        syn::parse_quote!(#[doc(hidden)] #[allow(unused, clippy::all)] fn #step(#pat: #index, #(#params),*) #block)
    }

    /// The arguments of `#[adjoint]` for the step.
    pub(super) fn step_arguments(&self, inherited: TokenStream) -> TokenStream {
        let active = self.captures().iter().filter(|capture| capture.is_active);
        let independents = active.clone().map(|capture| &capture.name);
        let dependents = active.filter(|capture| capture.is_state()).map(|capture| &capture.name);
        quote!(independents(#(#independents),*), dependents(#(#dependents),*), #inherited)
    }

    /// The parameters behind the first ones, by names of the user's or by others.
    fn params(&self, name: impl Fn(usize, &Capture) -> Ident) -> Vec<TokenStream> {
        let params = self.captures().iter().enumerate().map(|(position, capture)| {
            let (name, spelled) = (name(position, capture), &capture.spelled);
            match capture.passing {
                Passing::Value => quote!(#name: #spelled),
                Passing::Shared => quote!(#name: &#spelled),
                Passing::Exclusive => quote!(#name: &mut #spelled),
            }
        });
        params.collect()
    }

    /// The loop as a function, with its sweeps.
    pub(super) fn items(&self) -> TokenStream {
        let (loop_function, entries) = (self.loop_function(), self.entries());
        located(quote!(#loop_function #entries))
    }

    /// The loop as a function.
    fn loop_function(&self) -> TokenStream {
        let Self { step, steps, .. } = self;
        let (index, params) = (&self.found.index, self.params(|position, _| argument(position)));
        let args = self.captures().iter().enumerate().map(|(position, capture)| {
            let name = argument(position);
            match capture.passing {
                Passing::Value | Passing::Shared => quote!(#name),
                Passing::Exclusive => quote!(&mut *#name),
            }
        });
        quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            fn #steps(_: usize, start: #index, end: #index, #(#params),*) {
                for index in start..end {
                    #step(index, #(#args),*);
                }
            }
        }
    }

    /// The uniform entry of the loop.
    fn entries(&self) -> TokenStream {
        let Self { step, steps, .. } = self;
        let is_exclusive = self.captures().iter().enumerate();
        // Behind the number, the start and the end.
        let exclusive = is_exclusive
            .filter(|(_, capture)| capture.is_state())
            .map(|(position, _)| syn::Index::from(position + 3));
        let (forward, backward) = (self.forward(), self.backward());
        let rt = self.rt();
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
                const fn __is_exclusive(&self, parameter: usize) -> bool {
                    ::core::matches!(parameter, #(#exclusive)|*)
                }
                #forward
                #backward
            }
        }
    }

    fn rt(&self) -> TokenStream {
        let facade = &self.lowered.interface.facade;
        quote!(#facade::__private)
    }

    /// What the forward sweep keeps: the schedule with its snapshots, and the zeros that stand for bars of
    /// the state that the caller does not pass.
    fn kept(&self) -> TokenStream {
        let (rt, plan) = (self.rt(), self.mark.plan.name());
        let owned = self.state().map(|(.., capture)| capture.owned());
        let zeros = self.state().filter(|(.., capture)| capture.is_active).map(|(.., capture)| {
            let owned = capture.owned();
            quote!(::core::option::Option<<#owned as #rt::Differentiable>::Bar>)
        });
        quote! {
            ::core::option::Option<(
                #rt::schedule::Checkpoints<#rt::schedule::#plan, (#(#owned,)*), ()>,
                (#(#zeros,)*),
            )>
        }
    }

    /// The arguments of the step when it advances the state.
    fn advanced(&self) -> TokenStream {
        let step = &self.step;
        let mut places = self.state().map(|(place, ..)| place);
        let args = self.captures().iter().enumerate().map(|(position, capture)| {
            let name = argument(position);
            match capture.passing {
                Passing::Value | Passing::Shared => quote!(#name),
                Passing::Exclusive => state_part(capture, &places.next().expect("a part of it")),
            }
        });
        quote!(#step(at(step), #(#args),*))
    }

    /// The call of the forward sweep of the step; `marker` gives the activity of what is not state.
    fn taped(&self, marker: impl Fn(usize, &Capture) -> TokenStream) -> TokenStream {
        let (step, rt) = (&self.step, self.rt());
        let mut places = self.state().map(|(place, ..)| place);
        let args = self.captures().iter().enumerate().map(|(position, capture)| {
            let name = argument(position);
            let value = match capture.passing {
                Passing::Value | Passing::Shared => quote!(#name),
                Passing::Exclusive => state_part(capture, &places.next().expect("a part of it")),
            };
            let active = match (capture.is_active, capture.is_state()) {
                (false, _) => quote!(#rt::Off),
                (true, true) => quote!(#rt::On),
                (true, false) => marker(position, capture),
            };
            quote!(#value, #active)
        });
        quote! {
            let (_, kept) = #step {}.__forward(
                &mut *stack, #rt::On, at(step), #rt::Off, #(#args),*
            );
            stack.push(kept);
        }
    }

    fn forward(&self) -> TokenStream {
        let Self { step, steps, mark, .. } = self;
        let (rt, facade) = (self.rt(), &self.lowered.interface.facade);
        let (index, kept) = (&self.found.index, self.kept());
        let number = format_ident!("number");
        let count = quote!((start..end).count());
        let schedule = mark.plan.schedule(&rt, &count, &number);
        let params = self.params(|position, _| argument(position));
        let (mut generics, mut slots, mut active) = (Vec::new(), Vec::new(), Vec::new());
        for (position, capture) in self.captures().iter().enumerate() {
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
        let args = (0..self.captures().len()).map(argument);
        let initial = self.state().map(|(_, position, capture)| {
            let name = argument(position);
            match capture.ty {
                Type::Slice(_) => quote!(#name.to_vec()),
                _ => quote!(::core::clone::Clone::clone(&*#name)),
            }
        });
        let results = self.state().map(|(place, position, capture)| {
            let name = argument(position);
            match capture.ty {
                Type::Slice(_) => quote!(#name.clone_from_slice(&last.#place);),
                _ => quote!(*#name = last.#place;),
            }
        });
        let active_state = self.state().filter(|(.., capture)| capture.is_active);
        let zeros = active_state.map(|(_, position, _)| {
            let (name, activity) = (argument(position), generic(position));
            quote! {
                (!<#activity as #rt::Marker>::ON)
                    .then(|| #rt::Differentiable::zero_bar(&*#name))
            }
        });
        let advanced = self.advanced();
        let taped = self.taped(|position, _| {
            let activity = generic(position);
            quote!(<#activity as #rt::Marker>::MARKER)
        });
        let repeats = quote_spanned! {mark.span=>
            const _: () = ::core::assert!(
                #step {}.__is_repeatable(&#rt::Callers::NONE),
                "the body of this loop runs again, but it has effects that must happen once"
            );
        };
        quote! {
            fn __forward<Primal, Number, Start, End, #(#generics),*>(
                self, stack: &mut #facade::Stack, _: Primal,
                number: usize, _: Number, start: #index, _: Start, end: #index, _: End,
                #(#params, #slots),*
            ) -> ((), #kept) {
                #repeats
                if !(#(#active)||*) {
                    #steps(number, start, end, #(#args),*);
                    return ((), ::core::option::Option::None);
                }
                let at = |step: usize| (start..end).nth(step).expect("a step of the loop");
                let initial = (#(#initial,)*);
                let mut run = #rt::schedule::Checkpoints::started(#schedule, initial);
                while let ::core::option::Option::Some(task) = run.forward_task() {
                    match task {
                        #rt::schedule::Task::Advance { state, steps } => {
                            for step in steps {
                                #advanced;
                            }
                        }
                        #rt::schedule::Task::Forward { state, step } => {
                            #taped
                        }
                        #rt::schedule::Task::Backward { .. } => {}
                    }
                }
                let last = run.last();
                #(#results)*
                let zeros = (#(#zeros,)*);
                ((), ::core::option::Option::Some((run, zeros)))
            }
        }
    }

    fn backward(&self) -> TokenStream {
        let step = &self.step;
        let (rt, facade) = (self.rt(), &self.lowered.interface.facade);
        let (index, kept) = (&self.found.index, self.kept());
        let (mut generics, mut params, mut bars, mut args) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut values = Vec::new();
        let mut zeros = 0;
        for (position, capture) in self.captures().iter().enumerate() {
            let (name, spelled) = (argument(position), &capture.spelled);
            let (activity, bar) = (generic(position), format_ident!("bar_{position}"));
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
                args.push(quote!(#value, ()));
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
                (false, Type::Slice(_)) => (TokenStream::new(), quote!(&mut [])),
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
            args.push(match capture.is_state() {
                true => quote!(#value, &mut *#bar),
                false => quote! {
                    #value,
                    #rt::when::<<#activity as #rt::Slot<#bar_ty>>::Marker, _>(&mut *#bar)
                },
            });
        }
        let advanced = self.advanced();
        let taped = self.taped(|position, capture| {
            let activity = generic(position);
            let bar_ty = bar_type(&capture.ty, &capture.spelled, &rt);
            quote!(<<#activity as #rt::Slot<#bar_ty>>::Marker as #rt::Marker>::MARKER)
        });
        quote! {
            fn __backward<Primal, Number, Start, End, #(#generics),*>(
                self, stack: &mut #facade::Stack, _: Primal, kept: #kept,
                _: &usize, _: Number, start: &#index, _: Start, end: &#index, _: End,
                #(#params,)* _: impl #rt::Seed<()>,
            ) {
                let ::core::option::Option::Some((mut run, zeros)) = kept else { return };
                #(#bars)*
                #(#values)*
                let (start, end) = (*start, *end);
                let at = |step: usize| (start..end).nth(step).expect("a step of the loop");
                while let ::core::option::Option::Some(task) = run.backward_task() {
                    match task {
                        #rt::schedule::Task::Advance { state, steps } => {
                            for step in steps {
                                #advanced;
                            }
                        }
                        #rt::schedule::Task::Forward { state, step } => {
                            #taped
                        }
                        #rt::schedule::Task::Backward { step } => {
                            let kept = stack.pop();
                            #step {}.__backward(
                                &mut *stack, #rt::On, kept, &at(step), (), #(#args,)* (),
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The name of a parameter of the loop.
fn argument(position: usize) -> Ident {
    format_ident!("argument_{position}")
}

/// A part of the state, as a step takes it.
fn state_part(capture: &Capture, place: &syn::Index) -> TokenStream {
    match capture.ty {
        Type::Slice(_) => quote!(&mut state.#place[..]),
        _ => quote!(&mut state.#place),
    }
}

/// Writes `*x` for `x`.
struct Dereference {
    names: BTreeSet<String>,
}

impl VisitMut for Dereference {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && let Some(ident) = path.path.get_ident()
            && self.names.contains(&ident.to_string())
        {
            *expr = syn::parse_quote_spanned!(ident.span()=> (*#ident));
            return;
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        field.colon_token.get_or_insert_default();
        syn::visit_mut::visit_field_value_mut(self, field);
    }
}
