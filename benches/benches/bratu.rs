//! The residual of the Bratu problem and its adjoint:
//! `cargo bench -p backsweep-benches --bench bratu`.

use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use slab::{residual, residual_naive};
use std::hint::black_box;

#[path = "../../examples/bratu/slab.rs"]
mod slab;

const N: usize = 10_000;

fn bratu(criterion: &mut Criterion) {
    let place = |i: usize| i as f64 / (N + 1) as f64;
    let x: Vec<f64> = (0..N + 2).map(|i| 4.0 * place(i) * (1.0 - place(i))).collect();
    let (s, t) = (1.2, 0.3);
    let entries: [(&str, Entry); 3] = [
        ("adjoint", residual::adjoint),
        ("adjoint_only", residual::adjoint_only),
        ("naive", residual_naive::adjoint),
    ];
    let mut primal_balance = vec![0.0; N + 2];
    let mut primal = || {
        let (x, s, t) = black_box((&x, s, t));
        residual(x, s, t, &mut primal_balance);
        black_box(&mut primal_balance);
    };
    let [mut adjoint, mut only, mut naive] = entries.map(|(name, entry)| {
        let (mut balance, mut balance_b) = (vec![0.0; N + 2], vec![1.0; N + 2]);
        let (mut x_b, mut s_b, mut t_b) = (vec![0.0; N + 2], 0.0, 0.0);
        let x = &x;
        (name, move || {
            let (x, s, t) = black_box((x, s, t));
            balance_b.fill(1.0);
            entry(x, &mut x_b, s, &mut s_b, t, &mut t_b, &mut balance, &mut balance_b);
            black_box((&mut balance, &mut x_b));
        })
    });
    side_by_side(
        criterion,
        "bratu",
        &mut [
            ("primal", &mut primal),
            (adjoint.0, &mut adjoint.1),
            (only.0, &mut only.1),
            (naive.0, &mut naive.1),
        ],
    );
}

type Entry = fn(&[f64], &mut [f64], f64, &mut f64, f64, &mut f64, &mut [f64], &mut [f64]);

criterion_group!(benches, bratu);
criterion_main!(benches);
