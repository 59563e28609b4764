//! The solution of an ordinary differential equation by Runge and Kutta's method.

use backsweep::adjoint;
use serde::Deserialize;

use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "ode",
    functions: &[
        ("primal", |input| evaluate(input, |Input { x, s }| solution(x, *s))),
        ("gradient", |input| evaluate(input, |Input { x, s }| last_component::gradient(x, *s).1)),
    ],
};

#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    x: Vec<f64>,
    s: usize,
}

#[derive(Deserialize)]
struct Unchecked {
    x: Vec<f64>,
    s: usize,
}

impl TryFrom<Unchecked> for Input {
    type Error = &'static str;

    fn try_from(Unchecked { x, s }: Unchecked) -> Result<Self, Self::Error> {
        if x.is_empty() {
            return Err("`x` is empty");
        }
        Ok(Self { x, s })
    }
}

/// When the solution is wanted.
const END: f64 = 2.0;

/// The right-hand side: y₀′ = x₀, and yᵢ′ = xᵢ yᵢ₋₁.
#[adjoint(independents(x, y), dependents(slope))]
fn slopes(x: &[f64], y: &[f64], slope: &mut [f64]) {
    slope[0] = x[0];
    for i in 1..x.len() {
        slope[i] = x[i] * y[i - 1];
    }
}

/// y(2) for y(0) = 0, by `steps` steps of the classical method of fourth order (Runge 1895, Kutta 1901). The
/// equation is `an_ode` of the suite cmpad, whose solution is yᵢ(t) = tⁱ⁺¹ x₀ ⋯ xᵢ / (i + 1)!.
#[adjoint(independents(x), dependents(return))]
fn solution(x: &[f64], steps: usize) -> Vec<f64> {
    let n = x.len();
    let h = END / steps as f64;
    let mut y = vec![0.0; n];
    let mut at = vec![0.0; n];
    let mut k1 = vec![0.0; n];
    let mut k2 = vec![0.0; n];
    let mut k3 = vec![0.0; n];
    let mut k4 = vec![0.0; n];
    for _ in 0..steps {
        slopes(x, &y, &mut k1);
        for i in 0..n {
            at[i] = y[i] + 0.5 * h * k1[i];
        }
        slopes(x, &at, &mut k2);
        for i in 0..n {
            at[i] = y[i] + 0.5 * h * k2[i];
        }
        slopes(x, &at, &mut k3);
        for i in 0..n {
            at[i] = y[i] + h * k3[i];
        }
        slopes(x, &at, &mut k4);
        for i in 0..n {
            y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    y
}

/// The component of the solution whose gradient is wanted.
#[adjoint(independents(x), dependents(return))]
fn last_component(x: &[f64], steps: usize) -> f64 {
    let y = solution(x, steps);
    y[x.len() - 1]
}
