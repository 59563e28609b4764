//! Conditions on the instance: neighbours with the same one become one.

use crate::ir::{Block, Expr, ExprKind, Guard, Stmt, StmtKind, each_block_mut};

/// The condition and the statements that depend on it.
pub(super) fn guarded(stmt: &mut Stmt) -> Option<(&Guard, &mut Vec<Stmt>)> {
    match &mut stmt.kind {
        StmtKind::If { test: Expr { kind: ExprKind::Guard(guard), .. }, then, otherwise }
            if otherwise.stmts.is_empty() =>
        {
            Some((guard, &mut then.stmts))
        }
        _ => None,
    }
}

/// Merges neighbours with the same condition.
pub(super) fn merge(block: &mut Block) {
    let mut merged: Vec<Stmt> = Vec::with_capacity(block.stmts.len());
    for mut stmt in std::mem::take(&mut block.stmts) {
        if let Some((guard, inner)) = guarded(&mut stmt)
            && let Some((last, into)) = merged.last_mut().and_then(guarded)
            && guard == last
        {
            into.append(inner);
            continue;
        }
        merged.push(stmt);
    }
    block.stmts = merged;
}

/// Drops conditions inside of others that say the same. What they declare is not used after them, so
/// that it may as well live longer.
pub(super) fn unwrap_nested(block: &mut Block, around: &mut Vec<Guard>) {
    let mut stmts = Vec::with_capacity(block.stmts.len());
    for mut stmt in std::mem::take(&mut block.stmts) {
        let known = guarded(&mut stmt).map(|(guard, _)| guard.clone());
        let depth = around.len();
        let is_implied = known.as_ref().is_some_and(|guard| around.contains(guard));
        around.extend(known.filter(|_| !is_implied));
        each_block_mut(&mut stmt, &mut |inner| unwrap_nested(inner, around));
        around.truncate(depth);
        match guarded(&mut stmt) {
            Some((_, inner)) if is_implied => stmts.append(inner),
            _ => stmts.push(stmt),
        }
    }
    block.stmts = stmts;
}
