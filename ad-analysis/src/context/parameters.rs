//! The parameters of a struct, as they are declared beside an item that mentions it: a proof about all such structs has the same bounds.

use super::meaning::{Meaning, Unknown};
use super::names::Scope;
use super::resolve::Wanted;
use super::spelling::is_primitive;
use crate::walk::visit::{self, Visit};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, Path, Type, TypePath, WherePredicate};

/// Traits that are in scope everywhere.
const OF_PRELUDE: [&str; 14] = [
    "Clone",
    "Copy",
    "Default",
    "Eq",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Into",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
];

/// Those of a struct or an enum, without lifetimes.
pub(super) struct Parameters {
    pub(super) names: Vec<String>,
    /// All, with `A0` for the first that is no lifetime: `<'a, A0: Float>`.
    pub(super) text: String,
}

impl Parameters {
    /// Nothing, if there are none, or if a bound is not seen where it is to be written, or means something else there.
    pub(super) fn of(generics: &Generics, declared: &Scope, written: &Scope) -> Option<Self> {
        let generics = &without_where(generics)?;
        let mut bounds = Bounds { generics, declared, written, are_seen: true };
        bounds.visit_generics(generics);
        let names = generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.to_string()),
            GenericParam::Const(param) => Some(param.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        });
        let names: Vec<String> = names.collect();
        if generics.params.is_empty() || !bounds.are_seen {
            return None;
        }
        let (without_defaults, ..) = generics.split_for_impl();
        let text = numbered(without_defaults.to_token_stream(), &names).to_string();
        Some(Self { names, text })
    }

    pub(super) fn position(&self, name: &String) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }
}

/// With the bounds of a where clause at the parameters, if they are of these.
fn without_where(generics: &Generics) -> Option<Generics> {
    let mut generics = generics.clone();
    let predicates = generics.where_clause.take().map(|clause| clause.predicates);
    for predicate in predicates.into_iter().flatten() {
        let WherePredicate::Type(predicate) = predicate else { return None };
        let Type::Path(TypePath { qself: None, path, .. }) = &predicate.bounded_ty else {
            return None;
        };
        let of = path.get_ident().filter(|_| predicate.lifetimes.is_none())?;
        let param = generics.type_params_mut().find(|param| param.ident == *of)?;
        param.bounds.extend(predicate.bounds);
    }
    Some(generics)
}

/// Tokens with `A0` in the place of the first name, and so on.
fn numbered(tokens: TokenStream, names: &[String]) -> TokenStream {
    let mut is_lifetime = false;
    let numbered = tokens.into_iter().map(|token| {
        let of_lifetime = std::mem::replace(
            &mut is_lifetime,
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\''),
        );
        match token {
            TokenTree::Ident(name) if !of_lifetime => {
                match names.iter().position(|own| name == own) {
                    Some(at) => Ident::new(&format!("A{at}"), name.span()).into(),
                    None => name.into(),
                }
            }
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), numbered(group.stream(), names)).into()
            }
            other => other,
        }
    });
    numbered.collect()
}

/// What the bounds of parameters mention.
struct Bounds<'b> {
    generics: &'b Generics,
    declared: &'b Scope,
    written: &'b Scope,
    are_seen: bool,
}

impl Bounds<'_> {
    fn is_seen(&self, path: &[String]) -> bool {
        let is_here = self.declared.place() == self.written.place();
        let meaning = |scope: &Scope| scope.meaning(path, Wanted::Type);
        is_here
            || match (meaning(self.declared), meaning(self.written)) {
                (Ok(Meaning::Item(one)), Ok(Meaning::Item(other))) => one.is(&other),
                (Ok(Meaning::Foreign(one)), Ok(Meaning::Foreign(other))) => one == other,
                (Err(Unknown::Absent), Err(Unknown::Absent)) => {
                    matches!(path, [name] if OF_PRELUDE.contains(&name.as_str()))
                }
                (_, _) => false,
            }
    }

    fn is_parameter(&self, name: &Ident) -> bool {
        self.generics.params.iter().any(|param| match param {
            GenericParam::Type(param) => param.ident == *name,
            GenericParam::Const(param) => param.ident == *name,
            GenericParam::Lifetime(_) => false,
        })
    }
}

impl<'ast> Visit<'ast> for Bounds<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let is_known = |name: &Ident| self.is_parameter(name) || is_primitive(&name.to_string());
        if !path.get_ident().is_some_and(is_known) {
            let names = path.segments.iter().map(|segment| segment.ident.to_string());
            self.are_seen &=
                path.leading_colon.is_some() || self.is_seen(&names.collect::<Vec<_>>());
        }
        visit::visit_path(self, path);
    }
}
