//! Shapes of lists that change in loops: where nothing in a loop reads a shape, it is taken once after the loop instead of after each
//! change in it.
//!
//! ```text
//! loop {                                        loop {
//!     push to rows[i];            becomes           push to rows[i];
//!     rows_shape = shape(rows);                 }
//! }                                             rows_shape = shape(rows);
//! ```

use super::mentions;
use crate::index::Var;
use crate::ir::{
    Block, Body, Expr, ExprKind, Loop, Op, Stmt, StmtKind, declared_within, each_block_mut,
    each_expr, each_stmt, exits_of, places_in,
};

/// Takes shapes behind the loops of a block.
pub(super) fn take_after_loops(body: &Body, block: &mut Block) {
    let mut stmts = Vec::new();
    for mut stmt in std::mem::take(&mut block.stmts) {
        let mut behind = Vec::new();
        for shape in unread_shapes(body, &stmt) {
            let mut taken = Vec::new();
            each_block_mut(&mut stmt, &mut |inner| remove(inner, shape, &mut taken));
            behind.extend(taken.pop());
        }
        stmts.push(stmt);
        stmts.append(&mut behind);
    }
    block.stmts = stmts;
}

/// The variables that a loop, which is left at its end only, does nothing with but to take the shape of one and the same list.
fn unread_shapes(body: &Body, stmt: &Stmt) -> Vec<Var> {
    let StmtKind::Loop(inner) = &stmt.kind else { return Vec::new() };
    if !exits_of(stmt).is_empty() {
        return Vec::new();
    }
    let mut taken: Vec<(Var, Expr, usize)> = Vec::new();
    let mut differing = Vec::new();
    each_stmt(&inner.body, &mut |stmt| {
        let Some((shape, value)) = shape_taken(stmt) else { return };
        match taken.iter_mut().find(|(known, ..)| *known == shape) {
            Some((_, of, count)) if of == value => *count += 1,
            Some(_) => differing.push(shape),
            None => taken.push((shape, value.clone(), 1)),
        }
    });
    let declared = declared_within(&inner.body);
    let is_outside = |value: &Expr| {
        let mut is_outside = true;
        places_in(value, &mut |place| is_outside &= !declared.contains(place.root));
        is_outside
    };
    taken.retain(|(shape, value, count)| {
        !differing.contains(shape)
            && is_outside(value)
            && is_there_after(body, inner, value)
            && !declared.contains(*shape)
            && mentions(body, stmt, *shape) == *count
    });
    taken.into_iter().map(|(shape, ..)| shape).collect()
}

/// Whether the list is there after the loop for sure: it was there before, and nothing in the loop moves it, or a part of it.
fn is_there_after(body: &Body, inner: &Loop, shape: &Expr) -> bool {
    let mut lists = Vec::new();
    places_in(shape, &mut |place| lists.push(place.root));
    let mut is_there = true;
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Let { var, value: None } = &stmt.kind {
            is_there &= !lists.contains(var);
        }
    });
    each_stmt(&inner.body, &mut |stmt| {
        each_expr(stmt, &mut |expr| is_there &= !may_move(expr, &lists));
    });
    is_there
}

/// Whether a value may be made of one of some lists by moving it, or a part of it.
fn may_move(value: &Expr, lists: &[Var]) -> bool {
    match &value.kind {
        ExprKind::Op(Op::Shape | Op::Len | Op::Clone, _) => false,
        ExprKind::Op(_, args) => args.iter().any(|arg| may_move(arg, lists)),
        ExprKind::Load(place) => lists.contains(&place.root) && !value.ty.is_copy(),
        ExprKind::Opaque(opaque) => opaque.reads.iter().any(|var| lists.contains(var)),
        ExprKind::Literal(_) | ExprKind::Guard(_) => false,
    }
}

/// A variable that a statement gives the shape of a list.
fn shape_taken(stmt: &Stmt) -> Option<(Var, &Expr)> {
    let StmtKind::Assign { place, value } = &stmt.kind else { return None };
    let ExprKind::Op(Op::Shape, args) = &value.kind else { return None };
    let is_whole = |arg: &Expr| arg.as_place().is_some_and(|list| list.is_whole());
    (place.is_whole() && args.iter().all(is_whole)).then_some((place.root, value))
}

/// Removes the statements that give a variable a shape.
fn remove(block: &mut Block, shape: Var, taken: &mut Vec<Stmt>) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        if shape_taken(&stmt).is_some_and(|(own, _)| own == shape) {
            taken.push(stmt);
        } else {
            each_block_mut(&mut stmt, &mut |inner| remove(inner, shape, taken));
            block.stmts.push(stmt);
        }
    }
}
