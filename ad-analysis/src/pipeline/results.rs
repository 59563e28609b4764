//! What methods of traits take and return, by the bounds of type parameters and for floats, as the files of the crate tell. The variable that takes the
//! result is declared with the type, which proves it.

use crate::context::Names;
use crate::signatures::shared_parameters;
use crate::walk::visit::{self, Visit};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    Expr, GenericArgument, GenericParam, Generics, ItemTrait, Path, PathArguments, ReturnType,
    Signature, TraitItem, Type, TypeParamBound, WherePredicate, parse_quote,
};

/// What functions of type parameters and of floats return that an item may call, and which of their parameters are a `&`: as it is declared.
pub(super) fn results_of_traits(
    names: &Names,
    item: &syn::Item,
    methods: &BTreeSet<String>,
    paths: &BTreeSet<Vec<String>>,
) -> Vec<String> {
    let mut bounds = Bounds(BTreeMap::new());
    bounds.visit_item(item);
    let mut results = Vec::new();
    for (owner, bounds) in bounds.0 {
        let called = paths.iter().filter(|path| path.first() == Some(&owner));
        let called = called.filter_map(|path| path.get(1).cloned());
        let called: BTreeSet<String> = called.chain(methods.iter().cloned()).collect();
        let traits = bounds.into_iter().filter_map(|bound| {
            let text = names.trait_at(&bound.path)?;
            Some(Declaring { text, own: None, args: bound.args })
        });
        results.extend(declared(&owner, traits, &called));
    }
    let texts = names.traits_in_scope();
    for float in ["f64", "f32"] {
        let traits = texts.iter().map(|text| {
            let own = syn::parse_str(float).ok();
            Declaring { text: text.clone(), own, args: Vec::new() }
        });
        results.extend(declared(float, traits, methods));
    }
    results
}

/// A trait that declares methods.
struct Declaring {
    text: String,
    /// What implements it, if that is known.
    own: Option<Type>,
    /// What its parameters stand for, as far as that is known.
    args: Vec<Option<Type>>,
}

/// What is declared of methods of these names, if no other trait declares something else of one of the name.
fn declared(
    owner: &str,
    traits: impl Iterator<Item = Declaring>,
    called: &BTreeSet<String>,
) -> Vec<String> {
    let mut found: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    for Declaring { text, own, args } in traits {
        if !called.iter().any(|name| text.contains(name.as_str())) {
            continue;
        }
        let Ok(item) = syn::parse_str::<ItemTrait>(&text) else { continue };
        let own = own.map(|own| ("Self".to_owned(), own));
        let known = Known(types_by_name(&item.generics, args).chain(own).collect());
        for item in &item.items {
            let TraitItem::Fn(method) = item else { continue };
            let name = method.sig.ident.to_string();
            if called.contains(&name) {
                let told = known.declarations(owner, &name, &method.sig);
                found.entry(name).or_default().insert(told);
            }
        }
    }
    let single = found.into_values().filter(|found| found.len() == 1);
    single.flatten().flatten().collect()
}

/// What the type parameters of a trait stand for. A constant is an argument, too.
fn types_by_name(
    generics: &Generics,
    args: Vec<Option<Type>>,
) -> impl Iterator<Item = (String, Type)> {
    let params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(param) => Some(Some(&param.ident)),
        GenericParam::Const(_) => Some(None),
    });
    params.zip(args).filter_map(|(name, ty)| {
        let ty = ty.filter(|ty| !is_borrowed(ty))?;
        Some((name?.to_string(), ty))
    })
}

/// Whether there are references in a type: what borrows is none of floats alone.
fn is_borrowed(ty: &Type) -> bool {
    ty.to_token_stream().to_string().contains(['&', '\''])
}

/// What names in a trait stand for, where the method is called.
struct Known(BTreeMap<String, Type>);

impl Known {
    fn declarations(&self, owner: &str, name: &str, sig: &Signature) -> Vec<String> {
        let shared = shared_parameters(sig).map(|(position, shared)| {
            format!("shared {owner}::{name}, {position}, {};", shared.spelled())
        });
        let result = match &sig.output {
            ReturnType::Type(_, ty) => self.of_floats(ty),
            ReturnType::Default => None,
        };
        let result = result.map(|ty| format!("result {owner}, {name}, {};", ty.to_token_stream()));
        shared.chain(result).collect()
    }

    /// A type that is made of floats, and of what is known, by what the standard library has.
    fn of_floats(&self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Path(path) if path.qself.is_none() => self.named(&path.path),
            Type::Array(array) if matches!(array.len, Expr::Lit(_)) => {
                let (elem, len) = (self.of_floats(&array.elem)?, &array.len);
                Some(parse_quote!([#elem; #len]))
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts: Option<Vec<Type>> =
                    tuple.elems.iter().map(|part| self.of_floats(part)).collect();
                let parts = parts?;
                Some(parse_quote!((#(#parts,)*)))
            }
            _ => None,
        }
    }

    fn named(&self, path: &Path) -> Option<Type> {
        let [segment] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let name = &segment.ident;
        match &segment.arguments {
            PathArguments::None if name == "f64" || name == "f32" => Some(parse_quote!(#name)),
            PathArguments::None => self.0.get(&name.to_string()).cloned(),
            PathArguments::AngleBracketed(args) if name == "Vec" => match args.args.first()? {
                GenericArgument::Type(elem) => {
                    let elem = self.of_floats(elem)?;
                    Some(parse_quote!(#name<#elem>))
                }
                _ => None,
            },
            PathArguments::AngleBracketed(_) | PathArguments::Parenthesized(_) => None,
        }
    }
}

/// The traits by which type parameters are bound.
struct Bounds(BTreeMap<String, Vec<Bound>>);

/// A trait with its arguments, those that are types.
struct Bound {
    path: Vec<String>,
    args: Vec<Option<Type>>,
}

impl Bounds {
    fn add<'b>(&mut self, owner: String, bounds: impl IntoIterator<Item = &'b TypeParamBound>) {
        let traits = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => Some(Bound::of(&bound.path)),
            _ => None,
        });
        self.0.entry(owner).or_default().extend(traits);
    }
}

impl Bound {
    fn of(path: &Path) -> Self {
        let args = path.segments.last().map(|last| &last.arguments);
        let args = match args {
            Some(PathArguments::AngleBracketed(args)) => args.args.iter().collect(),
            Some(PathArguments::None | PathArguments::Parenthesized(_)) | None => Vec::new(),
        };
        let types = args.into_iter().filter_map(|arg| match arg {
            GenericArgument::Type(ty) => Some(Some(ty.clone())),
            GenericArgument::Const(_) => Some(None),
            _ => None,
        });
        Self {
            path: path.segments.iter().map(|segment| segment.ident.to_string()).collect(),
            args: types.collect(),
        }
    }
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
