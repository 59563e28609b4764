//! Declarations move to where a variable gets its first real value.

use super::guards::guarded;
use super::{mentions, reads};
use crate::index::Var;
use crate::ir::{Block, Body, Expr, ExprKind, Place, Stmt, StmtKind};

/// Moves each declaration with a placeholder to the first write, if that comes before every other
/// mention; into a condition, if that alone mentions the variable.
pub(super) fn delay(body: &Body, block: &mut Block) {
    let mut at = 0;
    while at < block.stmts.len() {
        if !delayed(body, &mut block.stmts, at) {
            at += 1;
        }
    }
}

/// Whether the declaration at `at` has gone to a later place.
fn delayed(body: &Body, stmts: &mut Vec<Stmt>, at: usize) -> bool {
    let Some((var, initial)) = placeholder(&stmts[at]) else { return false };
    let is_user = |stmt: &Stmt| mentions(body, stmt, var) > 0;
    let is_handed_on = body.kept_vars().any(|kept| kept == var) || body.result == Some(var);
    let Some(user) = (at + 1..stmts.len()).find(|&user| is_user(&stmts[user])) else {
        // Nothing tells rustc the type of a variable that nothing mentions.
        let is_unused = initial.is_none() && !is_handed_on;
        if is_unused {
            stmts.remove(at);
        }
        return is_unused;
    };
    if let Some(kind) = declaration(body, &stmts[user], var, initial.as_ref()) {
        stmts[user].kind = kind;
        stmts.remove(at);
        return true;
    }
    if is_handed_on || stmts[user + 1..].iter().any(is_user) {
        return false;
    }
    let declaration = stmts[at].clone();
    let Some((_, inner)) = guarded(&mut stmts[user]) else { return false };
    inner.insert(0, declaration);
    delayed(body, inner, 0);
    stmts.remove(at);
    true
}

/// The variable a statement declares, and its constant first value.
fn placeholder(stmt: &Stmt) -> Option<(Var, Option<Expr>)> {
    match &stmt.kind {
        StmtKind::Let { var, value: None } => Some((*var, None)),
        StmtKind::Let { var, value: Some(value) } => {
            is_constant(value).then(|| (*var, Some(value.clone())))
        }
        _ => None,
    }
}

/// The declaration that a first write becomes.
fn declaration(body: &Body, stmt: &Stmt, var: Var, initial: Option<&Expr>) -> Option<StmtKind> {
    let is_own = |place: &Place| *place == Place::var(var);
    match &stmt.kind {
        StmtKind::Assign { place, value } if is_own(place) && reads(body, value, var) == 0 => {
            Some(StmtKind::Let { var, value: Some(value.clone()) })
        }
        StmtKind::Increment { place, value } if is_own(place) && reads(body, value, var) == 0 => {
            let is_zero = initial.is_some_and(|initial| initial.as_float() == Some(0.0));
            let value = Some(value.clone()).filter(|value| is_zero && value.ty.is_float());
            value.map(|value| StmtKind::Let { var, value: Some(value) })
        }
        StmtKind::Pop { place, declares: false } if is_own(place) => {
            Some(StmtKind::Pop { place: place.clone(), declares: true })
        }
        _ => None,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Op(_, args) => args.iter().all(is_constant),
        ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}
