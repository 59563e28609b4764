//! Loops with `#[independent]`: their derivatives are those of ordinary loops, and nothing is stored from one iteration to the next.

use backsweep::{Stack, adjoint};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{found} {expected}");
    }
}

const X: [f64; 5] = [0.3, -0.8, 1.4, 0.6, -0.2];

/// Long iterations, their results, and a sum.
#[adjoint(independents(x, rate), dependents(return, results))]
fn ordinary(x: &[f64], rate: f64, rounds: usize, results: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let mut z = x[i] * results[i];
        for _ in 0..rounds {
            z = (rate * z + x[i]).sin() * z + 0.1;
            sum += 0.01 * z;
        }
        results[i] = z * z;
        if z > 0.2 {
            sum -= z * rate;
        }
    }
    sum
}

#[adjoint(independents(x, rate), dependents(return, results))]
fn independently(x: &[f64], rate: f64, rounds: usize, results: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    #[independent]
    for i in 0..x.len() {
        let mut z = x[i] * results[i];
        for _ in 0..rounds {
            z = (rate * z + x[i]).sin() * z + 0.1;
            sum += 0.01 * z;
        }
        results[i] = z * z;
        if z > 0.2 {
            sum -= z * rate;
        }
    }
    sum
}

#[test]
fn derivatives_are_those_of_ordinary_loops() {
    for rounds in [0, 1, 7] {
        let (mut results, mut expected_results) = ([0.5; 5], [0.5; 5]);
        let (mut results_b, mut expected_results_b) =
            ([0.3, 1.0, -0.5, 0.0, 2.0], [0.3, 1.0, -0.5, 0.0, 2.0]);
        let (mut x_b, mut rate_b) = ([0.0; 5], 0.0);
        let (mut expected_x, mut expected_rate) = ([0.0; 5], 0.0);
        let value = independently::adjoint(
            &X,
            &mut x_b,
            0.9,
            &mut rate_b,
            rounds,
            &mut results,
            &mut results_b,
            1.5,
        );
        let expected = ordinary::adjoint(
            &X,
            &mut expected_x,
            0.9,
            &mut expected_rate,
            rounds,
            &mut expected_results,
            &mut expected_results_b,
            1.5,
        );
        assert_eq!((value, results), (expected, expected_results));
        assert_near(&x_b, &expected_x);
        assert_near(&results_b, &expected_results_b);
        assert_near(&[rate_b], &[expected_rate]);
    }
}

#[test]
fn one_iteration_is_on_the_stack() {
    let peak = |times: usize, adjoint: fn(&mut Stack, &[f64], f64, usize, &mut [f64])| {
        let x = vec![0.4; times];
        let mut stack = Stack::recording();
        adjoint(&mut stack, &x, 0.9, 20, &mut vec![0.5; times]);
        stack.report().peak_bytes
    };
    let independent = |times| {
        peak(times, |stack, x, rate, rounds, results| {
            let (mut x_b, mut results_b) = (vec![0.0; x.len()], vec![0.0; x.len()]);
            independently::adjoint_with(
                stack,
                x,
                &mut x_b,
                rate,
                &mut 0.0,
                rounds,
                results,
                &mut results_b,
                1.0,
            );
        })
    };
    let stored = peak(100, |stack, x, rate, rounds, results| {
        let (mut x_b, mut results_b) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        ordinary::adjoint_with(
            stack,
            x,
            &mut x_b,
            rate,
            &mut 0.0,
            rounds,
            results,
            &mut results_b,
            1.0,
        );
    });
    // Besides there are the state before the loop, and the copy that an iteration keeps of the list it writes to.
    let iteration = |times: usize| independent(times) - 2 * 8 * times;
    assert_eq!(iteration(100), iteration(10));
    assert!(20 * iteration(100) < stored, "{} bytes of {stored}", iteration(100));
}

/// Iterations add to the same elements, count, and leave what the last one has computed.
#[adjoint(independents(x), dependents(return))]
fn histogram(x: &[f64], bins: &[usize]) -> f64 {
    let mut weights = vec![0.0; 3];
    let mut last = 0.0;
    let mut count: usize = 0;
    #[independent]
    for i in 0..x.len() {
        last = x[i] * x[i];
        weights[bins[i]] += last * x[i].cos();
        count += 1;
    }
    let mut s = last * (count as f64);
    for weight in &weights {
        s += weight * weight;
    }
    s
}

#[test]
fn sums_of_elements_and_what_each_iteration_writes() {
    let bins = [0, 2, 0, 1, 2];
    let (value, gradient) = histogram::gradient(&X, &bins);
    assert_eq!(value, histogram(&X, &bins));
    for k in 0..X.len() {
        let shifted = |by: f64| {
            let mut x = X;
            x[k] += by;
            histogram(&x, &bins)
        };
        let difference = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        assert!((gradient[k] - difference).abs() < 1e-8, "{} {difference}", gradient[k]);
    }
}

/// A loop in a loop, both lists being exchanged.
#[adjoint(independents(start), dependents(return))]
fn waves(start: &[f64], steps: usize) -> f64 {
    let mut u = start.to_vec();
    let mut next = start.to_vec();
    for _ in 0..steps {
        #[independent]
        for k in 0..u.len() {
            let left = u[(k + u.len() - 1) % u.len()];
            next[k] = u[k] - 0.1 * u[k] * (u[k] - left);
        }
        std::mem::swap(&mut u, &mut next);
    }
    u[0] * u[1]
}

#[test]
fn loops_in_time_steps() {
    let (value, gradient) = waves::gradient(&X, 6);
    assert_eq!(value, waves(&X, 6));
    for k in 0..X.len() {
        let shifted = |by: f64| {
            let mut x = X;
            x[k] += by;
            waves(&x, 6)
        };
        let difference = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        assert!((gradient[k] - difference).abs() < 1e-8, "{} {difference}", gradient[k]);
    }
}

/// Each iteration reads what the one before has written.
#[adjoint(independents(x), dependents(return))]
fn smoothed(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    #[independent]
    for k in 1..u.len() {
        u[k] += 0.5 * u[k - 1] * u[k];
    }
    u[u.len() - 1]
}

/// Each iteration reads what the next one overwrites.
#[adjoint(independents(x), dependents(return))]
fn shifted(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    #[independent]
    for k in 1..u.len() {
        u[k - 1] = x[k] * u[k];
    }
    u[0]
}

/// What depends on other iterations is in another list than what it depends on.
#[adjoint(independents(x), dependents(return))]
fn beside(x: &[f64]) -> f64 {
    let mut u = vec![0.0; x.len()];
    let mut next = vec![0.0; x.len()];
    #[independent]
    for i in 1..x.len() {
        u[i] = x[i] * x[i];
        next[i] = u[i - 1] * u[i - 1];
    }
    next[x.len() - 1]
}

#[test]
fn iterations_that_depend_on_each_other_are_found_out() {
    for (name, gradient) in [
        ("smoothed", smoothed::gradient as fn(&[f64]) -> (f64, Vec<f64>)),
        ("shifted", shifted::gradient),
        ("beside", beside::gradient),
    ] {
        let attempt = || gradient(&X);
        let panic = catch_unwind(AssertUnwindSafe(attempt)).expect_err("they depend");
        let text = panic.downcast_ref::<String>().expect("it says why");
        let expected = format!("the iterations of loop 1 in `{name}` are not independent");
        assert!(text.contains(&expected), "{text}");
    }
}
