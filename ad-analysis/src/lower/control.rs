//! Choices, blocks, exits: `if`, `match` on numbers, labelled blocks, `break`, `return`.

use super::places::strip;
use super::{Breakable, Destination, Lowerer};
use crate::ir::{BinaryOp, Block, Expr, StmtKind, Target};
use crate::types::Type;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Pat, RangeLimits};

impl Lowerer<'_> {
    /// Whether an expression is control that is lowered to control of the IR.
    pub(super) fn is_structured(&self, expr: &syn::Expr) -> bool {
        match strip(expr) {
            syn::Expr::If(choice) => !has_let(&choice.cond),
            syn::Expr::Match(choice) => choice.arms.iter().all(|arm| is_number_pattern(&arm.pat)),
            syn::Expr::Block(_) | syn::Expr::Loop(_) => true,
            _ => false,
        }
    }

    /// Lowers a structured expression; its value goes to a destination.
    pub(super) fn structured_into(&mut self, expr: &syn::Expr, destination: &Destination) {
        match strip(expr) {
            syn::Expr::If(choice) => self.choice(choice, destination),
            syn::Expr::Match(choice) => self.selection(choice, destination),
            syn::Expr::Block(block) => self.nested_block(block, destination),
            syn::Expr::Loop(repetition) => self.endless_loop(repetition, destination),
            other => self.opaque_statement_expr(other),
        }
    }

    fn choice(&mut self, choice: &syn::ExprIf, destination: &Destination) {
        let span = choice.if_token.span();
        let test = self.truth_value(&choice.cond);
        let then = self.in_block(|this| this.block_into(&choice.then_branch, destination));
        let otherwise = self.in_block(|this| {
            if let Some((_, otherwise)) = &choice.else_branch {
                match &**otherwise {
                    syn::Expr::Block(block) if block.label.is_none() => {
                        this.block_into(&block.block, destination);
                    }
                    other => this.lower_into(other, destination),
                }
            }
        });
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }

    /// `match` on an integer or a truth value: a chain of choices.
    fn selection(&mut self, choice: &syn::ExprMatch, destination: &Destination) {
        let span = choice.match_token.span();
        let mut value = self.value(&choice.expr);
        if value.as_literal().is_none() {
            let var = self.name_value("selector", value);
            value = self.load(var, span);
        }
        let chain = self.arms(&choice.arms, &value, destination);
        self.out.extend(chain.stmts);
    }

    fn arms(&mut self, arms: &[syn::Arm], value: &Expr, destination: &Destination) -> Block {
        let Some((arm, rest)) = arms.split_first() else {
            return self.body.new_block(Vec::new());
        };
        self.requests(&arm.attrs);
        self.in_block(|this| {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pat => (pat, None),
            };
            this.scopes.push(std::collections::HashMap::new());
            if let (Pat::Ident(ident), Some(var)) = (pat, value.as_var())
                && ident.subpat.is_none()
            {
                this.bind(&ident.ident.to_string(), var);
            }
            let mut test = this.pattern_test(pat, value);
            if let Some(guard) = guard {
                let guard = this.value(guard);
                test = Some(match test {
                    Some(test) => Expr::test(BinaryOp::And, test, guard),
                    None => guard,
                });
            }
            let is_total = test.is_none() || rest.is_empty();
            let then = this.in_block(|this| this.lower_into(&arm.body, destination));
            this.scopes.pop();
            match test {
                Some(test) if !is_total => {
                    let otherwise = this.arms(rest, value, destination);
                    this.emit(StmtKind::If { test, then, otherwise }, arm.pat.span());
                }
                _ => this.emit(StmtKind::Block { target: None, body: then }, arm.pat.span()),
            }
        })
    }

    /// Whether a value matches a pattern; `None` if it always does.
    fn pattern_test(&mut self, pat: &Pat, value: &Expr) -> Option<Expr> {
        match pat {
            Pat::Wild(_) | Pat::Ident(_) => None,
            Pat::Paren(inner) => self.pattern_test(&inner.pat, value),
            Pat::Lit(lit) => {
                let literal = self.value(&syn::Expr::Lit(lit.clone()));
                self.types.unify(&value.ty, &literal.ty);
                if self.types.shallow(&value.ty) == Type::Bool {
                    let holds = literal.as_literal().is_some_and(|text| &**text == "true");
                    return Some(if holds { value.clone() } else { Expr::negated(value.clone()) });
                }
                Some(Expr::test(BinaryOp::Eq, value.clone(), literal))
            }
            Pat::Path(path) => {
                let constant = self.value(&syn::Expr::Path(path.clone()));
                Some(Expr::test(BinaryOp::Eq, value.clone(), constant))
            }
            Pat::Range(range) => {
                let mut test = None;
                let mut bound = |this: &mut Self, op, bound: &Option<Box<syn::Expr>>| {
                    let Some(bound) = bound else { return };
                    let bound = this.value(bound);
                    this.types.unify(&value.ty, &bound.ty);
                    let holds = Expr::test(op, value.clone(), bound);
                    test = Some(match test.take() {
                        Some(test) => Expr::test(BinaryOp::And, test, holds),
                        None => holds,
                    });
                };
                bound(self, BinaryOp::Ge, &range.start);
                let below = match range.limits {
                    RangeLimits::HalfOpen(_) => BinaryOp::Lt,
                    RangeLimits::Closed(_) => BinaryOp::Le,
                };
                bound(self, below, &range.end);
                test
            }
            Pat::Or(or) => {
                let mut any: Option<Expr> = None;
                for case in &or.cases {
                    let test = self.pattern_test(case, value)?;
                    any = Some(match any {
                        Some(any) => Expr::test(BinaryOp::Or, any, test),
                        None => test,
                    });
                }
                any
            }
            other => {
                self.unsupported_pattern(other);
                None
            }
        }
    }

    fn nested_block(&mut self, block: &syn::ExprBlock, destination: &Destination) {
        let span = block.block.brace_token.span.open();
        let Some(label) = &block.label else {
            let body = self.in_block(|this| this.block_into(&block.block, destination));
            self.emit(StmtKind::Block { target: None, body }, span);
            return;
        };
        let target = Target { label: self.body.numbering.label(), exit: None };
        self.breakables.push(Breakable {
            name: Some(label.name.ident.to_string()),
            label: target.label,
            iteration: None,
            destination: destination.clone(),
        });
        let body = self.in_block(|this| this.block_into(&block.block, destination));
        self.breakables.pop();
        self.emit(StmtKind::Block { target: Some(target), body }, span);
    }

    /// `break`, with or without label and value.
    pub(super) fn break_out(&mut self, exit: &syn::ExprBreak) {
        let span = exit.break_token.span();
        let name = exit.label.as_ref().map(|label| label.ident.to_string());
        let found = self.breakables.iter().rev().find(|breakable| match &name {
            Some(name) => breakable.name.as_ref() == Some(name),
            None => breakable.iteration.is_some(),
        });
        let Some(found) = found else {
            let text = exit.to_token_stream();
            self.errors.report(span, format!("`{text}` leaves nothing that is known here"), "");
            return;
        };
        let (label, destination) = (found.label, found.destination.clone());
        if let Some(value) = &exit.expr {
            self.lower_into(value, &destination);
        }
        self.emit(StmtKind::Exit { label, code: 0 }, span);
    }

    /// `continue`, with or without label.
    pub(super) fn continue_loop(&mut self, exit: &syn::ExprContinue) {
        let span = exit.continue_token.span();
        let name = exit.label.as_ref().map(|label| label.ident.to_string());
        let found = self.breakables.iter().rev().find(|breakable| {
            breakable.iteration.is_some() && (name.is_none() || breakable.name == name)
        });
        let Some(label) = found.and_then(|breakable| breakable.iteration) else {
            self.errors.report(span, "there is no loop to continue here", "");
            return;
        };
        self.emit(StmtKind::Exit { label, code: 0 }, span);
    }

    /// `return`, with or without value.
    pub(super) fn return_out(&mut self, exit: &syn::ExprReturn) {
        let span = exit.return_token.span();
        if let Some(value) = &exit.expr {
            let destination = self.function_destination();
            self.lower_into(value, &destination);
        }
        // What fails has left already.
        if !self.has_failed() {
            let label = self.body.target.label;
            self.emit(StmtKind::Exit { label, code: 0 }, span);
        }
    }
}

/// Whether a condition binds names.
fn has_let(cond: &syn::Expr) -> bool {
    match strip(cond) {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether a pattern is about integers or truth values only.
fn is_number_pattern(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(pat) => pat.by_ref.is_none() && pat.subpat.is_none() && is_variable(&pat.ident),
        Pat::Lit(lit) => matches!(lit.lit, syn::Lit::Int(_) | syn::Lit::Bool(_)),
        Pat::Path(path) => {
            let last = path.path.segments.last().map(|segment| segment.ident.to_string());
            path.qself.is_none() && last.is_some_and(|name| name == name.to_uppercase())
        }
        Pat::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|bound| {
            matches!(strip_neg(bound), syn::Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Int(_)))
        }),
        Pat::Or(or) => or.cases.iter().all(|case| {
            is_number_pattern(case) && !matches!(case, Pat::Ident(_) | Pat::Wild(_))
        }),
        Pat::Paren(inner) => is_number_pattern(&inner.pat),
        Pat::Guard(guarded) => is_number_pattern(&guarded.pat),
        _ => false,
    }
}

/// Whether a name in a pattern binds a variable, by the naming conventions of the language: a
/// constant or a unit variant begins with a capital.
fn is_variable(ident: &proc_macro2::Ident) -> bool {
    ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_')
}

fn strip_neg(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => &unary.expr,
        expr => expr,
    }
}
