//! What is in the body of a function that takes functions, and what is in the way of lowering it in place of a call.

use crate::read::PASSIVE;
use crate::stdlib::{self, Role};
use crate::walk::visit::{self, Visit};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// Why a function cannot be lowered in place of a call.
pub(super) struct Obstacle {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: String,
}

impl Obstacle {
    /// Something about the function that is called.
    pub(super) fn of(name: &Ident, what: &str, help: &str) -> Self {
        let message = format!("`{name}`, which takes a function, {what}");
        Self { span: name.span(), message, help: help.to_owned() }
    }
}

/// What is in a body.
#[derive(Default)]
pub(super) struct Contents {
    /// The names with which paths begin, and all in macros.
    pub(super) mentioned: BTreeSet<String>,
    pub(super) has_items: bool,
    pub(super) fails: bool,
    pub(super) is_marked: bool,
    /// Whether methods are called that may be those of what is in a list.
    pub(super) has_methods_of_values: bool,
}

impl Contents {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut is_behind_point = false;
        for token in tokens {
            let was_behind_point = is_behind_point;
            is_behind_point = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '.');
            match token {
                TokenTree::Ident(ident) => {
                    // A field is as good.
                    self.has_methods_of_values |= was_behind_point && !is_of_containers(&ident);
                    self.mentioned.insert(ident.to_string());
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Contents {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(first) = path.segments.first() {
            self.mentioned.insert(first.ident.to_string());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
        visit::visit_macro(self, mac);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.has_methods_of_values |= !is_of_containers(&call.method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
        self.fails = true;
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.has_items = true;
    }

    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        const UNDERSTOOD: [&str; 5] = [PASSIVE, "allow", "expect", "warn", "doc"];
        let name = attr.path().segments.last().map(|last| last.ident.to_string());
        self.is_marked |= !name.is_some_and(|name| UNDERSTOOD.contains(&name.as_str()));
    }
}

/// Whether a method is one of lists, options or iterators, and of no numbers.
pub(super) fn is_of_containers(method: &Ident) -> bool {
    const OF_CONTAINERS: [Role; 10] = [
        Role::OfSlices,
        Role::OfMutSlices,
        Role::OfArrays,
        Role::OfVecs,
        Role::OfLengths,
        Role::OfOptions,
        Role::OfLentOptions,
        Role::OfMutOptions,
        Role::OfIterators,
        Role::MakesIterator,
    ];
    let is_one = |roles: &[Role]| roles.iter().any(|role| stdlib::is(method, *role));
    is_one(&OF_CONTAINERS) && !is_one(&[Role::OfFloats, Role::OfIntegers])
}
