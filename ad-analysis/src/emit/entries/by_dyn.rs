//! Methods of annotated traits by way of `dyn`. A hidden trait, of which the annotated one is a subtrait, has sweeps that a `dyn` can have:
//! no generics, and bars that are there or not when they run. What implements the annotated trait implements that, too. Callers
//! find the sweeps by a value that stands for the `dyn`, whose hidden functions are those of any other type.
//!
//! ```text
//! trait Shape: __Shape_by_dyn { fn area(&self, k: f64) -> f64; … }
//! trait __Shape_by_dyn {
//!     fn __area_behind_dyn(&self) -> __Shape_behind_dyn<'_>;
//!     fn __area_forward_by_dyn(&self, stack: &mut Stack, k: f64) -> (f64, Option<()>);
//!     …
//! }
//! struct __Shape_behind_dyn<'a>(&'a dyn __Shape_by_dyn);
//! impl __Shape_behind_dyn<'_> { fn __area_forward_of<…>(self, …) { … self.0.__area_forward_by_dyn(stack, k) } … }
//! impl<T: Shape> __Shape_by_dyn for T { … T::__area_forward(…) … }
//! ```
//!
//! They have the parameters of the trait.

use super::super::{hidden_name, located};
use super::Entries;
use super::in_trait::type_again;
use crate::diff::Tangent;
use crate::interface::{Behind, InTrait, Parameter, Passing};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Generics, Visibility, parse_quote};

/// What a method of an annotated trait has by way of `dyn`.
pub struct ByDyn {
    /// Sweeps, as the hidden trait declares them.
    declared: TokenStream,
    /// The same, of all that implements the annotated trait.
    implemented: TokenStream,
    /// How callers find them.
    found: TokenStream,
}

/// A sweep for a `dyn`: its signature, and what it does for a type.
struct Sweep {
    signature: TokenStream,
    body: TokenStream,
}

/// The type that stands for a `dyn` of a trait, and the hidden trait.
fn names_of(of_trait: &Ident) -> (Ident, Ident) {
    (format_ident!("__{of_trait}_behind_dyn"), format_ident!("__{of_trait}_by_dyn"))
}

/// The function by which callers get what stands for a `dyn`.
pub(in crate::emit) fn name_behind(method: &str) -> Ident {
    hidden_name(method, "behind_dyn")
}

/// The hidden trait and what belongs to it, for the methods of an annotated trait, and the bound by which the annotated trait has them.
pub(in crate::emit) fn all_by_dyn(
    (visibility, of_trait, generics): (&Visibility, &Ident, &Generics),
    methods: &[ByDyn],
) -> (TokenStream, TokenStream) {
    let (behind, hidden) = names_of(of_trait);
    let generics = located_generics(generics);
    let (params, args, bounds) = generics.split_for_impl();
    let implementor = with(&generics, parse_quote!(__Implementor: #of_trait #args));
    let (implementor, _, _) = implementor.split_for_impl();
    let of_dyn = with(&generics, parse_quote!('of_dyn));
    let (lent, lent_args, _) = of_dyn.split_for_impl();
    let declared = methods.iter().map(|method| &method.declared);
    let implemented = methods.iter().map(|method| &method.implemented);
    let found = methods.iter().map(|method| &method.found);
    let visibility = located(quote!(#visibility));
    let message = format!(
        "`{of_trait}` is an annotated trait that a `dyn` may be of: only types with a size can implement it"
    );
    let items = quote! {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = #message)]
        #[allow(non_camel_case_types, clippy::all)]
        #visibility trait #hidden #params #bounds { #(#declared)* }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #visibility struct #behind #lent (&'of_dyn (dyn #hidden #args + 'of_dyn)) #bounds;
        #[automatically_derived]
        #[allow(clippy::all)]
        impl #lent ::core::clone::Clone for #behind #lent_args #bounds {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }
        #[automatically_derived]
        impl #lent ::core::marker::Copy for #behind #lent_args #bounds {}
        #[automatically_derived]
        #[allow(clippy::all)]
        impl #implementor #hidden #args for __Implementor #bounds { #(#implemented)* }
        #[automatically_derived]
        #[allow(clippy::all)]
        impl #lent #behind #lent_args #bounds { #(#found)* }
    };
    (items, quote!(#hidden #args))
}

/// The parameters of a trait, as generated code has them.
fn located_generics(generics: &Generics) -> Generics {
    let (params, _, bounds) = generics.split_for_impl();
    let function = located(quote!(fn generic #params () #bounds));
    syn::parse2::<syn::Signature>(function).expect("a signature").generics
}

/// The parameters with another one.
fn with(generics: &Generics, param: GenericParam) -> Generics {
    let mut generics = generics.clone();
    match param {
        GenericParam::Lifetime(_) => generics.params.insert(0, param),
        GenericParam::Type(_) | GenericParam::Const(_) => generics.params.push(param),
    }
    generics
}

impl Entries<'_> {
    /// What a method has that takes a `&self`.
    pub(super) fn by_dyn(&self, place: &InTrait) -> Option<ByDyn> {
        let is_in_trait = matches!(place.behind, Behind::Nowhere | Behind::Default(_));
        let is_shared = place.receiver == Some(Passing::Shared);
        // Of a parameter of the trait that need not be a float, a `dyn` asks nothing.
        let is_of_any_type = !self.unknown_types(place).is_empty();
        if !is_in_trait || !is_shared || !place.arguments.is_empty() || is_of_any_type {
            return None;
        }
        // Of types that only an `impl` tells there is none.
        let place = &InTrait { behind: Behind::Type, ..place.clone() };
        let tangent = self.product.tangent;
        let sweeps = [self.forward_by_dyn(place), self.backward_by_dyn(place)];
        let tangent_by_dyn = tangent.map(|tangent| self.tangent_by_dyn(place, tangent));
        let sweeps: Vec<Sweep> = sweeps.into_iter().chain(tangent_by_dyn).collect();
        let conditions = &place.conditions;
        let behind = self.type_behind(place);
        let name = name_behind(&place.method.to_string());
        let outlives = place.outer_types.iter().map(|name| quote!(#name: 'of_dyn));
        let outlives: Vec<TokenStream> = outlives.map(located).collect();
        let outlives = (!outlives.is_empty()).then(|| quote!(where #(#outlives),*));
        let (made, _) = names_of(&self.trait_name(place));
        let declared = sweeps.iter().map(|Sweep { signature, .. }| quote!(#conditions #signature;));
        let implemented =
            sweeps.iter().map(|Sweep { signature, body }| quote!(#conditions #signature { #body }));
        let found =
            [self.method_behind(place), self.forward_behind(place), self.backward_behind(place)];
        let found = found.into_iter().chain(tangent.map(|of| self.tangent_behind(place, of)));
        let found = found.chain(self.missing_in_trait(place, true)).map(|function| {
            quote! {
                #conditions
                #[doc(hidden)]
                #[allow(unreachable_code, clippy::all)]
                #[inline]
                pub #function
            }
        });
        Some(ByDyn {
            declared: quote! {
                #conditions
                fn #name<'of_dyn>(&'of_dyn self) -> #behind #outlives;
                #(#declared)*
            },
            implemented: quote! {
                #conditions
                #[inline]
                fn #name<'of_dyn>(&'of_dyn self) -> #behind #outlives {
                    #made(self)
                }
                #(#implemented)*
            },
            found: found.collect(),
        })
    }

    fn trait_name(&self, place: &InTrait) -> Ident {
        let path = syn::parse2::<syn::Path>(place.of_trait.clone()).expect("it is a path");
        path.segments.last().expect("a path has segments").ident.clone()
    }

    /// What stands for a `dyn` that is lent for `'of_dyn`.
    fn type_behind(&self, place: &InTrait) -> TokenStream {
        let (behind, _) = names_of(&self.trait_name(place));
        let args = &place.outer;
        located(quote!(#behind<'of_dyn, #(#args),*>))
    }

    /// A sweep of what implements the trait, for the type it is implemented for.
    fn run(&self, place: &InTrait, sweep: &str, args: &TokenStream) -> TokenStream {
        let (rt, of_trait) = (&self.rt, located(place.of_trait.clone()));
        let name = self.hidden(place, sweep);
        quote! {
            #rt::by_dyn::run::<Self, _, _>(
                || <Self as #of_trait>::__adjoint_implementation(),
                || <Self as #of_trait>::#name(#args),
            )
        }
    }

    /// The parameters after the receiver with their names, and those of what follows them.
    fn others(&self) -> impl Iterator<Item = (&Parameter, Ident, Ident)> {
        let (names, slots) = self.names_and_slots();
        let others = self.interface.params.iter().zip(names.into_iter().zip(slots)).skip(1);
        others.map(|(param, (name, slot))| (param, name, slot))
    }

    fn forward_by_dyn(&self, place: &InTrait) -> Sweep {
        let Self { rt, stack, stack_type, .. } = self;
        let (generics, bounds) = self.signature_in_trait(place, &[]);
        let (name, output) = (self.hidden(place, "forward_by_dyn"), self.output());
        let params = self.others().map(|(param, name, _)| {
            let ty = located(param.ty.clone());
            quote!(#name: #ty)
        });
        let passed = self.others().map(|(param, name, _)| match param.has_bar() {
            true => quote!(#name, #rt::On),
            false => quote!(#name, #rt::Off),
        });
        let args = quote!(&mut *#stack, #rt::On, self, #rt::Off, #(#passed),*);
        Sweep {
            signature: quote! {
                fn #name #generics (&self, #stack: &mut #stack_type, #(#params),*)
                    -> (#output, ::core::option::Option<()>) #bounds
            },
            body: self.run(place, "forward", &args),
        }
    }

    fn backward_by_dyn(&self, place: &InTrait) -> Sweep {
        let Self { rt, stack, stack_type, kept, seed, .. } = self;
        let (generics, bounds) = self.signature_in_trait(place, &[]);
        let name = self.hidden(place, "backward_by_dyn");
        let seed_type = self.seed_bound();
        let params = self.others().map(|(param, name, slot)| {
            let (ty, bar) = (type_again(param), self.bar_type(param));
            let slot = param.has_bar().then(|| quote!(#slot: ::core::option::Option<&mut #bar>,));
            quote!(#name: #ty, #slot)
        });
        let spares = self.others().filter_map(|(param, name, slot)| {
            let spare = format_ident!("{name}_spare");
            let is_read = param.has_bar() && param.passing != Passing::Exclusive;
            is_read.then(|| {
                quote! {
                    let mut #spare = ::core::option::Option::None;
                    let #slot = #rt::by_dyn::bar_or(#slot, &mut #spare, #name);
                }
            })
        });
        let passed =
            self.others().map(|(param, name, slot)| match (param.has_bar(), param.passing) {
                (false, _) => quote!(#name, ()),
                (true, Passing::Exclusive) => quote!(#name, #rt::by_dyn::changed(#slot)),
                (true, Passing::Value | Passing::Shared) => quote!(#name, #slot),
            });
        let args = quote!(&mut *#stack, #rt::On, #kept, self, (), #(#passed,)* #seed);
        let run = self.run(place, "backward", &args);
        Sweep {
            signature: quote! {
                fn #name #generics (
                    &self,
                    #stack: &mut #stack_type,
                    #kept: ::core::option::Option<()>,
                    #(#params)*
                    #seed: #seed_type
                ) #bounds
            },
            body: quote!(#(#spares)* #run;),
        }
    }

    fn tangent_by_dyn(&self, place: &InTrait, tangent: &Tangent) -> Sweep {
        let rt = &self.rt;
        let (generics, bounds) = self.signature_in_trait(place, &[]);
        let (name, output) = (self.hidden(place, "tangent_by_dyn"), self.tangent_output(tangent));
        let has_direction: Vec<bool> =
            self.directed(tangent).skip(1).map(|(_, direction)| direction.is_some()).collect();
        let all = || self.others().zip(&has_direction);
        let params = all().map(|((param, name, slot), has_direction)| {
            let (ty, of) = (located(param.ty.clone()), located(param.pointee.clone()));
            let slot = has_direction.then(|| match param.passing {
                Passing::Exclusive => quote!(#slot: ::core::option::Option<&mut #of>,),
                Passing::Value | Passing::Shared => quote!(#slot: ::core::option::Option<&#of>,),
            });
            quote!(#name: #ty, #slot)
        });
        let spares = all().filter_map(|((param, name, slot), has_direction)| {
            let spare = format_ident!("{name}_spare");
            let value = match param.passing {
                Passing::Value => quote!(&#name),
                Passing::Shared => quote!(#name),
                Passing::Exclusive => return None,
            };
            has_direction.then(|| match self.has_zero_direction(param) {
                true => quote! {
                    let mut #spare = ::core::option::Option::None;
                    let #slot = #rt::by_dyn::direction_or(#slot, &mut #spare, #value);
                },
                false => quote!(let #slot = #rt::by_dyn::given(#slot);),
            })
        });
        let passed = all().map(|((param, name, slot), has_direction)| {
            match (has_direction, param.passing) {
                (false, _) => quote!(#name, ()),
                (true, Passing::Exclusive) => quote!(#name, #rt::by_dyn::changed(#slot)),
                (true, Passing::Value | Passing::Shared) => quote!(#name, #slot),
            }
        });
        let run = self.run(place, "tangent", &quote!(self, (), #(#passed),*));
        Sweep {
            signature: quote!(fn #name #generics (&self, #(#params)*) -> #output #bounds),
            body: quote!(#(#spares)* #run),
        }
    }

    /// What shows a caller that there is a method.
    fn method_behind(&self, place: &InTrait) -> TokenStream {
        let (rt, conditions) = (&self.rt, &place.conditions);
        let [method, again] = ["method", "repeatable_of"].map(|name| self.hidden(place, name));
        let (generics, bounds) = self.signature_in_trait(place, &[]);
        let params = self.others().map(|(param, _, _)| {
            let ty = located(param.ty.clone());
            quote!(_: #ty)
        });
        let output = self.output();
        quote! {
            fn #method(&self) -> #rt::Method<Self, #rt::method::ByDyn> {
                #rt::Method::new()
            }
            #conditions
            #[doc(hidden)]
            pub fn #again #generics (&self, #(#params,)* _: #rt::method::Returned<#output>)
                -> #rt::method::Is<false> #bounds
            {
                #rt::method::Is
            }
        }
    }

    fn forward_behind(&self, place: &InTrait) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let of_receiver = quote!(#rt::Marker);
        let activities =
            self.activities_in_trait(place, self.forward_activities(), 1, &of_receiver);
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let [name, by_dyn] = ["forward_of", "forward_by_dyn"].map(|name| self.hidden(place, name));
        let (output, activities) = (self.output(), &self.activity);
        let params = self.others().zip(&activities[1..]).map(|((param, name, _), activity)| {
            let ty = located(param.ty.clone());
            quote!(#name: #ty, _: #activity)
        });
        let (own, names) = (&activities[0], self.others().map(|(_, name, _)| name));
        let message = format!(
            "the receiver carries a derivative, and is of a type that `dyn` hides: `{}` is not differentiated with respect to it",
            place.method
        );
        quote! {
            fn #name #generics (
                self,
                #stack: &mut #stack_type,
                _: #primal_type,
                _: #own,
                #(#params),*
            ) -> (#output, ::core::option::Option<()>) #bounds {
                const { ::core::assert!(!<#own as #rt::Marker>::ON, #message) };
                self.0.#by_dyn(#stack, #(#names),*)
            }
        }
    }

    fn backward_behind(&self, place: &InTrait) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, kept, seed, .. } = self;
        let activities = self.activities_behind(self.backward_activities(false), 1);
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let [name, by_dyn] =
            ["backward_of", "backward_by_dyn"].map(|name| self.hidden(place, name));
        let (seed_type, activities) = (self.seed_bound(), &self.activity);
        let params = self.others().zip(&activities[1..]).map(|((param, name, slot), activity)| {
            let ty = type_again(param);
            match param.has_bar() {
                true => quote!(#name: #ty, mut #slot: #activity),
                false => quote!(#name: #ty, _: #activity),
            }
        });
        let passed = self.others().map(|(param, name, slot)| match param.has_bar() {
            true => quote!(#name, #rt::Slot::bar(&mut #slot)),
            false => quote!(#name),
        });
        let own = &activities[0];
        quote! {
            fn #name #generics (
                self,
                #stack: &mut #stack_type,
                _: #primal_type,
                #kept: ::core::option::Option<()>,
                _: #own,
                #(#params,)*
                #seed: impl #rt::Seed<#seed_type>
            ) #bounds {
                self.0.#by_dyn(#stack, #kept, #(#passed,)* #rt::Seed::weight(#seed));
            }
        }
    }

    fn tangent_behind(&self, place: &InTrait, tangent: &Tangent) -> TokenStream {
        let rt = &self.rt;
        let activities = self.activities_behind(self.tangent_activities(tangent), 0);
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let [name, by_dyn] = ["tangent_of", "tangent_by_dyn"].map(|name| self.hidden(place, name));
        let (output, activities) = (self.tangent_output(tangent), &self.activity);
        let directions = self.directed(tangent).skip(1).map(|(_, direction)| direction.is_some());
        let (mut params, mut passed, mut proofs) = (Vec::new(), Vec::new(), Vec::new());
        let message = format!(
            "`{}` is called of a `dyn` value with an argument without a derivative, of a type that has no zeros to stand for one",
            place.method
        );
        for (((param, name, slot), activity), has_direction) in
            self.others().zip(&activities[1..]).zip(directions)
        {
            let ty = located(param.ty.clone());
            let (binder, direction) = match (has_direction, param.passing) {
                (false, _) => (quote!(_), None),
                (true, Passing::Exclusive) => {
                    (quote!(mut #slot), Some(quote!(, #rt::Slot::bar(&mut #slot))))
                }
                (true, Passing::Value | Passing::Shared) => {
                    (quote!(#slot), Some(quote!(, #rt::Along::direction(&#slot))))
                }
            };
            params.push(quote!(#name: #ty, #binder: #activity));
            passed.push(quote!(#name #direction));
            if has_direction
                && param.passing != Passing::Exclusive
                && !self.has_zero_direction(param)
            {
                let of = located(param.pointee.clone());
                let marker = quote!(<#activity as #rt::Along<#of>>::Marker);
                proofs.push(
                    quote!(const { ::core::assert!(<#marker as #rt::Marker>::ON, #message) };),
                );
            }
        }
        let own = &activities[0];
        quote! {
            fn #name #generics (self, _: #own, #(#params),*) -> #output #bounds {
                #(#proofs)*
                self.0.#by_dyn(#(#passed),*)
            }
        }
    }

    /// Whether there are zeros of the type of a parameter that can stand for a direction: bars of references are none.
    fn has_zero_direction(&self, param: &Parameter) -> bool {
        let mut ty = self.type_of(param);
        while let Some(element) = ty.element() {
            ty = element;
        }
        match ty {
            Type::Float(_) | Type::Int(_) | Type::Bool => true,
            Type::Tuple(_) => ty.is_made_of_floats(),
            Type::Named(name) => !name.is_reference(),
            Type::Array(..) | Type::Slice(_) | Type::Vec(_) | Type::Unknown | Type::Infer(_) => {
                false
            }
        }
    }

    /// The types of activity. That the receiver has none the forward sweep proves.
    fn activities_behind(
        &self,
        mut activities: Vec<TokenStream>,
        before: usize,
    ) -> Vec<TokenStream> {
        let own = &self.activity[0];
        activities[before] = quote!(#own);
        activities
    }
}
