//! Derivatives that are given, values whose derivative does not matter, and what stacks say of themselves.

use backsweep::linear::{cholesky, solve};
use backsweep::{Stack, adjoint};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[adjoint]
fn product(a: f64, b: f64) -> f64 {
    a * b
}

#[adjoint(partials(a: b, b: a))]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(s, t)| s * t).sum()
}

/// A matrix without structure.
fn matrix(n: usize) -> Vec<f64> {
    (0..n * n).map(|k| ((k * k + 3 * k) as f64).sin()).collect()
}

/// A symmetric positive definite matrix.
fn definite(n: usize) -> Vec<f64> {
    let a = matrix(n);
    let element = |k: usize| {
        let (i, j) = (k / n, k % n);
        let one = if i == j { 1.0 } else { 0.0 };
        one + dot(&a[i * n..(i + 1) * n], &a[j * n..(j + 1) * n])
    };
    (0..n * n).map(element).collect()
}

/// Compares a gradient with central differences.
fn compare(f: &dyn Fn(&[f64]) -> f64, x: &[f64], gradient: &[f64]) {
    let step = 1e-6;
    for i in 0..x.len() {
        let at = |change: f64| {
            let mut x = x.to_vec();
            x[i] += change;
            f(&x)
        };
        let difference = (at(step) - at(-step)) / (2.0 * step);
        let error = (difference - gradient[i]).abs();
        assert!(error < 1e-7 * (1.0 + difference.abs()), "{i}: {difference} {}", gradient[i]);
    }
}

#[adjoint]
fn through_solves(a: &[f64], b: &[f64]) -> f64 {
    let x = solve(a, b).unwrap();
    // The same matrix again, with a right-hand side that depends on the first solution.
    let y = solve(a, &x).unwrap();
    dot(&x, &y) + y[0]
}

#[test]
fn a_linear_solve_is_differentiated_by_another_one() {
    let (a, b) = (matrix(4), [0.3, -1.0, 2.0, 0.7]);
    let (value, (by_a, by_b)) = through_solves::gradient(&a, &b);
    assert_eq!(value, through_solves(&a, &b));
    compare(&|a| through_solves(a, &b), &a, &by_a);
    compare(&|b| through_solves(&a, b), &b, &by_b);
}

#[adjoint]
fn through_a_factor(a: &[f64], n: usize) -> f64 {
    let l = cholesky(a, n).unwrap();
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..=i {
            sum += l[i * n + j] * (i + 2 * j) as f64 + l[i * n + i].ln();
        }
    }
    sum
}

#[test]
fn a_cholesky_factor_is_differentiated_in_closed_form() {
    let a = definite(4);
    let (_, by_a) = through_a_factor::gradient(&a, 4);
    compare(&|a| through_a_factor(a, 4), &a, &by_a);
}

#[test]
fn what_fails_leaves_bars_alone() {
    let (mut a_b, mut b_b) = ([7.0; 4], [7.0; 2]);
    let singular = [1.0, 2.0, 2.0, 4.0];
    let value = solve::adjoint(&singular, &mut a_b, &[1.0, 1.0], &mut b_b, vec![1.0, 1.0]);
    assert_eq!((value, a_b, b_b), (None, [7.0; 4], [7.0; 2]));
    let value = cholesky::adjoint(&[-1.0], &mut [0.0], 1, vec![1.0]);
    assert_eq!(value, None);
}

#[adjoint(partials(a: vec![1.0; 2]))]
fn sum_of_two(a: &[f64]) -> f64 {
    a.iter().sum()
}

#[adjoint(partials(x: 1.0 / (2.0 * result)))]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[adjoint]
fn at_the_singularity(x: f64) -> f64 {
    x + 0.0 * root(x)
}

#[test]
fn partials_are_applied_as_those_of_the_library_are() {
    assert_eq!(sum_of_two::gradient(&[1.0, 2.0]), (3.0, vec![1.0, 1.0]));
    let panic = catch_unwind(|| sum_of_two::gradient(&[1.0, 2.0, 3.0])).expect_err("too few");
    let text = panic.downcast_ref::<String>().expect("it says why");
    assert_eq!(text, "there are 2 partials with respect to `a`, which has length 3");
    assert_eq!(at_the_singularity::gradient(0.0), (0.0, 1.0));
    assert_eq!(root::gradient(0.0).1, f64::INFINITY);
}

#[adjoint]
fn argument(x: f64) -> f64 {
    product(
        #[passive]
        x,
        x,
    )
}

#[adjoint]
fn reference(x: &[f64]) -> f64 {
    dot(
        #[passive]
        x,
        x,
    ) + dot(
        #[passive]
        &x[1..],
        &x[..1],
    )
}

#[adjoint]
fn receiver(x: f64) -> f64 {
    (#[passive]
    x)
        .sin()
        * x
}

#[adjoint]
fn elements(x: f64) -> f64 {
    let v = [
        x,
        #[passive]
        x,
    ];
    let p = (
        #[passive]
        x,
        x,
    );
    let mut w = vec![x];
    w.push(
        #[passive]
        x,
    );
    v[0] * v[1] * p.0 * p.1 * w[0] * w[1]
}

#[adjoint]
fn statements(x: f64) -> f64 {
    let mut s = x;
    s *= #[passive]
    x;
    #[passive]
    let t = x;
    #[passive]
    std::hint::black_box(x);
    if s < 0.0 {
        return #[passive]
        x;
    }
    s + t
}

#[adjoint]
fn parameter(x: f64, #[passive] p: f64) -> f64 {
    x * p
}

#[adjoint]
fn call(x: f64) -> f64 {
    let double = |t: f64| {
        (#[passive]
        t) * t
    };
    x * (#[passive]
    product(x, x))
        + double(x)
}

#[test]
fn passive_values_are_constants() {
    assert_eq!(argument::gradient(3.0), (9.0, 3.0));
    assert_eq!(reference::gradient(&[2.0, 3.0]), (19.0, vec![5.0, 3.0]));
    assert_eq!(receiver::gradient(3.0).1, 3.0_f64.sin());
    assert_eq!(elements::gradient(2.0), (64.0, 96.0));
    assert_eq!(statements::gradient(3.0), (12.0, 3.0));
    assert_eq!(parameter::gradient(3.0, 2.0), (6.0, 2.0));
    assert_eq!(call::gradient(3.0), (36.0, 12.0));
}

#[adjoint]
fn doubling(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = y.sin() * y;
    }
    y
}

#[test]
fn a_stack_reports_what_a_function_pushes() {
    let mut stack = Stack::recording();
    let expected = doubling::gradient(0.7, 100);
    assert_eq!(doubling::gradient_with(&mut stack, 0.7, 100), expected);
    let report = stack.report();
    let pushed = report.pushed.expect("it is recorded");
    assert_eq!((pushed.values, pushed.bytes, report.peak_bytes), (100, 800, 800));
    assert_eq!(report.by_kind.len(), 1);
    assert!(report.by_site.len() == 1 && report.by_site[0].0.contains("foreign.rs:"), "{report}");
    assert_eq!(doubling::gradient_with(&mut Stack::with_limit(800), 0.7, 100), expected);
    let mut small = Stack::with_limit(792);
    let too_much = catch_unwind(AssertUnwindSafe(|| doubling::gradient_with(&mut small, 0.7, 100)));
    let panic = too_much.expect_err("the limit is reached");
    let text = panic.downcast_ref::<String>().expect("it says why");
    assert!(text.contains("its limit of 792 bytes") && text.contains("foreign.rs:"), "{text}");
    assert!(small.is_empty());
}
