//! Where structs hold values of their type parameters, as the macro writes it into the arguments of the attribute.

use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream, Parser, Result};
use syn::punctuated::Punctuated;
use syn::{GenericArgument, LitInt, PathArguments, Token, Type, parenthesized};

/// Where structs hold values of their type parameters, by the names of the structs.
#[derive(Clone, Debug, Default)]
pub struct Held(BTreeMap<String, OfStruct>);

/// Where a struct holds values of its type parameters.
#[derive(Clone, Debug)]
pub struct OfStruct {
    /// How many type parameters it has.
    pub params: usize,
    /// The place of a value, and the position of the parameter that is its type.
    pub parts: Vec<(TokenStream, usize)>,
}

impl Held {
    /// Reads `Pair(2; first: 0; unit.place: 1), …`.
    pub fn parse(tokens: TokenStream) -> Result<Self> {
        let structs = Punctuated::<Named, Token![,]>::parse_terminated.parse2(tokens)?;
        Ok(Self(structs.into_iter().map(|Named(name, of)| (name.to_string(), of)).collect()))
    }

    /// What is known of a struct.
    pub fn of(&self, name: &Ident) -> Option<&OfStruct> {
        self.0.get(&name.to_string())
    }
}

impl OfStruct {
    /// The type of a field of the struct with these arguments, if it is that of a type parameter.
    pub fn type_of_field<'a>(&self, arguments: &'a PathArguments, name: &str) -> Option<&'a Type> {
        let PathArguments::AngleBracketed(arguments) = arguments else { return None };
        let types = arguments.args.iter().map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let types: Vec<&Type> = types.collect::<Option<_>>()?;
        let (_, param) = self.part(name)?;
        types.get(*param).copied().filter(|_| types.len() == self.params)
    }

    /// The place of a value that is called so, and the position of the parameter that is its type.
    pub fn part(&self, place: &str) -> Option<&(TokenStream, usize)> {
        self.parts.iter().find(|(own, _)| own.to_string() == place)
    }
}

struct Named(Ident, OfStruct);

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        let inside;
        parenthesized!(inside in input);
        let params = inside.parse::<LitInt>()?.base10_parse()?;
        let mut parts = Vec::new();
        while inside.parse::<Option<Token![;]>>()?.is_some() {
            let mut place = TokenStream::new();
            while !inside.peek(Token![:]) {
                place.extend([inside.parse::<TokenTree>()?]);
            }
            inside.parse::<Token![:]>()?;
            let position = inside.parse::<LitInt>()?;
            let param = position.base10_parse()?;
            if param >= params {
                return Err(syn::Error::new(position.span(), "only the macro writes this"));
            }
            parts.push((place, param));
        }
        Ok(Self(name, OfStruct { params, parts }))
    }
}
