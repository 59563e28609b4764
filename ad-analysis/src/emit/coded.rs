//! Values of types that hold no floats, on the stack: those of the user's own types are coded.

use super::body::Emitter;
use super::types::known;
use crate::types::{Dropping, Type, TypeName};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// How values of a type are put on the stack.
enum Code {
    /// As they are.
    AsIs,
    /// By a type that says how.
    By {
        code: TokenStream,
        /// Whether that tells the type of the values.
        is_told: bool,
    },
}

impl Code {
    fn of(ty: &Type, rt: &TokenStream) -> Self {
        match ty {
            Type::Named(name) => Self::of_named(name, rt),
            Type::Array(element, len) => {
                let len: TokenStream = len.parse().expect("a length is an expression");
                Self::of(element, rt).within(|element| quote!([#element; { #len }]))
            }
            Type::Vec(element) => {
                Self::of(element, rt).within(|element| quote!(::std::vec::Vec<#element>))
            }
            Type::Tuple(parts) => Self::of_tuple(parts, rt),
            Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Slice(_)
            | Type::Unknown
            | Type::Infer(_) => Self::AsIs,
        }
    }

    fn of_named(name: &TypeName, rt: &TokenStream) -> Self {
        let by = |code| Self::By { code, is_told: true };
        if let Some(code) = name.code() {
            let code = Ident::new(&code, Span::call_site());
            return by(quote!(#code));
        }
        match name.moved() {
            Some((path, Dropping::Frees)) => by(quote!(#rt::Freed::<#path>)),
            Some((path, Dropping::Unknown)) => by(quote!(#rt::Moved::<#path>)),
            None => Self::AsIs,
        }
    }

    fn of_tuple(parts: &[Type], rt: &TokenStream) -> Self {
        let codes: Vec<Self> = parts.iter().map(|part| Self::of(part, rt)).collect();
        if codes.iter().all(|code| matches!(code, Self::AsIs)) {
            return Self::AsIs;
        }
        let mut are_told = true;
        let codes = codes.into_iter().zip(parts).map(|(code, part)| match code {
            Self::By { code, is_told } => {
                are_told &= is_told;
                code
            }
            Self::AsIs => match known(part) {
                Some(part) => quote!(#rt::AsIs::<#part>),
                None => {
                    are_told = false;
                    quote!(#rt::AsIs::<_>)
                }
            },
        });
        let code = quote!((#(#codes,)*));
        Self::By { code, is_told: are_told }
    }

    fn within(self, make: impl FnOnce(TokenStream) -> TokenStream) -> Self {
        match self {
            Self::AsIs => Self::AsIs,
            Self::By { code, is_told } => Self::By { code: make(code), is_told },
        }
    }
}

impl Emitter<'_> {
    /// A value on its way to the stack.
    pub(super) fn coded(&self, ty: &Type, value: TokenStream) -> TokenStream {
        let rt = &self.rt;
        match Code::of(ty, rt) {
            Code::By { code, .. } => quote!(#rt::Coded::<#code>(#value)),
            Code::AsIs => value,
        }
    }

    /// Some value of a type that can be stored.
    pub(super) fn stand_in(&self, ty: &Type) -> TokenStream {
        let rt = &self.rt;
        match Code::of(ty, rt) {
            Code::By { code, .. } => {
                quote!(<#rt::Coded::<#code> as #rt::Placeholder>::placeholder().0)
            }
            Code::AsIs => quote!(#rt::Placeholder::placeholder()),
        }
    }

    /// Whether what stands for values of a type on the stack tells the type.
    pub(super) fn is_told_by_code(&self, ty: &Type) -> bool {
        matches!(Code::of(ty, &self.rt), Code::By { is_told: true, .. })
    }

    /// A value off the stack.
    pub(super) fn decoded(&self, ty: &Type) -> TokenStream {
        let (stack, rt) = (&self.stack, &self.rt);
        match Code::of(ty, rt) {
            Code::By { code, .. } => quote!(#stack.pop::<#rt::Coded::<#code>>().0),
            Code::AsIs => quote!(#stack.pop()),
        }
    }
}
