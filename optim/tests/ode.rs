//! Right sides of differential equations.

use backsweep::adjoint;
use backsweep_optim::RightSide;

/// Robertson's reaction.
#[adjoint(independents(y, rates), dependents(dy))]
fn reaction(y: &[f64], rates: &[f64], _t: f64, dy: &mut [f64]) {
    let (slow, fast, back) = (rates[0] * y[0], rates[1] * y[1] * y[1], rates[2] * y[1] * y[2]);
    dy[0] = back - slow;
    dy[1] = slow - back - fast;
    dy[2] = fast;
}

const RATES: [f64; 3] = [0.04, 3.0, 10.0];
const END: f64 = 2.0;
const STEPS: usize = 400;

fn determinant([a, b, c]: [[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Solves a small system by Cramer's rule.
fn solve(matrix: [[f64; 3]; 3], right: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|unknown| {
        let mut other = matrix;
        for (row, right) in other.iter_mut().zip(right) {
            row[unknown] = right;
        }
        determinant(other) / determinant(matrix)
    })
}

/// `1 - factor M` from products with `M`.
fn system(product: impl Fn(&[f64], &mut [f64]), factor: f64) -> [[f64; 3]; 3] {
    let mut matrix = [[0.0; 3]; 3];
    for column in 0..3 {
        let (mut unit, mut out) = ([0.0; 3], [f64::NAN; 3]);
        unit[column] = 1.0;
        product(&unit, &mut out);
        for row in 0..3 {
            matrix[row][column] = unit[row] - factor * out[row];
        }
    }
    matrix
}

/// All states of Euler's implicit method.
fn states(rates: &[f64]) -> Vec<[f64; 3]> {
    let right_side = RightSide::new(reaction, reaction::tangent, reaction::adjoint);
    let (f, jacobian) = (right_side.rates(), right_side.jacobian());
    let h = END / STEPS as f64;
    let mut states = vec![[1.0, 0.0, 0.0]];
    for step in 1..=STEPS {
        let before = states[step - 1];
        let (mut y, t) = (before, step as f64 * h);
        for _ in 0..12 {
            let mut dy = [0.0; 3];
            f(&y, rates, t, &mut dy);
            let left = std::array::from_fn(|k| y[k] - before[k] - h * dy[k]);
            let change = solve(system(|v, out| jacobian(&y, rates, t, v, out), h), left);
            y = std::array::from_fn(|k| y[k] - change[k]);
        }
        states.push(y);
    }
    assert!(right_side.take_failure().is_none());
    states
}

#[test]
fn an_implicit_method_and_its_adjoint() {
    let states = states(&RATES);
    let end = states[STEPS];
    assert!((end.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(end[0] < 0.95 && end[1] > 0.0, "{end:?}");

    // The gradient of the last concentration of the third substance by the rates: λ = w at the end, and
    // (1 - h Jᵀ) λ' = λ backwards, with h Jₚᵀ λ' to sum.
    let right_side = RightSide::new(reaction, reaction::tangent, reaction::adjoint);
    let (adjoint, by_rates) =
        (right_side.minus_adjoint(), right_side.minus_adjoint_by_parameters());
    let h = END / STEPS as f64;
    let (mut lambda, mut gradient) = ([0.0, 0.0, 1.0], [0.0; 3]);
    for step in (1..=STEPS).rev() {
        let (y, t) = (&states[step], step as f64 * h);
        lambda = solve(system(|v, out| adjoint(y, &RATES, t, v, out), -h), lambda);
        let mut out = [f64::NAN; 3];
        by_rates(y, &RATES, t, &lambda, &mut out);
        for k in 0..3 {
            gradient[k] -= h * out[k];
        }
    }
    for k in 0..3 {
        let step = 1e-5 * RATES[k];
        let at = |rate: f64| {
            let mut rates = RATES;
            rates[k] = rate;
            self::states(&rates)[STEPS][2]
        };
        let quotient = (at(RATES[k] + step) - at(RATES[k] - step)) / (2.0 * step);
        let difference = (gradient[k] - quotient).abs();
        assert!(difference < 1e-6 * (1.0 + quotient.abs()), "{} and {quotient}", gradient[k]);
    }
}

#[test]
fn products_fit_each_other() {
    let right_side = RightSide::new(reaction, reaction::tangent, reaction::adjoint);
    let (y, v, w, p_d) = ([0.5, 0.2, 0.3], [1.0, -2.0, 0.5], [0.3, 0.7, -1.0], [0.1, 2.0, -1.0]);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut out, mut back) = ([f64::NAN; 3], [f64::NAN; 3]);
    right_side.jacobian()(&y, &RATES, 0.0, &v, &mut out);
    right_side.minus_adjoint()(&y, &RATES, 0.0, &w, &mut back);
    assert!((dot(&w, &out) + dot(&v, &back)).abs() < 1e-14);
    right_side.by_parameters()(&y, &RATES, 0.0, &p_d, &mut out);
    right_side.minus_adjoint_by_parameters()(&y, &RATES, 0.0, &w, &mut back);
    assert!((dot(&w, &out) + dot(&p_d, &back)).abs() < 1e-14);
}

#[adjoint(independents(y, p), dependents(dy))]
fn draining(y: &[f64], p: &[f64], _t: f64, dy: &mut [f64]) -> Result<(), String> {
    if y[0] < 0.0 {
        return Err("the tank is empty".to_owned());
    }
    dy[0] = -p[0] * y[0].sqrt();
    Ok(())
}

#[test]
fn a_failing_right_side_writes_nan() {
    let right_side = RightSide::new(draining, draining::tangent, draining::adjoint);
    let mut out = [0.0];
    right_side.rates()(&[4.0], &[0.5], 0.0, &mut out);
    assert_eq!(out, [-1.0]);
    right_side.minus_adjoint()(&[4.0], &[0.5], 0.0, &[1.0], &mut out);
    assert_eq!(out, [0.125]);
    assert!(right_side.take_failure().is_none());

    right_side.rates()(&[-1.0], &[0.5], 0.0, &mut out);
    assert!(out[0].is_nan());
    right_side.jacobian()(&[-1.0], &[0.5], 0.0, &[1.0], &mut out);
    assert!(out[0].is_nan());
    right_side.minus_adjoint_by_parameters()(&[-1.0], &[0.5], 0.0, &[1.0], &mut out);
    assert!(out[0].is_nan());
    assert_eq!(right_side.take_failure().expect("a failure").to_string(), "the tank is empty");
}
