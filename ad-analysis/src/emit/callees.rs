//! Where the entries of callees are found.

use super::body::Emitter;
use super::{at, located, respanned};
use crate::ir::Callee;
use crate::options::key_of;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emitter<'_> {
    /// The entries of a callee, found where the callee is found. If there are none, rustc reports that
    /// in the library's words.
    pub(super) fn entries_of(&self, callee: &Callee, span: Span) -> TokenStream {
        let fallback = quote!(fallback);
        match callee {
            Callee::Function(path) => self.entries_or(path, "__entries", "Callee", fallback, span),
            Callee::Derivative(derivative, path) => {
                let entries = format!("__entries_of_{}", derivative.name());
                self.entries_or(path, &entries, "Callee", fallback, span)
            }
            Callee::Associated(_)
            | Callee::Method(_)
            | Callee::Operator(_)
            | Callee::DirectedOperator(_)
            | Callee::Conversion(_)
            | Callee::Given => {
                unreachable!("it is no function at a path")
            }
        }
    }

    /// The entries of a function at a path, or what a module of the runtime has in their place. `asks` says who asks for them.
    pub(super) fn entries_or(
        &self,
        path: &TokenStream,
        entries: &str,
        asks: &str,
        otherwise: TokenStream,
        span: Span,
    ) -> TokenStream {
        // One span for all of it: rustc reports a missing adjoint once.
        let span = at(span);
        let (entries, asks) = (Ident::new(entries, span), Ident::new(asks, span));
        let rt = respanned(self.rt.clone(), span);
        let otherwise = respanned(otherwise, span);
        let path = respanned(self.entries_path(path), span);
        quote_spanned! {span=>
            { use #rt::#otherwise::*; use #path as __callee; __callee::#entries(#rt::#asks) }
        }
    }

    fn entries_path(&self, callee: &TokenStream) -> TokenStream {
        let Ok(mut path) = syn::parse2::<syn::Path>(callee.clone()) else { return callee.clone() };
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let last = path.segments.last().map(|segment| segment.ident.clone());
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let key = key_of(&names);
        let given = self.product.callees.iter().find(|(name, _)| Some(name) == last.as_ref());
        let found = || self.product.found.iter().find(|(name, _)| *name == key);
        let other = given.or_else(found);
        match other {
            Some((_, path)) => located(path.clone()),
            None => located(quote!(#path)),
        }
    }
}
