//! Small kernels: primal, generated adjoints, adjoint by hand.
//! `cargo bench -p backsweep-benches --bench kernels [-- name]`.

use backsweep_benches::measure::side_by_side;
use backsweep_benches::{by_hand, kernels};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Measures the four versions of a kernel, each on buffers of its own. They are opaque to the
/// compiler before and after each call.
fn contest<B: Clone>(
    criterion: &mut Criterion,
    group: &str,
    buffers: B,
    versions: [fn(&mut B); 4],
) {
    let [mut primal, mut adjoint, mut only, mut by_hand] = versions.map(|version| {
        let mut buffers = buffers.clone();
        move || version(black_box(&mut buffers))
    });
    side_by_side(
        criterion,
        group,
        &mut [
            ("primal", &mut primal),
            ("adjoint", &mut adjoint),
            ("adjoint_only", &mut only),
            ("by hand", &mut by_hand),
        ],
    );
}

fn numbers(len: usize, seed: u64) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.f64() - 0.5).collect()
}

fn rosenbrock(criterion: &mut Criterion) {
    let buffers = (numbers(1000, 1), vec![0.0; 1000], 0.0);
    contest(
        criterion,
        "rosenbrock 1000",
        buffers,
        [
            |(x, _, value)| *value = kernels::rosenbrock(x),
            |(x, x_b, value)| *value = kernels::rosenbrock::adjoint(x, x_b, 1.0),
            |(x, x_b, _)| kernels::rosenbrock::adjoint_only(x, x_b, 1.0),
            |(x, x_b, value)| *value = by_hand::rosenbrock(x, x_b, 1.0),
        ],
    );
}

fn norm(criterion: &mut Criterion) {
    let buffers = (numbers(1000, 1), vec![0.0; 1000], 0.0);
    contest(
        criterion,
        "norm 1000",
        buffers,
        [
            |(x, _, value)| *value = kernels::norm(x),
            |(x, x_b, value)| *value = kernels::norm::adjoint(x, x_b, 1.0),
            |(x, x_b, _)| kernels::norm::adjoint_only(x, x_b, 1.0),
            |(x, x_b, value)| *value = by_hand::norm(x, x_b, 1.0),
        ],
    );
}

fn dot(criterion: &mut Criterion) {
    let vectors = [numbers(1000, 1), numbers(1000, 2), vec![0.0; 1000], vec![0.0; 1000]];
    contest(
        criterion,
        "dot 1000",
        (vectors, 0.0),
        [
            |([x, y, ..], value)| *value = kernels::dot(x, y),
            |([x, y, x_b, y_b], value)| *value = kernels::dot::adjoint(x, x_b, y, y_b, 1.0),
            |([x, y, x_b, y_b], _)| kernels::dot::adjoint_only(x, x_b, y, y_b, 1.0),
            |([x, y, x_b, y_b], value)| *value = by_hand::dot(x, x_b, y, y_b, 1.0),
        ],
    );
}

fn distance(criterion: &mut Criterion) {
    let vectors = [numbers(10_000, 1), numbers(10_000, 2), vec![0.0; 10_000], vec![0.0; 10_000]];
    contest(
        criterion,
        "distance 10000",
        (vectors, 0.0),
        [
            |([x, y, ..], value)| *value = kernels::distance(x, y),
            |([x, y, x_b, y_b], value)| *value = kernels::distance::adjoint(x, x_b, y, y_b, 1.0),
            |([x, y, x_b, y_b], _)| kernels::distance::adjoint_only(x, x_b, y, y_b, 1.0),
            |([x, y, x_b, y_b], value)| *value = by_hand::distance(x, x_b, y, y_b, 1.0),
        ],
    );
}

fn logistic(criterion: &mut Criterion) {
    let labels = numbers(1000, 1).into_iter().map(|x| if x > 0.0 { 1.0 } else { 0.0 }).collect();
    let vectors = [numbers(20, 2), vec![0.0; 20], numbers(20_000, 3), labels];
    contest(
        criterion,
        "logistic 1000x20",
        (vectors, 0.0),
        [
            |([w, _, f, l], value)| *value = kernels::logistic(w, f, l, 0.1),
            |([w, w_b, f, l], value)| *value = kernels::logistic::adjoint(w, w_b, f, l, 0.1, 1.0),
            |([w, w_b, f, l], _)| kernels::logistic::adjoint_only(w, w_b, f, l, 0.1, 1.0),
            |([w, w_b, f, l], value)| *value = by_hand::logistic(w, w_b, f, l, 0.1, 1.0),
        ],
    );
}

fn matrix_vector(criterion: &mut Criterion) {
    let n = 200;
    let zeros = vec![0.0; n];
    let matrix = (numbers(n * n, 1), vec![0.0; n * n]);
    let vectors = [numbers(n, 2), zeros.clone(), zeros.clone(), zeros];
    contest(
        criterion,
        "matrix_vector 200",
        (matrix, vectors),
        [
            |((a, _), [x, _, y, _])| kernels::matrix_vector(a, x, y),
            |((a, a_b), [x, x_b, y, y_b])| {
                y_b.fill(1.0);
                kernels::matrix_vector::adjoint(a, a_b, x, x_b, y, y_b);
            },
            |((a, a_b), [x, x_b, y, y_b])| {
                y_b.fill(1.0);
                kernels::matrix_vector::adjoint_only(a, a_b, x, x_b, y, y_b);
            },
            |((a, a_b), [x, x_b, y, y_b])| {
                y_b.fill(1.0);
                by_hand::matrix_vector(a, a_b, x, x_b, y, y_b);
            },
        ],
    );
}

fn thomas(criterion: &mut Criterion) {
    let n = 1000;
    let zeros = || vec![0.0; n];
    let matrix = [numbers(n, 1), vec![3.0; n], numbers(n, 2)];
    let vectors = [numbers(n, 3), zeros(), zeros()];
    let bars = [zeros(), zeros(), zeros(), zeros()];
    contest(
        criterion,
        "thomas 1000",
        (matrix, vectors, bars),
        [
            |([l, d, u], [right, x, work], _)| {
                x.copy_from_slice(right);
                kernels::thomas(l, d, u, x, work);
            },
            |([l, d, u], [right, x, work], [l_b, d_b, u_b, x_b])| {
                x.copy_from_slice(right);
                x_b.fill(1.0);
                kernels::thomas::adjoint(l, l_b, d, d_b, u, u_b, x, x_b, work);
            },
            |([l, d, u], [right, x, work], [l_b, d_b, u_b, x_b])| {
                x.copy_from_slice(right);
                x_b.fill(1.0);
                kernels::thomas::adjoint_only(l, l_b, d, d_b, u, u_b, x, x_b, work);
            },
            |([l, d, u], [right, x, work], [l_b, d_b, u_b, x_b])| {
                x.copy_from_slice(right);
                x_b.fill(1.0);
                by_hand::thomas(l, l_b, d, d_b, u, u_b, x, x_b, work);
            },
        ],
    );
}

fn pendulum(criterion: &mut Criterion) {
    contest(
        criterion,
        "pendulum 1000 steps",
        ([1.0, 0.5, 0.1], [0.0; 3], 0.0),
        [
            |([a, v, d], _, value)| *value = kernels::pendulum(*a, *v, *d, 0.01, 1000),
            |([a, v, d], [a_b, v_b, d_b], value)| {
                *value = kernels::pendulum::adjoint(*a, a_b, *v, v_b, *d, d_b, 0.01, 1000, 1.0);
            },
            |([a, v, d], [a_b, v_b, d_b], _)| {
                kernels::pendulum::adjoint_only(*a, a_b, *v, v_b, *d, d_b, 0.01, 1000, 1.0);
            },
            |([a, v, d], [a_b, v_b, d_b], value)| {
                *value = by_hand::pendulum(*a, a_b, *v, v_b, *d, d_b, 0.01, 1000, 1.0);
            },
        ],
    );
}

fn diffusion(criterion: &mut Criterion) {
    let n = 100;
    contest(
        criterion,
        "diffusion 100x100",
        ([numbers(n, 1), vec![0.0; n], vec![0.0; n]], 0.1, 0.0),
        [
            |([start, u, _], rate, _)| {
                u.copy_from_slice(start);
                kernels::diffusion(u, *rate, STEPS);
            },
            |([start, u, u_b], rate, rate_b)| {
                u.copy_from_slice(start);
                u_b.fill(1.0);
                kernels::diffusion::adjoint(u, u_b, *rate, rate_b, STEPS);
            },
            |([start, u, u_b], rate, rate_b)| {
                u.copy_from_slice(start);
                u_b.fill(1.0);
                kernels::diffusion::adjoint_only(u, u_b, *rate, rate_b, STEPS);
            },
            |([start, u, u_b], rate, rate_b)| {
                u.copy_from_slice(start);
                u_b.fill(1.0);
                by_hand::diffusion(u, u_b, *rate, rate_b, STEPS);
            },
        ],
    );
}

const STEPS: usize = 100;

criterion_group!(
    benches,
    rosenbrock,
    norm,
    dot,
    distance,
    logistic,
    matrix_vector,
    thomas,
    pendulum,
    diffusion
);
criterion_main!(benches);
