//! Functions on matrices and vectors whose sizes are known at run time, as they are written.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use backsweep_packs::compare;
use nalgebra::{DMatrix, DVector};

const STEP: f64 = 1e-6;

/// A layer of a network.
#[adjoint(independents(weights, bias, x))]
fn layer(weights: &DMatrix<f64>, bias: &DVector<f64>, x: &DVector<f64>) -> DVector<f64> {
    let mut y: DVector<f64> = weights * x + bias;
    for i in 0..y.len() {
        let z: f64 = y[i];
        y[i] = z.tanh();
    }
    y
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Network {
    first: DMatrix<f64>,
    first_bias: DVector<f64>,
    second: DMatrix<f64>,
    second_bias: DVector<f64>,
}

/// What a network is trained by.
#[adjoint(independents(network))]
fn loss(network: &Network, inputs: &[DVector<f64>], targets: &[DVector<f64>]) -> f64 {
    let mut sum = 0.0;
    for k in 0..inputs.len() {
        let hidden = layer(&network.first, &network.first_bias, &inputs[k]);
        let out = layer(&network.second, &network.second_bias, &hidden);
        sum += (out - &targets[k]).norm_squared();
    }
    0.5 * sum / inputs.len() as f64
}

/// Least squares with a penalty.
#[adjoint(independents(p, a))]
fn ridge(p: &DVector<f64>, a: &DMatrix<f64>, y: &DVector<f64>, penalty: f64) -> f64 {
    let r = a * p - y;
    let normal = a.transpose() * a;
    let gradient = a.tr_mul(&r);
    r.norm_squared() + penalty * p.dot(p) + gradient.norm() + p.dot(&(normal * p))
}

/// Operators on values and references, and assignments.
#[adjoint(independents(x, m))]
fn changed(x: &DVector<f64>, m: &DMatrix<f64>, scale: f64) -> f64 {
    let mut v = x.clone();
    let mut n: DMatrix<f64> = m * 2.0;
    for k in 0..3 {
        v += m * x;
        v -= &(x * scale);
        v *= 0.5;
        n += m * m;
        n[(k, 0)] = v[k] * n[(0, k)];
        v[k] += n[(k, k)] / scale;
        v /= 1.5;
    }
    let w = -&v + 2.0 * x;
    w.component_mul(&v).norm() + n.trace() + n.determinant() + (n - m).norm()
}

/// Lists of them, and vectors made of numbers.
#[adjoint(independents(x))]
fn steps(x: &[f64], h: f64) -> f64 {
    let mut state = DVector::from_vec(x.to_vec());
    let start = state.clone();
    let mut path = vec![state.clone()];
    for k in 0..4 {
        let speed = &state * -h + DVector::from_element(3, x[0] * k as f64);
        state += speed;
        path.push(state.clone());
    }
    let mut sum = 0.0;
    for k in 0..path.len() {
        sum += path[k].dot(&start) * path[k].amax();
    }
    sum
}

fn matrix(rows: usize, columns: usize, seed: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 3 + seed * 5) % 11) as f64 * 0.1 - 0.45)
}

fn vector(len: usize, seed: usize) -> DVector<f64> {
    DVector::from_fn(len, |i, _| ((i * 5 + seed * 3) % 7) as f64 * 0.15 - 0.4)
}

#[test]
fn a_network() {
    let network = Network {
        first: matrix(3, 2, 1),
        first_bias: vector(3, 1),
        second: matrix(2, 3, 2),
        second_bias: vector(2, 2),
    };
    let inputs = [vector(2, 3), vector(2, 4), vector(2, 5)];
    let targets = [vector(2, 6), vector(2, 7), vector(2, 1)];
    compare(
        &network,
        |network| loss(network, &inputs, &targets),
        loss::gradient(&network, &inputs, &targets),
        |along| loss::tangent(&network, along, &inputs, &targets),
        STEP,
    );
}

#[test]
fn least_squares() {
    let (p, a, y) = (vector(2, 1), matrix(8, 2, 2), vector(8, 3));
    compare(
        &(p.clone(), a.clone()),
        |(p, a)| ridge(p, a, &y, 0.3),
        ridge::gradient(&p, &a, &y, 0.3),
        |(along_p, along_a)| ridge::tangent(&p, along_p, &a, along_a, &y, 0.3),
        STEP,
    );
}

#[test]
fn changes() {
    let (x, m) = (vector(3, 1), matrix(3, 3, 2));
    compare(
        &(x.clone(), m.clone()),
        |(x, m)| changed(x, m, 1.7),
        changed::gradient(&x, &m, 1.7),
        |(along_x, along_m)| changed::tangent(&x, along_x, &m, along_m, 1.7),
        STEP,
    );
}

#[test]
fn lists_and_numbers() {
    let x = vec![0.3, -0.7, 0.9];
    compare(
        &x,
        |x| steps(x, 0.1),
        steps::gradient(&x, 0.1),
        |along| steps::tangent(&x, along, 0.1),
        STEP,
    );
}

/// Products with nothing in them.
#[test]
fn empty() {
    let (p, a, y) = (vector(0, 1), matrix(4, 0, 2), vector(4, 3));
    let (value, (of_p, of_a)) = ridge::gradient(&p, &a, &y, 0.3);
    assert_eq!(value, y.norm_squared() + f64::NAN.min(0.0));
    assert_eq!((of_p.len(), of_a.shape()), (0, (4, 0)));
}

/// As without derivatives.
#[test]
#[should_panic(expected = "Gemv: dimensions mismatch.")]
fn sizes_that_do_not_fit() {
    let (p, a, y) = (vector(3, 1), matrix(4, 2, 2), vector(4, 3));
    ridge::gradient(&p, &a, &y, 0.3);
}

#[test]
fn bars_of_another_shape_are_refused_before_any_is_changed() {
    let (weights, bias, x) =
        (matrix(2, 3, 1), DVector::from_element(2, 0.5), DVector::from_element(3, 0.25));
    let run = |shape: (usize, usize), bias_len: usize, x_len: usize, seed_len: usize| {
        let mut bars =
            (DMatrix::zeros(shape.0, shape.1), DVector::zeros(bias_len), DVector::zeros(x_len));
        let seed = DVector::from_element(seed_len, 1.0);
        let call = std::panic::AssertUnwindSafe(|| {
            let (of_weights, of_bias, of_x) = &mut bars;
            layer::adjoint(&weights, of_weights, &bias, of_bias, &x, of_x, seed);
        });
        let is_refused = std::panic::catch_unwind(call).is_err();
        let is_changed = bars.0.iter().chain(&bars.1).chain(&bars.2).any(|&bar| bar != 0.0);
        (is_refused, is_changed)
    };
    assert_eq!(run((2, 3), 2, 3, 2), (false, true));
    for (shape, bias_len, x_len, seed_len) in [
        ((3, 2), 2, 3, 2),
        ((2, 2), 2, 3, 2),
        ((2, 3), 3, 3, 2),
        ((2, 3), 2, 2, 2),
        ((2, 3), 2, 3, 3),
    ] {
        assert_eq!(run(shape, bias_len, x_len, seed_len), (true, false));
    }
}
