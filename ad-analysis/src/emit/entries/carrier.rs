//! Functions that return an `Option` or a `Result`.

use super::Entries;
use crate::emit::located;
use crate::interface::Interface;
use crate::ir::Carrier;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The type that a function returns with another payload; that payload, if the function cannot fail.
pub(super) fn carrying(interface: &Interface, payload: &TokenStream) -> TokenStream {
    let (Some(_), Some(output)) = (interface.carrier, &interface.output) else {
        return payload.clone();
    };
    let parsed = syn::parse2::<syn::TypePath>(output.clone());
    let mut ty = parsed.expect("an `Option` or a `Result` is a path");
    let last = ty.path.segments.last_mut().expect("paths have segments");
    if let syn::PathArguments::AngleBracketed(args) = &mut last.arguments {
        let first = args.args.iter_mut().find_map(|arg| match arg {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        if let Some(first) = first {
            *first = syn::Type::Verbatim(payload.clone());
        }
    }
    located(ty.to_token_stream())
}

impl Entries<'_> {
    /// The returned type with another payload; that payload, if the function cannot fail.
    pub(super) fn carrying(&self, payload: &TokenStream) -> TokenStream {
        carrying(self.interface, payload)
    }

    /// The type of the result itself.
    pub(super) fn payload(&self) -> TokenStream {
        match &self.interface.payload {
            Some(payload) => located(payload.clone()),
            None => quote!(()),
        }
    }

    /// What the function returns for a result.
    pub(super) fn success(&self, result: &TokenStream) -> TokenStream {
        match self.interface.carrier {
            None => result.clone(),
            Some(Carrier::Option) => quote!(::core::option::Option::Some(#result)),
            Some(Carrier::Result) => quote!(::core::result::Result::Ok(#result)),
        }
    }

    /// Notes the height of the stack, to which a function that fails returns it.
    pub(super) fn mark_before(&self) -> Option<TokenStream> {
        let (stack, mark) = (&self.stack, &self.mark);
        self.interface.carrier.map(|_| quote!(let #mark = #stack.mark();))
    }

    /// Statements that happen unless the function has failed.
    pub(super) fn unless_failed(&self, statements: &TokenStream) -> TokenStream {
        let kept = &self.kept;
        match self.interface.carrier {
            Some(_) => quote!(if #kept.is_some() { #statements }),
            None => statements.clone(),
        }
    }
}
