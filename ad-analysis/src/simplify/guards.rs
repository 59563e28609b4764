//! Conditions on the instance: neighbours with the same one become one.

use crate::ir::{Block, Expr, ExprKind, Guard, Stmt, StmtKind};

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
