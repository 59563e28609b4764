//! Is the generated adjoint right? Compared with what does not come from it.

use crate::inverse::{Observations, misfit, misfit_gradient, temperatures};
use crate::slab::residual;

/// A direction in the space of states and parameters.
struct Direction {
    x: Vec<f64>,
    s: f64,
    t: f64,
}

/// A comparison of two numbers that should be equal.
pub struct Comparison {
    /// What is compared.
    pub what: &'static str,
    /// How far they are apart, relatively.
    pub error: f64,
    /// How far they may be apart.
    pub allowed: f64,
}

/// The derivative of the residual in a direction, by hand, equation by equation.
fn tangent(x: &[f64], s: f64, t: f64, along: &Direction) -> Vec<f64> {
    let n = x.len() - 2;
    let w = (2.0 / (n as f64 + 1.0)).powi(2) / 12.0;
    let heat = |i: usize| {
        let below = 1.0 + t * x[i];
        let argument = (along.x[i] - along.t * x[i] * x[i]) / (below * below);
        (x[i] / below).exp() * (along.s + s * argument)
    };
    let inner = (1..=n).map(|i| {
        along.x[i - 1] - 2.0 * along.x[i]
            + along.x[i + 1]
            + w * (heat(i - 1) + 10.0 * heat(i) + heat(i + 1))
    });
    [along.x[0]].into_iter().chain(inner).chain([along.x[n + 1]]).collect()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn relative(a: f64, b: f64) -> f64 {
    (a - b).abs() / a.abs().max(b.abs())
}

/// Checks the adjoint of the residual: for any weights `w` and any direction `v`, `⟨w, F′v⟩` is
/// `⟨F′ᵀw, v⟩`, where `F′v` is differentiated by hand or a difference quotient.
pub fn residual_adjoint(x: &[f64], s: f64, t: f64) -> [Comparison; 2] {
    let mut random = fastrand::Rng::with_seed(1);
    // Smooth, so that the differences of neighbours do not drown the heat.
    let waves = [random.f64(), random.f64(), random.f64()];
    let wave = |i: usize, frequency: f64| (frequency * i as f64 / x.len() as f64 + frequency).sin();
    let along = Direction {
        x: (0..x.len()).map(|i| waves[0] * wave(i, 3.0) + waves[1] * wave(i, 7.0)).collect(),
        s: random.f64(),
        t: random.f64(),
    };
    let weights: Vec<f64> = (0..x.len()).map(|i| waves[2] + wave(i, 5.0)).collect();

    let (mut x_b, mut s_b, mut t_b) = (vec![0.0; x.len()], 0.0, 0.0);
    let (mut balance, mut balance_b) = (vec![0.0; x.len()], weights.clone());
    residual::adjoint(x, &mut x_b, s, &mut s_b, t, &mut t_b, &mut balance, &mut balance_b);
    let by_adjoint = inner(&x_b, &along.x) + s_b * along.s + t_b * along.t;

    let by_hand = inner(&weights, &tangent(x, s, t, &along));
    let weighted = |step: f64| {
        let x: Vec<f64> = x.iter().zip(&along.x).map(|(x, v)| x + step * v).collect();
        let mut balance = vec![0.0; x.len()];
        residual(&x, s + step * along.s, t + step * along.t, &mut balance);
        inner(&weights, &balance)
    };
    let step = 1e-4;
    let by_difference = (weighted(step) - weighted(-step)) / (2.0 * step);
    [
        Comparison {
            what: "residual: ⟨w, F′v⟩ by hand = ⟨F′ᵀw, v⟩",
            error: relative(by_adjoint, by_hand),
            allowed: 1e-10,
        },
        Comparison {
            what: "residual: difference quotient",
            error: relative(by_adjoint, by_difference),
            allowed: 1e-6,
        },
    ]
}

/// Checks the gradient of the misfit with respect to the parameters, through the Newton solve.
pub fn inverse_gradient(observations: &Observations, [s, t]: [f64; 2]) -> Option<[Comparison; 2]> {
    let solved = |s, t| temperatures(observations.n, s, t);
    let cost =
        |s, t| Some(misfit(&solved(s, t)?, &observations.sensors, &observations.temperatures));
    let gradient = misfit_gradient(&solved(s, t)?, [s, t], observations);
    let step = 1e-3;
    let by_s = (cost(s + step, t)? - cost(s - step, t)?) / (2.0 * step);
    let by_t = (cost(s, t + step)? - cost(s, t - step)?) / (2.0 * step);
    let compare = |what, a, b| Comparison { what, error: relative(a, b), allowed: 1e-4 };
    Some([
        compare("misfit: ∂/∂s by differences of whole solves", gradient[0], by_s),
        compare("misfit: ∂/∂t by differences of whole solves", gradient[1], by_t),
    ])
}
