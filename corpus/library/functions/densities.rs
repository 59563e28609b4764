//! Densities and their kin.

use backsweep::adjoint;
use std::f64::consts::PI;

/// The logarithm of the normal density.
#[adjoint]
pub fn normal_log_density(x: f64, mean: f64, deviation: f64) -> f64 {
    let z = (x - mean) / deviation;
    -0.5 * z * z - deviation.ln() - 0.5 * (2.0 * PI).ln()
}

/// The logistic function.
#[adjoint]
pub fn logistic(t: f64) -> f64 {
    1.0 / (1.0 + (-t).exp())
}

/// The logarithm of a sum of exponentials.
#[adjoint]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let mut top = x[0];
    for v in &x[1..] {
        if *v > top {
            top = *v;
        }
    }
    let mut sum = 0.0;
    for v in x {
        sum += (*v - top).exp();
    }
    top + sum.ln()
}

/// The distribution function of the normal law, by Abramowitz and Stegun 26.2.17.
#[adjoint]
pub fn normal_cdf(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - normal_cdf(-x);
    }
    let t = 1.0 / (1.0 + 0.2316419 * x);
    let poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    1.0 - (-0.5 * x * x).exp() / (2.0 * PI).sqrt() * poly
}

/// Stirling's series.
#[adjoint]
pub fn ln_gamma(x: f64) -> f64 {
    if x < 6.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let w = 1.0 / (x * x);
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + (1.0 / 12.0 - w * (1.0 / 360.0 - w / 1260.0)) / x
}
