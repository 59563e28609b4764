//! The names that occur in the user's code.

use crate::ir::Namer;
use crate::walk::visit::Visit;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{Expr, ExprCall, ItemFn, PatIdent};

/// The names of the functions that are called by a name alone, but for what parameters are called.
pub(super) fn called(function: &ItemFn) -> BTreeSet<String> {
    #[derive(Default)]
    struct Names {
        called: BTreeSet<String>,
        bound: BTreeSet<String>,
    }
    impl<'ast> Visit<'ast> for Names {
        fn visit_expr_call(&mut self, call: &'ast ExprCall) {
            if let Expr::Path(path) = &*call.func {
                self.called.extend(path.path.get_ident().map(ToString::to_string));
            }
            crate::walk::visit::visit_expr_call(self, call);
        }
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            self.bound.insert(pat.ident.to_string());
        }
    }
    let (mut inside, mut params) = (Names::default(), Names::default());
    inside.visit_block(&function.block);
    function.sig.inputs.iter().for_each(|input| params.visit_fn_arg(input));
    &inside.called - &params.bound
}

/// Reserves every identifier that occurs.
pub(super) fn reserve(tokens: TokenStream, names: &mut Namer) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => names.reserve(&ident.to_string()),
            TokenTree::Group(group) => reserve(group.stream(), names),
            // Names can stand in format strings.
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.for_each(|word| names.reserve(word));
            }
            TokenTree::Punct(_) => {}
        }
    }
}
