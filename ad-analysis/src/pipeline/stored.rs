//! The types of numbers that are stored, where only rustc knows them.

use crate::diff::Adjoint;
use crate::index::Var;
use crate::ir::{Body, StmtKind, each_stmt};
use crate::numbers::Numbers;

/// Number types of stored variables that nothing in sight determines are those that rustc falls back
/// to. They are written down in both sweeps, so that rustc objects if it knows better.
pub(super) fn settle_stored_numbers(primal: &Body, adjoint: &mut Adjoint) {
    let mut stored: Vec<Var> = adjoint.forward.kept_vars().collect();
    each_stmt(&adjoint.forward.block, &mut |stmt| {
        if let StmtKind::Push { place, .. } = &stmt.kind {
            stored.push(adjoint.forward.resolve(place).root);
        }
    });
    let numbers = Numbers::of(primal);
    stored.retain(|var| !numbers.tell(&adjoint.forward.vars[*var].ty));
    for var in stored {
        for sweep in [&mut adjoint.forward, &mut adjoint.backward] {
            let ty = &mut sweep.vars[var].ty;
            *ty = ty.with_fallbacks();
        }
    }
}
