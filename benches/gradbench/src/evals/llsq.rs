//! Linear least squares: a polynomial is fitted to the sign function.

use backsweep::adjoint;
use serde::Deserialize;

use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "llsq",
    functions: &[
        ("primal", |input| evaluate(input, |Input { x, n }| misfit(x, *n))),
        ("gradient", |input| evaluate(input, |Input { x, n }| misfit::gradient(x, *n).1)),
    ],
};

#[derive(Deserialize)]
struct Input {
    x: Vec<f64>,
    n: usize,
}

/// ½ Σᵢ (sign(tᵢ) − Σⱼ xⱼ tᵢʲ)² at the `n` points tᵢ = −1 + 2i / (n − 1), the objective `llsq_obj` of the
/// suite cmpad.
#[adjoint(independents(x), dependents(return))]
fn misfit(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let t = -1.0 + 2.0 * i as f64 / (n as f64 - 1.0);
        let polynomial = x.iter().rev().fold(0.0, |value, coefficient| value * t + coefficient);
        let residual = sign(t) - polynomial;
        sum += residual * residual;
    }
    0.5 * sum
}

/// −1, 0 or 1; `signum` has no zero.
fn sign(t: f64) -> f64 {
    f64::from(i8::from(t > 0.0) - i8::from(t < 0.0))
}
