//! Types and their bars.

use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The tokens of a type, if the macro knows it completely.
pub fn known(ty: &Type) -> Option<TokenStream> {
    Some(match ty {
        Type::Float(FloatKind::F64) => quote!(f64),
        Type::Float(FloatKind::F32) => quote!(f32),
        Type::Float(FloatKind::Generic(name) | FloatKind::Directions(name)) => name.parse().ok()?,
        Type::Bool => quote!(bool),
        Type::Int(IntKind::Named(name)) => name.parse().ok()?,
        Type::Array(element, len) => {
            let (element, len): (_, TokenStream) = (known(element)?, len.parse().ok()?);
            quote!([#element; #len])
        }
        Type::Slice(element) => {
            let element = known(element)?;
            quote!([#element])
        }
        Type::Vec(element) => {
            let element = known(element)?;
            quote!(::std::vec::Vec<#element>)
        }
        Type::Tuple(fields) => {
            let fields: Vec<TokenStream> = fields.iter().map(known).collect::<Option<_>>()?;
            quote!((#(#fields,)*))
        }
        Type::Float(FloatKind::Open(_))
        | Type::Int(IntKind::Open(_))
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => return None,
    })
}

/// The type of the bar that a caller passes for a value of a type.
pub fn bar(ty: &Type, spelled: &TokenStream, rt: &TokenStream) -> TokenStream {
    if known(ty).is_some() {
        spelled.clone()
    } else {
        quote!(<#spelled as #rt::Differentiable>::Bar)
    }
}

/// The type of the owned bar of a value of a type.
pub(super) fn owned_bar(ty: &Type, spelled: &TokenStream, rt: &TokenStream) -> TokenStream {
    match ty {
        Type::Slice(element) => match known(element) {
            Some(element) => quote!(::std::vec::Vec<#element>),
            None => quote!(<#spelled as #rt::Differentiable>::Bar),
        },
        ty => bar(ty, spelled, rt),
    }
}
