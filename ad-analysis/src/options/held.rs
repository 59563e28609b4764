//! Where structs and enums hold values of their type parameters, as the macro writes it into the arguments of the attribute.

use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream, Parser, Result};
use syn::punctuated::Punctuated;
use syn::{
    Expr, GenericArgument, Generics, Lifetime, LitInt, PathArguments, Token, Type, parenthesized,
    parse_quote,
};

/// Where structs hold values of their type parameters, by the names of the structs.
#[derive(Clone, Debug, Default)]
pub struct Held(BTreeMap<String, OfStruct>);

/// Where a struct holds values of its type parameters.
#[derive(Clone, Debug)]
pub struct OfStruct {
    /// Its parameters: `<'a, A0: Float, A1>`.
    pub generics: TokenStream,
    /// How many of them are no lifetimes.
    pub params: usize,
    /// The place of a value, and the position of the parameter that is its type.
    pub parts: Vec<(TokenStream, usize)>,
    /// The fields that are numbers, structs or lists, and their types: `A0` is the first parameter.
    pub fields: Vec<(TokenStream, TokenStream)>,
}

impl Held {
    /// Reads `Pair(<A0, A1>; first: 0; unit.place: 1; place = Point<A0, A1>), Mode(<A0>; Steady::0: 0), …`.
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
    /// The type of a field of the struct with these arguments, if it is that of a type parameter, or a struct or a list of these. Where a
    /// literal of the struct has no arguments, a list is one all the same.
    pub fn type_of_field(&self, arguments: &PathArguments, name: &str) -> Option<Type> {
        let types = match arguments {
            PathArguments::AngleBracketed(arguments) => {
                let types = arguments.args.iter().filter_map(|argument| match argument {
                    GenericArgument::Lifetime(_) => None,
                    GenericArgument::Type(ty) => Some(Some(ty.clone())),
                    GenericArgument::Const(value) => {
                        Some(Some(Type::Verbatim(value.to_token_stream())))
                    }
                    _ => Some(None),
                });
                types.collect::<Option<Vec<Type>>>()?
            }
            PathArguments::None if self.params == 0 => Vec::new(),
            PathArguments::None if self.has_list(name) => vec![parse_quote!(_); self.params],
            PathArguments::None | PathArguments::Parenthesized(_) => return None,
        };
        if types.len() != self.params {
            return None;
        }
        if let Some((_, param)) = self.part(name) {
            return types.get(*param).cloned();
        }
        let (_, ty) = self.field(name)?;
        let mut ty = syn::parse2(ty.clone()).ok()?;
        Arguments(&types).visit_type_mut(&mut ty);
        Some(ty)
    }

    /// Whether a field is a `Vec` or an `Option`.
    fn has_list(&self, name: &str) -> bool {
        self.field(name).is_some_and(|(_, ty)| mentions(ty, "Vec") || mentions(ty, "Option"))
    }

    /// Whether some field is an `Option`.
    pub fn has_option(&self) -> bool {
        self.fields.iter().any(|(_, ty)| mentions(ty, "Option"))
    }

    /// A field that is a number, a struct or a list, and its type.
    pub fn field(&self, name: &str) -> Option<&(TokenStream, TokenStream)> {
        self.fields.iter().find(|(own, _)| is_called(own, name))
    }

    /// The place of a value that is called so, and the position of the parameter that is its type.
    pub fn part(&self, place: &str) -> Option<&(TokenStream, usize)> {
        self.parts.iter().find(|(own, _)| is_called(own, place))
    }
}

fn is_called(place: &TokenStream, name: &str) -> bool {
    place.to_string().replace(' ', "") == name
}

fn mentions(ty: &TokenStream, name: &str) -> bool {
    let mut tokens = ty.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Ident(of) if of == name))
}

/// Puts arguments in the places of type parameters, `A0` and so on.
struct Arguments<'a>(&'a [Type]);

impl VisitMut for Arguments<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let argument = self.0.iter().enumerate().find(|(position, _)| match &*ty {
            Type::Path(path) => path.path.is_ident(&format!("A{position}")),
            _ => false,
        });
        match argument {
            Some((_, argument)) => *ty = Type::clone(argument),
            None => visit_mut::visit_type_mut(self, ty),
        }
    }

    // Those of the struct have no names elsewhere.
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        lifetime.ident = Ident::new("_", lifetime.ident.span());
    }

    fn visit_expr_mut(&mut self, len: &mut Expr) {
        let argument = self.0.iter().enumerate().find(|(position, _)| match &*len {
            Expr::Path(path) => path.path.is_ident(&format!("A{position}")),
            _ => false,
        });
        if let Some((_, argument)) = argument {
            *len = Expr::Verbatim(argument.to_token_stream());
        }
    }
}

struct Named(Ident, OfStruct);

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        let inside;
        parenthesized!(inside in input);
        let generics: Generics = inside.parse()?;
        let params = generics.params.len() - generics.lifetimes().count();
        let generics = generics.to_token_stream();
        let (mut parts, mut fields) = (Vec::new(), Vec::new());
        while inside.parse::<Option<Token![;]>>()?.is_some() {
            let mut place = TokenStream::new();
            while !inside.peek(Token![:]) && !inside.peek(Token![=]) || inside.peek(Token![::]) {
                match inside.parse::<Option<Token![::]>>()? {
                    Some(of_variant) => of_variant.to_tokens(&mut place),
                    None => place.extend([inside.parse::<TokenTree>()?]),
                }
            }
            if inside.parse::<Option<Token![=]>>()?.is_some() {
                fields.push((place, inside.parse::<Type>()?.into_token_stream()));
                continue;
            }
            inside.parse::<Token![:]>()?;
            let position = inside.parse::<LitInt>()?;
            let param = position.base10_parse()?;
            if param >= params {
                return Err(syn::Error::new(position.span(), "only the macro writes this"));
            }
            parts.push((place, param));
        }
        Ok(Self(name, OfStruct { generics, params, parts, fields }))
    }
}
