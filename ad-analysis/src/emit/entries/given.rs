//! The adjoint that the user gives, in place of the two sweeps, and the tangent.

use super::super::located;
use super::Entries;
use crate::diff::Tangent;
use crate::index::Var;
use crate::interface::{Parameter, Passing};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

impl Entries<'_> {
    /// The adjoint that the user gives, under a name that nothing can hide. It is taken as a function pointer
    /// first: if the signature is another, that is said of the path.
    pub(super) fn given_adjoint(&self) -> Option<TokenStream> {
        let path = located(self.interface.given_adjoint.clone()?);
        let (params, args, output) =
            (self.adjoint_params(false), self.adjoint_args(), self.output());
        let mut types: Vec<TokenStream> = Vec::new();
        for (param, bar) in self.params() {
            types.push(located(param.ty.clone()));
            if bar.is_some() {
                let ty = self.bar_type(param);
                types.push(quote!(&mut #ty));
            }
        }
        types.extend(self.interface.output_dependent.then(|| self.seed_type()));
        let (generics, bounds) = self.generics(&[], &quote!(#(#params)* #output));
        let watch = self.watch_in_entry();
        let turbofish = self.turbofish_of_given();
        Some(quote! {
            #[doc(hidden)]
            #[inline]
            #[track_caller]
            fn __given #generics (#(#params),*) -> #output #bounds {
                #watch
                let adjoint: fn(#(#types),*) -> #output = #path #turbofish;
                adjoint(#(#args),*)
            }
        })
    }

    /// What is given has the generic parameters of the function; what arguments tell, they may tell here.
    fn turbofish_of_given(&self) -> Option<TokenStream> {
        self.own_turbofish().filter(|_| !self.interface.untold.is_empty())
    }

    /// The call of the adjoint that the user gives, for entries that want the value, too.
    pub(super) fn call_of_given_adjoint(&self) -> Option<TokenStream> {
        self.interface.given_adjoint.as_ref()?;
        let (checks, cleared, args) = (self.checks(), self.cleared(), self.adjoint_args());
        Some(quote!(#checks #cleared Self::__given(#(#args),*)))
    }

    /// The tangent that the user gives, as the adjoint is taken.
    pub(super) fn given_tangent(&self) -> Option<TokenStream> {
        let path = located(self.interface.given_tangent.clone()?);
        let (mut params, mut types, mut args) = (Vec::new(), Vec::new(), Vec::new());
        for param in &self.interface.params {
            let (name, ty) = (self.inner_name(param), located(param.ty.clone()));
            let direction = param.has_bar().then(|| format_ident!("{name}_direction"));
            for name in [Some(name), direction].into_iter().flatten() {
                params.push(quote!(#name: #ty));
                types.push(ty.clone());
                args.push(name);
            }
        }
        let payload = self.payload();
        let output = match self.interface.output_dependent {
            true => self.carrying(&quote!((#payload, #payload))),
            false => self.carrying(&payload),
        };
        let (generics, bounds) = self.generics(&[], &quote!(#(#params)* #output));
        let turbofish = self.turbofish_of_given();
        Some(quote! {
            #[doc(hidden)]
            #[inline]
            #[track_caller]
            #[allow(dead_code)]
            fn __given_tangent #generics (#(#params),*) -> #output #bounds {
                let tangent: fn(#(#types),*) -> #output = #path #turbofish;
                tangent(#(#args),*)
            }
        })
    }

    /// The sweep that calls it. It gets all directions: those that are not passed are zero.
    pub(super) fn body_of_given_tangent(
        &self,
        tangent: &Tangent,
        types: &HashMap<Var, TokenStream>,
    ) -> TokenStream {
        let (mut bindings, mut args) = (Vec::new(), Vec::new());
        for (param, direction) in self.directed(tangent) {
            let name = self.inner_name(param);
            args.push(quote!(#name));
            let Some(direction) = direction else { continue };
            bindings.push(self.passed_or_zero(param, &direction));
            args.push(match param.passing {
                Passing::Value => quote!(::core::clone::Clone::clone(#direction)),
                Passing::Shared | Passing::Exclusive => quote!(#direction),
            });
        }
        let call = quote!(Self::__given_tangent(#(#args),*));
        let call = match (self.interface.output_dependent, self.interface.carrier) {
            (true, _) => call,
            (false, None) => quote!((#call, ())),
            (false, Some(_)) => quote!(#call.map(|value| (value, ()))),
        };
        self.unless_passive(tangent, types, &quote!(#(#bindings)* #call), None)
    }

    fn passed_or_zero(&self, param: &Parameter, direction: &Ident) -> TokenStream {
        let (rt, name) = (&self.rt, self.inner_name(param));
        let (scratch, ty) = (format_ident!("{direction}_zero"), located(param.pointee.clone()));
        let whole = matches!(self.type_of(param), Type::Slice(_)).then(|| quote!([..]));
        let value = match param.passing {
            Passing::Shared => quote!(#name),
            Passing::Exclusive => quote!(&*#name),
            Passing::Value => quote!(&#name),
        };
        let (reference, passed) = match param.passing {
            Passing::Exclusive => (quote!(&mut), quote!(#rt::Slot::bar(&mut #direction))),
            Passing::Shared | Passing::Value => {
                (quote!(&), quote!(#rt::Along::direction(&#direction)))
            }
        };
        let mutable = matches!(param.passing, Passing::Exclusive).then(|| quote!(mut));
        quote! {
            let #mutable #scratch;
            let #direction: #reference #ty = match #passed {
                ::core::option::Option::Some(direction) => direction,
                ::core::option::Option::None => {
                    #scratch = #rt::Differentiable::zero_bar(#value);
                    #reference #scratch #whole
                }
            };
        }
    }
}
