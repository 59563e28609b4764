//! Increments and resets of bars that follow each other.

use super::{mentions, reads};
use crate::index::Var;
use crate::ir::{BinaryOp, Block, Body, Expr, Place, Stmt, StmtKind, places_in_mut};

/// `let t = b; b = 0; …; b += f(t)` becomes `…; b = f(b)`.
pub(super) fn fuse_resets(body: &Body, block: &mut Block) {
    let mut at = 0;
    while at < block.stmts.len() {
        if let Some(end) = fusible(body, &block.stmts[at..]) {
            let group: Vec<Stmt> = block.stmts.splice(at..at + end, []).collect();
            let fused = fuse(group);
            block.stmts.splice(at..at, fused);
        }
        at += 1;
    }
}

/// `let t = b; b = t` becomes `let t = b`.
pub(super) fn drop_self_assignments(block: &mut Block) {
    let mut copied: Option<(Var, Var)> = None;
    block.stmts.retain(|stmt| match &stmt.kind {
        StmtKind::Assign { place, value } => {
            let copied = copied.take();
            let assigned = value.as_var().map(|from| (from, place.root));
            !(place.is_whole() && assigned.is_some() && assigned == copied)
        }
        StmtKind::Let { var, value } => {
            copied = value.as_ref().and_then(Expr::as_var).map(|from| (*var, from));
            true
        }
        _ => {
            copied = None;
            true
        }
    });
}

/// The length of a group at the beginning of `stmts`: a bar is put aside and reset, followed by
/// increments that all use of it is in.
fn fusible(body: &Body, stmts: &[Stmt]) -> Option<usize> {
    let [Stmt { kind: StmtKind::Let { var: aside, value: Some(value) }, .. }, reset, rest @ ..] =
        stmts
    else {
        return None;
    };
    let bar = value.as_var().filter(|_| value.ty.is_float())?;
    let resets_bar = matches!(&reset.kind, StmtKind::Reset { place } if *place == Place::var(bar));
    if !resets_bar {
        return None;
    }
    let is_increment = |stmt: &&Stmt| match &stmt.kind {
        // Of the bars, an increment may touch this one only as its whole target.
        StmtKind::Increment { place, value } => {
            let touched = mentions(body, stmt, bar);
            let own = usize::from(*place == Place::var(bar));
            value.ty.is_float() && touched == own
        }
        _ => false,
    };
    let all = rest.iter().take_while(is_increment).count();
    // The group ends with the last increment that uses what was put aside.
    let uses = |stmt: &Stmt| mentions(body, stmt, *aside) > 0;
    let len = rest[..all].iter().rposition(|stmt| uses(stmt) || mentions(body, stmt, bar) > 0)? + 1;
    let own = rest[..len].iter().filter(|stmt| mentions(body, stmt, bar) > 0).count();
    let used_later = rest[len..].iter().any(uses);
    (own > 0 && !used_later).then_some(len + 2)
}

fn fuse(group: Vec<Stmt>) -> Vec<Stmt> {
    let mut group = group.into_iter();
    let (first, reset) = (group.next(), group.next());
    let (Some(first), Some(reset)) = (first, reset) else { unreachable!("a group has both") };
    let (StmtKind::Let { var: aside, value: Some(bar) }, Some(var)) = (&first.kind, bar_of(&reset))
    else {
        unreachable!("a group puts a bar aside and resets it")
    };
    let mut fused = Vec::new();
    let mut sum: Option<Expr> = None;
    for Stmt { id, span, kind } in group {
        let StmtKind::Increment { place, mut value } = kind else {
            unreachable!("a group consists of increments")
        };
        rename(&mut value, *aside, var);
        if place == Place::var(var) {
            sum = Some(match sum {
                Some(sum) => Expr::binary(BinaryOp::Add, sum, value),
                None => value,
            });
        } else {
            fused.push(Stmt { id, span, kind: StmtKind::Increment { place, value } });
        }
    }
    let value = sum.unwrap_or_else(|| bar.clone());
    let kind = StmtKind::Assign { place: Place::var(var), value };
    fused.push(Stmt { id: reset.id, span: reset.span, kind });
    fused
}

fn bar_of(reset: &Stmt) -> Option<Var> {
    match &reset.kind {
        StmtKind::Reset { place } if place.is_whole() => Some(place.root),
        _ => None,
    }
}

fn rename(expr: &mut Expr, from: Var, to: Var) {
    places_in_mut(expr, &mut |place| {
        if place.root == from {
            place.root = to;
        }
    });
}

/// `b = 0; b += e` becomes `b = e`.
pub(super) fn fuse_increments(body: &Body, block: &mut Block) {
    let mut at = 0;
    while at + 1 < block.stmts.len() {
        if let Some(bar) = bar_of(&block.stmts[at])
            && let StmtKind::Increment { place, value } = &block.stmts[at + 1].kind
            && *place == Place::var(bar)
            && value.ty.is_float()
            && reads(body, value, bar) == 0
        {
            let (place, value) = (place.clone(), value.clone());
            block.stmts[at + 1].kind = StmtKind::Assign { place, value };
            block.stmts.remove(at);
        }
        at += 1;
    }
}

/// Drops resets of local bars that nothing mentions afterwards.
pub(super) fn drop_last_resets(body: &Body, block: &mut Block) {
    let mut at = block.stmts.len();
    while at > 0 {
        at -= 1;
        let Some(bar) = bar_of(&block.stmts[at]) else { continue };
        let is_local = !body.is_reference(bar);
        let is_mentioned = block.stmts[at + 1..].iter().any(|stmt| mentions(body, stmt, bar) > 0);
        if is_local && !is_mentioned {
            block.stmts.remove(at);
        }
    }
}
