//! What declarations of structs say of fields: their types, and which ones are marked `#[passive]`.

use super::meaning::Found;
use super::spelling::{At, Speller};
use super::written::Written;
use crate::walk::visit::{self, Visit};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Attribute, Field, Fields, ItemStruct, Member};

/// Attributes that leave the fields of a struct as they are.
const HARMLESS: [&str; 10] = [
    "allow",
    "cfg_attr",
    "deny",
    "derive",
    "doc",
    "expect",
    "must_use",
    "non_exhaustive",
    "repr",
    "warn",
];

/// The fields of a struct without parameters that may be mentioned, each with its type.
pub(super) fn fields_of(
    owner: &str,
    definition: &Found,
    words: &BTreeSet<String>,
    speller: &mut Speller<'_>,
) -> Vec<(String, String)> {
    let Some(item) = struct_of(definition) else { return Vec::new() };
    let at = At { scope: &definition.scope, own: Some(owner), params: &[], told: &[] };
    let typed = mentioned(&item, words).filter_map(|(name, field)| {
        let ty = Written::of(&field.ty).and_then(|ty| speller.spelled(&ty, at))?;
        Some((format!("field {owner}, {name}"), ty))
    });
    let typed: Vec<_> = typed.collect();
    let passive = passive_fields(owner, &item, words).into_iter();
    passive.map(|of| (of, "()".to_owned())).chain(typed).collect()
}

/// The fields of a struct that may be mentioned and are marked `#[passive]`.
pub(super) fn passive_fields_of(
    owner: &str,
    definition: &Found,
    words: &BTreeSet<String>,
) -> Vec<String> {
    struct_of(definition).map_or_else(Vec::new, |item| passive_fields(owner, &item, words))
}

/// What the types are called that there are in those of the fields of a struct, if these may be mentioned.
pub(super) fn types_of_fields(definition: &Found, words: &BTreeSet<String>) -> Vec<String> {
    struct NamesOfTypes(Vec<String>);
    impl<'ast> Visit<'ast> for NamesOfTypes {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            if path.qself.is_none() && path.path.segments.len() == 1 {
                self.0.push(path.path.segments[0].ident.to_string());
            }
            visit::visit_type_path(self, path);
        }
    }
    let mut names = NamesOfTypes(Vec::new());
    if let Some(item) = struct_of(definition) {
        mentioned(&item, words).for_each(|(_, field)| names.visit_type(&field.ty));
    }
    names.0
}

/// Whether a struct derives `Differentiable`: its bars are of its type.
pub(super) fn derives_bar(definition: &Found) -> bool {
    struct_of(definition).is_some_and(|item| item.attrs.iter().any(may_derive))
}

fn may_derive(attr: &Attribute) -> bool {
    attr.meta.to_token_stream().to_string().contains("Differentiable")
}

/// Whether a field of a struct is marked `#[passive]`.
pub(super) fn is_passive_field(definition: &Found, field: &Member) -> bool {
    let name = field.to_token_stream().to_string();
    struct_of(definition).is_some_and(|item| {
        let words = BTreeSet::from([name]);
        !passive_fields("", &item, &words).is_empty()
    })
}

/// The type of a field of a struct, as it is written there.
pub(super) fn type_of_field(definition: &Found, field: &Member) -> Option<syn::Type> {
    let words = BTreeSet::from([field.to_token_stream().to_string()]);
    let item = struct_of(definition)?;
    let name = words.first()?;
    mentioned(&item, &words).find(|(known, _)| known == name).map(|(_, field)| field.ty.clone())
}

/// The declaration of a struct whose fields are there as they are written.
fn struct_of(definition: &Found) -> Option<ItemStruct> {
    let text = definition.scope.text_of(&definition.item);
    let item = syn::parse_str::<ItemStruct>(text).ok()?;
    let is_harmless =
        |attribute: &Attribute| HARMLESS.iter().any(|name| attribute.path().is_ident(name));
    // There are no references to fields that are packed.
    let is_packed =
        |attribute: &Attribute| attribute.to_token_stream().to_string().contains("packed");
    let are_known = item.attrs.iter().all(|attr| is_harmless(attr) || attr.path().is_ident("cfg"));
    (are_known && !item.attrs.iter().any(is_packed)).then_some(item)
}

fn mentioned<'i>(
    item: &'i ItemStruct,
    words: &'i BTreeSet<String>,
) -> impl Iterator<Item = (String, &'i Field)> {
    let is_named = matches!(item.fields, Fields::Named(_));
    let named = item.fields.iter().enumerate().map(|(number, field)| {
        let name = field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
        (name, field)
    });
    named.filter(move |(name, _)| !is_named || words.contains(name))
}

/// Without a derivative the mark means something else, to another macro.
fn passive_fields(owner: &str, item: &ItemStruct, words: &BTreeSet<String>) -> Vec<String> {
    if !item.attrs.iter().any(may_derive) {
        return Vec::new();
    }
    let passive = mentioned(item, words)
        .filter(|(_, field)| field.attrs.iter().any(|attr| attr.path().is_ident("passive")));
    passive.map(|(name, _)| format!("passive {owner}, {name}")).collect()
}
