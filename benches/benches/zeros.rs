//! What it costs to test all bars for 0 (`no(unguarded)`), where a value that is infinite or NaN makes the function so:
//! `cargo bench -p backsweep-benches --bench zeros`.

use backsweep_benches::kernels::{
    distance, distance_tested, logistic, logistic_tested, pendulum, pendulum_tested, rosenbrock,
    rosenbrock_tested,
};
use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn numbers(len: usize, seed: u64) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.f64() - 0.5).collect()
}

/// Measures a kernel with and without tests on the same arguments.
macro_rules! contest {
    ($criterion:ident, $group:literal, $name:ident, $tested:ident, ($($arg:expr),*), ($($full:expr),*)) => {
        side_by_side(
            $criterion,
            $group,
            &mut [
                ("primal", &mut || {
                    black_box($name($($arg),*));
                }),
                ("adjoint", &mut || {
                    black_box($name::adjoint($($full),*));
                }),
                ("tested", &mut || {
                    black_box($tested::adjoint($($full),*));
                }),
            ],
        );
    };
}

fn zeros(criterion: &mut Criterion) {
    let (x, y) = (numbers(1000, 1), numbers(1000, 2));
    let bars = || std::cell::RefCell::new(vec![0.0; 1000]);
    let (x_b, y_b) = (bars(), bars());
    contest!(
        criterion,
        "zeros/rosenbrock",
        rosenbrock,
        rosenbrock_tested,
        (&x),
        (black_box(&x), black_box(&mut x_b.borrow_mut()), black_box(1.0))
    );
    contest!(
        criterion,
        "zeros/distance",
        distance,
        distance_tested,
        (&x, &y),
        (
            black_box(&x),
            black_box(&mut x_b.borrow_mut()),
            black_box(&y),
            black_box(&mut y_b.borrow_mut()),
            black_box(1.0)
        )
    );
    let (features, labels) = (numbers(20_000, 2), vec![1.0; 1000]);
    let (weights, weights_b) = (numbers(20, 1), std::cell::RefCell::new(vec![0.0; 20]));
    contest!(
        criterion,
        "zeros/logistic",
        logistic,
        logistic_tested,
        (&weights, &features, &labels, 0.1),
        (
            black_box(&weights),
            black_box(&mut weights_b.borrow_mut()),
            black_box(&features),
            &labels,
            0.1,
            black_box(1.0)
        )
    );
    contest!(
        criterion,
        "zeros/pendulum",
        pendulum,
        pendulum_tested,
        (0.3, 0.1, 0.05, 0.01, 1000),
        (
            black_box(0.3),
            &mut 0.0,
            black_box(0.1),
            &mut 0.0,
            black_box(0.05),
            &mut 0.0,
            0.01,
            1000,
            black_box(1.0)
        )
    );
}

criterion_group!(benches, zeros);
criterion_main!(benches);
