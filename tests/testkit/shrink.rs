//! Makes a failing program smaller while it keeps failing.

use ad_analysis::index::StmtId;
use ad_analysis::ir::{
    Block, Body, Expr, ExprKind, LoopKind, Stmt, StmtKind, each_block_mut, each_expr_mut,
    each_stmt, each_stmt_mut, verify,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Removes statements and parts of expressions as long as `fails` says so.
pub fn shrink(mut bodies: Vec<Body>, fails: &dyn Fn(&[Body]) -> bool) -> Vec<Body> {
    loop {
        let before = size(&bodies);
        for function in (0..bodies.len()).rev() {
            for stmt in ids(&bodies[function]) {
                for change in [remove, unwrap] {
                    attempt(&mut bodies, fails, |bodies| {
                        change(&mut bodies[function].block, stmt);
                    });
                }
                for position in 0..4 {
                    attempt(&mut bodies, fails, |bodies| {
                        simplify(&mut bodies[function].block, stmt, position);
                    });
                }
            }
        }
        for function in (0..bodies.len().saturating_sub(1)).rev() {
            attempt(&mut bodies, fails, |bodies| {
                bodies.remove(function);
            });
        }
        if size(&bodies) == before {
            return bodies;
        }
    }
}

fn size(bodies: &[Body]) -> usize {
    bodies.iter().map(|body| ad_analysis::ir::print(body).len()).sum()
}

fn ids(body: &Body) -> Vec<StmtId> {
    let mut ids = Vec::new();
    each_stmt(&body.block, &mut |stmt| ids.push(stmt.id));
    ids
}

fn attempt(
    bodies: &mut Vec<Body>,
    fails: &dyn Fn(&[Body]) -> bool,
    change: impl Fn(&mut Vec<Body>),
) {
    let mut candidate = bodies.clone();
    change(&mut candidate);
    if size(&candidate) >= size(bodies) {
        return;
    }
    let valid = candidate.iter().all(|body| verify(body).is_ok());
    if valid && catch_unwind(AssertUnwindSafe(|| fails(&candidate))).unwrap_or(false) {
        *bodies = candidate;
    }
}

fn remove(block: &mut Block, id: StmtId) {
    block.stmts.retain(|stmt| stmt.id != id);
    for stmt in &mut block.stmts {
        each_block_mut(stmt, &mut |block| remove(block, id));
    }
}

/// Replaces a construct by what is inside of it.
fn unwrap(block: &mut Block, id: StmtId) {
    let stmts = std::mem::take(&mut block.stmts);
    for mut stmt in stmts {
        if stmt.id == id {
            match stmt.kind {
                StmtKind::If { test: _, then, otherwise } => {
                    block.stmts.extend(then.stmts);
                    block.stmts.extend(otherwise.stmts);
                    continue;
                }
                StmtKind::Block { target: _, ref mut body } => {
                    block.stmts.append(&mut body.stmts);
                    continue;
                }
                StmtKind::Loop(ref mut inner)
                    if !matches!(inner.kind, LoopKind::Counted { .. }) =>
                {
                    block.stmts.append(&mut inner.body.stmts);
                    continue;
                }
                _ => {}
            }
        }
        each_block_mut(&mut stmt, &mut |block| unwrap(block, id));
        block.stmts.push(stmt);
    }
}

/// Replaces an expression of a statement by an operand of it, or by a constant.
fn simplify(block: &mut Block, id: StmtId, position: usize) {
    each_stmt_mut(block, &mut |stmt: &mut Stmt| {
        if stmt.id == id {
            each_expr_mut(stmt, &mut |expr| {
                let replacement = match &expr.kind {
                    ExprKind::Op(_, args) => args.get(position).cloned(),
                    ExprKind::Load(_) => Some(Expr::literal("1", expr.ty.clone())),
                    _ => None,
                };
                if let Some(replacement) = replacement.filter(|other| other.ty == expr.ty) {
                    *expr = if expr.ty.is_float() && matches!(expr.kind, ExprKind::Load(_)) {
                        Expr::literal("1.0", expr.ty.clone())
                    } else {
                        replacement
                    };
                }
            });
        }
    });
}
