//! Models, as statisticians and people who train networks write them.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use crate::{STEP, matrix, vector};
use backsweep::{Differentiable, adjoint};
use backsweep_packs::compare;
use ndarray::{Array1, Array2, Axis, ShapeBuilder};

/// The negative logarithm of a posterior density.
#[adjoint(independents(beta))]
fn logistic(x: &Array2<f64>, y: &Array1<f64>, beta: &Array1<f64>, tau: f64) -> f64 {
    let eta = x.dot(beta);
    let p = 1.0 / (1.0 + (-&eta).exp());
    let likelihood = y * p.ln() + (1.0 - y) * (1.0 - &p).ln();
    -likelihood.sum() + 0.5 * tau * beta.dot(beta)
}

/// The same without the probability, which is close to 0 or 1.
#[adjoint(independents(beta))]
fn stable(x: &Array2<f64>, y: &Array1<f64>, beta: &Array1<f64>) -> f64 {
    let eta = x.dot(beta);
    let softplus = (-eta.abs()).exp().ln_1p() + (&eta + eta.abs()) * 0.5;
    (softplus - y * &eta).sum()
}

/// Observation by observation.
#[adjoint(independents(beta))]
fn by_rows(x: &Array2<f64>, y: &Array1<f64>, beta: &Array1<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.nrows() {
        let eta: f64 = x.row(i).dot(beta);
        sum += (1.0 + eta.exp()).ln() - y[i] * eta;
    }
    sum
}

/// Least squares with a penalty, and the size of the gradient of these.
#[adjoint(independents(x, b))]
fn ridge(x: &Array2<f64>, y: &Array1<f64>, b: &Array1<f64>, lambda: f64) -> f64 {
    let r = x.dot(b) - y;
    let gradient = x.t().dot(&r) + lambda * b;
    let gram = x.t().dot(x);
    0.5 * (&r * &r).sum() + 0.5 * lambda * b.dot(b) + gradient.dot(&gradient) + b.dot(&gram.dot(b))
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Network {
    first: Array2<f64>,
    first_bias: Array1<f64>,
    second: Array2<f64>,
    second_bias: Array1<f64>,
}

/// Two layers.
#[adjoint(independents(network))]
fn forward(network: &Network, x: &Array2<f64>) -> Array2<f64> {
    let hidden = (x.dot(&network.first) + &network.first_bias).tanh();
    hidden.dot(&network.second) + &network.second_bias
}

/// What a classifier is trained by.
#[adjoint(independents(network))]
fn cross_entropy(network: &Network, x: &Array2<f64>, target: &Array2<f64>) -> f64 {
    let scores: Array2<f64> = forward(network, x);
    let e = scores.exp();
    let p = &e / &e.sum_axis(Axis(1)).insert_axis(Axis(1));
    let loss = -(target * &p.ln()).sum() / x.nrows() as f64;
    let second: Array2<f64> = network.second.clone();
    let decay = network.first.pow2().sum() + second.powi(2).sum();
    loss + 1e-2 * decay
}

/// A normal density with a scale.
#[adjoint(independents(mu, log_sigma))]
fn normal(y: &Array1<f64>, mu: f64, log_sigma: f64) -> f64 {
    let z = (y - mu) / log_sigma.exp();
    let n: usize = y.len();
    -0.5 * z.dot(&z) - n as f64 * log_sigma
}

/// Of moments of a sample.
#[adjoint(independents(x))]
fn standardised(x: &Array2<f64>) -> f64 {
    let mean = x.mean_axis(Axis(0)).unwrap();
    let spread = x.std_axis(Axis(0), 1.0) + 1e-3;
    let z = (x - &mean) / &spread;
    let all = x.mean().unwrap();
    z.powi(3).sum() + z.var(1.0) * all + x.std(0.0)
}

fn network() -> Network {
    Network {
        first: matrix(3, 4, 1),
        first_bias: vector(4, 1),
        second: matrix(4, 2, 2),
        second_bias: vector(2, 2),
    }
}

fn observations() -> (Array2<f64>, Array1<f64>, Array1<f64>) {
    let y = Array1::from_shape_fn(7, |i| (i % 3 == 1) as usize as f64);
    (matrix(7, 3, 1), y, vector(3, 2))
}

#[test]
fn of_a_posterior_density() {
    let (x, y, beta) = observations();
    // As it is stored, and by columns.
    for x in [x.clone(), Array2::from_shape_fn((7, 3).f(), |at| x[at])] {
        compare(
            &beta,
            |beta| logistic(&x, &y, beta, 0.3),
            logistic::gradient(&x, &y, &beta, 0.3),
            |along| logistic::tangent(&x, &y, &beta, along, 0.3),
            STEP,
        );
        compare(
            &beta,
            |beta| stable(&x, &y, beta),
            stable::gradient(&x, &y, &beta),
            |along| stable::tangent(&x, &y, &beta, along),
            STEP,
        );
        compare(
            &beta,
            |beta| by_rows(&x, &y, beta),
            by_rows::gradient(&x, &y, &beta),
            |along| by_rows::tangent(&x, &y, &beta, along),
            STEP,
        );
    }
}

#[test]
fn of_least_squares() {
    let (x, y, b) = observations();
    for x in [x.clone(), Array2::from_shape_fn((7, 3).f(), |at| x[at])] {
        compare(
            &(x.clone(), b.clone()),
            |(x, b)| ridge(x, &y, b, 0.7),
            ridge::gradient(&x, &y, &b, 0.7),
            |(along_x, along_b)| ridge::tangent(&x, along_x, &y, &b, along_b, 0.7),
            STEP,
        );
    }
}

#[test]
fn of_a_network() {
    let (x, network) = (matrix(5, 3, 3), network());
    let target = Array2::from_shape_fn((5, 2), |(i, j)| (i % 2 == j) as usize as f64);
    compare(
        &network,
        |network| cross_entropy(network, &x, &target),
        cross_entropy::gradient(&network, &x, &target),
        |along| cross_entropy::tangent(&network, along, &x, &target),
        STEP,
    );
}

#[test]
fn of_moments() {
    let (x, y, _) = observations();
    compare(
        &(0.3, -0.2),
        |(mu, sigma)| normal(&y, *mu, *sigma),
        normal::gradient(&y, 0.3, -0.2),
        |(along_mu, along_sigma)| normal::tangent(&y, 0.3, *along_mu, -0.2, *along_sigma),
        STEP,
    );
    compare(
        &x,
        standardised,
        standardised::gradient(&x),
        |along| standardised::tangent(&x, along),
        STEP,
    );
}

/// With nothing in them.
#[test]
fn empty() {
    let (x, y, b) = (matrix(4, 0, 1), vector(4, 2), vector(0, 1));
    let (value, (of_x, of_b)) = ridge::gradient(&x, &y, &b, 0.3);
    assert_eq!(value, 0.5 * (&y * &y).sum());
    assert_eq!((of_x.dim(), of_b.len()), ((4, 0), 0));
}

/// As without derivatives.
#[test]
#[should_panic(expected = "inputs 7 × 3 and 2 × 1 are not compatible for matrix multiplication")]
fn shapes_that_do_not_fit() {
    let (x, y, _) = observations();
    logistic::gradient(&x, &y, &vector(2, 1), 0.3);
}

/// Nothing is repeated.
#[test]
#[should_panic(
    expected = "`beta_b` has another shape than the value it belongs to: lengths [1] instead of [3]"
)]
fn bars_that_do_not_fit() {
    let (x, y, beta) = observations();
    logistic::adjoint(&x, &y, &beta, &mut vector(1, 1), 0.3, 1.0);
}
