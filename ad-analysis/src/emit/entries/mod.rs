//! The entries: one generic body for each sweep, and thin wrappers around them.

mod along;
mod by_dyn;
mod carrier;
mod class;
mod declared;
mod found_in_trait;
mod generics;
mod given;
mod hessian;
mod in_trait;
mod inner_items;
mod jacobian;
mod methods;
mod nested;
mod nonfinite;
mod operators;
mod products;
mod public;
mod second;
mod second_methods;
mod seeds;
mod selection;
mod several;
mod shapes;
mod single_pass;
mod sparse;
mod sparse_jacobian;
mod summaries;
mod summed;
mod sweeps;
mod tangent;
mod tests;
mod turn;
mod watch;

pub use by_dyn::ByDyn;
pub(super) use by_dyn::{all_by_dyn, name_behind};
pub use in_trait::Implementation;
pub(super) use in_trait::implementation;
pub(super) use second::{interface_of_tangent, second_derivatives, signature_of_tangent};
pub(super) use summed::{path_of_terms, signature_with_sum};

use super::callees::number_of_import;
use super::frames::FrameNames;
use super::types::bar;
use super::{Product, docs, located};
use crate::index::Var;
use crate::interface::{Home, InTrait, Interface, Parameter, Passing};
use crate::ir::{Body, Namer};
use crate::types::{FloatKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::HashMap;

/// The struct with all entries.
pub(super) fn entries(product: &Product<'_>) -> TokenStream {
    Entries::new(product).all()
}

/// The hidden functions beside a method of an annotated trait.
pub(super) fn in_trait(product: &Product<'_>, place: &InTrait) -> TokenStream {
    Entries::new(product).in_trait(place)
}

/// What the method has by way of `dyn`.
pub(super) fn by_dyn(product: &Product<'_>, place: &InTrait) -> Option<ByDyn> {
    Entries::new(product).by_dyn(place)
}

struct Entries<'a> {
    product: &'a Product<'a>,
    interface: &'a Interface,
    /// What the names of the entries for users begin with in an `impl` block.
    prefix: &'a Ident,
    primal: &'a Body,
    /// The path of the runtime.
    rt: TokenStream,
    /// The path of the stack.
    stack_type: TokenStream,
    stack: Ident,
    ret: Ident,
    kept: Ident,
    mark: Ident,
    frame: FrameNames,
    guard: Ident,
    /// The bar of the result.
    seed: Ident,
    /// The bars of the parameters, in order.
    bars: Vec<Option<Ident>>,
    /// Type parameters for the activity of the parameters, in order.
    activity: Vec<Ident>,
    primal_type: Ident,
    markers: HashMap<Var, Ident>,
    primal_marker: Ident,
    /// What there are several of at once, if so.
    several: Option<Several>,
}

/// Sweeps for several seeds or directions at once.
#[derive(Clone)]
struct Several {
    /// The type parameter that stands for the bars or derivatives of a float.
    parameter: Ident,
    of: SeveralOf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SeveralOf {
    /// Backward sweeps, of which the forward sweep is the ordinary one.
    Seeds,
    /// Both sweeps of second derivatives.
    Directions,
}

impl<'a> Entries<'a> {
    fn new(product: &'a Product<'a>) -> Self {
        let interface = product.interface;
        let facade = &interface.facade;
        let mut names: Namer = product.adjoint.backward.names.clone();
        let mut fresh =
            |hint: &str| Ident::new(&names.fresh(hint.trim_start_matches("r#")), Span::call_site());
        let backward = &product.adjoint.backward;
        let name_of = |var: Var| {
            let variable = &backward.vars[var];
            super::ident(&variable.name, variable.span)
        };
        let bars = product.adjoint.bars.iter().map(|slot| slot.bar.map(name_of)).collect();
        let seed = product.adjoint.seed.map_or_else(|| fresh("ret_b"), name_of);
        let activity = interface
            .params
            .iter()
            .map(|param| fresh(&camel_case(&format!("{}_activity", param.ident))));
        let activity = activity.collect();
        let markers = interface
            .params
            .iter()
            .filter(|param| param.has_bar())
            .map(|param| (param.var, fresh(&format!("{}_is_active", param.ident))));
        let markers = markers.collect();
        Self {
            product,
            interface,
            prefix: &interface.entries,
            primal: product.primal,
            rt: quote!(#facade::__private),
            stack_type: quote!(#facade::Stack),
            stack: fresh("stack"),
            ret: fresh("result"),
            kept: fresh("kept"),
            mark: fresh("mark"),
            frame: FrameNames::new(&mut fresh),
            guard: fresh("guard"),
            seed,
            bars,
            activity,
            primal_type: fresh("Primal"),
            markers,
            primal_marker: fresh("primal"),
            several: None,
        }
    }

    /// Names that nothing else has.
    fn fresh<const N: usize>(&self, hints: [&str; N]) -> [Ident; N] {
        let mut names = self.product.adjoint.backward.names.clone();
        hints.map(|hint| Ident::new(&names.fresh(hint.trim_start_matches("r#")), Span::call_site()))
    }

    fn all(&self) -> TokenStream {
        if let Some(operator) = &self.interface.standard {
            return self.operator(operator);
        }
        let public = self.public().into_iter().map(|entry| entry.tokens);
        let ordinary = self.product.ordinary.map(Entries::new);
        let ordinary = ordinary.as_ref().unwrap_or(self);
        let tangent = ordinary.product.tangent.map(|tangent| ordinary.uniform_tangent(tangent));
        let sweeps = [self.forward_sweep(), self.backward_sweep()];
        let sweeps = sweeps.into_iter().chain(self.backward_sweep_for_seeds());
        let sweeps = sweeps.chain(tangent).chain(ordinary.uniform_tangents());
        if self.interface.home == Home::Impl {
            // The block around them is the user's, whom clippy is for.
            let functions = public.chain(sweeps).chain(ordinary.flat_tangents());
            let functions =
                functions.map(|function| quote!(#[allow(unreachable_code, clippy::all)] #function));
            let class = self.class_of_method();
            let (forward, backward) = (self.forward_by_receiver(), self.backward_by_receiver());
            let for_seeds = self.by_receiver_for_seeds();
            let (tangent, tangents) =
                (ordinary.tangent_by_receiver(), ordinary.tangents_by_receiver());
            let missing = self.missing();
            return quote!(#missing #(#functions)* #class #forward #backward #for_seeds #tangent #tangents);
        }
        let public: TokenStream = public.collect();
        let Interface { entries, visibility, home, .. } = self.interface;
        let name = super::ident(&entries.to_string(), entries.span());
        let doc = docs::of_struct(self.interface);
        let (primal, class) = (self.primal_function(), self.class());
        let single_pass = self.single_pass();
        let (given, given_tangent) = (self.given_adjoint(), self.given_tangent());
        let (flat_tangents, tests) = (ordinary.flat_tangents(), self.tests());
        let (traced, summed) = (ordinary.traced_tangent(), self.summed());
        let is_beside = *home == Home::Beside;
        let hidden = is_beside.then(|| quote!(#[doc(hidden)]));
        let free = is_beside.then(|| self.free_functions());
        let imports = is_beside.then(|| self.by_imports()).into_iter().flatten();
        let missing = self.missing();
        quote! {
            #missing
            #[doc = #doc]
            #hidden
            #visibility struct #name {}

            #[automatically_derived]
            #[allow(unreachable_code, clippy::all)]
            impl #name {
                #public
                #primal
                #class
                #(#sweeps)*
                #single_pass
                #given
                #given_tangent
                #flat_tangents
                #traced
            }
            #free
            #(#imports)*
            #summed
            #tests
        }
    }

    fn params(&self) -> impl Iterator<Item = (&'a Parameter, &Option<Ident>)> {
        self.interface.params.iter().zip(&self.bars)
    }

    fn output(&self) -> TokenStream {
        match &self.interface.output {
            Some(output) => located(output.clone()),
            None => quote!(()),
        }
    }

    /// The seed of a gradient.
    fn one(&self) -> TokenStream {
        let result = self.primal.result.map(|result| &self.primal.vars[result].ty);
        match result {
            Some(Type::Float(FloatKind::Generic(name))) => {
                let (rt, name) = (&self.rt, super::ident(name, Span::call_site()));
                quote!(<#name as #rt::Scalar>::constant(1.0))
            }
            _ => quote!(1.0),
        }
    }

    fn type_of(&self, param: &Parameter) -> &'a Type {
        &self.primal.vars[param.var].ty
    }

    /// The type of the bar of a parameter as a caller passes it.
    fn bar_type(&self, param: &Parameter) -> TokenStream {
        if let Some(ty) = self.bar_for_several(param) {
            return ty;
        }
        bar(self.type_of(param), &located(param.pointee.clone()), &self.rt)
    }

    fn seed_type(&self) -> TokenStream {
        if let Some(ty) = self.seed_for_several() {
            return ty;
        }
        match self.primal.result {
            Some(result) => bar(&self.primal.vars[result].ty, &self.payload(), &self.rt),
            None => quote!(()),
        }
    }

    /// The parameters of the function as they are, without a receiver.
    fn primal_params(&self) -> Vec<TokenStream> {
        let after_receiver = usize::from(self.interface.has_receiver);
        let params = self.interface.params.iter().skip(after_receiver).map(|param| {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            quote!(#name: #ty)
        });
        params.collect()
    }

    /// The parameters of the adjoint, without a receiver: each followed by its bar.
    fn adjoint_params(&self, suffix_owner: bool) -> Vec<TokenStream> {
        let mut params = Vec::new();
        for (position, (param, bar)) in self.params().enumerate() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            let is_receiver = position == 0 && self.interface.has_receiver;
            if !is_receiver && (!suffix_owner || param.passing != Passing::Exclusive) {
                params.push(quote!(#name: #ty));
            }
            if let Some(bar) = bar {
                let ty = self.bar_type(param);
                params.push(quote!(#bar: &mut #ty));
            }
        }
        if self.interface.output_dependent {
            let (seed, ty) = (&self.seed, self.seed_type());
            params.push(quote!(#seed: #ty));
        }
        params
    }

    /// The arguments of the adjoint, as a wrapper passes them on.
    fn adjoint_args(&self) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for (param, bar) in self.params() {
            let name = relocated(&param.ident);
            args.push(quote!(#name));
            args.extend(bar.as_ref().map(|bar| quote!(#bar)));
        }
        if self.interface.output_dependent {
            let seed = &self.seed;
            args.push(quote!(#seed));
        }
        args
    }

    /// Arguments of the forward sweep. What is moved into it is cloned if the backward sweep gets it too.
    fn forward_args(&self) -> Vec<TokenStream> {
        let rt = &self.rt;
        let args = self.interface.params.iter().map(|param| {
            let name = relocated(&param.ident);
            let marker = if param.has_bar() { quote!(#rt::On) } else { quote!(#rt::Off) };
            let value = match param.passing {
                Passing::Shared => quote!(#name),
                Passing::Exclusive => quote!(&mut *#name),
                Passing::Value if self.type_of(param).is_copy() => quote!(#name),
                Passing::Value => quote!(#rt::copied(&#name)),
            };
            quote!(#value, #marker)
        });
        args.collect()
    }

    fn backward_args(&self) -> Vec<TokenStream> {
        let args = self.params().map(|(param, bar)| {
            let name = relocated(&param.ident);
            let slot = match bar {
                Some(bar) => quote!(&mut *#bar),
                None => quote!(()),
            };
            match param.passing {
                Passing::Shared => quote!(#name, #slot),
                Passing::Value => quote!(&#name, #slot),
                Passing::Exclusive => quote!((), #slot),
            }
        });
        let mut args: Vec<TokenStream> = args.collect();
        args.push(self.seed_argument());
        args
    }

    fn seed_argument(&self) -> TokenStream {
        if self.interface.output_dependent {
            let seed = &self.seed;
            return quote!(#seed);
        }
        quote!(())
    }

    /// Bars of `&mut` parameters that are independent but not dependent start from zero.
    fn cleared(&self) -> TokenStream {
        let rt = &self.rt;
        let cleared = self.params().filter_map(|(param, bar)| {
            let bar = bar.as_ref()?;
            let overwritten = param.passing == Passing::Exclusive && !param.dependent;
            overwritten.then(|| quote!(#rt::Vector::set_zero(&mut *#bar);))
        });
        cleared.collect()
    }

    /// What leads those to the entries who find the function by an import only.
    fn by_imports(&self) -> impl Iterator<Item = TokenStream> {
        let (rt, entries) = (&self.rt, &self.interface.entries);
        self.product.imports.iter().map(move |(_, path)| {
            let key = number_of_import(rt, path);
            quote! {
                impl #rt::Imported<#entries> for #rt::ByPath<#key> {
                    const ENTRIES: #entries = #entries {};
                }
            }
        })
    }

    /// The entries as functions beside the function.
    fn free_functions(&self) -> TokenStream {
        let entries = &self.interface.entries;
        let visibility = &self.interface.visibility;
        let functions = self.public().into_iter().map(|entry| {
            let Entry { name, doc, signature, tokens: _ } = entry;
            let parsed: syn::Signature =
                syn::parse2(signature.clone()).expect("the signature of a function");
            let args = parsed.inputs.iter().filter_map(|input| match input {
                syn::FnArg::Typed(param) => Some(&param.pat),
                syn::FnArg::Receiver(_) => None,
            });
            let generics = parsed.generics.params.iter().filter_map(|param| match param {
                syn::GenericParam::Type(param) => Some(&param.ident),
                syn::GenericParam::Const(param) => Some(&param.ident),
                syn::GenericParam::Lifetime(_) => None,
            });
            let generics: Vec<&Ident> = generics.collect();
            let turbofish = (!generics.is_empty()).then(|| quote!(::<#(#generics),*>));
            quote! {
                #[doc = #doc]
                #[allow(dead_code, clippy::all)]
                #[inline]
                #[track_caller]
                #visibility #signature { #entries::#name #turbofish(#(#args),*) }
            }
        });
        let functions: TokenStream = functions.collect();
        quote! {
            #functions
            #[doc(hidden)]
            #[inline]
            #visibility const fn __entries<Callee>(callee: Callee) -> #entries {
                #entries::__entries(callee)
            }
        }
    }
}

/// A public entry.
struct Entry {
    name: Ident,
    doc: String,
    signature: TokenStream,
    tokens: TokenStream,
}

/// The user's identifier, as an identifier of generated code.
fn relocated(ident: &Ident) -> Ident {
    super::ident(&ident.to_string(), ident.span())
}

/// `some_name` as `SomeName`.
fn camel_case(name: &str) -> String {
    let words = name.trim_start_matches("r#").split('_').filter(|word| !word.is_empty());
    let capitalised = words.map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    capitalised.collect()
}
