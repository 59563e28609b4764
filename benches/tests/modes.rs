//! The three shapes of user-driven checkpointing, in counted bytes and iterations.

use backsweep::Stack;
use backsweep_benches::modes::{Probe, default, joint, runs, split};

/// What a gradient costs.
#[derive(Debug, PartialEq, Eq)]
struct Cost {
    /// The bytes pushed.
    pushed: u64,
    /// The most bytes on the stack at once.
    peak: usize,
    /// The iterations of the inner loops, which do nearly all of the work; those of backward sweeps do not count.
    runs: u64,
}

/// The cost of a gradient, and the gradient.
fn cost<G>(gradient: impl FnOnce(&mut Stack) -> G) -> (Cost, G) {
    let mut stack = Stack::recording();
    runs();
    let gradient = gradient(&mut stack);
    let report = stack.report();
    let pushed = report.pushed.expect("it is recorded").bytes;
    (Cost { pushed, peak: report.peak_bytes, runs: runs() }, gradient)
}

/// The costs with calls split and joint; the gradient is the same, and the default is split.
macro_rules! costs {
    ($shape:ident($($arg:expr),*)) => {{
        let (split, gradient) = cost(|stack| split::$shape::gradient_with(stack, $($arg),*));
        let (joint, other) = cost(|stack| joint::$shape::gradient_with(stack, $($arg),*));
        let default = cost(|stack| default::$shape::gradient_with(stack, $($arg),*));
        assert_eq!(gradient, other);
        assert_eq!((&split, gradient), (&default.0, default.1));
        println!("{}: {split:?}, {joint:?}", stringify!($shape));
        (split, joint)
    }};
}

#[test]
fn where_the_stack_is_smaller_than_the_snapshot_split_calls_win_time_and_memory() {
    let (split, joint) = costs!(small_stack(&[0.5; 1000], 0.7, 20, &Probe));
    assert!(split.runs * 3 <= joint.runs * 2);
    // The list itself is moved to the backward sweep in both.
    let list = 1000 * size_of::<f64>();
    assert!((split.pushed - list as u64) * 50 < joint.pushed - list as u64);
    assert!((split.peak - list) * 50 < joint.peak - list);
}

#[test]
fn where_the_stack_is_much_larger_joint_calls_win_memory_and_split_ones_time() {
    let (split, joint) = costs!(large_stack(0.5, 1.1, 50, 1000, &Probe));
    assert_eq!(split.runs * 2, joint.runs);
    // What a split call keeps by value is stored, too.
    assert!(split.pushed <= joint.pushed + 50 * 16);
    assert!(joint.peak * 40 < split.peak);
}

#[test]
fn a_nest_of_joint_calls_is_an_order_of_magnitude_slower() {
    let (split, joint) = costs!(nest(0.5, 1.1, 40, 500, &Probe));
    assert!(split.runs * 10 <= joint.runs);
    assert!(split.pushed <= joint.pushed + 40 * 64);
}
