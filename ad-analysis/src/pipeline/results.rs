//! What methods of traits return, by the bounds of type parameters and for floats, as the files of the crate tell. The variable that takes the
//! result is declared with the type, which proves it.

use crate::context::Names;
use crate::walk::visit::{self, Visit};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Generics, ItemTrait, Path, ReturnType, TraitItem, Type, TypeParamBound, WherePredicate};

/// The name of a method, and that of the type of what it returns.
type Told = (String, String);

/// Owners, and what functions of them return that an item may call.
pub(super) fn results_of_traits(
    names: &Names,
    item: &syn::Item,
    methods: &BTreeSet<String>,
    paths: &BTreeSet<Vec<String>>,
) -> Vec<(String, Vec<Told>)> {
    let mut bounds = Bounds(BTreeMap::new());
    bounds.visit_item(item);
    let mut results = Vec::new();
    for (owner, bounds) in bounds.0 {
        let called = paths.iter().filter(|path| path.first() == Some(&owner));
        let called = called.filter_map(|path| path.get(1).cloned());
        let called: BTreeSet<String> = called.chain(methods.iter().cloned()).collect();
        let texts = bounds.iter().filter_map(|path| names.trait_at(path));
        results.push((owner, declared(texts, &called, None)));
    }
    let texts = names.traits_in_scope();
    for float in ["f64", "f32"] {
        results.push((float.to_owned(), declared(texts.iter().cloned(), methods, Some(float))));
    }
    results
}

/// What methods of these names return, where that is a float, and no other trait has a method of the name.
fn declared(
    texts: impl Iterator<Item = String>,
    called: &BTreeSet<String>,
    own: Option<&str>,
) -> Vec<Told> {
    let mut found: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for text in texts {
        if !called.iter().any(|name| text.contains(name.as_str())) {
            continue;
        }
        let Ok(item) = syn::parse_str::<ItemTrait>(&text) else { continue };
        for item in &item.items {
            let TraitItem::Fn(method) = item else { continue };
            let name = method.sig.ident.to_string();
            if called.contains(&name) {
                found.entry(name).or_default().push(float_of(&method.sig.output, own));
            }
        }
    }
    let single = found.into_iter().filter_map(|(name, types)| match types.as_slice() {
        [Some(ty)] => Some((name, ty.clone())),
        _ => None,
    });
    single.collect()
}

fn float_of(output: &ReturnType, own: Option<&str>) -> Option<String> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::Path(path) = &**ty else { return None };
    let name = path.path.get_ident().filter(|_| path.qself.is_none())?.to_string();
    match name.as_str() {
        "f64" | "f32" => Some(name),
        "Self" => own.map(str::to_owned),
        _ => None,
    }
}

/// The traits by which type parameters are bound.
struct Bounds(BTreeMap<String, Vec<Vec<String>>>);

impl Bounds {
    fn add<'b>(&mut self, owner: String, bounds: impl IntoIterator<Item = &'b TypeParamBound>) {
        let traits = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => Some(names_of(&bound.path)),
            _ => None,
        });
        self.0.entry(owner).or_default().extend(traits);
    }
}

fn names_of(path: &Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

impl Visit<'_> for Bounds {
    fn visit_generics(&mut self, generics: &Generics) {
        for param in generics.type_params() {
            self.add(param.ident.to_string(), &param.bounds);
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let WherePredicate::Type(predicate) = predicate
                && let Type::Path(path) = &predicate.bounded_ty
                && let Some(owner) = path.path.get_ident()
            {
                self.add(owner.to_string(), &predicate.bounds);
            }
        }
        visit::visit_generics(self, generics);
    }
}
