//! Where proofs about names stand: beside the function, with the names in scope that the function has.

use crate::walk::visit::Visit;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::{Block, Item};

/// The items in a function that give names a meaning: imports as they are, and of constants that they are there.
pub(super) fn scope_of(block: &Block) -> TokenStream {
    let mut scope = Scope { is_deep: true, ..Scope::default() };
    scope.visit_block(block);
    scope.items
}

/// The same of a block alone, without those inside of it.
pub(super) fn items_that_name(block: &Block) -> TokenStream {
    let mut scope = Scope::default();
    scope.visit_block(block);
    scope.items
}

#[derive(Default)]
struct Scope {
    items: TokenStream,
    known: BTreeSet<String>,
    /// Whether blocks inside of the block count.
    is_deep: bool,
}

impl<'ast> Visit<'ast> for Scope {
    fn visit_item(&mut self, item: &'ast Item) {
        let item = match item {
            Item::Use(import) => import.to_token_stream(),
            Item::Const(constant) => {
                let name = &constant.ident;
                quote!(const #name: () = ();)
            }
            _ => return,
        };
        if self.known.insert(item.to_string()) {
            self.items.extend(item);
        }
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        if self.is_deep {
            crate::walk::visit::visit_expr(self, expr);
        }
    }
}
