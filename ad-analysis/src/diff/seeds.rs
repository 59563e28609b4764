//! The backward sweep for several seeds at once: the forward sweep runs once, and so does what the backward sweep computes of values.
//!
//! It is the backward sweep in which the bar of a float is of another type, as in the [tangent in several directions](super::several):
//! bars are added, and weighted with partials, and nothing else.

use super::Adjoint;
use super::products::is_of_several;
use super::several::Builder;
use crate::ir::{Body, Expr, ExprKind, Op, each_expr, each_stmt};
use std::rc::Rc;

/// The backward sweep for several seeds.
#[derive(Debug)]
pub struct Seeds {
    /// The adjoint with that backward sweep. The forward sweep is the same.
    pub adjoint: Adjoint,
    /// The type parameter that stands for the bars of a float.
    pub parameter: Rc<str>,
    /// Whether there is none.
    pub is_refused: bool,
}

/// The adjoint for several seeds. `primal` is what it is the adjoint of.
pub fn for_several_seeds(adjoint: &Adjoint, primal: &Body) -> Seeds {
    let mut adjoint = adjoint.clone();
    let parameter: Rc<str> = adjoint.backward.names.fresh("Bars").into();
    let mut builder = Builder::new(primal, adjoint.bars_held.clone(), &parameter);
    let sweep = &mut adjoint.backward;
    // What is not seen is of some type all the same, and callees find bars by their types.
    if adjoint.bars_held.iter().any(|bar| !sweep.vars[bar].ty.is_seen()) {
        builder.refuse();
    }
    builder.variables(sweep);
    for bar in &mut adjoint.bars {
        bar.scratch = bar.scratch.as_ref().map(|zero| builder.direction(zero));
    }
    builder.body(sweep);
    let is_refused = builder.is_refused || decides_by_bars(&adjoint);
    Seeds { adjoint, parameter, is_refused }
}

/// Whether a bar is used where derivatives of a float alone can be.
fn decides_by_bars(adjoint: &Adjoint) -> bool {
    let mut found = false;
    each_stmt(&adjoint.backward.block, &mut |stmt| {
        each_expr(stmt, &mut |expr| found |= reads_bar_as_float(adjoint, expr));
    });
    found
}

fn reads_bar_as_float(adjoint: &Adjoint, expr: &Expr) -> bool {
    match &expr.kind {
        // Of a list of bars, the length is that of the list.
        ExprKind::Op(Op::Len, _) => false,
        ExprKind::Op(_, args) => args.iter().any(|arg| reads_bar_as_float(adjoint, arg)),
        ExprKind::Load(place) => {
            let is_bar = adjoint.bars_held.contains(place.root);
            is_bar && expr.ty.may_carry_floats() && !is_of_several(&expr.ty)
        }
        ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}
