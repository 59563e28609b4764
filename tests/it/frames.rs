//! Loops whose iterations all store the same: room for all of it is asked for once.

use approx::assert_relative_eq;
use backsweep::adjoint;
use testkit::storage::bytes_between_sweeps;

/// Σ wᵢ exp(xᵢ), which is stored for the adjoints of both.
#[adjoint]
fn weighted(x: &[f64], w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += w[i] * x[i].exp();
    }
    sum * sum
}

/// Stores numbers and a truth value for each iteration.
#[adjoint]
fn running(x: &[f64], low: f64, state: &mut [f64; 2]) {
    for i in 2..x.len() {
        let kept = state[0].max(x[i] * low);
        state[1] = (state[1] * kept).sin();
        state[0] = kept.min(x[i - 1] + 1.0);
    }
}

/// A state is stored for the adjoint of the weights.
#[adjoint]
fn smoothed(x: &[f64], w: &[f64]) -> f64 {
    let (mut state, mut sum) = (0.0, 0.0);
    for i in 0..x.len() {
        state = 0.5 * state + x[i];
        sum += w[i] * state;
    }
    sum
}

#[adjoint(independents(x), dependents(return), no(inline))]
fn smoothed_values(x: &[f64], w: &[f64]) -> f64 {
    smoothed(x, w)
}

#[adjoint(independents(w), dependents(return), no(inline))]
fn smoothed_weights(x: &[f64], w: &[f64]) -> f64 {
    smoothed(x, w)
}

#[adjoint(independents(x), dependents(return), no(inline))]
fn only_values(x: &[f64], w: &[f64]) -> f64 {
    weighted(x, w)
}

#[adjoint(independents(w), dependents(return), no(inline))]
fn only_weights(x: &[f64], w: &[f64]) -> f64 {
    weighted(x, w)
}

#[adjoint(independents(x, low), dependents(return), no(inline))]
fn run(x: &[f64], low: f64) -> f64 {
    let mut state = [0.5, 0.8];
    running(x, low, &mut state);
    state[0] + state[1]
}

#[adjoint(independents(low), dependents(return), no(inline))]
fn run_from_below(x: &[f64], low: f64) -> f64 {
    run(x, low)
}

fn points(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.0 + 7.3 * i as f64).sin()).collect()
}

/// A slope by differences, of the fourth order.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

fn moved(x: &[f64], i: usize, by: f64) -> Vec<f64> {
    let mut x = x.to_vec();
    x[i] += by;
    x
}

#[test]
fn what_is_stored_in_some_instances_only_is_found_there() {
    let (x, w) = (points(7), points(8));
    let (value, (by_x, by_w)) = weighted::gradient(&x, &w);
    assert_eq!(value, weighted(&x, &w));
    assert_eq!(only_values::gradient(&x, &w), (value, by_x.clone()));
    assert_eq!(only_weights::gradient(&x, &w), (value, by_w.clone()));
    for i in 0..7 {
        assert_relative_eq!(
            by_x[i],
            slope(|h| weighted(&moved(&x, i, h), &w)),
            max_relative = 1e-9
        );
        assert_relative_eq!(
            by_w[i],
            slope(|h| weighted(&x, &moved(&w, i, h))),
            max_relative = 1e-9
        );
    }
    assert_eq!(by_w[7], 0.0);
}

#[test]
fn nothing_is_stored_for_instances_that_do_not_read_it() {
    let (x, w) = (points(500), points(500));
    let [by_values, by_weights] = [
        bytes_between_sweeps(|stack| {
            smoothed_values::forward(stack, &x, &w);
        }),
        bytes_between_sweeps(|stack| {
            smoothed_weights::forward(stack, &x, &w);
        }),
    ];
    // Beside what the entry stores for itself.
    assert!((500 * 8..=500 * 8 + 32).contains(&by_weights), "{by_weights}");
    assert!(by_values <= 32, "{by_values}");
    let (value, by_w) = smoothed_weights::gradient(&x, &w);
    assert_eq!(value, smoothed(&x, &w));
    assert_eq!(smoothed::gradient(&x, &w), (value, (smoothed_values::gradient(&x, &w).1, by_w)));
}

#[test]
fn truth_values_take_a_bit_beside_numbers() {
    let bytes = |n: usize| {
        let (x, low) = (points(n), 0.3);
        bytes_between_sweeps(|stack| {
            run::forward(stack, &x, low);
        })
    };
    // `state[1]` and `kept`, and the choice of the maximum.
    let (few, many) = (bytes(2 + 64), bytes(2 + 64 * 101));
    assert_eq!(many - few, 6400 * (8 + 8) + 6400 / 8);
}

#[test]
fn numbers_and_truth_values_of_loops_are_kept_side_by_side() {
    for n in [0, 1, 2, 3, 34, 35, 66, 67, 300] {
        let (x, low) = (points(n), 0.3);
        let (value, (by_x, by_low)) = run::gradient(&x, low);
        assert_eq!(value, run(&x, low));
        assert_eq!(run_from_below::gradient(&x, low), (value, by_low));
        assert_relative_eq!(
            by_low,
            slope(|h| run(&x, low + h)),
            max_relative = 1e-8,
            epsilon = 1e-11
        );
        for i in 0..n {
            let difference = slope(|h| run(&moved(&x, i, h), low));
            assert_relative_eq!(by_x[i], difference, max_relative = 1e-8, epsilon = 1e-11);
        }
    }
}
