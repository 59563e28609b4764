//! The names of items inside of the function: they stand in the bodies of generated functions, and mean nothing in their signatures.

use super::Entries;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{Ident, Item, UseTree};

/// What types of numbers and lists of them are written with: these names are those of the standard library, whatever else is imported.
const OF_STANDARD: [&str; 19] = [
    "f64", "f32", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64",
    "i128", "isize", "std", "vec", "Vec", "as",
];

/// What items inside of a function give names to.
#[derive(Default)]
struct InnerNames {
    names: BTreeSet<String>,
    /// Whether all names of a module are imported.
    all: bool,
}

impl Entries<'_> {
    /// Whether a type mentions an item inside of the function, as `[f64; N]` does after `const N: usize = 5;`, or may do so.
    pub(super) fn mentions_inner_items(&self, ty: TokenStream) -> bool {
        let mut inner = InnerNames::default();
        self.product.items.iter().for_each(|item| inner.declare(item));
        inner.are_in(ty)
    }
}

impl InnerNames {
    fn declare(&mut self, item: &TokenStream) {
        match syn::parse2::<Item>(item.clone()) {
            Ok(Item::Const(item)) => self.add(&item.ident),
            Ok(Item::Fn(item)) => self.add(&item.sig.ident),
            Ok(Item::Type(item)) => self.add(&item.ident),
            Ok(Item::Use(import)) => self.import(&import.tree, None),
            Ok(_) | Err(_) => {}
        }
    }

    fn add(&mut self, name: &Ident) {
        self.names.insert(name.to_string());
    }

    /// What an import declares, in the braces behind a name.
    fn import(&mut self, tree: &UseTree, behind: Option<&Ident>) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree, Some(&path.ident)),
            UseTree::Name(name) if name.ident == "self" => {
                behind.into_iter().for_each(|name| self.add(name));
            }
            UseTree::Name(name) => self.add(&name.ident),
            UseTree::Rename(renamed) => self.add(&renamed.rename),
            UseTree::Group(group) => {
                group.items.iter().for_each(|inner| self.import(inner, behind));
            }
            UseTree::Glob(_) => self.all = true,
        }
    }

    fn are_in(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                self.names.contains(&name) || self.all && !OF_STANDARD.contains(&name.as_str())
            }
            TokenTree::Group(group) => self.are_in(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
}
