//! How much memory a stack says it holds: a test of its own, since it is compared with what a global allocator counts.

use allocation_counter::measure;
use backsweep::{Differentiable, Stack, adjoint};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A list of so many numbers takes so many bytes.
const LIST: usize = 8 * LEN;
const LEN: usize = 1000;

/// What a stack says, and what the allocator has counted meanwhile.
struct Peaks {
    said: usize,
    recorded: usize,
    measured: usize,
}

/// Runs sweeps on stacks of their own.
fn peaks(mut sweeps: impl FnMut(&mut Stack)) -> Peaks {
    let mut said = 0;
    let measured = measure(|| {
        let mut stack = Stack::new();
        sweeps(&mut stack);
        said = stack.peak_bytes();
        assert_eq!(stack.report().bytes, 0);
    });
    let mut recording = Stack::recording();
    sweeps(&mut recording);
    let recorded = recording.report().peak_bytes;
    Peaks { said, recorded, measured: measured.bytes_max as usize }
}

/// What is said is what is measured, but for so many bytes that the sweeps take for themselves: lists of the function, bars, and
/// a few words for each snapshot.
#[track_caller]
fn agree(peaks: &Peaks, own: usize) {
    let Peaks { said, recorded, measured } = peaks;
    assert_eq!(said, recorded, "said and recorded");
    assert!(said <= measured, "{said} bytes are said, and {measured} measured");
    assert!(measured <= &(said + own), "{said} bytes are said, and {measured} measured");
}

/// The largest limit that is too small, and the smallest that is enough, are one byte apart: words are counted by blocks.
#[track_caller]
fn limit_is(bytes: usize, mut sweeps: impl FnMut(&mut Stack)) {
    sweeps(&mut Stack::with_limit(bytes));
    let mut less = Stack::with_limit(bytes - 4096);
    let panic = catch_unwind(AssertUnwindSafe(|| sweeps(&mut less))).expect_err("too little");
    let text = panic.downcast_ref::<String>().expect("it says why");
    assert!(text.contains("the stack has reached its limit"), "{text}");
    assert!(text.contains("memory.rs:"), "{text}");
    assert_eq!(less.report().bytes, 0);
}

fn start() -> Vec<f64> {
    (0..LEN).map(|i| 0.001 * i as f64).collect()
}

#[adjoint(independents(u, k), dependents(u))]
fn heat(u: &mut [f64], k: f64, n: usize, snapshots: usize) {
    #[checkpoint(snapshots = snapshots)]
    for _step in 0..n {
        let w = u.to_vec();
        for i in 1..u.len() - 1 {
            u[i] = w[i] + k * (w[i - 1] - 2.0 * w[i] + w[i + 1]) * w[i];
        }
    }
}

fn heat_with(stack: &mut Stack, snapshots: usize) {
    let (mut u, mut u_b, mut k_b) = (start(), vec![1.0; LEN], 0.0);
    heat::adjoint_with(stack, &mut u, &mut u_b, 0.1, &mut k_b, 60, snapshots);
}

#[test]
fn snapshots_of_a_checkpointed_loop_count() {
    let few = peaks(|stack| heat_with(stack, 5));
    // The function's `u` and its bar, `w` and its bar; blocks of the stack are up to twice what is on it.
    let own = 4 * LIST + 8 * LIST;
    agree(&few, own);
    assert!(few.said > 6 * LIST);
    let many = peaks(|stack| heat_with(stack, 40));
    agree(&many, own);
    // Of 35 more snapshots each is a list and its place.
    let more = many.said - few.said;
    assert!((35 * LIST..36 * LIST + 10_000).contains(&more), "{more}");
    limit_is(few.said, |stack| heat_with(stack, 5));
    limit_is(many.said, |stack| heat_with(stack, 40));
}

#[test]
fn reports_say_where_snapshots_are_taken() {
    let mut stack = Stack::recording();
    heat_with(&mut stack, 5);
    let report = stack.report();
    let of_kind = report.by_kind.iter().find(|(kind, _)| *kind == "snapshot");
    let (_, traffic) = of_kind.expect("there are snapshots");
    assert!(traffic.bytes >= 5 * LIST as u64, "{report}");
    // All that a function stores is said to be stored where its attribute is.
    let [(site, all)] = report.by_site.as_slice() else { panic!("{report}") };
    assert!(site.contains("memory.rs:") && all.bytes > traffic.bytes, "{report}");
}

#[derive(Clone, Debug, Differentiable)]
struct Water {
    depth: Vec<f64>,
    rows: Vec<Vec<f64>>,
    #[passive]
    names: Vec<String>,
}

#[adjoint(independents(water), dependents(return))]
fn flow(water: &Water, rate: f64, most: f64) -> f64 {
    let mut now: Water = water.clone();
    let mut sum = 0.0;
    #[checkpoint(snapshots = 6)]
    while sum < most {
        for i in 0..now.depth.len() {
            now.depth[i] += rate * now.depth[i] * now.rows[i % 2][i];
            now.rows[i % 2][i] = now.rows[i % 2][i].sin();
            sum += now.depth[i];
        }
    }
    sum
}

#[test]
fn states_of_structs_are_measured_field_by_field() {
    let names = vec!["a name of 24 characters.".to_owned(); 10];
    let water = Water { depth: vec![1.0; LEN], rows: vec![vec![0.5; LEN]; 2], names };
    let mut water_b = water.clone();
    let state = 3 * LIST;
    let peaks = peaks(|stack| {
        flow::adjoint_with(stack, &water, &mut water_b, 0.01, 30_000.0, 1.0);
    });
    assert!(peaks.said > 6 * state);
    // Besides the stack's blocks there are the values and bars of the function and those of a step.
    agree(&peaks, 8 * state);
}

#[adjoint(independents(x), dependents(return))]
fn stored(x: &[f64]) -> f64 {
    let mut state = [1.0, 0.5];
    for value in x {
        state = [state[1] * value.sin(), state[0] + state[1].tanh()];
        if state[0] > 10.0 {
            state[0] = 0.1;
        }
    }
    state[0] * state[1]
}

#[test]
fn what_is_pushed_counts_to_the_word() {
    for len in [1, 100, 1000, 100_000] {
        let x: Vec<f64> = (0..len).map(|i| 0.3 + f64::from(i % 7)).collect();
        let mut x_b = vec![0.0; x.len()];
        let found = peaks(|stack| {
            stored::adjoint_with(stack, &x, &mut x_b, 1.0);
        });
        // Each block is twice as long as the last, and in debug builds there is the type of each value.
        let types = if cfg!(debug_assertions) { 4 * 16 * 4 * x.len() } else { 0 };
        agree(&found, found.said + 8192 + types);
    }
}

#[adjoint]
fn smooth(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for _ in 0..3 {
        for i in 1..y.len() {
            y[i] = (y[i] * y[i - 1]).tanh();
        }
    }
    y
}

#[adjoint(independents(x), dependents(return))]
fn one_after_the_other(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        #[checkpoint]
        let y = smooth(x);
        sum += y[i] * y[i];
    }
    sum
}

#[adjoint(independents(x), dependents(return))]
fn all_at_once(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        let y = smooth(x);
        sum += y[i] * y[i];
    }
    sum
}

#[test]
fn a_joint_call_counts_while_it_is_reversed() {
    let (x, mut x_b) = (start(), vec![0.0; LEN]);
    let joint = peaks(|stack| {
        one_after_the_other::adjoint_with(stack, &x, &mut x_b, 1.0);
    });
    let split = peaks(|stack| {
        all_at_once::adjoint_with(stack, &x, &mut x_b, 1.0);
    });
    let types = if cfg!(debug_assertions) { 4 * 16 * 4 * 3 * LEN } else { 0 };
    for found in [&joint, &split] {
        agree(found, found.said + 5 * LIST + 8192 + types);
    }
    // There are four calls, one of which is on the stack at a time, and the four results.
    assert!(joint.said > 4 * LIST, "{}", joint.said);
    assert!(split.said > 2 * joint.said, "{} {}", split.said, joint.said);
}

#[allow(clippy::useless_vec, reason = "the rows of a list are moved")]
#[adjoint(independents(x), dependents(return))]
fn rows_replaced(x: &[f64], n: usize) -> f64 {
    let mut rows = vec![x.to_vec(), x.to_vec()];
    let mut sum = 0.0;
    for i in 0..n {
        let other: Vec<f64> = rows[i % 2].iter().map(|value| value.sin()).collect();
        sum += other[0] * rows[1 - i % 2][1];
        rows[1 - i % 2] = other;
    }
    sum
}

#[test]
fn lists_that_are_moved_onto_the_stack_count() {
    let (x, mut x_b) = (start(), vec![0.0; LEN]);
    let found = peaks(|stack| {
        rows_replaced::adjoint_with(stack, &x, &mut x_b, 20, 1.0);
    });
    assert!(found.said > 20 * LIST, "{}", found.said);
    agree(&found, 8 * LIST + 16 * 1024);
    limit_is(found.said, |stack| {
        rows_replaced::adjoint_with(stack, &x, &mut [0.0; LEN], 20, 1.0);
    });
}

#[adjoint(independents(x), dependents(return))]
fn relaxed(x: &[f64]) -> f64 {
    let mut z: Vec<f64> = vec![0.0; x.len()];
    let mut change = 1.0;
    #[fixed_point(tol = 1e-12)]
    while change > 1e-13 {
        change = 0.0;
        for i in 0..z.len() {
            let next = x[i] + 0.5 * z[i].sin();
            change = f64::max(change, (next - z[i]).abs());
            z[i] = next;
        }
    }
    z[0] + z[1]
}

#[adjoint(independents(x), dependents(return))]
fn apart(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    #[independent]
    for i in 0..x.len() {
        y[i] = (x[i] * x[i]).sin() * x[i];
    }
    y[0] + y[1]
}

#[test]
fn states_of_other_loops_count() {
    let (x, mut x_b) = (start(), vec![0.0; LEN]);
    let found = peaks(|stack| {
        relaxed::adjoint_with(stack, &x, &mut x_b, 1.0);
    });
    // The state before the last iteration, and what the iteration of the adjoint has come to: the solution and its bar.
    assert!(found.said > 3 * LIST, "{}", found.said);
    let types = if cfg!(debug_assertions) { 4 * 16 * 4 * LEN } else { 0 };
    agree(&found, 24 * LIST + types);
    let found = peaks(|stack| {
        apart::adjoint_with(stack, &x, &mut x_b, 1.0);
    });
    assert!(found.said > LIST, "{}", found.said);
    agree(&found, 4 * LIST + 8192);
}

#[adjoint(independents(u), dependents(u))]
fn on_disk(u: &mut [f64], directory: &str) {
    #[checkpoint(snapshots = 2, disk = directory, on_disk = 3)]
    for _step in 0..50 {
        for i in 1..u.len() {
            u[i] += 0.01 * u[i] * u[i - 1];
        }
    }
}

#[test]
fn what_is_on_disk_is_said_apart() {
    let directory = std::env::temp_dir().join(format!("backsweep-memory-{}", std::process::id()));
    let directory = directory.to_str().expect("a path");
    let run = |stack: &mut Stack| {
        let (mut u, mut u_b) = (start(), vec![1.0; LEN]);
        on_disk::adjoint_with(stack, &mut u, &mut u_b, directory);
    };
    let mut stack = Stack::new();
    run(&mut stack);
    let report = stack.report();
    // The length is written, too.
    assert_eq!(report.peak_bytes_on_disk, 3 * (LIST as u64 + 8));
    assert_eq!(report.bytes_on_disk, 0);
    assert!(report.to_string().contains("0 bytes on disk, at the peak 24024"), "{report}");
    let in_memory = report.peak_bytes;
    assert!((3 * LIST..6 * LIST).contains(&in_memory), "{in_memory}");
    limit_is(in_memory, run);
}

#[test]
fn a_stack_that_is_handed_from_forward_to_backward_counts_too() {
    let x = start();
    let mut x_b = vec![0.0; LEN];
    let mut stack = Stack::new();
    relaxed::forward(&mut stack, &x);
    let between = stack.report().bytes;
    assert!((LIST..2 * LIST).contains(&between), "{between}");
    relaxed::backward(&mut stack, &x, &mut x_b, 1.0);
    // The solution may be where the next loop of a derivative begins that is made of such sweeps.
    let after = stack.report().bytes;
    assert!((2 * LIST..2 * LIST + 1000).contains(&after), "{after}");
    let mut stack = Stack::new();
    let (mut u, mut u_b, mut k_b) = (start(), vec![1.0; LEN], 0.0);
    let bottom = stack.mark();
    heat::forward(&mut stack, &mut u, 0.1, 30, 4);
    assert!(stack.report().bytes > 4 * LIST);
    stack.rewind(bottom);
    assert_eq!(stack.report().bytes, 0);
    u = start();
    heat::forward(&mut stack, &mut u, 0.1, 30, 4);
    heat::backward(&mut stack, &mut u_b, 0.1, &mut k_b, 30, 4);
    assert_eq!(stack.report().bytes, 0);
}
