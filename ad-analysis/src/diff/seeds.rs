//! The backward sweep for several seeds at once: the forward sweep runs once, and so does what the backward sweep computes of values.
//!
//! It is the backward sweep in which the bar of a float is of another type, as in the [tangent in several directions](super::several):
//! bars are added, and weighted with partials, and nothing else.

use super::Adjoint;
use super::several::Builder;
use crate::ir::Body;
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
    let is_refused = builder.is_refused || builder.reads_as_float(&adjoint.backward);
    Seeds { adjoint, parameter, is_refused }
}
