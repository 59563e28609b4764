//! The three shapes of user-driven checkpointing, with calls split and joint:
//! `cargo bench -p backsweep-benches --bench modes`.

use backsweep::Stack;
use backsweep_benches::measure::side_by_side;
use backsweep_benches::modes::{Probe, joint, split};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const LIST: [f64; 1000] = [0.5; 1000];

/// Prints what two runs leave in the reports of their stacks.
fn report(name: &str, run: impl Fn(&mut Stack)) {
    let mut stack = Stack::recording();
    run(&mut stack);
    let report = stack.report();
    let pushed = report.pushed.map_or(0, |traffic| traffic.bytes);
    println!("{name}: {pushed} bytes pushed, {} at the peak", report.peak_bytes);
}

macro_rules! compared {
    ($criterion:expr, $shape:ident, $($arg:expr),*) => {
        report(concat!(stringify!($shape), ", split"), |stack| {
            black_box(split::$shape::gradient_with(stack, $($arg),*));
        });
        report(concat!(stringify!($shape), ", joint"), |stack| {
            black_box(joint::$shape::gradient_with(stack, $($arg),*));
        });
        let (mut first, mut second) = (Stack::new(), Stack::new());
        side_by_side(
            $criterion,
            stringify!($shape),
            &mut [
                ("split", &mut || {
                    black_box(split::$shape::gradient_with(&mut first, $($arg),*));
                }),
                ("joint", &mut || {
                    black_box(joint::$shape::gradient_with(&mut second, $($arg),*));
                }),
            ],
        );
    };
}

fn modes(criterion: &mut Criterion) {
    compared!(criterion, small_stack, &LIST, black_box(0.7), 20, &Probe);
    compared!(criterion, large_stack, black_box(0.5), 1.1, 50, 1000, &Probe);
    compared!(criterion, nest, black_box(0.5), 1.1, 40, 500, &Probe);
}

criterion_group!(benches, modes);
criterion_main!(benches);
