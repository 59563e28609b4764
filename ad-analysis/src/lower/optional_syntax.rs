//! What the syntax tells of `Option`s and `Result`s.

use super::places::strip;
use super::subjects::is_optional_pattern;
use crate::read::looks_like_variable;
use crate::stdlib::{self, Role};
use crate::walk::visit::{self, Visit};
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::Pat;

/// Whether an error is made somewhere in an expression.
pub(super) fn mentions_error(expr: &syn::Expr) -> bool {
    fn found(tokens: proc_macro2::TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == "Err",
            TokenTree::Group(group) => found(group.stream()),
            TokenTree::Literal(_) | TokenTree::Punct(_) => false,
        })
    }
    found(expr.to_token_stream())
}

pub(super) fn is_name(pat: &Pat) -> bool {
    matches!(pat, Pat::Ident(ident) if looks_like_variable(&ident.ident) && ident.subpat.is_none())
}

/// Whether a path names one of these variants of `Option` or `Result`: alone, as the prelude has it, or behind the type.
pub(super) fn names(path: &syn::Path, known: &[&str]) -> bool {
    let mut backwards = path.segments.iter().rev().map(|segment| &segment.ident);
    let is_known = backwards.next().is_some_and(|last| known.iter().any(|name| last == name));
    is_known && backwards.next().is_none_or(|owner| owner == "Option" || owner == "Result")
}

/// `Some`, `Ok` or `Err`, if that is what is called.
pub(super) fn constructor(call: &syn::ExprCall) -> Option<String> {
    let syn::Expr::Path(path) = strip(&call.func) else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    names(&path.path, &["Some", "Ok", "Err"]).then_some(name)
}

/// Whether the value of a block or a choice is seen to be an `Option` or a `Result`.
pub(super) fn yields_optional(expr: &syn::Expr) -> bool {
    let of_block = |block: &syn::Block| match block.stmts.last() {
        Some(syn::Stmt::Expr(tail, None)) => yields_optional(tail),
        _ => false,
    };
    match strip(expr) {
        syn::Expr::Call(call) => constructor(call).is_some(),
        syn::Expr::Path(path) => names(&path.path, &["None"]),
        syn::Expr::If(choice) => {
            let otherwise = choice.else_branch.as_ref();
            of_block(&choice.then_branch)
                || otherwise.is_some_and(|(_, otherwise)| yields_optional(otherwise))
        }
        syn::Expr::Match(choice) => choice.arms.iter().any(|arm| yields_optional(&arm.body)),
        syn::Expr::Block(block) => of_block(&block.block),
        _ => false,
    }
}

/// Whether a variable is matched, unwrapped or passed on as an `Option` or a `Result`.
pub(super) fn is_taken_apart(name: &proc_macro2::Ident, code: &[syn::Stmt]) -> bool {
    struct Search<'n> {
        name: &'n proc_macro2::Ident,
        found: bool,
    }
    impl Search<'_> {
        fn is_it(&self, expr: &syn::Expr) -> bool {
            match strip(expr) {
                syn::Expr::Path(path) => path.path.is_ident(self.name),
                syn::Expr::Reference(reference) => self.is_it(&reference.expr),
                _ => false,
            }
        }
        fn matched(&mut self, expr: &syn::Expr, pat: &Pat) {
            self.found |= self.is_it(expr) && is_optional_pattern(pat);
        }
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
            choice.arms.iter().for_each(|arm| self.matched(&choice.expr, &arm.pat));
            visit::visit_expr_match(self, choice);
        }
        fn visit_expr_let(&mut self, condition: &'ast syn::ExprLet) {
            self.matched(&condition.expr, &condition.pat);
            visit::visit_expr_let(self, condition);
        }
        fn visit_local(&mut self, local: &'ast syn::Local) {
            if let Some(init) = &local.init {
                self.matched(&init.expr, &local.pat);
            }
            visit::visit_local(self, local);
        }
        fn visit_expr_try(&mut self, exit: &'ast syn::ExprTry) {
            self.found |= self.is_it(&exit.expr);
            visit::visit_expr_try(self, exit);
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            let name = call.method.to_string();
            let is_known =
                ["ok", "ok_or", "ok_or_else", "map_err", "and_then"].contains(&name.as_str());
            self.found |=
                self.is_it(&call.receiver) && (is_known || stdlib::is(&name, Role::EndsOptional));
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut search = Search { name, found: false };
    code.iter().for_each(|stmt| search.visit_stmt(stmt));
    search.found
}

/// Whether an expression is `None`.
pub(super) fn is_none(expr: &syn::Expr) -> bool {
    matches!(super::places::strip(expr), syn::Expr::Path(path)
        if path.path.segments.last().is_some_and(|last| last.ident == "None"))
}

/// Whether an expression is `None`, and no variant of that name of another enum.
pub(super) fn is_none_of_option(expr: &syn::Expr) -> bool {
    matches!(super::places::strip(expr), syn::Expr::Path(path)
        if path.qself.is_none() && names(&path.path, &["None"]))
}
