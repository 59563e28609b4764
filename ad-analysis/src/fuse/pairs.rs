//! What an iteration leaves on the stack for its adjoint needs no stack where that follows at once.

use crate::index::{BitSet, Var};
use crate::ir::{Body, Expr, Loop, Place, Stmt, StmtKind};

/// Puts variables in place of the pushes in a loop and of the pops in its adjoint, and yields them; `None`
/// if pushes and pops do not belong together one by one, or are of values that cannot be copied.
pub(super) fn without_stack(
    body: &mut Body,
    values: &mut Loop,
    bars: &mut Loop,
) -> Option<BitSet<Var>> {
    let is_push = |stmt: &&mut Stmt| matches!(stmt.kind, StmtKind::Push { .. });
    let is_pop = |stmt: &&mut Stmt| matches!(stmt.kind, StmtKind::Pop { .. });
    let pushes: Vec<&mut Stmt> = values.body.stmts.iter_mut().filter(is_push).collect();
    let pops: Vec<&mut Stmt> = bars.body.stmts.iter_mut().filter(is_pop).collect();
    if pushes.len() != pops.len() {
        return None;
    }
    pushes
        .into_iter()
        .zip(pops.into_iter().rev())
        .map(|(push, pop)| pair(body, push, pop))
        .collect()
}

fn pair(body: &mut Body, push: &mut Stmt, pop: &mut Stmt) -> Option<Var> {
    let (StmtKind::Push { place, transfer: _ }, StmtKind::Pop { place: target, declares }) =
        (&push.kind, &pop.kind)
    else {
        return None;
    };
    let ty = body.place_type(place);
    if place != target || !place.is_whole() || !ty.is_copy() {
        return None;
    }
    let (var, declares) = (place.root, *declares);
    let name = format!("{}_then", body.vars[var].name);
    let saved = body.local(&name, ty.clone(), push.span);
    let value = Expr::load(Place::var(var), ty, push.span);
    push.kind = StmtKind::Let { var: saved, value: Some(value) };
    let value = body.load(saved);
    pop.kind = if declares {
        StmtKind::Let { var, value: Some(value) }
    } else {
        StmtKind::Assign { place: Place::var(var), value }
    };
    Some(saved)
}
