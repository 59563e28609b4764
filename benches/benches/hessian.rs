//! A sparse Hessian with 10⁵ unknowns, and a dense one, beside value and gradient: `cargo bench -p backsweep-benches --bench hessian`.

use backsweep::sparse::Compression;
use backsweep_benches::measure::side_by_side;
use backsweep_benches::stencils::{bump, membrane};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const SIDE: usize = 317;
/// For the dense Hessian.
const SMALL: usize = 16;

fn sparse(criterion: &mut Criterion) {
    let u = bump(SIDE);
    let compression = Compression::symmetric(membrane::hessian_pattern(&u, SIDE, 1.0));
    println!("seven points: {} colours", compression.colours());
    side_by_side(
        criterion,
        "hessian/sparse",
        &mut [
            ("primal", &mut || {
                black_box(membrane(black_box(&u), SIDE, 1.0));
            }),
            ("gradient", &mut || {
                black_box(membrane::gradient(black_box(&u), SIDE, 1.0));
            }),
            ("product", &mut || {
                black_box(membrane::hessian_vector(black_box(&u), &u, SIDE, 1.0));
            }),
            ("values", &mut || {
                black_box(membrane::hessian_values(black_box(&u), SIDE, 1.0, &compression));
            }),
            ("pattern", &mut || {
                black_box(membrane::hessian_pattern(black_box(&u), SIDE, 1.0));
            }),
        ],
    );
}

fn dense(criterion: &mut Criterion) {
    let u = bump(SMALL);
    let mut unit = vec![0.0; u.len()];
    side_by_side(
        criterion,
        "hessian/dense",
        &mut [
            ("primal", &mut || {
                black_box(membrane(black_box(&u), SMALL, 1.0));
            }),
            ("row by row", &mut || {
                for k in 0..u.len() {
                    unit[k] = 1.0;
                    black_box(membrane::hessian_vector(black_box(&u), &unit, SMALL, 1.0));
                    unit[k] = 0.0;
                }
            }),
            ("hessian", &mut || {
                black_box(membrane::hessian(black_box(&u), SMALL, 1.0));
            }),
        ],
    );
}

criterion_group!(benches, sparse, dense);
criterion_main!(benches);
