//! A struct that both sweeps get is copied.

use backsweep::{Differentiable, adjoint};

#[derive(Differentiable)]
struct Gas {
    pressure: f64,
    exponent: f64,
}

#[adjoint(independents(x, gas), dependents(return))]
fn scaled(x: f64, gas: Gas) -> f64 {
    x * gas.pressure.powf(gas.exponent)
}

fn main() {}
