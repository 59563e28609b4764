//! What declarations of enums with derivatives say: which variants they have, what these hold, and in which types values of different
//! shapes are because of them.

use super::declared::Collector;
use super::meaning::Found;
use super::names::Scope;
use super::resolve::Wanted;
use super::spelling::{At, Speller};
use super::written::Written;
use crate::payloads::payload_name;
use crate::walk::visit::{self, Visit};
use std::collections::BTreeSet;
use syn::{Field, Fields, ItemEnum, ItemStruct, TypePath, Variant};

/// How deep types in types are looked into.
const DEPTH: usize = 6;

/// What is told of an enum, each with the type that it has or a word for what it is.
pub(super) type Told = Vec<(String, String)>;

/// An enum that derives a derivative. One that is written by hand answers no questions of generated code.
pub(super) fn enum_of(definition: &Found) -> Option<ItemEnum> {
    let item = syn::parse_str::<ItemEnum>(definition.text()).ok()?;
    definition.attributes().contains("Differentiable").then_some(item)
}

/// The variants of an enum that may be mentioned, and the types of their payloads.
pub(super) fn variants_of(
    owner: &str,
    item: &ItemEnum,
    scope: &Scope,
    words: &BTreeSet<String>,
    speller: &mut Speller<'_>,
) -> Told {
    // What values of parameters are, nothing tells here.
    let params: Vec<String> =
        item.generics.type_params().map(|param| param.ident.to_string()).collect();
    let own = Some(owner).filter(|_| params.is_empty());
    let at = At { scope, own, params: &params, told: &[] };
    let mut told = Told::new();
    let is_mentioned = |variant: &&Variant| words.contains(&variant.ident.to_string());
    for variant in item.variants.iter().filter(is_mentioned) {
        let name = variant.ident.to_string();
        let kind = match &variant.fields {
            Fields::Unit => "unit".to_owned(),
            Fields::Named(_) => "named".to_owned(),
            Fields::Unnamed(fields) if item.generics.params.is_empty() => {
                format!("tuple{}", fields.unnamed.len())
            }
            Fields::Unnamed(fields) => format!("generic{}", fields.unnamed.len()),
        };
        told.push((format!("variant {owner}, {name}"), kind));
        for (number, field) in variant.fields.iter().enumerate() {
            let member =
                field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
            let ty = Written::of(&field.ty).and_then(|ty| speller.spelled(&ty, at));
            // Where it is used, the arguments of the enum would be missing.
            if let Some(ty) = ty.filter(|_| item.generics.params.is_empty()) {
                told.push((format!("field {owner}, {}", payload_name(&name, &member)), ty));
            }
        }
    }
    told
}

impl Collector<'_> {
    /// The variants that the module of the item, or a function in it, imports by their names, `use Shape::*;`, and where they are.
    pub(super) fn add_imported_variants(&mut self) {
        let own = self.speller.own.clone();
        let imports = own.imports();
        for import in imports.iter().filter(|import| !import.is_conditional) {
            let mut is_hidden = |this: &mut Self, name: &String| {
                this.mentions.hidden.contains(name) || this.is_declared_in(&own, name)
            };
            self.add_import(&own, (&import.path, &import.binds), &mut is_hidden);
        }
        for (path, binds) in &self.mentions.imports {
            self.add_import(&own, (path, binds), &mut |_, _| false);
        }
    }

    fn add_import(
        &mut self,
        own: &Scope,
        (path, binds): (&[String], &Option<String>),
        is_hidden: &mut dyn FnMut(&mut Self, &String) -> bool,
    ) {
        // By other names variants are left alone.
        let (of, bound) = match (binds, path.split_last()) {
            (None, _) => (path, None),
            (Some(binds), Some((variant, of))) if binds == variant => (of, Some(variant)),
            (Some(_), _) => return,
        };
        let Some(found) = self.speller.definitions(own, of, Wanted::Type) else { return };
        let mut variants = self.imported_variants(&found, bound);
        variants.retain(|name| !is_hidden(self, name));
        let owner = self.speller.owner(&found).filter(|_| !variants.is_empty());
        let Some(owner) = owner else { return };
        self.add_path(&owner.name.split("::").map(str::to_owned).collect::<Vec<_>>());
        for variant in variants {
            self.facts.add(format!("imported {variant}"), format!("{}::{variant}", owner.name));
        }
    }

    /// Whether a module declares a name: that comes before what it imports with all names.
    fn is_declared_in(&mut self, own: &Scope, name: &String) -> bool {
        let path = std::slice::from_ref(name);
        [Wanted::Type, Wanted::Item].into_iter().any(|wanted| {
            let found = self.speller.definitions(own, path, wanted);
            found.is_some_and(|found| !found.is_empty())
        })
    }

    /// The variants of an enum that are mentioned by their names.
    fn imported_variants(&self, found: &[Found], bound: Option<&String>) -> Vec<String> {
        let [definition] = found else { return Vec::new() };
        let item = enum_of(definition).filter(|item| item.generics.params.is_empty());
        let Some(item) = item else { return Vec::new() };
        let names = item.variants.iter().map(|variant| variant.ident.to_string());
        let names = names.filter(|variant| bound.is_none_or(|bound| bound == variant));
        names.filter(|name| self.mentions.words.contains(name)).collect()
    }
}

/// Whether values of a type differ in shape by the variants of enums: an enum does, as does an `Option`, and what holds one.
pub(super) fn varies(definition: &Found) -> bool {
    holds_variants(definition, DEPTH)
}

fn holds_variants(definition: &Found, depth: usize) -> bool {
    if enum_of(definition).is_some() {
        return true;
    }
    let Ok(item) = syn::parse_str::<ItemStruct>(definition.text()) else { return false };
    let is_passive =
        |field: &&Field| field.attrs.iter().any(|attribute| attribute.path().is_ident("passive"));
    let mut names = Paths::default();
    item.fields
        .iter()
        .filter(|field| !is_passive(field))
        .for_each(|field| names.visit_field(field));
    let holds_several =
        |path: &Vec<String>| path.last().is_some_and(|last| last == "Option" || last == "Vec");
    if names.0.iter().any(holds_several) {
        return true;
    }
    depth > 0
        && names.0.iter().any(|path| {
            let leads = definition.scope.leads(path, super::resolve::Wanted::Type);
            let found = leads.into_iter().filter_map(super::resolve::Lead::found);
            found.into_iter().any(|found| holds_variants(&found, depth - 1))
        })
}

/// The paths of types.
#[derive(Default)]
struct Paths(BTreeSet<Vec<String>>);

impl Visit<'_> for Paths {
    fn visit_type_path(&mut self, path: &TypePath) {
        let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
        self.0.insert(names.collect());
        visit::visit_type_path(self, path);
    }
}
