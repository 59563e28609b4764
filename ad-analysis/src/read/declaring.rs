//! Macros of which it is not known what they stand for may declare variables: `shift!(n);` may be `let n = n + 1;`. What follows mentions those
//! then, and nothing here knows them.

use super::library::is_library_macro;
use super::own_names::{is_behind_point, words_in};
use crate::diag::Diagnostic;
use crate::walk::visit::{self, Visit};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Block, ItemFn, Macro, PatIdent, Stmt};

/// What is to be said of macros that stand where they may hide a variable that is mentioned after them.
pub fn hidden_by_macros(function: &ItemFn) -> Vec<Diagnostic> {
    let mut variables = Variables::default();
    variables.visit_item_fn(function);
    let mut search = Search { variables: variables.0, found: Vec::new() };
    search.visit_block(&function.block);
    search.found
}

/// The names that patterns bind.
#[derive(Default)]
struct Variables(BTreeSet<String>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

struct Search {
    variables: BTreeSet<String>,
    found: Vec<Diagnostic>,
}

impl Search {
    fn macro_before(&mut self, mac: &Macro, following: &[Stmt]) {
        let Some(name) = mac.path.segments.last().map(|last| &last.ident) else { return };
        let is_of_library = match mac.path.segments.first() {
            Some(first) if mac.path.segments.len() == 2 => {
                first.ident == "std" || first.ident == "core"
            }
            Some(_) | None => mac.path.get_ident().is_some(),
        };
        if is_of_library && is_library_macro(&name.to_string()) {
            return;
        }
        let (mut given, mut mentioned) = (Vec::new(), BTreeSet::new());
        names_in_tokens(mac.tokens.clone(), &mut given);
        following.iter().for_each(|stmt| words_in(stmt.to_token_stream(), &mut mentioned));
        let hidden = given.into_iter().find(|given| {
            let given = given.to_string();
            self.variables.contains(&given) && mentioned.contains(&given)
        });
        if let Some(hidden) = hidden {
            self.found.push(Diagnostic {
                span: hidden.span(),
                message: format!(
                    "`{name}!` may declare another `{hidden}`, and `{hidden}` is mentioned after it"
                ),
                help: format!(
                    "if it does not, write it in a block of its own: `{{ {name}!(…); }}`"
                ),
            });
        }
    }
}

/// The names in tokens that may be those of variables.
fn names_in_tokens(tokens: TokenStream, names: &mut Vec<Ident>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if !is_behind_point(&tokens[..at]) => names.push(name.clone()),
            TokenTree::Group(group) => names_in_tokens(group.stream(), names),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

impl<'ast> Visit<'ast> for Search {
    fn visit_block(&mut self, block: &'ast Block) {
        for (position, stmt) in block.stmts.iter().enumerate() {
            if let Stmt::Macro(call) = stmt {
                self.macro_before(&call.mac, &block.stmts[position + 1..]);
            }
        }
        visit::visit_block(self, block);
    }
}
