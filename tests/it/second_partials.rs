//! Second derivatives of functions whose partials are given: the partials are differentiated as ordinary code.

use crate::second_methods::{Entries, assert_all_near, assert_is_hessian};
use backsweep::adjoint;
use num_dual::{DualNum, HyperDual64};

/// The body is not differentiated: it has a loop until nothing changes.
#[adjoint(partials(x: 1.0 / (1.0 + result.exp() * (1.0 + result))), second_order)]
fn implicit(x: f64) -> f64 {
    // y + y exp(y) = x
    let mut y = x;
    for _ in 0..100 {
        let error = y + y * y.exp() - x;
        y -= error / (1.0 + y.exp() * (1.0 + y));
    }
    y
}

#[test]
fn partials_of_the_result() {
    let x = 1.7;
    let y = implicit(x);
    let (slope, bend) = (1.0 + y.exp() * (1.0 + y), y.exp() * (2.0 + y));
    assert_all_near(&implicit::hessian(x), &[-bend / slope.powi(3)]);
    let (value, gradient, product) = implicit::hessian_vector(x, 2.0);
    assert_eq!((value.to_bits(), gradient), (y.to_bits(), implicit::gradient(x).1));
    assert_all_near(&[product], &[-2.0 * bend / slope.powi(3)]);
}

/// Scalars and lists, what is no independent, what is written, and names that generated code would take.
#[adjoint(
    partials(x: 2.0 * slope * result, weights: x_d.iter().map(|v| v * v * slope).collect::<Vec<_>>()),
    passive(work, x_d),
    second_order
)]
fn exponential(x: f64, slope: f64, weights: &[f64], mut x_d: Vec<f64>, work: &mut [f64]) -> f64 {
    work[0] += 1.0;
    x_d[0] += 0.0;
    let sum: f64 = weights.iter().zip(&x_d).map(|(w, v)| w * v * v * slope).sum();
    (2.0 * slope * x).exp() + sum
}

/// The same with partials that are right: with respect to the weights the result is linear.
#[adjoint(
    partials(
        x: 2.0 * slope * (2.0 * slope * x).exp() * weights[0],
        weights: vec![(2.0 * slope * x).exp(), at[1] * weights[2], at[1] * weights[1]]
    ),
    passive(slope, at),
    second_order
)]
fn weighted(x: f64, slope: f64, weights: &[f64], at: Vec<f64>) -> f64 {
    (2.0 * slope * x).exp() * weights[0] + at[1] * weights[1] * weights[2]
}

#[adjoint(independents(t), dependents(return), second_order)]
fn of_weighted(t: &[f64]) -> f64 {
    let weights = [t[1], t[2] * t[0], t[0].sin()];
    let at = vec![0.5, 1.9];
    weighted(t[0] * t[1], 0.3, &weights, at) * implicit(t[2])
}

fn weighted_reference(x: HyperDual64, w: &[HyperDual64]) -> HyperDual64 {
    (x * 0.6).exp() * w[0] + w[1] * w[2] * 1.9
}

/// With the derivatives that the equation has.
fn implicit_reference(x: HyperDual64) -> HyperDual64 {
    let y = implicit(x.re);
    let (slope, bend) = (1.0 + y.exp() * (1.0 + y), y.exp() * (2.0 + y));
    let (first, second) = (1.0 / slope, -bend / slope.powi(3));
    let mixed = first * x.eps1eps2 + second * x.eps1 * x.eps2;
    HyperDual64::new(y, first * x.eps1, first * x.eps2, mixed)
}

#[test]
fn partials_with_respect_to_lists() {
    let at = vec![0.5, 1.9];
    let entries = Entries {
        hessian: &|t| weighted::hessian(t[0], 0.3, &t[1..], at.clone()),
        diagonal: &|t| weighted::hessian_diagonal(t[0], 0.3, &t[1..], at.clone()),
        vector: &|t, d| {
            let (value, (x, mut weights), (in_x, mut in_weights)) =
                weighted::hessian_vector(t[0], d[0], 0.3, &t[1..], &d[1..], at.clone());
            weights.insert(0, x);
            in_weights.insert(0, in_x);
            (value, weights, in_weights)
        },
        gradient: &|t| {
            let (value, (x, mut weights)) = weighted::gradient(t[0], 0.3, &t[1..], at.clone());
            weights.insert(0, x);
            (value, weights)
        },
    };
    assert_is_hessian(&entries, &[0.9, 0.8, 0.2, 1.4], |t| weighted_reference(t[0], &t[1..]));
}

#[test]
fn functions_call_functions_whose_partials_are_given() {
    let entries = Entries {
        hessian: &|t| of_weighted::hessian(t),
        diagonal: &|t| of_weighted::hessian_diagonal(t),
        vector: &|t, d| of_weighted::hessian_vector(t, d),
        gradient: &|t| of_weighted::gradient(t),
    };
    assert_is_hessian(&entries, &[0.9, 0.8, 1.2], |t| {
        let weights = [t[1], t[2] * t[0], t[0].sin()];
        weighted_reference(t[0] * t[1], &weights) * implicit_reference(t[2])
    });
}

#[test]
fn partials_are_what_is_differentiated() {
    // What is given with respect to `x` is not the derivative of the sum: the second derivatives are those of the partials.
    let (weights, list, mut work) = ([0.4, 0.5], vec![1.0, 2.0], [0.0]);
    let value = exponential(0.7, 0.3, &weights, list.clone(), &mut work);
    let (found, gradient, product) =
        exponential::hessian_vector(0.7, 1.0, 0.3, &weights, &[0.0, 0.0], list, &mut work);
    assert_eq!(found.to_bits(), value.to_bits());
    assert_all_near(&[gradient.0], &[0.6 * value]);
    assert_all_near(&gradient.1, &[0.3, 1.2]);
    assert_all_near(&[product.0], &[0.36 * value]);
    // The partial with respect to `x` depends on the result, and so on the weights.
    assert_all_near(&product.1, &[0.6 * 0.3, 0.6 * 1.2]);
    assert_eq!(work, [2.0]);
}

#[adjoint(partials(x: vec![1.0; 2]), second_order)]
fn too_few(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[test]
#[should_panic(expected = "partials with respect to `x`")]
fn a_list_of_partials_has_the_length_of_the_parameter() {
    too_few::hessian_vector(&[1.0, 2.0, 3.0], &[0.0, 0.0, 0.0]);
}
