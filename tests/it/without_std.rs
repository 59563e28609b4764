//! A crate of the first edition without `std`: generated code finds the standard library by way of the facade.

use approx::assert_relative_eq;
use without_std::{Term, evaluated, orbit};

#[test]
fn derivatives_in_a_crate_without_std() {
    let term = |weight, roots: &[f64]| Term { weight, roots: roots.to_vec() };
    let terms = [term(0.7, &[2.0, 0.5]), term(-1.2, &[1.0])];
    let x = 0.9_f64;
    let (value, (terms_g, x_g)) = evaluated::gradient(&terms, x).unwrap();
    let values = [0.7 * (x - 2.0) * (x - 0.5), -1.2 * (x - 1.0)];
    let squares = values[0] * values[0] + values[1] * values[1];
    assert_relative_eq!(value, 2.0 * x + squares, max_relative = 1e-14);
    let slopes = [0.7 * (2.0 * x - 2.5), -1.2];
    let expected = 2.0 + 2.0 * (values[0] * slopes[0] + values[1] * slopes[1]);
    assert_relative_eq!(x_g, expected, max_relative = 1e-14);
    let by_weight = 2.0 * values[0] * values[0] / 0.7;
    assert_relative_eq!(terms_g[0].weight, by_weight, max_relative = 1e-14);
    let by_root = -2.0 * values[0] * 0.7 * (x - 2.0);
    assert_relative_eq!(terms_g[0].roots[1], by_root, max_relative = 1e-14);
    assert_eq!(evaluated::gradient(&terms[..1], x).unwrap_err(), 1);
}

#[test]
fn checkpoints_in_a_crate_without_std() {
    let (mut out, mut x_b) = ([0.0; 2], 0.0);
    orbit::adjoint(0.4, &mut x_b, 9, &mut out, &mut [1.0, 0.5]);
    let (mut y, mut slope) = (0.4_f64, 1.0);
    for _ in 0..9 {
        slope *= 1.1 * (1.0 - 2.0 * y);
        y = 1.1 * y * (1.0 - y);
    }
    assert_eq!(out, [y, y * y]);
    assert_relative_eq!(x_b, slope * (1.0 + y), max_relative = 1e-14);
}
