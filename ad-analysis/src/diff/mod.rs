//! Differentiation, IR → IR: the two sweeps of the adjoint, and the tangent.
//!
//! A statement yields *fragments* in the forward and in the backward sweep; how the values they share
//! travel was decided by the [analyses](crate::analyses).

mod assignment;
mod backward;
mod call;
mod directional;
mod directions;
mod forward;
mod lists;
mod moves;
mod no_tangent;
mod products;
mod seeds;
mod several;
mod summed;
mod tangent;
mod tangent_calls;
mod tested;
mod told;
mod traced;
mod unseeded;
mod values;
mod zeros;

pub use directional::directional;
pub use no_tangent::NoTangent;
pub use products::{Products, products};
pub use seeds::{Seeds, for_several_seeds};
pub use several::in_several_directions;
pub use summed::{Site, Summed, summed};
pub use tangent::{Tangent, Tracing, tangent};
pub use tested::{UnseenTests, following_tests};
pub use traced::traced;
pub use unseeded::leave_without_seed;

use crate::analyses::Facts;
use crate::index::{BitSet, Var};
use crate::ir::{Body, Expr, ExprKind, Op, Place, each_expr_mut, each_stmt_mut};
use crate::reify::Reified;
use backward::Reversed;

/// The two sweeps of the adjoint of a body. Variables of the primal have the same numbers in both.
#[derive(Clone, Debug)]
pub struct Adjoint {
    /// The forward sweep: the primal, which stores and returns what the backward sweep needs.
    pub forward: Body,
    /// The backward sweep. Its parameters are, for each parameter of the primal in order, the
    /// parameter (unless it is a `&mut`) and its bar (if it has one), then the seed.
    pub backward: Body,
    /// The bars, by parameter of the primal.
    pub bars: Vec<ParamBar>,
    /// The bar of the result, if that is a dependent.
    pub seed: Option<Var>,
    /// The variables of the backward sweep that hold bars.
    pub bars_held: BitSet<Var>,
    /// Those of them that are the bar of a variable of the primal, each with that variable.
    pub bars_of: Vec<(Var, Var)>,
    /// Variables of the backward sweep that hold what was overwritten, each with the place of the primal that was.
    pub overwritten: Vec<(Var, Place)>,
}

/// What stands for a parameter in the backward sweep.
#[derive(Clone, Debug)]
pub struct ParamBar {
    /// The parameter.
    pub param: Var,
    /// Its bar, if it is an independent or a dependent: a parameter of the backward sweep.
    pub bar: Option<Var>,
    /// The zero that takes the place of the bar where the caller passes none.
    pub scratch: Option<Expr>,
}

/// The adjoint of a body whose control is reified.
pub fn adjoint(body: &Body, reified: &Reified, facts: &Facts) -> Adjoint {
    let mut forward = forward::forward(body, facts);
    let Reversed { mut backward, bars, seed, bars_held, bars_of, overwritten } =
        backward::backward(body, reified, facts);
    drop_outcomes(&mut forward);
    drop_outcomes(&mut backward);
    let asked = call::asked(body, facts);
    forward.asked.clone_from(&asked);
    backward.asked = asked;
    Adjoint { forward, backward, bars, seed, bars_held, bars_of, overwritten }
}

/// Values in sweeps are not differentiated: the outcomes by which their partials are chosen are there only where they are
/// stored or read by themselves.
fn drop_outcomes(sweep: &mut Body) {
    fn of_value(expr: &mut Expr) {
        let ExprKind::Op(op, args) = &mut expr.kind else { return };
        if let Op::Decided(name) = op {
            args.pop();
            *op = Op::Method(name.clone());
        }
        args.iter_mut().for_each(of_value);
    }
    each_stmt_mut(&mut sweep.block, &mut |stmt| each_expr_mut(stmt, &mut of_value));
}
