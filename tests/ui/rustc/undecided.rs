//! Without arguments the attribute does not say whether a parameter of a user's type is an independent.
use backsweep::{Differentiable, adjoint};

struct Config {
    k: f64,
}

#[derive(Clone, Differentiable)]
struct Params {
    k: f64,
}

#[adjoint]
fn undecided(p: &Params, x: f64) -> f64 {
    p.k * p.k * x
}

#[adjoint]
fn caller(k: f64) -> f64 {
    let p = Params { k };
    undecided(&p, k)
}

#[adjoint]
fn without_derivative(p: &Config, x: f64) -> f64 {
    p.k * p.k * x
}

fn main() {
    undecided::gradient(&Params { k: 1.0 }, 2.0);
    caller::gradient(1.0);
    without_derivative(&Config { k: 1.0 }, 2.0);
}
