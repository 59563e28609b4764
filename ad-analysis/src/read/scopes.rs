//! Which variables names mean, for who goes through a function in the order of its text.

use super::own_names::words_in;
use crate::walk::visit::{self, Visit};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::{Macro, Pat, PatIdent};

/// The variables in scope, the innermost last.
#[derive(Clone, Default)]
pub(super) struct Scope {
    /// Each variable has a number of its own.
    variables: Vec<(Rc<str>, usize)>,
    count: usize,
}

/// Where a scope began.
pub(super) struct Outer(usize);

impl Scope {
    pub(super) fn enter(&self) -> Outer {
        Outer(self.variables.len())
    }

    pub(super) fn leave(&mut self, outer: Outer) {
        self.variables.truncate(outer.0);
    }

    /// Another function begins: it sees none of the variables around it.
    pub(super) fn hide(&mut self) -> Vec<(Rc<str>, usize)> {
        std::mem::take(&mut self.variables)
    }

    pub(super) fn show(&mut self, hidden: Vec<(Rc<str>, usize)>) {
        self.variables = hidden;
    }

    /// The variable that a name means, if it means one.
    pub(super) fn meaning(&self, name: &str) -> Option<usize> {
        let found = self.variables.iter().rev().find(|(known, _)| **known == *name);
        found.map(|(_, number)| *number)
    }

    /// Names mean other variables from here on.
    pub(super) fn bind(&mut self, names: BTreeSet<String>) {
        for name in names {
            self.count += 1;
            self.variables.push((name.into(), self.count));
        }
    }

    /// The same for those that a pattern binds. Names of constants are taken for such, too, and all words in macros.
    pub(super) fn bind_pattern(&mut self, pat: &Pat) {
        let mut found = Bound::default();
        found.visit_pat(pat);
        self.bind(found.0);
    }
}

#[derive(Default)]
struct Bound(BTreeSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        words_in(mac.tokens.clone(), &mut self.0);
    }

    /// A guard binds nothing for what follows.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}
