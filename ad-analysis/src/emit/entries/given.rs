//! The adjoint that the user gives, in place of the two sweeps.

use super::super::located;
use super::Entries;
use proc_macro2::TokenStream;
use quote::quote;

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
        // It has the generic parameters of the function; what arguments tell, they may tell here.
        let is_told = self.interface.untold.is_empty();
        let turbofish = self.own_turbofish().filter(|_| !is_told);
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

    /// The call of the adjoint that the user gives, for entries that want the value, too.
    pub(super) fn call_of_given_adjoint(&self) -> Option<TokenStream> {
        self.interface.given_adjoint.as_ref()?;
        let (checks, cleared, args) = (self.checks(), self.cleared(), self.adjoint_args());
        Some(quote!(#checks #cleared Self::__given(#(#args),*)))
    }
}
