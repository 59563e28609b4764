//! Sparse Jacobians as users call them: where they have entries, and what these are.

use super::super::{docs, ident, located};
use super::sparse::Sparse;
use super::{Entries, Entry, relocated};
use crate::diff::Tangent;
use crate::interface::{Home, Parameter, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl<'a> Entries<'a> {
    /// The entries, for functions with more than one dependent number and tangents in several directions.
    pub(super) fn sparse(&self) -> Vec<Entry> {
        let Some(sparse) = self.sparse_jacobian() else { return Vec::new() };
        vec![sparse.pattern(), sparse.triplets(), sparse.values()]
    }

    /// What the entries call.
    pub(super) fn flat_tangents(&self) -> Option<TokenStream> {
        Some(self.sparse_jacobian()?.flat_tangents())
    }

    /// An argument, such that it can be passed again.
    pub(super) fn argument_again(&self, param: &Parameter) -> TokenStream {
        let (rt, value) = (&self.rt, relocated(&param.ident));
        match param.passing {
            Passing::Shared => quote!(#value),
            Passing::Exclusive => quote!(&mut *#value),
            Passing::Value if self.type_of(param).is_copy() => quote!(#value),
            Passing::Value => quote!(#rt::copied(&#value)),
        }
    }

    fn sparse_jacobian(&self) -> Option<SparseJacobian<'_, 'a>> {
        let tangents = self.several().filter(|tangents| tangents.refusal.is_none())?;
        let params = &self.interface.params;
        let is_of_use = !self.has_gradient()
            && self.interface.given_adjoint.is_none()
            && self.interface.is_decided()
            && params.iter().any(|param| param.independent)
            && (self.interface.output_dependent || params.iter().any(|param| param.dependent));
        is_of_use.then_some(SparseJacobian { entries: self, tangents })
    }
}

struct SparseJacobian<'e, 'a> {
    entries: &'e Entries<'a>,
    tangents: &'a Tangent,
}

impl SparseJacobian<'_, '_> {
    /// Hands on the tangents of all dependents, one after another, along directions that come one after another. What
    /// `&mut` parameters refer to stays as it is.
    fn flat_tangents(&self) -> TokenStream {
        let (entries, tangents) = (self.entries, self.tangents);
        let rt = &entries.rt;
        let directions = tangents.several.as_ref().map(|name| ident(name, Span::call_site()));
        let [next, found, slope] = self.entries.fresh(["next", "found", "slope"]);
        let (mut lets, mut args) = (TokenStream::new(), Vec::new());
        let mut visits = TokenStream::new();
        for (param, direction) in entries.directed(tangents) {
            let (value, pointee) = (relocated(&param.ident), located(param.pointee.clone()));
            let (argument, reference) = match param.passing {
                Passing::Shared => (quote!(#value), quote!(#value)),
                Passing::Value => (quote!(#value), quote!(&#value)),
                Passing::Exclusive => {
                    let [copy] = self.entries.fresh([&format!("{}_copy", param.ident)]);
                    lets.extend(quote! {
                        let mut #copy = {
                            use #rt::jacobian::*;
                            (&&Original(&*#value)).copied()
                        };
                    });
                    (quote!(&mut *#copy), quote!(&*#copy))
                }
            };
            let Some(direction) = direction else {
                args.push(quote!(#argument, ()));
                continue;
            };
            let mutable = (param.passing == Passing::Exclusive).then(|| quote!(mut));
            let of = quote!(<#pointee as #rt::HasTangents<#directions>>);
            let made = match param.independent {
                true => quote!(#of::tangent_of(#reference, #next)),
                false => quote!(#rt::zeros_along::<#directions, #pointee>(#reference)),
            };
            lets.extend(quote!(let #mutable #direction = #made;));
            args.push(quote!(#argument, &#mutable #direction));
            if param.dependent {
                visits.extend(quote!(#of::visit_tangent(&#direction, #found);));
            }
        }
        if entries.interface.output_dependent {
            let payload = entries.payload();
            visits.extend(quote! {
                <#payload as #rt::HasTangents<#directions>>::visit_tangent(
                    &#slope,
                    #found,
                );
            });
        }
        let binder = entries.interface.output_dependent.then(|| quote!(#slope));
        let binder = binder.unwrap_or_else(|| quote!(_));
        let (attempt, params) = (self.attempt(), self.params());
        let (sweep, name) = (entries.sweep("tangents"), self.flat_tangents_name());
        let (output, result) = (entries.carrying(&quote!(())), entries.success(&quote!(())));
        let generics = [quote!(#directions: #rt::Directions)];
        let (generics, bounds) = entries.generics(&generics, &quote!(#(#params)* #output));
        quote! {
            #[inline]
            fn #name #generics (
                #(#params,)*
                #next: &mut impl FnMut() -> #directions,
                #found: &mut impl FnMut(#directions)
            ) -> #output #bounds {
                #lets
                let (_, #binder) =
                    #sweep(::core::marker::PhantomData::<#directions>, #(#args),*)#attempt;
                #visits
                #result
            }
        }
    }

    /// The name of the function that the entries call.
    fn flat_tangents_name(&self) -> Ident {
        match self.entries.interface.home {
            Home::Struct | Home::Beside => Ident::new("__flat_tangents", Span::call_site()),
            Home::Impl | Home::StandardTrait => self.entries.hidden_name("flat_tangents"),
        }
    }

    /// The parameters of the function as they are.
    fn params(&self) -> Vec<TokenStream> {
        self.entries.receiver().into_iter().chain(self.entries.primal_params()).collect()
    }

    fn attempt(&self) -> Option<TokenStream> {
        self.entries.interface.carrier.map(|_| quote!(?))
    }

    /// The arguments, such that they can be passed again.
    fn arguments(&self) -> Vec<TokenStream> {
        let params = self.entries.interface.params.iter();
        params.map(|param| self.entries.argument_again(param)).collect()
    }

    fn entry(
        &self,
        name: &str,
        doc: String,
        more: Option<TokenStream>,
        output: &TokenStream,
        body: TokenStream,
    ) -> Entry {
        let params = self.entries.primal_params().into_iter().chain(more).collect();
        let output = Some(self.entries.carrying(output));
        self.entries.entry(name, doc, false, params, output, body)
    }

    fn pattern(&self) -> Entry {
        let (rt, args, attempt) = (&self.entries.rt, self.arguments(), self.attempt());
        let flat_tangents = self.flat_tangents_name();
        let [run, found] = self.entries.fresh(["run", "found"]);
        let result = self.entries.success(&quote!(#run.pattern(&#found)));
        let body = quote! {
            let (mut #run, mut #found) = (#rt::Influences::new(), ::std::vec::Vec::new());
            Self::#flat_tangents(
                #(#args,)*
                &mut || #run.input(),
                &mut |part| #found.push(part)
            )#attempt;
            #result
        };
        let doc = docs::jacobian_pattern(self.entries.interface);
        self.entry("jacobian_pattern", doc, None, &quote!(#rt::sparse::Pattern), body)
    }

    fn triplets(&self) -> Entry {
        let body = self.entries.body_of_triplets(Sparse::Jacobian, self.entries.interface);
        let doc = docs::jacobian_sparse(self.entries.interface);
        self.entry("jacobian_sparse", doc, None, &self.entries.triplets_type(), body)
    }

    fn values(&self) -> Entry {
        let (args, attempt) = (self.arguments(), self.attempt());
        let flat_tangents = self.flat_tangents_name();
        let (more, body) = self.entries.body_of_values(
            Sparse::Jacobian,
            |next, found| quote!(Self::#flat_tangents(#(#args,)* &mut #next, &mut #found)#attempt;),
        );
        let doc = docs::jacobian_values(self.entries.interface);
        self.entry("jacobian_values", doc, Some(more), &quote!(::std::vec::Vec<f64>), body)
    }
}
