//! Kept code that is a part of a statement, with temporaries in it: these live to the end of the statement.
//!
//! Code that is kept as it is becomes the value of a variable, and its own temporaries would die with that. So the calls in it
//! whose results it only refers to become variables before, as do the operands that are evaluated before these and are no
//! names and literals.
//!
//! ```text
//! s += f(t, guard(c).read());             let t1 = guard(c); let value = t1.read(); s += f(t, value);
//! ```

use super::Lowerer;
use super::access::Use;
use super::fence::token_of;
use super::places::strip;
use crate::index::Var;
use crate::ir::{Class, Refusal};
use crate::walk::visit::{self, Visit};
use proc_macro2::Span;
use std::collections::BTreeSet;
use syn::Expr;

/// Where a part of kept code stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Its value is handed on.
    Value,
    /// It is referred to: a value has a temporary there.
    Place,
}

impl Lowerer<'_> {
    /// Kept code with variables for its temporaries, and the names of these.
    pub(super) fn taken_apart(
        &mut self,
        expr: &Expr,
        refusal: Option<&Refusal>,
    ) -> (Expr, super::Scope) {
        let mut apart = Apart { names: super::Scope::default(), refusal, span: token_of(expr) };
        let mut expr = expr.clone();
        if self.has_temporary(&expr, Position::Value) {
            self.scopes.push(super::Scope::default());
            apart.parts(&mut expr, self);
            self.scopes.pop();
        }
        (expr, apart.names)
    }

    /// Whether something in an expression is a temporary that may do something when it is dropped.
    fn has_temporary(&self, expr: &Expr, position: Position) -> bool {
        let is_one = position == Position::Place && is_call(expr);
        (is_one && self.is_unknown(expr))
            || parts_of(expr).is_some_and(|parts| {
                parts.iter().any(|(part, position)| self.has_temporary(part, *position))
            })
    }

    fn is_unknown(&self, expr: &Expr) -> bool {
        let access = self.access_of(expr, Use::Handed);
        access.class == Class::Once
    }
}

struct Apart<'r> {
    names: super::Scope,
    refusal: Option<&'r Refusal>,
    /// Where the whole is.
    span: Span,
}

impl Apart<'_> {
    /// Takes the parts of an expression apart, in the order in which they are evaluated.
    fn parts(&mut self, expr: &mut Expr, lowerer: &mut Lowerer<'_>) {
        let Some(parts) = parts_of(expr) else { return };
        let has: Vec<bool> =
            parts.iter().map(|(part, position)| lowerer.has_temporary(part, *position)).collect();
        let Some(last) = has.iter().rposition(|has| *has) else { return };
        let written = |at: usize, lowerer: &Lowerer<'_>| -> BTreeSet<Var> {
            let later = parts[at + 1..=last].iter();
            later.flat_map(|(part, _)| lowerer.access_of(part, Use::Handed).writes).collect()
        };
        let changed: Vec<bool> = (0..=last)
            .map(|at| {
                let written = written(at, lowerer);
                !is_still(&parts[at].0)
                    || written.iter().any(|var| mentions(&parts[at].0, *var, lowerer))
            })
            .collect();
        for (at, (part, position)) in parts_mut(expr).into_iter().enumerate().take(last + 1) {
            if has[at] {
                self.parts(part, lowerer);
            }
            let is_temporary = position == Position::Place && is_call(part);
            let is_before = at < last && position == Position::Value && changed[at];
            if is_temporary || is_before {
                self.name(part, lowerer);
            }
        }
    }

    fn name(&mut self, part: &mut Expr, lowerer: &mut Lowerer<'_>) {
        let var = lowerer.part_of_verbatim(strip(part), self.refusal.cloned(), self.span);
        let name = format!("__part_{}", self.names.len());
        let ident = proc_macro2::Ident::new(&name, token_of(part));
        lowerer.bind(&name, var);
        self.names.insert(name, var);
        *part = syn::parse_quote!(#ident);
    }
}

/// The operands of an expression, in the order in which they are evaluated, and how they are used.
fn parts_of(expr: &Expr) -> Option<Vec<(Expr, Position)>> {
    let mut expr = expr.clone();
    let parts = parts_mut(&mut expr);
    let parts: Vec<_> = parts.into_iter().map(|(part, at)| (part.clone(), at)).collect();
    (!parts.is_empty()).then_some(parts)
}

fn parts_mut(expr: &mut Expr) -> Vec<(&mut Expr, Position)> {
    match expr {
        Expr::Paren(inner) => parts_mut(&mut inner.expr),
        Expr::Group(inner) => parts_mut(&mut inner.expr),
        Expr::MethodCall(call) => {
            let args = call.args.iter_mut().map(|arg| (arg, Position::Value));
            std::iter::once((&mut *call.receiver, Position::Place)).chain(args).collect()
        }
        Expr::Call(call) => call.args.iter_mut().map(|arg| (arg, Position::Value)).collect(),
        Expr::Reference(reference) => vec![(&mut reference.expr, Position::Place)],
        Expr::Field(field) => vec![(&mut field.base, Position::Place)],
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
            vec![(&mut unary.expr, Position::Place)]
        }
        _ => Vec::new(),
    }
}

/// Whether an expression makes a value.
fn is_call(expr: &Expr) -> bool {
    matches!(strip(expr), Expr::Call(_) | Expr::MethodCall(_) | Expr::Block(_) | Expr::Struct(_))
}

/// Whether it makes no difference when an expression is evaluated, but for what is written meanwhile.
fn is_still(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Path(_) | Expr::Lit(_) | Expr::Closure(_) => true,
        Expr::Reference(reference) => is_still(&reference.expr),
        Expr::Field(field) => is_still(&field.base),
        Expr::Unary(unary) => is_still(&unary.expr),
        Expr::Index(index) => is_still(&index.expr) && is_still(&index.index),
        Expr::Cast(cast) => is_still(&cast.expr),
        _ => false,
    }
}

fn mentions(expr: &Expr, var: Var, lowerer: &Lowerer<'_>) -> bool {
    struct Finder<'f, 'a> {
        var: Var,
        lowerer: &'f Lowerer<'a>,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Finder<'_, '_> {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            let name = path.path.get_ident().map(ToString::to_string);
            self.found |= name.is_some_and(|name| self.lowerer.find(&name) == Some(self.var));
            visit::visit_expr_path(self, path);
        }
    }
    let mut finder = Finder { var, lowerer, found: false };
    finder.visit_expr(expr);
    finder.found
}
