//! What is allocated: a test of its own, since it counts with a global allocator.

use allocation_counter::measure;
use backsweep::{Stack, adjoint};
use strict::{energy, square_all};

/// Stores in every iteration, and calls.
#[adjoint(independents(x))]
fn recurrence(x: &[f64], steps: usize) -> f64 {
    let mut state = [1.0, 0.5];
    for step in 0..steps {
        let i = step % x.len();
        state = [state[1] * x[i].sin(), state[0] + gate(state[1])];
        if state[0] > 100.0 {
            return state[0] * state[1];
        }
    }
    state[0] * state[1]
}

/// A callee that stores on its own.
#[adjoint]
fn gate(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y = (y * y + x).tanh();
    }
    y
}

/// Whether a computation allocates nothing, after it has run once.
fn is_free_of_allocations(mut run: impl FnMut()) -> bool {
    run();
    let again = measure(&mut run);
    again.count_total == 0
}

#[test]
fn the_measure_can_fail() {
    assert!(!is_free_of_allocations(|| drop(std::hint::black_box(vec![1.0; 10]))));
    assert!(!is_free_of_allocations(|| drop(energy::gradient(&[1.0, 2.0], 1.0))));
}

#[test]
fn gradient_into_allocates_nothing_in_steady_state() {
    let x = [0.3, -0.7, 1.1];
    let mut x_g = [0.0; 3];
    assert!(is_free_of_allocations(|| {
        energy::gradient_into(&x, &mut x_g, 2.0);
    }));
    assert!(is_free_of_allocations(|| {
        recurrence::gradient_into(&x, &mut x_g, 500);
    }));
}

#[test]
fn a_smaller_problem_after_a_larger_one_allocates_nothing() {
    let x = [0.3, -0.7, 1.1];
    let mut x_g = [0.0; 3];
    recurrence::gradient_into(&x, &mut x_g, 500);
    let smaller = measure(|| {
        recurrence::gradient_into(&x[..2], &mut x_g[..2], 100);
    });
    assert_eq!(smaller.count_total, 0);
}

#[test]
fn adjoint_and_split_allocate_nothing_on_a_used_stack() {
    let x = [0.3, -0.7, 1.1];
    let (mut x_b, mut stack) = ([0.0; 3], Stack::new());
    assert!(is_free_of_allocations(|| {
        recurrence::adjoint_with(&mut stack, &x, &mut x_b, 500, 1.0);
    }));
    assert!(is_free_of_allocations(|| {
        recurrence::forward(&mut stack, &x, 500);
        recurrence::backward(&mut stack, &x, &mut x_b, 500, 1.0);
    }));
    let (mut y, mut y_b, mut factor_b) = (x, [1.0; 3], 0.0);
    assert!(is_free_of_allocations(|| {
        square_all::adjoint_with(&mut stack, 0.5, &mut factor_b, &mut y, &mut y_b);
    }));
}
