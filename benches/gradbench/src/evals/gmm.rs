//! A mixture of Gaussian distributions, fitted to points.

use std::f64::consts::PI;

use backsweep::{Differentiable, adjoint};
use serde::{Deserialize, Serialize};

use super::lse::log_sum_exp;
use crate::matrix::Matrix;
use crate::protocol::Module;
use crate::runs::{evaluate, evaluate_and_report};

pub const MODULE: Module = Module {
    name: "gmm",
    functions: &[
        ("objective", |input| {
            evaluate(input, |i: &Input| log_posterior(&i.mixture, &i.points, &i.prior))
        }),
        ("jacobian", |input| {
            evaluate_and_report(
                input,
                |i: &Input| log_posterior::gradient(&i.mixture, &i.points, &i.prior).1,
                |i, gradient| Parameters::of(gradient, i.prior.dimension),
            )
        }),
    ],
};

#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    mixture: Mixture,
    points: Vec<f64>,
    prior: Prior,
}

#[derive(Deserialize)]
struct Unchecked {
    d: usize,
    k: usize,
    n: usize,
    x: Matrix,
    m: usize,
    gamma: f64,
    #[serde(flatten)]
    parameters: Parameters,
}

/// A mixture as the protocol has it.
#[derive(Deserialize, Serialize)]
struct Parameters {
    alpha: Vec<f64>,
    mu: Matrix,
    q: Matrix,
    l: Matrix,
}

impl Parameters {
    fn of(mixture: Mixture, dimension: usize) -> Self {
        let components = mixture.weights.len();
        let rows = |columns, entries| Matrix::from_entries(components, columns, entries);
        Self {
            alpha: mixture.weights,
            mu: rows(dimension, mixture.means),
            q: rows(dimension, mixture.log_diagonals),
            l: rows(dimension * (dimension - 1) / 2, mixture.triangles),
        }
    }
}

impl TryFrom<Unchecked> for Input {
    type Error = String;

    fn try_from(Unchecked { d, k, n, x, m, gamma, parameters }: Unchecked) -> Result<Self, String> {
        let Parameters { alpha, mu, q, l } = parameters;
        if d == 0 || k == 0 {
            return Err("a component and a dimension are the least".to_owned());
        }
        if alpha.len() != k {
            return Err(format!("`alpha` has {} entries instead of {k}", alpha.len()));
        }
        x.expect_shape("x", n, d)?;
        mu.expect_shape("mu", k, d)?;
        q.expect_shape("q", k, d)?;
        l.expect_shape("l", k, d * (d - 1) / 2)?;
        Ok(Self {
            mixture: Mixture {
                weights: alpha,
                means: mu.entries,
                log_diagonals: q.entries,
                triangles: l.entries,
            },
            points: x.entries,
            prior: Prior::new(d, m, gamma),
        })
    }
}

/// The components of a mixture, one after the other. The precision matrix of a component is QᵀQ with a lower
/// triangular Q.
#[derive(Clone, Differentiable)]
struct Mixture {
    /// Logarithms of the weights, up to a common summand.
    weights: Vec<f64>,
    means: Vec<f64>,
    /// The logarithms of the diagonals of Q.
    log_diagonals: Vec<f64>,
    /// What is below the diagonals of Q, column by column.
    triangles: Vec<f64>,
}

/// The Wishart distribution of precision matrices with V = I / γ² and D + m + 1 degrees of freedom.
struct Prior {
    dimension: usize,
    additional_freedom: f64,
    gamma: f64,
    /// The logarithm of the constant in the density.
    normaliser: f64,
}

impl Prior {
    fn new(dimension: usize, m: usize, gamma: f64) -> Self {
        let d = dimension as f64;
        let freedom = dimension + m + 1;
        let normaliser = freedom as f64 * d * (gamma.ln() - 0.5 * 2.0_f64.ln())
            - ln_multigamma(freedom, dimension);
        Self { dimension, additional_freedom: m as f64, gamma, normaliser }
    }
}

/// ln Γ_D(n / 2) = D (D − 1) / 4 · ln π + Σ ln Γ((n − j) / 2) for j = 0, …, D − 1.
fn ln_multigamma(n: usize, dimension: usize) -> f64 {
    let d = dimension as f64;
    let gammas: f64 = (0..dimension).map(|j| ln_gamma_of_half(n - j)).sum();
    0.25 * d * (d - 1.0) * PI.ln() + gammas
}

/// ln Γ(n / 2) for a positive n, by Γ(x + 1) = x Γ(x) from Γ(1) = 1 and Γ(½) = √π.
fn ln_gamma_of_half(n: usize) -> f64 {
    let (first, beginning) = if n.is_multiple_of(2) { (2, 0.0) } else { (1, 0.5 * PI.ln()) };
    (first..n).step_by(2).fold(beginning, |sum, twice| sum + (0.5 * twice as f64).ln())
}

#[adjoint]
fn sum(list: &[f64]) -> f64 {
    list.iter().sum()
}

#[adjoint]
fn squared_norm(list: &[f64]) -> f64 {
    list.iter().map(|entry| entry * entry).sum()
}

/// ‖Q (x − μ)‖², for a Q with this diagonal. `image` is for Q (x − μ).
#[adjoint(independents(mean, diagonal, triangle), dependents(return, image))]
fn squared_distance(
    point: &[f64],
    mean: &[f64],
    diagonal: &[f64],
    triangle: &[f64],
    image: &mut [f64],
) -> f64 {
    let d = point.len();
    for i in 0..d {
        image[i] = diagonal[i] * (point[i] - mean[i]);
    }
    let mut column = 0;
    for j in 0..d {
        let centred = point[j] - mean[j];
        for i in j + 1..d {
            image[i] += triangle[column + i - j - 1] * centred;
        }
        column += d - j - 1;
    }
    image.iter().map(|entry| entry * entry).sum()
}

/// ln p(X | θ, φ) + ln p(θ), the logarithm of the posterior probability of a mixture with a Wishart prior on its
/// precision matrices, as in ADBench (Šrajer, Kukelova and Fitzgibbon 2018, section 4.1) with the corrections of GradBench.
#[adjoint(independents(mixture), dependents(return))]
fn log_posterior(mixture: &Mixture, points: &[f64], prior: &Prior) -> f64 {
    let d = prior.dimension;
    let components = mixture.weights.len();
    let count = points.len() / d;
    let below = d * (d - 1) / 2;
    let diagonals: Vec<f64> = (0..components * d).map(|i| mixture.log_diagonals[i].exp()).collect();
    let log_determinants: Vec<f64> =
        (0..components).map(|k| sum(&mixture.log_diagonals[k * d..(k + 1) * d])).collect();

    let mut likelihood = -0.5 * (count * d) as f64 * (2.0 * PI).ln();
    let mut image = vec![0.0; d];
    let mut terms = vec![0.0; components];
    for point in points.chunks_exact(d) {
        for k in 0..components {
            let distance = squared_distance(
                point,
                &mixture.means[k * d..(k + 1) * d],
                &diagonals[k * d..(k + 1) * d],
                &mixture.triangles[k * below..(k + 1) * below],
                &mut image,
            );
            terms[k] = mixture.weights[k] + log_determinants[k] - 0.5 * distance;
        }
        likelihood += log_sum_exp(&terms);
    }
    likelihood -= count as f64 * log_sum_exp(&mixture.weights);

    let squares = squared_norm(&diagonals) + squared_norm(&mixture.triangles);
    let log_determinant = sum(&log_determinants);
    likelihood + components as f64 * prior.normaliser - 0.5 * prior.gamma * prior.gamma * squares
        + prior.additional_freedom * log_determinant
}
