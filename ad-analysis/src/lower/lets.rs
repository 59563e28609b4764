//! `let` as an expression: rustc has it in conditions only, the parser elsewhere, too.

use super::{Lowerer, fence};
use crate::walk::visit::{self, Visit};
use syn::{BinOp, Block, Expr};

impl Lowerer<'_> {
    /// Refuses `let` outside of conditions.
    pub(super) fn refuse_misplaced_lets(&self, block: &Block) {
        let mut misplaced = Misplaced { found: Vec::new() };
        misplaced.visit_block(block);
        for expr in misplaced.found {
            self.errors.report(
                fence::token_of(expr),
                "`let` outside of a condition is not supported",
                "test for the pattern before: `if let … = … { … }`",
            );
        }
    }
}

struct Misplaced<'ast> {
    found: Vec<&'ast Expr>,
}

impl<'ast> Misplaced<'ast> {
    fn condition(&mut self, condition: &'ast Expr) {
        match condition {
            Expr::Let(test) => self.visit_expr(&test.expr),
            Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
                self.condition(&both.left);
                self.condition(&both.right);
            }
            other => self.visit_expr(other),
        }
    }
}

impl<'ast> Visit<'ast> for Misplaced<'ast> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Let(_) => self.found.push(expr),
            Expr::If(choice) => {
                self.condition(&choice.cond);
                self.visit_block(&choice.then_branch);
                choice.else_branch.iter().for_each(|(_, otherwise)| self.visit_expr(otherwise));
            }
            Expr::While(repetition) => {
                self.condition(&repetition.cond);
                self.visit_block(&repetition.body);
            }
            other => visit::visit_expr(self, other),
        }
    }

    fn visit_pat_guard(&mut self, guarded: &'ast syn::PatGuard) {
        self.condition(&guarded.guard);
    }
}
