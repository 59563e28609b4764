//! Densities sampled by nuts-rs.
#![cfg(feature = "nuts-rs")]

use backsweep::adjoint;
use backsweep_optim::{Density, Failure};
use nuts_rs::rand::{SeedableRng, rngs::SmallRng};
use nuts_rs::{Chain, CpuLogpFunc, CpuMath, DiagNutsSettings, LogpError, Settings};
use std::cell::Cell;
use std::rc::Rc;

/// Counts come from a Poisson distribution whose rate grows exponentially. Priors are standard normal distributions.
#[adjoint(independents(position))]
fn log_density(position: &[f64], times: &[f64], counts: &[f64]) -> f64 {
    let (a, b) = (position[0], position[1]);
    let mut sum = -0.5 * (a * a + b * b);
    for (t, count) in times.iter().zip(counts) {
        let log_rate = a + b * t;
        sum += count * log_rate - log_rate.exp();
    }
    sum
}

#[test]
fn the_growth_of_counts() {
    let times: Vec<f64> = (0..20).map(|k| 0.1 * k as f64).collect();
    let counts: Vec<f64> = times.iter().map(|t| (1.0 + 0.8 * t).exp().round()).collect();
    let density =
        Density::new(2, |x, gradient| log_density::gradient_into(x, gradient, &times, &counts));
    let settings = DiagNutsSettings { num_tune: 300, ..DiagNutsSettings::default() };
    let mut rng = SmallRng::seed_from_u64(1);
    let mut chain = settings.new_chain(0, CpuMath::new(density), &mut rng).expect("settings");
    chain.set_position(&[0.0, 0.0]).expect("the density is finite at the start");
    let draws: Vec<_> = (0..800).map(|_| chain.draw().expect("a draw").0).collect();
    let average = |k: usize| draws[300..].iter().map(|x| x[k]).sum::<f64>() / 500.0;
    assert!((average(0) - 1.0).abs() < 0.2 && (average(1) - 0.8).abs() < 0.2);
}

#[test]
fn an_error_ends_sampling_and_an_end_of_the_support_does_not() {
    // A density on x < 1, of which the sampler is told in three ways.
    let chain = |outside: fn(&mut [f64]) -> Result<f64, &'static str>| {
        let met = Rc::new(Cell::new(false));
        let seen = met.clone();
        let density = Density::new(1, move |x: &[f64], gradient: &mut [f64]| {
            gradient[0] = -x[0];
            if x[0] < 1.0 {
                return Ok(-0.5 * x[0] * x[0]);
            }
            seen.set(true);
            outside(gradient)
        });
        let settings = DiagNutsSettings { num_tune: 100, ..DiagNutsSettings::default() };
        let mut rng = SmallRng::seed_from_u64(3);
        let mut chain = settings.new_chain(0, CpuMath::new(density), &mut rng).expect("settings");
        chain.set_position(&[0.5]).expect("the density is finite at the start");
        let draws: Result<Vec<_>, _> =
            (0..200).map(|_| chain.draw().map(|draw| draw.0[0])).collect();
        assert!(met.get());
        draws
    };
    let nothing = chain(|_| Ok(f64::NEG_INFINITY)).expect("draws");
    assert!(nothing.iter().all(|&x| x < 1.0));
    let no_number = chain(|gradient| {
        gradient[0] = f64::NAN;
        Ok(0.0)
    });
    assert!(no_number.expect("draws").iter().all(|&x| x < 1.0));
    let error = chain(|_| Err("outside of the table")).expect_err("an error");
    assert!(format!("{error:#}{error:?}").contains("outside of the table"), "{error:?}");
}

#[test]
fn failures_say_whether_the_sampler_goes_on() {
    let mut density = Density::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = 1.0;
        (x[0] > 0.0).then_some(x[0])
    });
    let mut gradient = [0.0];
    assert_eq!(density.logp(&[2.0], &mut gradient).expect("a density"), 2.0);
    let failure = density.logp(&[-2.0], &mut gradient).expect_err("no density");
    assert!(failure.is_recoverable() && matches!(failure.failure(), Failure::Nothing));
    let mut density = density.going_on_after(|_| false);
    let failure = density.logp(&[f64::INFINITY], &mut gradient).expect_err("no density");
    assert!(!failure.is_recoverable() && matches!(failure.failure(), Failure::Value(_)));
}

#[test]
fn a_gradient_that_is_not_written_is_none() {
    let mut density = Density::new(2, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -x[0];
        -0.5 * (x[0] * x[0] + x[1] * x[1])
    });
    let failure = density.logp(&[1.0, 1.0], &mut [0.0; 2]).expect_err("half a gradient");
    assert_eq!(failure.to_string(), "number 1 of the gradient is NaN");
}
