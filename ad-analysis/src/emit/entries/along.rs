//! The sweeps of second derivatives in several directions as callers in such sweeps find them: they take something behind each argument, as those in
//! one direction do.

use super::super::located;
use super::carrier::carrying;
use super::second::{Passed, Second};
use crate::interface::Passing;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Second<'_> {
    /// The sweeps that callers find.
    pub(super) fn directed_along(&self) -> TokenStream {
        let found = self.with_products(|along, _| {
            let sweeps = [along.forward(), along.backward()];
            sweeps.iter().map(|sweep| along.directed_sweep(sweep)).collect()
        });
        found.unwrap_or_else(|| {
            let [directions] = self.entries.fresh(["Directions"]);
            let sweeps = [self.refused_forward(&directions), self.refused_backward(&directions)];
            sweeps.into_iter().collect()
        })
    }

    /// What tells such a sweep the type of the directions: all of them may be missing.
    pub(super) fn passed_marker(&self) -> Option<Passed> {
        let directions = &self.entries.several.as_ref()?.parameter;
        let [name] = self.entries.fresh(["directions"]);
        Some(Passed::ignored(&name, quote!(::core::marker::PhantomData<#directions>)))
    }

    /// A direction of zeros for a value that something refers to.
    pub(super) fn zeros(&self, reference: &TokenStream) -> TokenStream {
        let rt = &self.entries.rt;
        match &self.entries.several {
            Some(several) => {
                let directions = &several.parameter;
                quote!(#rt::zeros_along::<#directions, _>(#reference))
            }
            None => quote!(#rt::Differentiable::zero_bar(#reference)),
        }
    }

    fn refused_forward(&self, directions: &Ident) -> TokenStream {
        let (mut generics, mut params) = (Vec::new(), Vec::new());
        for (position, param) in self.function.params.iter().enumerate() {
            let others = ["Marker", "Direction", "DirectionMarker"];
            let others = others.map(|name| format_ident!("{name}{position}"));
            let ty = located(param.ty.clone());
            params.push(quote!(_: #ty, #(_: #others),*));
            generics.extend(others.map(|other| quote!(#other)));
        }
        let function = self.function;
        let output = match &function.payload {
            Some(payload) if function.output_dependent => {
                let (payload, slope) = (located(payload.clone()), format_ident!("Slope"));
                generics.push(quote!(#slope));
                carrying(function, &quote!((#payload, #slope)))
            }
            Some(_) | None => self.entries.output(),
        };
        let output = quote!((#output, ::core::option::Option<()>));
        self.refused_along("forward_along", directions, (generics, params), &output)
    }

    fn refused_backward(&self, directions: &Ident) -> TokenStream {
        // A caller may know from here only of what type it is what was kept.
        let (mut generics, mut params) = (Vec::new(), vec![quote!(_: ::core::option::Option<()>)]);
        for (position, param) in self.function.params.iter().enumerate() {
            let [slot, direction, own_slot] = ["Slot", "Direction", "DirectionSlot"]
                .map(|name| format_ident!("{name}{position}"));
            let ty = located(param.ty.clone());
            let (value, along) = match param.passing {
                Passing::Shared => (ty, quote!(#direction)),
                Passing::Value => (quote!(&#ty), quote!(#direction)),
                Passing::Exclusive => (quote!(()), quote!(())),
            };
            generics.extend([quote!(#slot), quote!(#own_slot)]);
            generics.extend((param.passing != Passing::Exclusive).then(|| along.clone()));
            params.push(quote!(_: #value, _: #slot, _: #along, _: #own_slot));
        }
        params.push(quote!(_: impl ::core::marker::Sized));
        self.refused_along("backward_along", directions, (generics, params), &quote!(()))
    }

    /// Only where such a sweep is used, it is missed: anything may be passed until then.
    fn refused_along(
        &self,
        sweep: &str,
        directions: &Ident,
        (mut generics, params): (Vec<TokenStream>, Vec<TokenStream>),
        output: &TokenStream,
    ) -> TokenStream {
        let (rt, stack_type) = (&self.entries.rt, &self.entries.stack_type);
        generics.push(quote!(#directions: #rt::Bars));
        let (generics, bounds) = self.entries.generics(&generics, &quote!(#(#params)* #output));
        let (definition, own) = self.directed_definition(sweep);
        let message =
            format!("`{}` has no second derivatives in several directions", self.function.name);
        quote! {
            #definition #generics (
                #own
                _: &mut #stack_type,
                _: impl #rt::Marker,
                _: ::core::marker::PhantomData<#directions>,
                #(#params),*
            ) -> #output #bounds {
                const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
                ::core::unreachable!()
            }
        }
    }
}
