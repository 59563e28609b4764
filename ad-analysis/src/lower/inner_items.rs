//! Items inside of the function.

use super::Lowerer;
use crate::ir::Binding;
use crate::walk::visit::Visit;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Block, Ident, Item, ItemMacro, Stmt, UseTree};

impl Lowerer<'_> {
    /// An item of a block. Constants, functions and imports are repeated at the head of the generated functions;
    /// what has an identity of its own would exist several times.
    pub(super) fn item(&mut self, item: &Item, block: &Block) {
        match item {
            Item::Const(_) | Item::Use(_) | Item::Type(_) | Item::Fn(_) => self.repeat(item, block),
            other => {
                let help = match other {
                    Item::Macro(definition) => self.help_with_macro(definition),
                    _ => "move it out of the function".to_owned(),
                };
                let message = "this item inside of an annotated function is not supported";
                self.errors.report(other.span(), message, help);
            }
        }
        // A constant hides a variable of that name.
        if let Item::Const(constant) = item {
            let name = constant.ident.to_string();
            let ty = self.lower_type(&constant.ty);
            let binding = Binding::Global(constant.ident.to_token_stream());
            let span = constant.ident.span();
            let var = self.user_variable(&name, ty, binding, span);
            self.globals.insert(name, var);
        }
    }

    /// What to do about a macro of which a call was not understood.
    fn help_with_macro(&self, definition: &ItemMacro) -> String {
        let mut calls = CallsInMacros { name: definition.ident.as_ref(), found: None };
        calls.visit_block(&self.annotated.function.block);
        match calls.found {
            Some(outer) => format!(
                "it is called in what `{outer}!` is given, of which it is not known what it stands for: write what that stands for, such as a loop"
            ),
            None => "give variables that the macro, or who calls it, hides names of their own, or move it out of the function".to_owned(),
        }
    }

    /// The head of a generated function is seen from everywhere in it: the names of the item must not mean
    /// something else outside of its block.
    fn repeat(&mut self, item: &Item, block: &Block) {
        let tokens = item.to_token_stream();
        let text = tokens.to_string();
        let mut names = BTreeSet::new();
        match item {
            Item::Use(import) => self.imported(&import.tree, block, &mut names),
            Item::Const(constant) => names.extend([constant.ident.to_string()]),
            Item::Type(alias) => names.extend([alias.ident.to_string()]),
            Item::Fn(function) => {
                names.extend([function.sig.ident.to_string()]);
                self.refuse_statics(function);
            }
            _ => unreachable!("other items are refused"),
        }
        let function = &self.annotated.function;
        let mut outside = Outside { item: &text, names: &names, found: None };
        // The names of the function's own block are found first in all of it.
        if !std::ptr::eq(block, &*function.block) || !matches!(item, Item::Use(_)) {
            outside.visit_signature(&function.sig);
        }
        outside.visit_block(&function.block);
        if let Some(found) = outside.found {
            self.errors.report(
                found.span(),
                format!("`{found}` is mentioned outside of the block whose item has that name; this is not supported"),
                "give the item another name",
            );
            return;
        }
        if let Item::Use(import) = item
            && !std::ptr::eq(block, &*function.block)
            && !names.iter().all(|name| is_mentioned_in(block, name))
        {
            self.errors.report(
                import.span(),
                "an import in an inner block that does not mention the name is not supported",
                "move it to the beginning of the function",
            );
            return;
        }
        // A block that is lowered several times, as the body of a closure is, has its items once.
        self.add_item(tokens);
    }

    /// An item that stands beside the code, unless it is there.
    pub(super) fn add_item(&mut self, item: TokenStream) {
        let text = item.to_string();
        if !self.items.iter().any(|known| known.to_string() == text) {
            self.items.push(item);
        }
    }

    /// The names that an import declares.
    fn imported(&self, tree: &UseTree, block: &Block, names: &mut BTreeSet<String>) {
        match tree {
            UseTree::Path(path) => match &*path.tree {
                UseTree::Name(name) if name.ident == "self" => {
                    names.insert(path.ident.to_string());
                }
                inner => self.imported(inner, block, names),
            },
            UseTree::Name(name) => {
                names.insert(name.ident.to_string());
            }
            UseTree::Rename(renamed) => {
                names.insert(renamed.rename.to_string());
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|inner| self.imported(inner, block, names));
            }
            UseTree::Glob(_) if std::ptr::eq(block, &*self.annotated.function.block) => {}
            UseTree::Glob(glob) => self.errors.report(
                glob.star_token.span(),
                "an import of all names in an inner block is not supported",
                "import the names one by one, or at the beginning of the function",
            ),
        }
    }

    fn refuse_statics(&self, function: &syn::ItemFn) {
        let mut statics = Statics { found: false };
        statics.visit_block(&function.block);
        if statics.found {
            self.errors.report(
                function.sig.ident.span(),
                "a function with a `static` inside of an annotated function is not supported",
                "move it out of the function",
            );
        }
    }
}

/// Whether a block mentions a name but in imports. A trait that is imported for its methods is not mentioned; out of
/// its block, it might change what other calls mean.
fn is_mentioned_in(block: &Block, name: &str) -> bool {
    let names = BTreeSet::from([name.to_owned()]);
    let mut search = Outside { item: "", names: &names, found: None };
    let stmts = block.stmts.iter();
    stmts
        .filter(|stmt| !matches!(stmt, Stmt::Item(Item::Use(_))))
        .for_each(|stmt| search.visit_stmt(stmt));
    search.found.is_some()
}

/// Looks for names outside of the blocks that have an item.
struct Outside<'a> {
    item: &'a str,
    names: &'a BTreeSet<String>,
    found: Option<Ident>,
}

impl Outside<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.visit_ident(&ident),
                TokenTree::Group(group) => self.tokens(group.stream()),
                // `"{K}"` mentions `K`.
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let is_named = |name: &&String| text.contains(&format!("{{{name}"));
                    if let Some(name) = self.names.iter().find(is_named) {
                        self.visit_ident(&Ident::new(name, literal.span()));
                    }
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Outside<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        let has_item = block.stmts.iter().any(
            |stmt| matches!(stmt, Stmt::Item(item) if item.to_token_stream().to_string() == self.item),
        );
        if !has_item {
            crate::walk::visit::visit_block(self, block);
        }
    }

    fn visit_ident(&mut self, ident: &Ident) {
        if self.found.is_none() && self.names.contains(&ident.to_string()) {
            self.found = Some(ident.clone());
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
    }
}

/// Looks for calls of a macro in what others are given.
struct CallsInMacros<'a> {
    name: Option<&'a Ident>,
    /// The name of the other macro.
    found: Option<String>,
}

impl CallsInMacros<'_> {
    fn are_in(&self, tokens: TokenStream) -> bool {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_call = |pair: &[TokenTree]| match pair {
            [TokenTree::Ident(name), TokenTree::Punct(sign)] => {
                Some(name) == self.name && sign.as_char() == '!'
            }
            _ => false,
        };
        let is_inside = |token: &TokenTree| match token {
            TokenTree::Group(group) => self.are_in(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        tokens.windows(2).any(is_call) || tokens.iter().any(is_inside)
    }
}

impl<'ast> Visit<'ast> for CallsInMacros<'_> {
    fn visit_item_macro(&mut self, _: &'ast ItemMacro) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if self.found.is_none() && self.are_in(mac.tokens.clone()) {
            self.found = Some(mac.path.to_token_stream().to_string().replace(' ', ""));
        }
    }
}

/// Looks for items that exist once.
struct Statics {
    found: bool,
}

impl<'ast> Visit<'ast> for Statics {
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {
        self.found = true;
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.last();
        self.found |= name.is_some_and(|name| name.ident == "thread_local");
    }
}
