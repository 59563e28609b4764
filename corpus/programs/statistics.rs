//! Likelihoods that call densities.

use super::library::densities::{log_sum_exp, logistic, normal_log_density as log_density};
use super::library::densities::ln_gamma;
use super::library::linear::{cholesky, products, solve_lower};
use backsweep::adjoint;

/// The likelihood of a mixture of two: calls in a chain, under another name.
#[adjoint(independents(p), dependents(return))]
#[sample([0.3, -1.0, 1.5, 0.7, 0.9], [0.1, -1.2, 2.0, 1.1])]
pub fn mixture(p: &[f64], data: &[f64]) -> f64 {
    let w = logistic(p[0]);
    data.iter()
        .map(|x| {
            let a = log_density(*x, p[1], p[3]) + w.ln();
            let b = log_density(*x, p[2], p[4]) + (1.0 - w).ln();
            log_sum_exp(&[a, b])
        })
        .sum()
}

/// What the variance of a return is after one.
#[adjoint]
pub fn next_variance(p: &[f64], last: f64, variance: f64) -> f64 {
    p[0] + p[1] * last * last + p[2] * variance
}

/// GARCH(1, 1).
#[adjoint(independents(p), dependents(return))]
#[sample([0.1, 0.2, 0.7], [0.3, -0.8, 1.2, 0.1, -0.4])]
pub fn garch(p: &[f64], returns: &[f64]) -> f64 {
    let mut variance = p[0] / (1.0 - p[1] - p[2]);
    let mut sum = log_density(returns[0], 0.0, variance.sqrt());
    for t in 1..returns.len() {
        variance = next_variance(p, returns[t - 1], variance);
        sum += log_density(returns[t], 0.0, variance.sqrt());
    }
    sum
}

/// Logistic regression: products of parts of a table with the weights, folded.
#[adjoint(independents(w), dependents(return))]
#[sample([0.2, -0.5], [1.0, 0.3, 0.7, -1.0, 0.1, 0.9], [1.0, 0.0, 1.0], 0.1)]
pub fn regression(w: &[f64], table: &[f64], labels: &[f64], penalty: f64) -> f64 {
    let n = w.len();
    let loss = labels.iter().enumerate().fold(0.0, |sum, (i, label)| {
        let p = logistic(products::dot(&table[i * n..(i + 1) * n], w));
        sum - label * p.ln() - (1.0 - label) * (1.0 - p).ln()
    });
    loss + penalty * products::dot(w, w)
}

/// Counts with a negative binomial law: recursion in the library.
#[adjoint(independents(mean, size), dependents(return))]
#[sample(2.5, 1.7, [0.0, 3.0, 1.0, 8.0])]
pub fn counts(mean: f64, size: f64, data: &[f64]) -> f64 {
    let p = size / (size + mean);
    let mut sum = 0.0;
    for &k in data {
        sum += ln_gamma(k + size) - ln_gamma(size) - ln_gamma(k + 1.0);
        sum += size * p.ln() + k * (1.0 - p).ln();
    }
    sum
}

/// A hidden Markov model of two states: lists that calls return and read.
#[adjoint]
pub fn forward_step(log_alpha: &[f64], log_moves: &[f64], means: &[f64], x: f64) -> Vec<f64> {
    let n = log_alpha.len();
    let mut next = vec![0.0; n];
    let mut terms = vec![0.0; n];
    for j in 0..n {
        for i in 0..n {
            terms[i] = log_alpha[i] + log_moves[i * n + j];
        }
        next[j] = log_sum_exp(&terms) + log_density(x, means[j], 1.0);
    }
    next
}

/// Its likelihood.
#[adjoint(independents(log_moves, means), dependents(return))]
#[sample([-0.2, -1.7, -1.1, -0.4], [0.0, 1.5], [0.1, 1.2, 1.9, -0.4])]
pub fn hidden_markov(log_moves: &[f64], means: &[f64], data: &[f64]) -> f64 {
    let mut alpha = vec![-0.7; means.len()];
    for &x in data {
        alpha = forward_step(&alpha, log_moves, means, x);
    }
    log_sum_exp(&alpha)
}

/// A prediction of a Kalman filter, through two `&mut`.
#[adjoint]
pub fn predict(mean: &mut f64, variance: &mut f64, decay: f64, noise: f64) {
    *mean *= decay;
    *variance = decay * decay * *variance + noise;
}

/// An update, through two `&mut`, with a result besides.
#[adjoint]
pub fn update(mean: &mut f64, variance: &mut f64, measured: f64, noise: f64) -> f64 {
    let total = *variance + noise;
    let gain = *variance / total;
    let surprise = measured - *mean;
    let density = log_density(surprise, 0.0, total.sqrt());
    *mean += gain * surprise;
    *variance *= 1.0 - gain;
    density
}

/// The likelihood of a Kalman filter.
#[adjoint(independents(decay, noise), dependents(return))]
#[sample(0.9, [0.3, 0.5], [0.2, 0.9, -0.3, 0.4])]
pub fn kalman(decay: f64, noise: &[f64], data: &[f64]) -> f64 {
    let mut mean = 0.0;
    let mut variance = 1.0;
    let mut sum = 0.0;
    for z in data {
        predict(&mut mean, &mut variance, decay, noise[0]);
        sum += update(&mut mean, &mut variance, *z, noise[1]);
    }
    sum
}

/// The kernel of a Gaussian process.
#[adjoint]
pub fn kernel(a: f64, b: f64, length: f64) -> f64 {
    let d = (a - b) / length;
    (-0.5 * d * d).exp()
}

/// The likelihood of a Gaussian process: a factorisation and a solution in place, in another crate.
#[adjoint]
#[sample([0.0, 0.4, 1.1], [0.2, 0.9, -0.3], 0.8, 0.1)]
pub fn gaussian_process(x: &[f64], y: &[f64], length: f64, noise: f64) -> f64 {
    let n = x.len();
    let mut k = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            k[i * n + j] = kernel(x[i], x[j], length);
        }
        k[i * n + i] += noise;
    }
    let log_det = cholesky(&mut k, n);
    let mut z = y.to_vec();
    solve_lower(&k, &mut z);
    -0.5 * (products::dot(&z, &z) + log_det)
}

/// The survival of a Weibull law.
#[adjoint]
pub fn log_survival(t: f64, shape: f64, scale: f64) -> f64 {
    -(t / scale).powf(shape)
}

/// Its hazard.
#[adjoint]
pub fn log_hazard(t: f64, shape: f64, scale: f64) -> f64 {
    (shape / scale).ln() + (shape - 1.0) * (t / scale).ln()
}

/// Censored lifetimes: which function is called the data tell.
#[adjoint(independents(shape, scale), dependents(return))]
#[sample(1.3, 2.0, [0.5, 1.7, 3.0], [true, false, true])]
pub fn lifetimes(shape: f64, scale: f64, times: &[f64], died: &[bool]) -> f64 {
    let mut sum = 0.0;
    for i in 0..times.len() {
        let t = times[i];
        sum += match died[i] {
            true => log_hazard(t, shape, scale) + log_survival(t, shape, scale),
            false => log_survival(t, shape, scale),
        };
    }
    sum
}
