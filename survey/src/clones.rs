//! Which types have to derive `Clone` besides, as the library's documentation says.

use crate::source::Source;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Field, Generics, Ident, Item, Type};

const DERIVE: &str = "#[derive(::backsweep::Differentiable)] ";

/// Types that are cloned as they are.
const PLAIN: [&str; 16] = [
    "f64", "f32", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "bool",
    "char", "Vec", "String",
];

/// A struct or an enum.
pub struct Declared<'a> {
    pub name: &'a Ident,
    pub generics: &'a Generics,
    pub attributes: &'a [Attribute],
    /// Those of all variants.
    pub fields: Vec<&'a Field>,
}

/// What a type is given.
pub fn derive(item: &Declared<'_>, source: &Source) -> String {
    let is_plain = |ty: &Type| {
        let mut names = Vec::new();
        names_in(ty.to_token_stream(), &mut names);
        names.iter().all(|name| PLAIN.contains(&name.as_str()))
    };
    let can =
        item.generics.params.is_empty() && item.fields.iter().all(|field| is_plain(&field.ty));
    match can && !is_cloned(item, source) {
        true => "#[derive(::core::clone::Clone, ::backsweep::Differentiable)] ".to_string(),
        false => DERIVE.to_string(),
    }
}

fn is_cloned(item: &Declared<'_>, source: &Source) -> bool {
    let derives = item.attributes.iter().any(|attr| {
        let mut names = Vec::new();
        names_in(attr.meta.to_token_stream(), &mut names);
        names.iter().any(|name| name == "Clone")
    });
    let mut items = source.modules.iter().flat_map(|module| &module.items);
    derives
        || items.any(|other| match other {
            Item::Impl(block) => {
                let of = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
                let mut names = Vec::new();
                names_in(block.self_ty.to_token_stream(), &mut names);
                of.is_some_and(|of| of.ident == "Clone")
                    && names.iter().any(|name| item.name == name)
            }
            _ => false,
        })
}

fn names_in(tokens: TokenStream, names: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => names.push(ident.to_string()),
            TokenTree::Group(group) => names_in(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
