//! Curves fitted by levenberg-marquardt.
#![cfg(feature = "levenberg-marquardt")]

use backsweep::adjoint;
use backsweep_optim::{Failure, Residuals};
use levenberg_marquardt::{LevenbergMarquardt, TerminationReason};
use std::cell::Cell;

#[adjoint(independents(p), dependents(return))]
fn left(p: &[f64], times: &[f64], measured: &[f64]) -> Vec<f64> {
    let model = times.iter().map(|t| p[0] * (-p[1] * t).exp() + p[2]);
    model.zip(measured).map(|(model, measured)| model - measured).collect()
}

fn data() -> (Vec<f64>, Vec<f64>) {
    let times: Vec<f64> = (0..30).map(|k| 0.2 * k as f64).collect();
    let measured = times.iter().map(|t| 3.0 * (-0.7 * t).exp() + 0.5).collect();
    (times, measured)
}

#[test]
fn a_decay_is_fitted() {
    let ((times, measured), evaluated) = (data(), Cell::new(0));
    let value = |p: &[f64]| {
        evaluated.set(evaluated.get() + 1);
        left(p, &times, &measured)
    };
    let residuals = Residuals::new(value, |p| left::jacobian(p, &times, &measured));
    let problem = residuals.starting_at([1.0, 1.0, 0.0]);
    let (found, report) = LevenbergMarquardt::new().minimize(problem);
    assert!(report.termination.was_successful(), "{report:?}");
    for (found, expected) in found.parameters().iter().zip([3.0, 0.7, 0.5]) {
        assert!((found - expected).abs() < 1e-8);
    }
    assert!(found.take_failure().is_none());
    // The solver asks again for what it has been given.
    assert!(evaluated.get() <= report.number_of_evaluations);
}

#[test]
fn a_failing_function_ends_the_fit() {
    let rate = |p: &[f64]| if p[0] > 0.0 { Some(p[0].ln()) } else { None };
    let residuals = Residuals::new(
        move |p| rate(p).map(|rate| [rate, 2.0 * rate]),
        |p| [1.0 / p[0], 2.0 / p[0]],
    );
    let (found, report) = LevenbergMarquardt::new().minimize(residuals.clone().starting_at([0.5]));
    assert!(report.termination.was_successful());
    assert!((found.parameters()[0] - 1.0).abs() < 1e-8);

    let (found, report) = LevenbergMarquardt::new().minimize(residuals.starting_at([-1.0]));
    assert!(matches!(report.termination, TerminationReason::User(_)));
    assert!(matches!(found.take_failure(), Some(Failure::Nothing)));
}

#[test]
fn a_residual_that_is_no_number_ends_the_fit() {
    let residuals = Residuals::new(|p| [p[0].sqrt(), 1.0], |p| [0.5 / p[0].sqrt(), 0.0]);
    let (found, report) = LevenbergMarquardt::new().minimize(residuals.starting_at([-1.0]));
    assert!(matches!(report.termination, TerminationReason::User(_)));
    let failure = found.take_failure().expect("a failure");
    assert_eq!(failure.to_string(), "number 0 of the residuals is NaN");
}
