//! Functions of the standard library that are called by the names by which they are imported: `swap(&mut a, &mut b)`. In the copy of the
//! item they get their paths; that the names mean them is [proved](super::library).
//!
//! Functions of the crate `libm` get the paths of functions of the facade that do the same and have derivatives: `libm::erf(x)`, and
//! `erf(x)` where it is imported.

use super::inside_macros::arguments;
use super::library::{KnownFunction, is_of_library, known_function};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote_spanned;
use std::collections::BTreeMap;
use syn::{Block, Expr, ExprPath, Item, ItemUse, PatIdent, Signature, UseTree};

/// The functions, by the names that they have in an annotated function.
pub(super) struct Imported {
    functions: BTreeMap<String, KnownFunction>,
    /// Whether `libm` may be something else.
    libm_is_hidden: bool,
}

impl Imported {
    /// Those that a function imports itself, and those of which it was `told` that its module does. A variable or an item hides
    /// what is imported.
    pub(super) fn in_function(
        sig: &Signature,
        block: &Block,
        told: &[(Ident, TokenStream)],
    ) -> Self {
        let of_module = told.iter().filter_map(|(name, path)| {
            let path: Vec<String> = path.clone().into_iter().filter_map(word).collect();
            Some((name.to_string(), known_function(&path)?))
        });
        let others = told.iter().map(|(name, _)| name.to_string()).filter(|name| name == "libm");
        let mut names = Names { functions: of_module.collect(), hidden: others.collect() };
        names.visit_signature(sig);
        names.visit_block(block);
        let Names { mut functions, hidden } = names;
        functions.retain(|name, _| !hidden.contains(name));
        Self { functions, libm_is_hidden: hidden.iter().any(|name| name == "libm") }
    }

    /// The function that a path means: a name by which it is imported, or the whole path of one that the facade has in its place.
    pub(super) fn function(&self, path: &syn::Path) -> Option<KnownFunction> {
        let names: Vec<String> = path.segments.iter().map(|name| name.ident.to_string()).collect();
        match names.as_slice() {
            [name] => self.functions.get(name).copied(),
            [library, _] if library == "libm" => {
                let is_crate = path.leading_colon.is_some() || !self.libm_is_hidden;
                known_function(&names).filter(|_| is_crate)
            }
            _ => None,
        }
    }

    /// Writes paths in the places of names.
    pub(super) fn write_out(self, block: &mut Block, facade: &TokenStream) {
        if !self.functions.is_empty() || cfg!(feature = "libm") {
            let mut calls = Calls { imported: self, facade, written: 0 };
            calls.visit_block_mut(block);
        }
    }
}

fn word(token: TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(name) => Some(name.to_string()),
        TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    }
}

struct Names {
    functions: BTreeMap<String, KnownFunction>,
    hidden: Vec<String>,
}

impl Names {
    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        let mut add = |last: &Ident, name: &Ident| {
            let whole: Vec<String> = path.iter().cloned().chain([last.to_string()]).collect();
            match known_function(&whole) {
                Some(function) => self.functions.extend([(name.to_string(), function)]),
                None => self.hidden.push(name.to_string()),
            }
        };
        match tree {
            UseTree::Name(name) => add(&name.ident, &name.ident),
            UseTree::Rename(renamed) => add(&renamed.ident, &renamed.rename),
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.import(&step.tree, path);
                path.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path)),
            UseTree::Glob(_) => {}
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.import(&import.tree, &mut Vec::new());
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Fn(function) => Some(&function.sig.ident),
            Item::Const(constant) => Some(&constant.ident),
            Item::Static(of_static) => Some(&of_static.ident),
            Item::Struct(of_struct) => Some(&of_struct.ident),
            _ => None,
        };
        self.hidden.extend(name.map(Ident::to_string));
        visit::visit_item(self, item);
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.hidden.push(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

struct Calls<'f> {
    imported: Imported,
    facade: &'f TokenStream,
    /// How many paths have been written.
    written: usize,
}

impl Calls<'_> {
    /// Writes the path of a function of the standard library that is called, and that of any other one wherever it is mentioned.
    fn write_path(&mut self, path: &mut syn::Path, is_called: bool) {
        let Some(function) = self.imported.function(path) else { return };
        let Some(last) = path.segments.last() else { return };
        let (arguments, span) = (last.arguments.clone(), last.ident.span());
        let ident = |name: &&str| Ident::new(name, span);
        let mut whole: syn::Path = match function {
            KnownFunction::OfLibrary(names) if is_called => {
                let names = names.iter().map(ident);
                syn::parse_quote_spanned!(span=> ::core::#(#names)::*)
            }
            KnownFunction::OfLibrary(_) => return,
            KnownFunction::OfLibm(name) => {
                let (facade, name) = (self.facade, ident(&name));
                let Ok(whole) = syn::parse2(quote_spanned!(span=> #facade::__private::libm::#name))
                else {
                    return;
                };
                whole
            }
        };
        if let Some(last) = whole.segments.last_mut() {
            last.arguments = arguments;
        }
        *path = whole;
        self.written += 1;
    }
}

impl VisitMut for Calls<'_> {
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let Expr::Path(ExprPath { path, qself: None, .. }) = &mut *call.func {
            self.write_path(path, true);
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_path_mut(&mut self, mentioned: &mut ExprPath) {
        if mentioned.qself.is_none() {
            self.write_path(&mut mentioned.path, false);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if is_of_library(mac)
            && let Some(mut arguments) = arguments(mac)
        {
            let before = self.written;
            arguments.values_mut().into_iter().for_each(|value| self.visit_expr_mut(value));
            if self.written > before {
                mac.tokens = arguments.into_tokens();
            }
        }
    }
}
