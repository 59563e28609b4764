//! Other names of types of the language, as the files of the crate declare them: `type Real = f64;`, `type Matrix = Vec<Vec<f64>>;`. What they
//! stand for is written in their place.

use super::Reader;
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Expr, ExprPath, Path, PathArguments, PathSegment, Type, TypePath};

/// What aliases stand for, by their paths, and which of them have been written out.
pub(super) struct Aliases {
    known: BTreeMap<String, Type>,
    written: BTreeSet<String>,
}

impl Aliases {
    pub(super) fn of(aliases: &BTreeMap<String, String>) -> Self {
        // What `Self` is, an `impl` block says.
        let named = aliases.iter().filter(|(name, _)| *name != "Self");
        let known = named.filter_map(|(name, ty)| {
            let ty = syn::parse_str::<Type>(ty).ok().filter(is_of_language)?;
            Some((name.clone(), ty))
        });
        Self { known: known.collect(), written: BTreeSet::new() }
    }

    fn of_path<'p>(&self, path: impl Iterator<Item = &'p PathSegment>) -> Option<(String, &Type)> {
        let mut names = Vec::new();
        for segment in path {
            let bare = matches!(segment.arguments, PathArguments::None);
            names.push(bare.then(|| segment.ident.to_string())?);
        }
        let name = names.join("::");
        let ty = self.known.get(&name)?;
        Some((name, ty))
    }
}

/// Whether a type is a number, a list, an `Option` or a tuple.
fn is_of_language(ty: &Type) -> bool {
    match ty {
        Type::Array(_) | Type::Tuple(_) => true,
        Type::Path(path) => match path.path.segments.iter().collect::<Vec<_>>()[..] {
            [segment] if segment.arguments.is_none() => is_primitive(ty),
            [segment] => ["Vec", "Option"].iter().any(|name| segment.ident == name),
            _ => false,
        },
        _ => false,
    }
}

fn is_vec(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Vec"))
}

fn is_primitive(ty: &Type) -> bool {
    crate::context::is_primitive(&ty.to_token_stream().to_string())
}

impl Reader<'_> {
    /// A type that an alias stands for, in place of that.
    pub(super) fn write_out_type(&mut self, ty: &mut Type) {
        let Type::Path(TypePath { qself: None, path, .. }) = &*ty else { return };
        let found = self.aliases.of_path(path.segments.iter());
        let Some((name, target)) = found.filter(|_| path.leading_colon.is_none()) else { return };
        let target = target.clone();
        self.prove_alias(name, path.clone(), &target);
        *ty = target;
    }

    /// `Real::EPSILON`, `Real::max`, `Rows::new`: what belongs to a number or to a `Vec` is called by the name of that.
    pub(super) fn write_out_owner(&mut self, expr: &mut Expr) {
        let Expr::Path(ExprPath { qself: None, path, .. }) = expr else { return };
        let count = path.segments.len().saturating_sub(1);
        let found = self.aliases.of_path(path.segments.iter().take(count));
        let found = found.filter(|(_, target)| {
            path.leading_colon.is_none() && (is_primitive(target) || is_vec(target))
        });
        let (Some((name, target)), Some(last)) = (found, path.segments.last().cloned()) else {
            return;
        };
        let target = target.clone();
        let owner = Path {
            leading_colon: None,
            segments: path.segments.iter().take(count).cloned().collect(),
        };
        self.prove_alias(name, owner, &target);
        *path = match &target {
            Type::Path(owner) if is_vec(&target) => {
                let mut owner = owner.path.clone();
                if let Some(PathArguments::AngleBracketed(arguments)) =
                    owner.segments.last_mut().map(|last| &mut last.arguments)
                {
                    arguments.colon2_token = Some(<syn::Token![::]>::default());
                }
                syn::parse_quote!(#owner::#last)
            }
            _ => syn::parse_quote!(#target::#last),
        };
    }

    fn prove_alias(&mut self, name: String, path: Path, target: &Type) {
        if self.aliases.written.insert(name) {
            self.proofs.extend(quote!(const _: fn(#path) -> #target = |value| value;));
        }
    }
}
