//! Where proofs about names stand: beside the function, with the names in scope that the function has.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{Block, Item};

/// The items in a function that give names a meaning: imports as they are, and of constants that they are there.
pub(super) fn scope_of(block: &Block) -> TokenStream {
    #[derive(Default)]
    struct Scope {
        items: TokenStream,
        known: BTreeSet<String>,
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
    }
    let mut scope = Scope::default();
    scope.visit_block(block);
    scope.items
}
