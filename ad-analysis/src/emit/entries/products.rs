//! Hessians by products with several directions at once: dense ones, and sparse ones.

use super::super::types::known;
use super::super::{Product, docs, ident, located};
use super::carrier::carrying;
use super::hessian::{Part, reference_to};
use super::second::Second;
use super::sparse::Sparse;
use super::{Entries, Several, SeveralOf, relocated};
use crate::interface::{Home, Interface, Parameter, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Second<'_> {
    /// Writes something with the sweeps for several directions in the places of those for one, if there are such.
    pub(super) fn with_products<T>(
        &self,
        write: impl FnOnce(&Second<'_>, &Ident) -> T,
    ) -> Option<T> {
        let products = self.products?;
        // In the backward sweep a copy stands for a slice that is changed.
        let body = &products.adjoint.forward;
        let parameter = ident(&products.parameter, Span::call_site());
        let mut interface: Interface = self.entries.interface.clone();
        for of in self.params() {
            let Some((number, param)) = of.direction else { continue };
            let pointee = known(&body.vars[param.var].ty)?;
            let ty = match param.passing {
                Passing::Shared => quote!(&#pointee),
                Passing::Value => pointee.clone(),
                Passing::Exclusive => quote!(&mut #pointee),
            };
            interface.params[number] = Parameter { ty, pointee, ..param.clone() };
        }
        if let Some(result) = self.entries.primal.result {
            let payload = known(&products.adjoint.forward.vars[result].ty)?;
            interface.output = Some(carrying(self.entries.interface, &payload));
            interface.payload = Some(payload);
        }
        let product =
            Product { adjoint: &products.adjoint, interface: &interface, ..*self.entries.product };
        let mut entries = Entries { prefix: self.entries.prefix, ..Entries::new(&product) };
        let of = SeveralOf::Directions;
        entries.several = Some(Several { parameter: parameter.clone(), of });
        let Self { function, directions, .. } = *self;
        Some(write(&Second { entries, function, directions, products: None }, &parameter))
    }

    /// The sweeps for several directions, and what the entries call.
    pub(super) fn along(&self) -> Vec<TokenStream> {
        let is_called = match self.function.home {
            Home::Impl => false,
            Home::Struct | Home::Beside | Home::StandardTrait => true,
        };
        let found = self.with_products(|Second { entries, .. }, directions| {
            let sweeps = [entries.forward_sweep(), entries.backward_sweep()];
            let flat = self.has_hessian().then(|| self.flat_products(entries, directions));
            sweeps.into_iter().chain(flat).collect()
        });
        found.filter(|_| is_called || self.has_hessian()).unwrap_or_default()
    }

    /// Hands on the products of the Hessian with directions that come one after another, for each independent number one after another.
    fn flat_products(&self, along: &Entries<'_>, directions: &Ident) -> TokenStream {
        let Entries { rt, ret, seed, stack, .. } = along;
        let [next, found] = self.entries.fresh(["next", "found"]);
        let (mut lets, mut visits) = (TokenStream::new(), TokenStream::new());
        for of in self.params() {
            let (Some((direction, slope)), (number, param)) = (of.direction, of.value) else {
                continue;
            };
            let (value, pointee) = (reference_to(param), located(param.pointee.clone()));
            let (name, ty) =
                (relocated(&slope.ident), quote!(<#pointee as #rt::HasTangents<#directions>>));
            let own = self.numbered(&format!("{}_own", slope.ident), number);
            let passed = match param.passing {
                Passing::Value => quote!(#own),
                Passing::Shared | Passing::Exclusive => quote!(&#own),
            };
            let [product, gradient] = [number, direction]
                .map(|number| along.bars[number].as_ref().expect("an independent has a bar"));
            let [zeros, others] =
                [product, gradient].map(|bar| self.numbered(&format!("{bar}_zero"), number));
            lets.extend(quote! {
                let #own = #ty::tangent_of(#value, #next);
                let #name = #passed;
                let mut #zeros = #rt::zeros_along::<#directions, #pointee>(#value);
                let #product = &mut #zeros;
                let mut #others = #rt::Differentiable::zero_bar(#value);
                let #gradient = &mut #others;
            });
            visits.extend(quote!(#ty::visit_tangent(&#zeros, #found);));
        }
        let (pool, joint) = (along.pool(), along.joint(true));
        let params: Vec<_> = along.receiver().into_iter().chain(self.function_params()).collect();
        let (attempt, output) = (self.attempt(), carrying(self.function, &quote!(())));
        let result = self.entries.success(&quote!(()));
        let generics = [quote!(#directions: #rt::Bars)];
        let (generics, bounds) = self.entries.generics(&generics, &quote!(#(#params)* #output));
        let (name, used) = (self.flat_products_name(), self.use_of_function());
        let visibility = match self.function.home {
            Home::Impl => None,
            Home::Struct | Home::Beside | Home::StandardTrait => Some(quote!(pub)),
        };
        quote! {
            #[doc(hidden)]
            #[inline]
            #visibility fn #name #generics (
                #(#params,)*
                #next: &mut impl FnMut() -> #directions,
                #found: &mut impl FnMut(#directions)
            ) -> #output #bounds {
                #used
                #lets
                let #seed = (#directions::ZERO, 1.0);
                let #stack = #pool;
                #joint
                let _ = #ret #attempt;
                #visits
                #result
            }
        }
    }

    /// A use of the function, which the sweeps do not call: rustc would take one for unused of which nothing but the Hessian is asked.
    fn use_of_function(&self) -> Option<TokenStream> {
        let params = &self.function.params;
        // Closures have no such parameters.
        if self.function.has_anonymous_types() {
            return None;
        }
        let types = params.iter().map(|param| located(param.ty.clone()));
        let names: Vec<Ident> =
            (0..params.len()).map(|position| self.numbered("argument", position)).collect();
        let (path, args) = (located(self.function.primal.clone()), &self.function.primal_args);
        let turbofish = (!args.is_empty()).then(|| quote!(::<#(#args),*>));
        Some(quote!(let _ = |#(#names: #types),*| #path #turbofish (#(#names),*);))
    }

    fn flat_products_name(&self) -> Ident {
        match self.function.home {
            Home::Impl => self.entries.hidden_name("flat_products"),
            Home::Struct | Home::Beside | Home::StandardTrait => {
                Ident::new("__flat_products", Span::call_site())
            }
        }
    }

    fn attempt(&self) -> Option<TokenStream> {
        self.function.carrier.map(|_| quote!(?))
    }

    /// A run for several directions.
    fn run(&self, next: &Ident, found: &Ident) -> TokenStream {
        let (name, own) = (self.flat_products_name(), &self.entries.interface.entries);
        let path = match self.function.home {
            Home::Impl => quote!(Self::#name),
            Home::Struct | Home::Beside | Home::StandardTrait => quote!(#own::#name),
        };
        let args = self.function.params.iter().map(|param| self.entries.argument_again(param));
        let attempt = self.attempt();
        quote!(#path(#(#args,)* &mut #next, &mut #found)#attempt;)
    }

    /// The entries of a dense Hessian, if several of its rows are found at once.
    pub(super) fn dense_in_several(&self, part: Part) -> Option<TokenStream> {
        // A function that is called may have no such sweeps, which is seen where code is generated: then it is too late to go without.
        self.products.filter(|products| !products.calls_others)?;
        self.with_products(|_, _| ())?;
        let rt = &self.entries.rt;
        let [all, next, found] = self.entries.fresh(["hessian", "next", "found"]);
        let (run, kind) = (self.run(&next, &found), part.constructor());
        let result = self.entries.success(&quote!(#all.finish()));
        Some(quote! {
            let mut #all = #rt::Hessian::#kind();
            while #all.goes_on() {
                let (mut #next, mut #found) = #all.sweep();
                #run
            }
            #result
        })
    }

    /// The entries of a sparse Hessian.
    pub(super) fn sparse(&self) -> Vec<TokenStream> {
        if !self.has_hessian() || self.with_products(|_, _| ()).is_none() {
            return Vec::new();
        }
        vec![self.hessian_pattern(), self.hessian_sparse(), self.hessian_values()]
    }

    fn sparse_entry(
        &self,
        name: &str,
        doc: String,
        more: Option<TokenStream>,
        output: &TokenStream,
        body: TokenStream,
    ) -> TokenStream {
        let params = self.function_params().into_iter().chain(more).collect();
        let output = Some(carrying(self.function, output));
        self.entries.entry(name, doc, false, params, output, body).tokens
    }

    fn hessian_pattern(&self) -> TokenStream {
        let rt = &self.entries.rt;
        let [influences, next, rows, found] =
            self.entries.fresh(["influences", "next", "rows", "found"]);
        let run = self.run(&next, &found);
        let result = self.entries.success(&quote!(#influences.pattern(&#rows).symmetrised()));
        let body = quote! {
            let (mut #influences, mut #rows) = (#rt::Influences::new(), ::std::vec::Vec::new());
            let (mut #next, mut #found) = (|| #influences.input(), |part| #rows.push(part));
            #run
            #result
        };
        let doc = docs::hessian_pattern(self.function);
        self.sparse_entry("hessian_pattern", doc, None, &quote!(#rt::sparse::Pattern), body)
    }

    fn hessian_sparse(&self) -> TokenStream {
        let body = self.entries.body_of_triplets(Sparse::Hessian, self.function);
        let doc = docs::hessian_sparse(self.function);
        self.sparse_entry("hessian_sparse", doc, None, &self.entries.triplets_type(), body)
    }

    fn hessian_values(&self) -> TokenStream {
        let run = |next: &Ident, found: &Ident| self.run(next, found);
        let (more, body) = self.entries.body_of_values(Sparse::Hessian, run);
        let doc = docs::hessian_values(self.function);
        let output = quote!(::std::vec::Vec<f64>);
        self.sparse_entry("hessian_values", doc, Some(more), &output, body)
    }
}
