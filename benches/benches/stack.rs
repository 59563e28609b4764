//! The stack alone: what a push and a pop cost, and what recording them costs.
//! `cargo bench -p backsweep-benches --bench stack`.

use backsweep::Stack;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn floats(stack: &mut Stack, x: &mut [f64]) -> f64 {
    x.iter().for_each(|value| stack.push(*value));
    x.iter().map(|_| stack.pop::<f64>()).sum()
}

/// Floats, truth values, and integers now and then, as a loop with a branch leaves them.
fn mixed(stack: &mut Stack, x: &mut [f64]) -> f64 {
    for (k, value) in x.iter().enumerate() {
        stack.push(*value);
        stack.push(*value > 0.0);
        if *value > 0.0 {
            stack.push(k);
        }
    }
    let mut sum = 0.0;
    for _ in x {
        let k = if stack.pop() { stack.pop::<usize>() } else { 0 };
        sum += stack.pop::<f64>() * k as f64;
    }
    sum
}

fn slices(stack: &mut Stack, x: &mut [f64]) -> f64 {
    stack.push_slice(x);
    stack.pop_slice(x);
    x[0]
}

type Kernel = fn(&mut Stack, &mut [f64]) -> f64;

fn stack(criterion: &mut Criterion) {
    let mut x: Vec<f64> = (0..10_000).map(|k| f64::from(k * 7919 % 101) - 50.0).collect();
    let kernels: [(&str, Kernel); 3] = [("floats", floats), ("mixed", mixed), ("slices", slices)];
    for (name, kernel) in kernels {
        let mut group = criterion.benchmark_group(format!("stack/{name}"));
        group.throughput(Throughput::Elements(x.len() as u64));
        for (kind, mut stack) in [("plain", Stack::new()), ("recording", Stack::recording())] {
            group.bench_function(kind, |bencher| {
                bencher.iter(|| kernel(&mut stack, black_box(&mut x)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, stack);
criterion_main!(benches);
