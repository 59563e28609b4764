//! The types of numbers that are stored, where only rustc knows them.

use crate::diff::Adjoint;
use crate::index::Var;
use crate::ir::{Body, ExprKind, StmtKind, each_stmt, places_in};
use crate::types::Type;

/// Number types of stored variables that nothing in sight determines are those that rustc falls back
/// to. They are written down in both sweeps, so that rustc objects if it knows better.
pub(super) fn settle_stored_numbers(primal: &Body, adjoint: &mut Adjoint) {
    let mut stored: Vec<Var> = adjoint.forward.kept_vars().collect();
    each_stmt(&adjoint.forward.block, &mut |stmt| {
        if let StmtKind::Push { place, .. } = &stmt.kind {
            stored.push(adjoint.forward.resolve(place).root);
        }
    });
    let known = known_to_rustc(primal);
    for var in stored.into_iter().filter(|var| !known.contains(var)) {
        for sweep in [&mut adjoint.forward, &mut adjoint.backward] {
            let ty = &mut sweep.vars[var].ty;
            *ty = ty.with_fallbacks();
        }
    }
}

/// The variables that get values of fields and of verbatim code, whose types rustc knows, or values
/// made from those.
pub(super) fn known_to_rustc(primal: &Body) -> Vec<Var> {
    let mut found = Vec::new();
    each_stmt(&primal.block, &mut |stmt| {
        let (var, value) = match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } => (*var, value),
            StmtKind::Assign { place, value } if place.is_whole() => (place.root, value),
            _ => return,
        };
        places_in(value, &mut |place| {
            let place = primal.resolve(place);
            let is_field = !place.is_whole() && primal.proven_place_type(&place) == Type::Unknown;
            if is_field || found.contains(&place.root) {
                found.push(var);
            }
        });
        if matches!(value.kind, ExprKind::Opaque(_)) {
            found.push(var);
        }
    });
    found
}
