//! Blocks and exits: labelled blocks, `break`, `continue`, `return`.

use super::choices::{has_let, is_on_numbers};
use super::places::strip;
use super::{Breakable, Destination, Lowerer};
use crate::ir::{StmtKind, Target};
use quote::ToTokens;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// Whether an expression is control that is lowered to control of the IR.
    pub(super) fn is_structured(&self, expr: &syn::Expr) -> bool {
        match strip(expr) {
            syn::Expr::If(choice) => !has_let(&choice.cond) || !self.can_stay(expr),
            syn::Expr::Match(choice) => is_on_numbers(choice) || !self.can_stay(expr),
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
        if let Some(closure) = (*self.exit).clone() {
            if let Some(value) = &exit.expr {
                self.lower_into(value, &closure.destination);
            }
            self.emit(StmtKind::Exit { label: closure.label, code: 0 }, span);
            return;
        }
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

pub(super) fn strip_neg(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => &unary.expr,
        expr => expr,
    }
}
