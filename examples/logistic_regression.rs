//! Bayesian logistic regression on arrays of ndarray: the mode of the posterior density, and how sure it is of each coefficient.
//!
//! The gradient is that of the function as it is written. Newton's method takes the Hessian from differences of gradients.

use backsweep::adjoint;
use ndarray::{Array1, Array2, Axis};

/// The negative logarithm of the posterior density, up to a constant, with a normal prior.
#[adjoint(independents(beta))]
fn negative_log_posterior(x: &Array2<f64>, y: &Array1<f64>, beta: &Array1<f64>, tau: f64) -> f64 {
    let eta = x.dot(beta);
    // ln(1 + e^η), that does not overflow.
    let softplus = (-eta.abs()).exp().ln_1p() + (&eta + eta.abs()) * 0.5;
    (softplus - y * &eta).sum() + 0.5 * tau * beta.dot(beta)
}

/// Observations with a column of ones, and what came of them.
fn generated(n: usize, truth: &Array1<f64>) -> (Array2<f64>, Array1<f64>) {
    let mut random = fastrand::Rng::with_seed(7);
    let x = Array2::from_shape_fn((n, truth.len()), |(_, j)| match j {
        0 => 1.0,
        _ => 2.0 * random.f64() - 1.0,
    });
    let y = x.dot(truth).mapv(|eta| f64::from(random.f64() < 1.0 / (1.0 + (-eta).exp())));
    (x, y)
}

/// The Hessian, by central differences of gradients.
fn hessian(gradient: impl Fn(&Array1<f64>) -> Array1<f64>, at: &Array1<f64>) -> Array2<f64> {
    const STEP: f64 = 1e-5;
    let mut hessian = Array2::zeros((at.len(), at.len()));
    for (j, mut column) in hessian.axis_iter_mut(Axis(1)).enumerate() {
        let moved = |step: f64| {
            let mut beta = at.clone();
            beta[j] += step;
            gradient(&beta)
        };
        column.assign(&((moved(STEP) - moved(-STEP)) / (2.0 * STEP)));
    }
    (&hessian + &hessian.t()) / 2.0
}

/// The solution of a system with a positive definite matrix, by Gaussian elimination.
fn solved(mut a: Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[[k, j]] * b[j]).sum();
        b[k] = (b[k] - known) / a[[k, k]];
    }
    b
}

fn main() {
    const TAU: f64 = 0.1;
    let truth = Array1::from_vec(vec![0.5, -2.0, 1.0, 3.0]);
    let (x, y) = generated(5000, &truth);
    let value_and_gradient =
        |beta: &Array1<f64>| negative_log_posterior::gradient(&x, &y, beta, TAU);
    let curvature = |beta: &Array1<f64>| hessian(|beta| value_and_gradient(beta).1, beta);

    let mut beta = Array1::zeros(truth.len());
    println!("step  -ln posterior  |gradient|");
    for step in 0..20 {
        let (value, gradient) = value_and_gradient(&beta);
        let size = gradient.dot(&gradient).sqrt();
        println!("{step:4}  {value:13.6}  {size:10.3e}");
        if size < 1e-6 {
            break;
        }
        let direction = solved(curvature(&beta), gradient);
        // Half as far, as long as that is better.
        let mut length = 1.0;
        while negative_log_posterior(&x, &y, &(&beta - &(&direction * length)), TAU) > value
            && length > 1e-6
        {
            length *= 0.5;
        }
        beta = beta - &(direction * length);
    }

    let (_, gradient) = value_and_gradient(&beta);
    assert!(gradient.dot(&gradient).sqrt() < 1e-6, "it has not converged");
    let hessian = curvature(&beta);
    println!("\ncoefficient   truth    mode  standard deviation");
    for (k, (truth, mode)) in truth.iter().zip(&beta).enumerate() {
        let mut unit = Array1::zeros(beta.len());
        unit[k] = 1.0;
        let deviation = solved(hessian.clone(), unit)[k].sqrt();
        println!("{k:11}  {truth:6.2}  {mode:6.2}  {deviation:18.3}");
        assert!((truth - mode).abs() < 4.0 * deviation, "the mode is far from the truth");
    }
}
