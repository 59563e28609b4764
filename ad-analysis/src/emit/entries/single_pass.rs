//! Both sweeps in one, for the entries that want the value together with the derivative.

use super::{Entries, relocated};
use crate::interface::Home;
use crate::ir::Body;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::HashMap;

impl Entries<'_> {
    /// Functions in an `impl` block have none so far.
    fn single_pass_of(&self) -> Option<&Body> {
        match self.interface.home {
            Home::Struct | Home::Beside => self.product.single_pass,
            Home::Impl | Home::StandardTrait => None,
        }
    }

    /// It is a function of its own also in machine code: where what a caller does afterwards spills its
    /// accumulators, the loop is three times slower.
    pub(super) fn single_pass(&self) -> Option<TokenStream> {
        let body = self.single_pass_of()?;
        let params = self.adjoint_params(false);
        let (items, checks, output) = (self.items_of_sweep(), self.checks(), self.output());
        let statements = self.single_pass_body(body);
        let (generics, bounds) = self.generics(&[], &quote!(#(#params)* #statements));
        Some(quote! {
            #[doc(hidden)]
            #[inline(never)]
            #[track_caller]
            fn __single_pass #generics (#(#params),*) -> #output #bounds {
                #items
                #checks
                #statements
            }
        })
    }

    fn single_pass_body(&self, body: &Body) -> TokenStream {
        let emitter = self.emitter(body, HashMap::new());
        let statements = emitter.stmts(&body.block);
        let (fallbacks, told) = (emitter.fallbacks(&statements), emitter.types());
        let constants = emitter.constants();
        let seed = self.interface.output_dependent.then(|| {
            let (seed, ty) = (&self.seed, self.seed_type());
            quote!(let mut #seed: #ty = #seed;)
        });
        let (result, ty) = (body.result.map(|result| emitter.name(result)), self.payload());
        quote! {
            #fallbacks
            #told
            #constants
            #seed
            let mut #result: #ty;
            #statements
            #result
        }
    }

    /// The call of the single pass, if there is one.
    pub(super) fn call_of_single_pass(&self) -> Option<TokenStream> {
        self.single_pass_of()?;
        let args = self.params().flat_map(|(param, bar)| {
            let name = relocated(&param.ident);
            [Some(quote!(#name)), bar.as_ref().map(|bar| quote!(#bar))].into_iter().flatten()
        });
        let seed = self.interface.output_dependent.then(|| self.seed_argument());
        let args = args.chain(seed);
        Some(quote!(Self::__single_pass(#(#args),*)))
    }
}
