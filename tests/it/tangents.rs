//! Tangents, where they are more than the primal with statements added. That they are the derivatives of ordinary functions the corpus and
//! random programs show.

use backsweep::{Differentiable, adjoint};
use num_traits::Float;
use std::panic::catch_unwind;

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
}

/// A loop that is left long before it has converged.
#[adjoint(independents(rate, start), dependents(return))]
fn early(rate: f64, start: f64) -> f64 {
    let mut x = start;
    let mut residual = 3.0 * start;
    #[fixed_point(tol = 1e-13)]
    loop {
        let next = rate * x + 1.0;
        if (next - x).abs() < 1e-3 {
            break;
        }
        residual = next * rate;
        x = next;
    }
    x * x + residual
}

#[test]
fn the_tangent_of_a_fixed_point_loop_is_that_of_the_solution() {
    // The second start is the solution: the loop ends in the course of its first iteration.
    for start in [0.9, 2.0] {
        let (value, (rate_b, start_b)) = early::gradient(0.5, start);
        let (along, slope) = early::tangent(0.5, 0.3, start, 0.7);
        assert_eq!(along.to_bits(), value.to_bits());
        assert_near(slope, 0.3 * rate_b + 0.7 * start_b);
    }
    // Three times the start, which no iteration has replaced, and x² at x = 1 / (1 - rate).
    assert_near(early::tangent(0.5, 1.0, 2.0, 0.0).1, 16.0);
    assert_near(early::tangent(0.5, 0.0, 2.0, 1.0).1, 3.0);
}

/// A checkpointed loop before a fixed-point loop, and an array as a state.
#[adjoint(independents(start, rate), dependents(return))]
fn with_checkpoints(start: f64, rate: f64, steps: usize) -> f64 {
    let mut t = start;
    #[checkpoint(snapshots = 3)]
    for _ in 0..steps {
        t = (t * rate).sin() + 1.0;
    }
    let mut x = [t, 0.0];
    #[fixed_point(tol = 1e-14)]
    while (x[0] - x[1]).abs() > 1e-6 {
        x[1] = x[0];
        x[0] = (0.3 * rate * x[1]).cos() + t;
    }
    x[0] * x[1]
}

#[test]
fn loops_of_several_kinds_have_tangents() {
    let (value, (start_b, rate_b)) = with_checkpoints::gradient(1.0, 0.2, 7);
    let (along, slope) = with_checkpoints::tangent(1.0, 0.3, 0.2, 0.7, 7);
    assert_eq!(along.to_bits(), value.to_bits());
    assert_near(slope, 0.3 * start_b + 0.7 * rate_b);
}

#[adjoint(independents(x), dependents(return))]
fn diverging(x: f64) -> f64 {
    let mut y = x;
    let mut rounds = 0;
    #[fixed_point(tol = 1e-12, max = 20)]
    while rounds < 10 {
        y = 1.5 * y - x;
        rounds += 1;
    }
    y
}

#[test]
fn a_tangent_that_does_not_converge_is_no_number() {
    let text = catch_unwind(|| diverging::tangent(1.0, 1.0)).expect_err("it does not converge");
    let text = text.downcast_ref::<String>().expect("a text");
    assert!(text.starts_with("the tangent of a fixed-point loop (loop 1 in `diverging`"), "{text}");
}

#[derive(Clone, Differentiable)]
struct Spring {
    rest: f64,
    stiffness: f64,
}

#[adjoint(independents(spring, x), dependents(return))]
fn stretched(mut spring: Spring, x: f64) -> f64 {
    spring.rest = x;
    spring.rest * spring.stiffness
}

#[adjoint(independents(list, x), dependents(return))]
fn replaced(mut list: Vec<f64>, x: f64) -> f64 {
    list[0] = x;
    list[0] * list[1]
}

#[adjoint(independents(x), dependents(return))]
fn of_constants(x: f64) -> f64 {
    stretched(Spring { rest: 1.0, stiffness: 3.0 }, x) + replaced(vec![1.0, 4.0], x)
}

#[test]
fn what_has_no_direction_has_none_when_it_is_changed() {
    assert_eq!(of_constants::tangent(2.0, 1.0), (14.0, 7.0));
}

#[adjoint]
fn exchanged(x: f64, list: &[f64]) -> f64 {
    let mut single = x;
    let mut copy = list.to_vec();
    std::mem::swap(&mut single, &mut copy[1]);
    let (left, right) = copy.split_at_mut(1);
    left.swap_with_slice(right);
    single * copy[0] * copy[0] * copy[1]
}

#[adjoint(independents(x), dependents(return))]
fn exchanged_with_constants(x: f64, z: f64) -> f64 {
    exchanged(x, &[1.0, z]) + exchanged(z, &[3.0, x])
}

#[test]
fn tangents_change_places() {
    let (value, slope) = exchanged_with_constants::gradient(0.5, 0.7);
    assert_eq!(exchanged_with_constants::tangent(0.5, 1.0, 0.7), (value, slope));
    assert_near(slope, 2.0 * 0.7 * 0.5 + 3.0 * 0.7 * 0.7);
}

#[adjoint(independents(x), dependents(return))]
fn generic<T: Float>(x: T, y: T) -> T {
    let mut sum = T::zero();
    for _ in 0..3 {
        let next = x * y + T::one();
        sum = sum + if next > T::zero() { next * x } else { T::zero() };
    }
    sum
}

#[test]
fn generic_functions_have_tangents_of_each_width() {
    assert_eq!(generic::tangent(0.5, 1.0, 2.0), (3.0, 9.0));
    assert_eq!(generic::tangent(0.5_f32, 1.0, 2.0), (3.0, 9.0));
}

#[test]
fn directions_have_the_length_of_the_value() {
    let text = catch_unwind(|| exchanged::tangent(1.0, 0.0, &[1.0, 2.0], &[1.0]));
    let text = text.expect_err("the lengths differ");
    let text = text.downcast_ref::<String>().expect("a text");
    assert!(text.contains("list_d"), "{text}");
}

#[adjoint(dependents(x), no(all))]
fn scaled_without_analyses(x: &mut [f64]) -> f64 {
    if x[0] > 0.001 {
        x[0] *= 2.0;
    }
    x[0] * x[1]
}

#[test]
fn a_result_that_is_no_dependent_has_no_tangent() {
    let (mut x, mut x_d) = ([3.0, 5.0], [1.0, 0.5]);
    let value: f64 = scaled_without_analyses::tangent(&mut x, &mut x_d);
    assert_eq!((value, x, x_d), (30.0, [6.0, 5.0], [2.0, 0.5]));
}
