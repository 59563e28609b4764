//! Places in a function where something can be changed.

use fastrand::Rng;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ItemFn, Pat, Stmt, Type};

struct Exprs<'a>(&'a mut dyn FnMut(&mut Expr));

impl VisitMut for Exprs<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // From the inside, so that what a function puts in is not visited.
        visit_mut::visit_expr_mut(self, expr);
        (self.0)(expr);
    }
}

struct Blocks<'a>(&'a mut dyn FnMut(&mut Vec<Stmt>));

impl VisitMut for Blocks<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        (self.0)(&mut block.stmts);
    }
}

struct Pats<'a>(&'a mut dyn FnMut(&mut Pat));

impl VisitMut for Pats<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        visit_mut::visit_pat_mut(self, pat);
        (self.0)(pat);
    }
}

struct Types<'a>(&'a mut dyn FnMut(&mut Type));

impl VisitMut for Types<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        (self.0)(ty);
    }
}

/// Calls a function for each expression of the body.
pub fn each_expr(function: &mut ItemFn, action: &mut dyn FnMut(&mut Expr)) {
    Exprs(action).visit_block_mut(&mut function.block);
}

/// Calls a function for the statements of each block of the body.
pub fn each_block(function: &mut ItemFn, action: &mut dyn FnMut(&mut Vec<Stmt>)) {
    Blocks(action).visit_block_mut(&mut function.block);
}

/// Calls a function for each pattern, also those of the parameters.
pub fn each_pat(function: &mut ItemFn, action: &mut dyn FnMut(&mut Pat)) {
    Pats(action).visit_item_fn_mut(function);
}

/// Calls a function for each type, also those of the signature.
pub fn each_type(function: &mut ItemFn, action: &mut dyn FnMut(&mut Type)) {
    Types(action).visit_item_fn_mut(function);
}

/// Goes through the places of a kind.
pub type Each<T> = fn(&mut ItemFn, &mut dyn FnMut(&mut T));

/// Changes one of the places that qualify, if there are any.
pub fn change_one<T>(
    function: &mut ItemFn,
    rng: &mut Rng,
    each: Each<T>,
    qualifies: &dyn Fn(&T) -> bool,
    change: &mut dyn FnMut(&mut T, &mut Rng),
) -> bool {
    let mut count = 0;
    each(function, &mut |site| count += usize::from(qualifies(site)));
    if count == 0 {
        return false;
    }
    let mut left = rng.usize(..count);
    let mut is_done = false;
    each(function, &mut |site| {
        if is_done || !qualifies(site) {
            return;
        }
        if left == 0 {
            is_done = true;
            change(site, rng);
        } else {
            left -= 1;
        }
    });
    is_done
}
