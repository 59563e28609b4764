//! Macros of other crates of which it is known what they stand for: their definitions are in no file of the crate.

use super::library::is_of_library;
use super::own_names::words_in;
use crate::walk::visit::{self, Visit};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Expr, Pat, Stmt};

/// What stands before rules that write a loop where the macro repeats its body. No rule begins with a word.
pub(super) const UNROLLED: &str = "unrolled";

/// Their paths, and rules by which they stand for the same.
const KNOWN: [(&[&str], &str); 1] = [(
    &["crunchy", "unroll"],
    "unrolled
    (for $v:ident < $max:tt in $start:tt..$end:tt $body:block) => {
        {
            let first: usize = $start;
            let end: usize = $end;
            assert!($max >= end);
            for $v in first..end $body
        }
    };
    (for $v:ident in $start:tt..$end:tt $body:block) => {
        {
            let first: usize = $start;
            let end: usize = $end;
            for $v in first..end $body
        }
    };
    (for $v:ident in ($start:tt..$end:tt) $body:block) => {
        {
            let first: usize = $start;
            let end: usize = $end;
            for $v in first..end $body
        }
    }",
)];

/// The rules of the macro at a path that begins with the name of a crate.
pub fn rules_of_other_crate(path: &[String]) -> Option<TokenStream> {
    let (_, rules) = KNOWN.iter().find(|(known, _)| known == &path)?;
    Some(rules.parse().expect("tokens"))
}

/// Whether a loop says what its body says as often as it is written, each time with the variable as a constant: nothing in it leaves a
/// loop or goes on with the next round of one, no pattern mentions the variable, and nothing that only a constant can be made of.
pub(super) fn may_be_loop(expanded: &Expr) -> bool {
    let Expr::Block(block) = expanded else { return false };
    let Some(Stmt::Expr(Expr::ForLoop(repetition), _)) = block.block.stmts.last() else {
        return false;
    };
    let Pat::Ident(variable) = &*repetition.pat else { return false };
    let mut body = Body { variable: &variable.ident, inner_loops: 0, may_be_repeated: true };
    body.visit_block(&repetition.body);
    body.may_be_repeated
}

struct Body<'b> {
    variable: &'b Ident,
    /// The loops in the body around what is visited.
    inner_loops: usize,
    may_be_repeated: bool,
}

impl Body<'_> {
    fn jump(&mut self, label: Option<&syn::Lifetime>) {
        self.may_be_repeated &= label.is_some() || self.inner_loops > 0;
    }

    /// A part that must not mention the variable.
    fn constant(&mut self, part: &impl ToTokens) {
        let mut words = BTreeSet::new();
        words_in(part.to_token_stream(), &mut words);
        self.may_be_repeated &= !words.contains(&self.variable.to_string());
    }

    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        self.inner_loops += 1;
        visit(self);
        self.inner_loops -= 1;
    }
}

impl<'ast> Visit<'ast> for Body<'_> {
    fn visit_expr_break(&mut self, jump: &'ast syn::ExprBreak) {
        self.jump(jump.label.as_ref());
        visit::visit_expr_break(self, jump);
    }

    fn visit_expr_continue(&mut self, jump: &'ast syn::ExprContinue) {
        self.jump(jump.label.as_ref());
    }

    fn visit_expr_for_loop(&mut self, inner: &'ast syn::ExprForLoop) {
        self.visit_pat(&inner.pat);
        self.visit_expr(&inner.expr);
        self.inside(|this| this.visit_block(&inner.body));
    }

    fn visit_expr_while(&mut self, inner: &'ast syn::ExprWhile) {
        self.inside(|this| visit::visit_expr_while(this, inner));
    }

    fn visit_expr_loop(&mut self, inner: &'ast syn::ExprLoop) {
        self.inside(|this| visit::visit_expr_loop(this, inner));
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        self.constant(pat);
    }

    fn visit_type(&mut self, ty: &'ast syn::Type) {
        self.constant(ty);
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.constant(argument);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.constant(item);
    }

    fn visit_expr_const(&mut self, constant: &'ast syn::ExprConst) {
        self.constant(constant);
    }

    fn visit_expr_repeat(&mut self, repeated: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeated.expr);
        self.constant(&repeated.len);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let mut words = BTreeSet::new();
        words_in(mac.to_token_stream(), &mut words);
        let may_jump_or_match = ["break", "continue", "match", "matches", "let"];
        self.may_be_repeated &=
            is_of_library(mac) && !may_jump_or_match.iter().any(|word| words.contains(*word));
    }
}

#[cfg(test)]
mod tests {
    use super::super::macro_rules::Rules;
    use super::*;

    fn is_loop(body: &str) -> bool {
        let text = format!("{{ let end = n; for i in 0..end {{ {body} }} }}");
        may_be_loop(&syn::parse_str(&text).expect("a block"))
    }

    #[test]
    fn a_body_may_be_repeated_by_a_loop() {
        for body in [
            "s += x[i];",
            "for k in 0..i { if x[k] > 0.0 { break; } s += x[k]; }",
            "'a: loop { loop { continue 'a; } }",
            "if s > 9.0 { break 'around; }",
            "assert!(i < n); return vec![s; i];",
            "s += S { i: 2.0 }.i;",
        ] {
            assert!(is_loop(body), "{body}");
        }
    }

    #[test]
    fn what_leaves_the_loop_around_or_needs_a_constant_is_none() {
        for body in [
            "if s > 9.0 { break; }",
            "if s > 9.0 { continue; }",
            "match n { i => s += 1.0, _ => {} }",
            "if let Some(i) = found { s += 1.0; }",
            "let a = [0.0; i];",
            "let a: [f64; i] = b;",
            "s += f::<{ i }>(x);",
            "const K: usize = i;",
            "s += const { i } as f64;",
            "assert!(match n { i => true, _ => false });",
            "other!(s);",
        ] {
            assert!(!is_loop(body), "{body}");
        }
    }

    #[test]
    fn rules_can_be_read() {
        for (path, _) in KNOWN {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            assert!(Rules::parse(rules_of_other_crate(&path).expect("rules")).is_some());
        }
    }
}
