//! What is measured is right: the generated adjoints agree with those written by hand.

use backsweep_benches::{by_hand, forest, kernels};

const TOLERANCE: f64 = 1e-10;

fn numbers(len: usize, seed: u64) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.f64() - 0.5).collect()
}

#[track_caller]
fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let size = a.iter().chain(b).fold(1.0, |size: f64, value| size.max(value.abs()));
    for (position, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= TOLERANCE * size, "at {position}: {a} and {b}");
    }
}

#[test]
fn rosenbrock() {
    let x = numbers(30, 1);
    let (mut ours, mut theirs) = (numbers(30, 2), numbers(30, 2));
    let value = kernels::rosenbrock::adjoint(&x, &mut ours, 0.7);
    assert_close(&[value], &[by_hand::rosenbrock(&x, &mut theirs, 0.7)]);
    assert_close(&ours, &theirs);
}

#[test]
fn norm() {
    let x = numbers(30, 1);
    let (mut ours, mut theirs) = (numbers(30, 2), numbers(30, 2));
    let value = kernels::norm::adjoint(&x, &mut ours, 0.7);
    assert_close(&[value], &[by_hand::norm(&x, &mut theirs, 0.7)]);
    assert_close(&ours, &theirs);
}

#[test]
fn dot() {
    let (x, y) = (numbers(30, 1), numbers(30, 2));
    let [mut x_ours, mut x_theirs, mut y_ours, mut y_theirs] = [3, 3, 4, 4].map(|s| numbers(30, s));
    let value = kernels::dot::adjoint(&x, &mut x_ours, &y, &mut y_ours, 0.7);
    assert_close(&[value], &[by_hand::dot(&x, &mut x_theirs, &y, &mut y_theirs, 0.7)]);
    assert_close(&x_ours, &x_theirs);
    assert_close(&y_ours, &y_theirs);
}

#[test]
fn distance() {
    let (x, y) = (numbers(30, 1), numbers(30, 2));
    let [mut x_ours, mut x_theirs, mut y_ours, mut y_theirs] = [3, 3, 4, 4].map(|s| numbers(30, s));
    let value = kernels::distance::adjoint(&x, &mut x_ours, &y, &mut y_ours, 0.7);
    let by_hand = by_hand::distance(&x, &mut x_theirs, &y, &mut y_theirs, 0.7);
    assert_close(&[value], &[by_hand]);
    assert_close(&x_ours, &x_theirs);
    assert_close(&y_ours, &y_theirs);
}

#[test]
fn logistic() {
    let (weights, features, labels) = (numbers(3, 1), numbers(15, 2), [1.0, 0.0, 0.0, 1.0, 1.0]);
    let (mut ours, mut theirs) = (numbers(3, 3), numbers(3, 3));
    let value = kernels::logistic::adjoint(&weights, &mut ours, &features, &labels, 0.1, 0.7);
    let by_hand = by_hand::logistic(&weights, &mut theirs, &features, &labels, 0.1, 0.7);
    assert_close(&[value], &[by_hand]);
    assert_close(&ours, &theirs);
}

#[test]
fn matrix_vector() {
    type Entry = fn(&[f64], &mut [f64], &[f64], &mut [f64], &mut [f64], &mut [f64]);
    let run = |entry: Entry| {
        let (mut matrix_b, mut x_b, mut y_b) = (numbers(12, 3), numbers(4, 4), numbers(3, 5));
        let mut y = [0.0; 3];
        let (matrix, x) = (numbers(12, 1), numbers(4, 2));
        entry(&matrix, &mut matrix_b, &x, &mut x_b, &mut y, &mut y_b);
        [matrix_b, x_b, y_b, y.to_vec()].concat()
    };
    assert_close(&run(kernels::matrix_vector::adjoint), &run(by_hand::matrix_vector));
}

#[test]
fn thomas() {
    type Entry = fn(
        &[f64],
        &mut [f64],
        &[f64],
        &mut [f64],
        &[f64],
        &mut [f64],
        &mut [f64],
        &mut [f64],
        &mut [f64],
    );
    let run = |entry: Entry| {
        let [lower, upper, mut x] = [1, 2, 3].map(|seed| numbers(9, seed));
        let [mut lower_b, mut diagonal_b, mut upper_b, mut x_b] =
            [4, 5, 6, 7].map(|s| numbers(9, s));
        let (diagonal, mut work) = (vec![3.0; 9], vec![0.0; 9]);
        entry(
            &lower,
            &mut lower_b,
            &diagonal,
            &mut diagonal_b,
            &upper,
            &mut upper_b,
            &mut x,
            &mut x_b,
            &mut work,
        );
        [lower_b, diagonal_b, upper_b, x_b, x].concat()
    };
    assert_close(&run(kernels::thomas::adjoint), &run(by_hand::thomas));
}

#[test]
fn pendulum() {
    type Entry = fn(f64, &mut f64, f64, &mut f64, f64, &mut f64, f64, usize, f64) -> f64;
    let run = |entry: Entry| {
        let [mut angle_b, mut speed_b, mut damping_b] = [0.1, 0.2, 0.3];
        let value = entry(1.0, &mut angle_b, 0.5, &mut speed_b, 0.1, &mut damping_b, 0.05, 40, 0.7);
        [value, angle_b, speed_b, damping_b]
    };
    assert_close(&run(kernels::pendulum::adjoint), &run(by_hand::pendulum));
}

#[test]
fn diffusion() {
    type Entry = fn(&mut [f64], &mut [f64], f64, &mut f64, usize);
    let run = |entry: Entry| {
        let (mut u, mut u_b, mut rate_b) = (numbers(8, 1), numbers(8, 2), 0.3);
        entry(&mut u, &mut u_b, 0.1, &mut rate_b, 5);
        [u, u_b, vec![rate_b]].concat()
    };
    assert_close(&run(kernels::diffusion::adjoint), &run(by_hand::diffusion));
}

/// Nobody writes the adjoint of the forest by hand: a difference quotient has to do.
#[test]
fn forest() {
    let (mut diameter, mut density) = (vec![12.0, 18.0, 25.0, 31.0], vec![4.0, 3.0, 2.0, 1.0]);
    let (weather, rates) = ([0.5, 0.2, 0.95, 0.6, 0.7], [0.06, 55.0, 0.01, 3e-4, 2.0, 0.03]);
    let worth = |step: f64| {
        let (mut diameter, mut density) = (diameter.clone(), density.clone());
        for value in diameter.iter_mut().chain(&mut density) {
            *value *= 1.0 + step;
        }
        let rates = rates.map(|rate| rate * (1.0 + step));
        forest::forest(&mut diameter, &mut density, &weather, &rates, 0.3 * (1.0 + step), 12)
    };
    let step = 1e-6;
    let quotient = (worth(step) - worth(-step)) / (2.0 * step);
    let (initial_diameter, initial_density) = (diameter.clone(), density.clone());
    let (_, (diameter_g, density_g, rates_g, thinning_g)) =
        forest::forest::gradient(&mut diameter, &mut density, &weather, &rates, 0.3, 12);
    let along = |gradient: &[f64], at: &[f64]| -> f64 {
        gradient.iter().zip(at).map(|(slope, value)| slope * value).sum()
    };
    let derivative = along(&diameter_g, &initial_diameter)
        + along(&density_g, &initial_density)
        + along(&rates_g, &rates)
        + 0.3 * thinning_g;
    assert!((derivative - quotient).abs() <= 1e-6 * quotient.abs(), "{derivative} {quotient}");
}
