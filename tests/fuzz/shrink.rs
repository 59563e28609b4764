//! Smaller functions that are still wrong.

use crate::sites::{each_block, each_expr};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ItemFn, Stmt};

/// The parts of an expression that could stand in its place.
fn parts(expr: &Expr) -> Vec<Expr> {
    struct Parts(Vec<Expr>);
    impl Visit<'_> for Parts {
        fn visit_expr(&mut self, expr: &Expr) {
            self.0.push(expr.clone());
        }
    }
    let mut parts = Parts(Vec::new());
    visit::visit_expr(&mut parts, expr);
    if expr.to_token_stream().into_iter().count() > 1 {
        parts.0.push(syn::parse_quote!(1.0));
        parts.0.push(syn::parse_quote!(x));
    }
    parts.0
}

/// The statements inside of a statement.
fn inside(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    let Stmt::Expr(expr, _) = stmt else { return Vec::new() };
    match expr {
        Expr::If(choice) => {
            let mut found = vec![choice.then_branch.stmts.clone()];
            if let Some((_, other)) = &choice.else_branch
                && let Expr::Block(block) = &**other
            {
                found.push(block.block.stmts.clone());
            }
            found
        }
        Expr::ForLoop(inner) => vec![inner.body.stmts.clone()],
        Expr::While(inner) => vec![inner.body.stmts.clone()],
        Expr::Loop(inner) => vec![inner.body.stmts.clone()],
        Expr::Block(block) => vec![block.block.stmts.clone()],
        _ => Vec::new(),
    }
}

/// All functions that are smaller by one step, the smallest first.
pub fn smaller(function: &ItemFn) -> Vec<ItemFn> {
    let mut found = Vec::new();
    let size = |function: &ItemFn| function.to_token_stream().to_string().len();
    let mut blocks = Vec::new();
    each_block(&mut function.clone(), &mut |stmts| blocks.push(stmts.clone()));
    for (number, stmts) in blocks.iter().enumerate() {
        for at in 0..stmts.len() {
            let mut new = vec![{
                let mut new = stmts.clone();
                new.remove(at);
                new
            }];
            for inner in inside(&stmts[at]) {
                let mut hoisted = stmts.clone();
                hoisted.splice(at..=at, inner);
                new.push(hoisted);
            }
            for new in new {
                let mut copy = function.clone();
                let mut left = number;
                let mut is_done = false;
                each_block(&mut copy, &mut |stmts| {
                    if !is_done && left == 0 {
                        *stmts = new.clone();
                        is_done = true;
                    }
                    left = left.saturating_sub(1);
                });
                found.push(copy);
            }
        }
    }
    let mut exprs = Vec::new();
    each_expr(&mut function.clone(), &mut |expr| exprs.push(expr.clone()));
    for (number, expr) in exprs.iter().enumerate() {
        for part in parts(expr) {
            let mut copy = function.clone();
            let mut position = 0;
            each_expr(&mut copy, &mut |expr| {
                if position == number {
                    *expr = part.clone();
                }
                position += 1;
            });
            found.push(copy);
        }
    }
    let before = size(function);
    found.retain(|function| size(function) < before);
    found.sort_by_key(size);
    found
}

/// The smallest function that can be reached from one while a test holds.
pub fn shrink(function: &ItemFn, holds: &mut dyn FnMut(&ItemFn) -> bool) -> ItemFn {
    let mut best = function.clone();
    let mut budget = 5000;
    'again: loop {
        for candidate in smaller(&best) {
            budget -= 1;
            if budget == 0 {
                return best;
            }
            if holds(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}
