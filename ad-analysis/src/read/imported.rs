//! Functions of the standard library that are called by the names by which they are imported: `swap(&mut a, &mut b)`. In the copy of the
//! item they get their paths; that the names mean them is [proved](super::library).

use super::library::known_function;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprPath, Item, ItemUse, PatIdent, Signature, UseTree};

/// The functions, by the names that they have in an annotated function.
pub(super) struct Imported(BTreeMap<String, &'static [&'static str]>);

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
        let mut names = Names { functions: of_module.collect(), hidden: Vec::new() };
        names.visit_signature(sig);
        names.visit_block(block);
        let Names { mut functions, hidden } = names;
        functions.retain(|name, _| !hidden.contains(name));
        Self(functions)
    }

    /// The function that a name means.
    pub(super) fn function(&self, name: &str) -> Option<&'static [&'static str]> {
        self.0.get(name).copied()
    }

    /// Writes paths in the places of names that are called.
    pub(super) fn write_out(self, block: &mut Block) {
        if !self.0.is_empty() {
            let mut calls = Calls(self);
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
    functions: BTreeMap<String, &'static [&'static str]>,
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

struct Calls(Imported);

impl VisitMut for Calls {
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        if let Expr::Path(ExprPath { path, qself: None, .. }) = &mut *call.func
            && let [name] = path.segments.iter().collect::<Vec<_>>().as_slice()
            && let Some(function) = self.0.function(&name.ident.to_string())
        {
            let (arguments, span) = (name.arguments.clone(), name.ident.span());
            let names = ["core"].iter().chain(function).map(|name| Ident::new(name, span));
            let mut whole: syn::Path = syn::parse_quote_spanned!(span=> ::#(#names)::*);
            if let Some(last) = whole.segments.last_mut() {
                last.arguments = arguments;
            }
            *path = whole;
        }
    }
}
