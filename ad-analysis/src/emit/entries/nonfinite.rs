//! The search for the first statement that makes an infinity or a NaN, at arguments of the caller's.

use super::super::docs;
use super::tests::Tested;
use super::{Entries, Entry, relocated};
use crate::interface::{Parameter, Passing};
use proc_macro2::TokenStream;
use quote::quote;

impl Entries<'_> {
    /// That entry, if the user asks for it.
    pub(super) fn first_nonfinite(&self) -> Option<Entry> {
        if !self.interface.is_searched {
            return None;
        }
        let arguments: Vec<TokenStream> = self.interface.params.iter().map(again).collect();
        let searched = Tested::new(self, &arguments);
        let (rt, point, value) = (&self.rt, searched.point(), searched.value());
        let (adjoint, traced) = (searched.adjoint(), searched.traced()?);
        let body = quote! {
            #rt::check::nonfinite::first(&#point, &#value, &#adjoint, &#traced)
        };
        let output = quote!(::core::option::Option<#rt::check::NonFinite>);
        let doc = docs::first_nonfinite(self.interface);
        Some(self.entry("first_nonfinite", doc, false, self.primal_params(), Some(output), body))
    }
}

/// An argument for one of several calls.
fn again(param: &Parameter) -> TokenStream {
    let name = relocated(&param.ident);
    match param.passing {
        Passing::Shared => quote!(#name),
        Passing::Exclusive => quote!(&mut ::std::borrow::ToOwned::to_owned(&*#name)),
        Passing::Value => quote!(::core::clone::Clone::clone(&#name)),
    }
}
