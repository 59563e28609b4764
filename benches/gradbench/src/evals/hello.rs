//! The first eval of every tool: a square and its derivative.

use backsweep::adjoint;

use crate::protocol::Module;
use crate::runs::evaluate_once;

pub const MODULE: Module = Module {
    name: "hello",
    functions: &[
        ("square", |input| evaluate_once(input, |x| square(*x))),
        ("double", |input| evaluate_once(input, |x| square::gradient(*x).1)),
    ],
};

/// x².
#[adjoint(independents(x), dependents(return))]
fn square(x: f64) -> f64 {
    x * x
}
