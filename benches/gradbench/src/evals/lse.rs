//! The logarithm of a sum of exponentials.

use backsweep::adjoint;
use serde::Deserialize;

use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "lse",
    functions: &[
        ("primal", |input| evaluate(input, |Input { x }| log_sum_exp(x))),
        ("gradient", |input| evaluate(input, |Input { x }| log_sum_exp::gradient(x).1)),
    ],
};

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
}

/// ln Σ exp(xᵢ), with the largest xᵢ taken out of the sum so that nothing overflows:
/// a + ln Σ exp(xᵢ − a) where a = max xᵢ.
#[adjoint(independents(x), dependents(return))]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().fold(f64::NEG_INFINITY, |largest, value| largest.max(*value));
    let sum: f64 = x.iter().map(|value| (value - largest).exp()).sum();
    largest + sum.ln()
}
