//! What declarations of types of the crate say as a whole. Enums and structs of integers, truth values and characters hold no floats: generated
//! code takes a value apart, and so proves that nothing else is in it. Types may have lifetimes that are written nowhere.

use super::meaning::{Found, Meaning};
use super::names::{Names, Scope};
use super::scan::Kind;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Attribute, Field, Fields, Item, ItemEnum, ItemStruct, Type, Variant, Visibility};

const PLAIN: [&str; 14] = [
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize",
];

/// The declaration of a type of the crate, if nothing but plain data is in it, and all of that is seen in a module.
pub(super) fn plain_declaration<'f>(found: &'f Found, seen_in: &Scope) -> Option<&'f str> {
    // What has a derivative has a bar, if an empty one. There are no references to fields that are packed.
    let is_special = |what| found.attributes().contains(what);
    if found.item.kind != Kind::Other || ["Differentiable", "packed"].into_iter().any(is_special) {
        return None;
    }
    let is_plain = match syn::parse_str::<ItemEnum>(found.text()) {
        Ok(item) => is_plain_enum(&item),
        Err(_) => {
            let item = syn::parse_str::<ItemStruct>(found.text()).ok()?;
            let is_hidden = |field: &Field| matches!(field.vis, Visibility::Inherited);
            let is_own = found.scope.place() == seen_in.place();
            is_plain_struct(&item) && (is_own || !item.fields.iter().any(is_hidden))
        }
    };
    is_plain.then(|| found.text())
}

/// What is declared of the variants of an enum that are mentioned: those that hold nothing are constants, and those that hold something by
/// its position functions.
pub(super) fn plain_variants(
    owner: &str,
    declaration: &str,
    words: &BTreeSet<String>,
) -> Vec<String> {
    let Ok(item) = syn::parse_str::<ItemEnum>(declaration) else { return Vec::new() };
    let mentioned = item.variants.iter().filter(|one| words.contains(&one.ident.to_string()));
    let told = mentioned.filter_map(|Variant { ident, fields, .. }| match fields {
        Fields::Unit => Some(format!("constant {owner}::{ident}")),
        Fields::Unnamed(_) => Some(format!("result {owner}, {ident}")),
        Fields::Named(_) => None,
    });
    told.collect()
}

impl Names {
    /// Whether a type of the crate derives `Differentiable`.
    pub fn derives(&self, name: &str) -> bool {
        match self.meaning(&[name.to_owned()]) {
            Ok(Meaning::Item(found)) => {
                let mut derives = found.attributes().split("derive").skip(1);
                found.item.kind == Kind::Other
                    && derives.any(|list| {
                        list.split(')').next().is_some_and(|list| list.contains("Differentiable"))
                    })
            }
            Ok(_) | Err(_) => false,
        }
    }

    /// How many lifetimes a type of the crate has.
    pub fn lifetimes_of(&self, name: &str) -> usize {
        let Ok(Meaning::Item(found)) = self.meaning(&[name.to_owned()]) else { return 0 };
        let generics = match syn::parse_str::<ItemStruct>(found.text()) {
            Ok(item) => item.generics,
            Err(_) => match syn::parse_str::<ItemEnum>(found.text()) {
                Ok(item) => item.generics,
                Err(_) => return 0,
            },
        };
        generics.lifetimes().count()
    }
}

impl Found {
    /// The attributes in front of it.
    pub(super) fn attributes(&self) -> &str {
        let whole = self.scope.text_of(&self.item);
        &whole[..whole.len() - self.text().len()]
    }
}

/// The declaration of a type as `plain Name, { enum Name { … } };`, without its attributes, if it is there for sure and nothing but plain data is in it.
pub fn plain_item(item: &Item) -> Option<String> {
    let (name, attributes, declaration) = match item {
        Item::Enum(item) if is_plain_enum(item) => {
            let bare = ItemEnum { attrs: Vec::new(), ..item.clone() };
            (&item.ident, &item.attrs, bare.into_token_stream())
        }
        Item::Struct(item) if is_plain_struct(item) => {
            let bare = ItemStruct { attrs: Vec::new(), ..item.clone() };
            (&item.ident, &item.attrs, bare.into_token_stream())
        }
        _ => return None,
    };
    let is_there = attributes.iter().all(|attribute| {
        let is_conditional = ["cfg", "cfg_attr"].iter().any(|name| attribute.path().is_ident(name));
        let has_bar = attribute.meta.to_token_stream().to_string().contains("Differentiable");
        !is_conditional && !has_bar
    });
    is_there.then(|| format!("plain {name}, {{ {declaration} }};"))
}

fn is_plain_enum(item: &ItemEnum) -> bool {
    let mut variants = item.variants.iter();
    item.generics.params.is_empty()
        && !item.variants.is_empty()
        && variants.clone().all(|variant| are_harmless(&variant.attrs))
        && variants.all(|variant| variant.fields.iter().all(is_plain))
}

fn is_plain_struct(item: &ItemStruct) -> bool {
    item.generics.params.is_empty() && item.fields.iter().all(is_plain)
}

fn are_harmless(attributes: &[Attribute]) -> bool {
    let harmless = ["doc", "default"];
    attributes.iter().all(|attribute| harmless.iter().any(|name| attribute.path().is_ident(name)))
}

fn is_plain(field: &Field) -> bool {
    let Type::Path(path) = &field.ty else { return false };
    are_harmless(&field.attrs)
        && path.qself.is_none()
        && PLAIN.iter().any(|plain| path.path.is_ident(plain))
}
