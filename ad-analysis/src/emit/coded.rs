//! Values of types that hold no floats, on the stack: those of the user's own types are coded.

use super::body::Emitter;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// What stands for values of a type on the stack, if it is not these themselves.
pub(super) fn code_of(ty: &Type, rt: &TokenStream) -> Option<TokenStream> {
    match ty {
        Type::Named(_) => {
            let code = code_of_element(ty)?;
            Some(quote!(#rt::Coded::<#code>))
        }
        Type::Array(element, len) => {
            let (code, len) = (code_of_element(element)?, len.parse::<TokenStream>().ok()?);
            Some(quote!(#rt::CodedArray::<#code, { #len }>))
        }
        Type::Vec(element) => {
            let code = code_of_element(element)?;
            Some(quote!(#rt::CodedList::<#code>))
        }
        Type::Float(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Slice(_)
        | Type::Tuple(_)
        | Type::Unknown
        | Type::Infer(_) => None,
    }
}

fn code_of_element(element: &Type) -> Option<Ident> {
    let Type::Named(name) = element else { return None };
    Some(Ident::new(&name.code()?, Span::call_site()))
}

impl Emitter<'_> {
    /// A value on its way to the stack.
    pub(super) fn coded(&self, ty: &Type, value: TokenStream) -> TokenStream {
        match code_of(ty, &self.rt) {
            Some(code) => quote!(#code(#value)),
            None => value,
        }
    }

    /// Some value of a type that can be stored.
    pub(super) fn stand_in(&self, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        match code_of(ty, rt) {
            Some(code) => quote!(<#code as #rt::Storable>::placeholder().0),
            None => quote!(#rt::Storable::placeholder()),
        }
    }

    /// Whether what stands for values of a type on the stack tells the type.
    pub(super) fn is_coded(&self, ty: &Type) -> bool {
        code_of(ty, &self.rt).is_some()
    }

    /// A value off the stack.
    pub(super) fn decoded(&self, ty: &Type) -> TokenStream {
        let stack = &self.stack;
        match code_of(ty, &self.rt) {
            Some(code) => quote!(#stack.pop::<#code>().0),
            None => quote!(#stack.pop()),
        }
    }
}
