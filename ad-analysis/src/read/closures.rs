//! The parameters of closures: what they hide in the closure is another variable, and gets another name.

use super::names::{Occurrence, Walk, each_word, fresh};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::{Block, ExprClosure, FnArg, Signature};

/// Renames the parameters of closures that are called like other variables of the function.
pub(super) fn rename_parameters(
    sig: &mut Signature,
    block: &mut Block,
    words: &mut BTreeSet<String>,
) {
    let mut others = Others::default();
    for input in &mut sig.inputs {
        if let FnArg::Typed(param) = input {
            others.visit_pat_mut(&mut param.pat);
        }
    }
    others.visit_block_mut(block);
    Renaming { others: others.0, words }.visit_block_mut(block);
}

/// What is bound by anything else than a closure.
#[derive(Default)]
struct Others(BTreeSet<String>);

impl VisitMut for Others {
    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.visit_expr_mut(&mut closure.body);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

struct Renaming<'w> {
    others: BTreeSet<String>,
    words: &'w mut BTreeSet<String>,
}

impl VisitMut for Renaming<'_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        visit_mut::visit_expr_closure_mut(self, closure);
        let mut own = Others::default();
        closure.inputs.iter_mut().for_each(|input| own.visit_pat_mut(input));
        let hiding: Vec<String> = own.0.intersection(&self.others).cloned().collect();
        hiding.iter().for_each(|name| self.rename(closure, name));
    }
}

impl Renaming<'_> {
    /// Gives a parameter another name, unless a macro mentions it of which nothing is known.
    fn rename(&mut self, closure: &mut ExprClosure, name: &str) {
        let mut is_mentioned = false;
        let mut look = |occurrence: Occurrence<'_>| {
            if let Occurrence::Unread(tokens) = occurrence {
                each_word(tokens.clone(), &mut |word| is_mentioned |= word == name);
            }
        };
        Walk::new(false, &mut look).visit_expr_closure_mut(closure);
        if is_mentioned {
            return;
        }
        let new = fresh(self.words, name);
        let renamed = |ident: &Ident| Ident::new(&new, ident.span());
        let mut rename = |occurrence: Occurrence<'_>| match occurrence {
            Occurrence::Binder(pat, _) if pat.ident == name => pat.ident = renamed(&pat.ident),
            Occurrence::Use(ident) if *ident == name => *ident = renamed(ident),
            Occurrence::Inline(ident, value) if ident == name => *value = Some(renamed(&ident)),
            Occurrence::Binder(..)
            | Occurrence::Use(_)
            | Occurrence::Inline(..)
            | Occurrence::Unread(_)
            | Occurrence::Label(_) => {}
        };
        Walk::new(true, &mut rename).visit_expr_closure_mut(closure);
    }
}
