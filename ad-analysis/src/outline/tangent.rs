//! The tangent of a fixed-point loop.
//!
//! It is that of the solution, as the adjoint is: the loop runs as it is, and then `ż = φ_z ż + φₓ ẋ` is solved by passes over
//! the step that completes, at the state before the last one. Tangents of the iterations would lag behind them, and be less exact than
//! the value. Behind the passes there is the last iteration.

use super::captures::Capture;
use super::entries::Entries;
use super::generic;
use super::items::{Lead, Parts, argument};
use crate::interface::Passing;
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Entries<'_> {
    /// The tangent of the loop, as callers find it.
    pub(super) fn tangent(&self) -> TokenStream {
        let (Parts { steps, .. }, leads) = (self.parts, self.leads());
        let names: Vec<&Ident> = leads.iter().map(|lead| &lead.name).collect();
        let types = leads.iter().map(|Lead { ty, .. }| ty);
        let params = self.parts.params(|position, _| argument(position));
        let (generics, slots) = self.directions();
        let args = (0..self.parts.captures().len()).map(argument);
        let is_active = self.has_direction();
        let body = self.tangent_body();
        let known = &self.parts.found.generics;
        let (lifetimes, own) = (known.lifetimes(), known.params());
        let (bounds, turbofish) = (known.demands(), known.turbofish());
        quote! {
            #[allow(unused)]
            fn __tangent<#lifetimes #(#generics,)* #own>(
                self, #(#names: #types, _: (),)* #(#params, #slots),*
            ) -> ((), ()) #bounds {
                if #is_active {
                    #body
                } else {
                    #steps #turbofish(#(#names,)* #(#args),*);
                }
                ((), ())
            }
        }
    }

    /// The types that tell the directions of what is captured, and what follows its parameters.
    fn directions(&self) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let rt = self.rt();
        let captures = self.parts.captures().iter().enumerate();
        let directions = captures.map(|(position, capture)| {
            let (activity, ty) = (generic(position), &capture.spelled);
            let name = direction(position);
            match (capture.is_active, capture.passing) {
                (true, Passing::Exclusive) => {
                    (quote!(#activity: #rt::Slot<#ty>), quote!(mut #name: #activity))
                }
                (true, Passing::Value | Passing::Shared) => {
                    (quote!(#activity: #rt::Along<#ty>), quote!(#name: #activity))
                }
                (false, _) if capture.ty.is_known() => (quote!(#activity), quote!(_: #activity)),
                (false, _) => (quote!(#activity: #rt::Passive), quote!(_: #activity)),
            }
        });
        directions.unzip()
    }

    /// Whether there is any direction.
    fn has_direction(&self) -> TokenStream {
        let rt = self.rt();
        let captures = self.parts.captures().iter().enumerate();
        let active = captures.filter(|(_, capture)| capture.is_active);
        let tests = active.map(|(position, capture)| {
            let marker = self.direction_marker(position, capture);
            quote!(<#marker as #rt::Marker>::ON)
        });
        quote!(#(#tests)||*)
    }

    fn direction_marker(&self, position: usize, capture: &Capture) -> TokenStream {
        let (rt, activity, ty) = (self.rt(), generic(position), &capture.spelled);
        match capture.passing {
            Passing::Exclusive => quote!(<#activity as #rt::Slot<#ty>>::Marker),
            Passing::Value | Passing::Shared => quote!(<#activity as #rt::Along<#ty>>::Marker),
        }
    }

    fn tangent_body(&self) -> TokenStream {
        let rt = self.rt();
        if self.slopes().any(|(_, capture)| !capture.ty.is_structural()) {
            let function = &self.parts.known.lowered.interface.name;
            let message = format!(
                "`{function}` has no tangent: the state of a fixed-point loop is not of floats and lists"
            );
            return quote! {
                const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
            };
        }
        let (run, results, name) = (self.run_to_fixed_point(), self.results(), self.loop_name());
        let initial = self.initial();
        let zeros = self
            .state_slopes()
            .map(|(place, ..)| quote!(#rt::Differentiable::zero_bar(&run.state.#place)));
        let carried = self.slopes().enumerate().filter(|(_, (_, capture))| capture.is_carried);
        let carried = carried.map(|(slope, _)| syn::Index::from(slope));
        let flat = quote! {{
            let mut flat = ::std::vec::Vec::new();
            #(#rt::Vector::write_flat(&slopes.#carried, &mut flat);)*
            flat
        }};
        let (pass, left) = (self.tangent_step(true), self.tangent_step(false));
        let (taken, given) = (self.taken_directions(), self.given_directions());
        quote! {
            let initial = #initial;
            #run
            let mut slopes = (#(#zeros,)*);
            let mut iteration =
                #rt::LinearIteration::tangent(#name, #flat, tolerance, passes);
            while iteration.goes_on() {
                #pass
                iteration.add(&#flat);
            }
            if !run.iterated {
                #taken
            }
            #left
            #results
            #given
        }
    }

    /// The parts of the state that have tangents, with their places in it.
    fn state_slopes(&self) -> impl Iterator<Item = (syn::Index, usize, &Capture)> {
        self.parts.state().filter(|(.., capture)| capture.is_active)
    }

    /// The captures that they are.
    fn slopes(&self) -> impl Iterator<Item = (usize, &Capture)> {
        self.state_slopes().map(|(_, position, capture)| (position, capture))
    }

    /// Runs the tangent of the step.
    fn tangent_step(&self, completes: bool) -> TokenStream {
        let (rt, step) = (self.rt(), &self.parts.step);
        let slope_of = |position| {
            let slope = self.slopes().position(|(other, _)| other == position);
            syn::Index::from(slope.expect("it is an active part of the state"))
        };
        let args = self.arguments(|position, capture| {
            let direction = direction(position);
            match (capture.is_active, capture.passing, &capture.ty) {
                (false, ..) => quote!((),),
                (true, Passing::Exclusive, Type::Slice(_)) => {
                    let slope = slope_of(position);
                    quote!(&mut slopes.#slope[..],)
                }
                (true, Passing::Exclusive, _) => {
                    let slope = slope_of(position);
                    quote!(&mut slopes.#slope,)
                }
                (true, Passing::Value | Passing::Shared, _) => {
                    let marker = self.direction_marker(position, capture);
                    quote!(#rt::along_there::<#marker, _>(#rt::Along::direction(&#direction)),)
                }
            }
        });
        let goes_on = self.goes_on().map(|place| quote!(&mut state.#place, (),));
        quote! {{
            let state = &mut ::core::clone::Clone::clone(&run.state);
            #step {}.__tangent(#args #goes_on #completes, ());
        }}
    }

    /// What no iteration has written has the direction that it has had before the loop.
    fn taken_directions(&self) -> TokenStream {
        let rt = self.rt();
        let slopes = self.slopes().enumerate().filter(|(_, (_, capture))| !capture.is_carried);
        let taken = slopes.map(|(slope, (position, _))| {
            let (direction, slope) = (direction(position), syn::Index::from(slope));
            quote! {
                if let ::core::option::Option::Some(direction) = #rt::Slot::bar(&mut #direction) {
                    slopes.#slope = direction.to_owned();
                }
            }
        });
        quote!(#(#taken)*)
    }

    /// Hands the tangents of the last state to the caller.
    fn given_directions(&self) -> TokenStream {
        let rt = self.rt();
        let given = self.slopes().enumerate().map(|(slope, (position, capture))| {
            let (direction, slope) = (direction(position), syn::Index::from(slope));
            let give = match capture.ty {
                Type::Slice(_) => quote!(direction.clone_from_slice(&slopes.#slope)),
                _ => quote!(*direction = slopes.#slope),
            };
            quote! {
                if let ::core::option::Option::Some(direction) = #rt::Slot::bar(&mut #direction) {
                    #give;
                }
            }
        });
        quote!(#(#given)*)
    }
}

/// The name of the direction of a parameter of the loop.
fn direction(position: usize) -> Ident {
    format_ident!("direction_{position}")
}
