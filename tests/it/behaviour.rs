//! What the entries promise besides the right numbers.

use backsweep::{Stack, adjoint};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use strict::{composed, energy, square_all};

/// The message of a panic.
fn panic_of(run: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().expect("a message")).to_owned(),
    }
}

/// `y += x₀²`.
#[adjoint]
fn accumulate(x: &[f64], y: &mut f64) {
    *y += x[0] * x[0];
}

/// The root of a sum: its partial is infinite at 0.
#[adjoint]
fn root_of_sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for &v in x {
        sum += v;
    }
    sum.sqrt()
}

/// Reads an element that may not be there, after some that are.
#[adjoint(independents(x))]
#[allow(clippy::needless_range_loop)] // it is to panic
fn product_until(x: &[f64], n: usize) -> f64 {
    let mut product = 1.0_f64;
    for i in 0..n {
        product = product.sin() * x[i] + x[i];
    }
    product
}

/// The test at the beginning of the loop subtracts with overflow where the loop never comes to it.
#[adjoint(independents(x))]
fn tests_within(x: f64, n: usize, m: usize) -> f64 {
    let mut y = x;
    for i in 0..m {
        if n - 1 == 0 {
            break;
        }
        y = y.sin() * x + i as f64;
    }
    y
}

#[test]
fn tests_of_loops_are_not_made_before_them() {
    assert_eq!(tests_within::gradient(0.5, 0, 0), (0.5, 1.0));
    assert_eq!(tests_within::gradient(0.5, 1, 3), (0.5, 1.0));
    let (value, slope) = tests_within::gradient(0.5, 2, 1);
    assert_eq!(value, 0.5_f64.sin() * 0.5);
    assert_eq!(slope, 0.5_f64.cos() * 0.5 + 0.5_f64.sin());
}

#[test]
fn arguments_may_be_overwritten_between_the_sweeps() {
    let (x, start) = (0.7, [0.3, -1.2]);
    let (mut y, mut x_b, mut y_b) = (start, 0.0, [1.0, 2.0]);
    square_all::adjoint(x, &mut x_b, &mut y, &mut y_b);

    let mut stack = Stack::new();
    let (mut z, mut other_x_b, mut z_b) = (start, 0.0, [1.0, 2.0]);
    square_all::forward(&mut stack, x, &mut z);
    assert_eq!(z, y);
    z.fill(9.0);
    square_all::backward(&mut stack, x, &mut other_x_b, &mut z_b);
    assert_eq!((other_x_b, z_b), (x_b, y_b));
    assert_eq!(z, [9.0, 9.0]);
    assert!(stack.is_empty());
}

#[test]
fn backward_needs_its_forward() {
    let x = [0.7, 0.4];
    let mut x_b = [0.0; 2];
    let fresh = panic_of(|| energy::backward(&mut Stack::new(), &x, &mut x_b, 1.0, 1.0));
    assert!(fresh.contains("backward without its forward"), "{fresh}");

    let mut stack = Stack::new();
    root_of_sum::forward(&mut stack, &x);
    let other = panic_of(|| energy::backward(&mut stack, &x, &mut x_b, 1.0, 1.0));
    assert!(other.contains("backward without its forward"), "{other}");

    let mut stack = Stack::new();
    energy::forward(&mut stack, &x, 1.0);
    root_of_sum::forward(&mut stack, &x);
    let early = panic_of(|| energy::backward(&mut stack, &x, &mut x_b, 1.0, 1.0));
    assert!(early.contains("backward without its forward"), "{early}");
    assert_eq!(x_b, [0.0; 2]);
}

#[test]
fn sweeps_nest() {
    let (x, z) = ([0.7, 0.4], [0.2, 0.3]);
    let mut stack = Stack::new();
    let (mut x_b, mut z_b) = ([0.0; 2], [0.0; 2]);
    energy::forward(&mut stack, &x, 3.0);
    root_of_sum::forward(&mut stack, &z);
    root_of_sum::backward(&mut stack, &z, &mut z_b, 1.0);
    energy::backward(&mut stack, &x, &mut x_b, 3.0, 1.0);
    assert_eq!(x_b, energy::gradient(&x, 3.0).1[..]);
    assert_eq!(z_b, root_of_sum::gradient(&z).1[..]);
    assert!(stack.is_empty());
}

#[cfg(debug_assertions)]
#[test]
fn changed_inputs_are_noticed() {
    let mut x = [0.7, 0.4];
    let mut stack = Stack::new();
    energy::forward(&mut stack, &x, 1.0);
    x[1] = 0.5;
    let message = panic_of(|| energy::backward(&mut stack, &x, &mut [0.0; 2], 1.0, 1.0));
    assert!(message.contains("`x`"), "{message}");
}

#[test]
fn a_panic_leaves_the_stack_as_it_was() {
    let x = [0.7, 0.4];
    let expected = product_until::gradient(&x, 2);
    let mut stack = Stack::new();
    energy::forward(&mut stack, &x, 2.0);
    let mark = stack.mark();
    let mut x_b = [5.0; 2];
    let message = panic_of(|| {
        product_until::adjoint_with(&mut stack, &x, &mut x_b, 3, 1.0);
    });
    assert!(message.contains("out of bounds"), "{message}");
    assert_eq!(x_b, [5.0; 2]);
    assert_eq!(stack.mark(), mark);
    assert_eq!(product_until::gradient_with(&mut stack, &x, 2), expected);
    let mut earlier = [0.0; 2];
    energy::backward(&mut stack, &x, &mut earlier, 2.0, 1.0);
    assert_eq!(earlier, energy::gradient(&x, 2.0).1[..]);
    assert!(stack.is_empty());
    // The pool as well.
    panic_of(|| drop(product_until::gradient(&x, 3)));
    assert_eq!(product_until::gradient(&x, 2), expected);
}

#[test]
fn lengths_are_checked_at_entry() {
    let message = panic_of(|| {
        energy::adjoint(&[1.0, 2.0, 3.0], &mut [0.0; 2], 1.0, 1.0);
    });
    for part in ["x_b", "2", "3"] {
        assert!(message.contains(part), "`{message}` does not say {part}");
    }
    let message = panic_of(|| square_all::adjoint(1.0, &mut 0.0, &mut [1.0], &mut [1.0, 2.0]));
    assert!(message.contains("y_b"), "{message}");
}

#[test]
fn bars_accumulate_and_a_seed_of_zero_gives_nothing() {
    let x = [0.09, 0.16];
    let mut x_b = [0.0; 2];
    root_of_sum::adjoint(&x, &mut x_b, 1.0);
    let once = x_b;
    root_of_sum::adjoint(&x, &mut x_b, 1.0);
    assert_eq!(x_b, once.map(|bar| 2.0 * bar));

    let mut x_b = [0.0; 2];
    root_of_sum::adjoint(&[0.0, 0.0], &mut x_b, 0.0);
    assert_eq!(x_b, [0.0; 2]);
    root_of_sum::adjoint(&[0.0, 0.0], &mut x_b, 1.0);
    assert_eq!(x_b, [f64::INFINITY; 2]);
}

#[test]
fn calls_compose_by_hand() {
    let x = [0.7, 0.4, -0.2];
    let (mut y, mut y_b) = (0.5, 1.5);
    let mut stack = Stack::new();
    for chunk in x.chunks(1) {
        accumulate::forward(&mut stack, chunk, &mut y);
    }
    let mut x_b = [0.0; 3];
    for (chunk, bar) in x.chunks(1).zip(x_b.chunks_mut(1)).rev() {
        accumulate::backward(&mut stack, chunk, bar, &mut y_b);
    }
    assert_eq!(x_b, x.map(|v| 1.5 * 2.0 * v));
    assert_eq!(y_b, 1.5);
    assert!(stack.is_empty());
}

#[test]
fn nothing_to_do_is_done() {
    assert_eq!(energy::gradient(&[], 1.0), (0.0, vec![]));
    assert_eq!(root_of_sum::gradient(&[]).1, Vec::<f64>::new());
    assert_eq!(product_until::gradient(&[1.0, 2.0], 0), (1.0, vec![0.0, 0.0]));
    let (mut x_b, mut y_b) = (0.0, [0.0; 0]);
    square_all::adjoint(1.0, &mut x_b, &mut [], &mut y_b);
    assert_eq!(x_b, 0.0);
}

#[test]
fn shorter_lists_after_longer_ones() {
    let mut long = [9.0; 5];
    energy::gradient_into(&[1.0, 2.0, 3.0, 4.0, 5.0], &mut long, 1.0);
    assert_eq!(long, [2.0, 4.0, 6.0, 8.0, 10.0]);
    let mut short = [9.0; 2];
    energy::gradient_into(&[1.0, 2.0], &mut short, 1.0);
    assert_eq!(short, [2.0, 4.0]);
}

#[test]
fn another_crate_has_entries() {
    let x: f64 = 0.8;
    let (value, gradient) = composed::gradient(x);
    assert_eq!(value, composed(x));
    let helper = x.sin() * x + 1.0;
    let slope = x.cos() * x + x.sin();
    let expected = slope * 2.0 * x.powi(3) + helper * 6.0 * x * x;
    assert!((gradient - expected).abs() < 1e-14, "{gradient} {expected}");
}

static CALLS: AtomicU64 = AtomicU64::new(0);

/// Weights what it is given by how often it was called.
#[adjoint]
fn weight(x: f64) -> f64 {
    let calls = CALLS.fetch_add(1, Ordering::Relaxed) as f64;
    calls * x
}

#[adjoint]
fn weighted(x: f64) -> f64 {
    #[split]
    let y = weight(x);
    y * y + weight(x)
}

#[test]
fn a_split_call_runs_its_callee_once() {
    assert_eq!(weighted(1.0), 1.0);
    let (value, gradient) = weighted::gradient(1.0);
    assert_eq!((value, gradient), (2.0 * 2.0 + 3.0, 2.0 * 2.0 * 2.0 + 3.0));
    assert_eq!(CALLS.load(Ordering::Relaxed), 4);
}
