//! Sparse Jacobians with 10⁵ unknowns, in few sweeps: `cargo bench -p backsweep-benches --bench sparse`.
//!
//! The aim is a time of at most 2 · colours · that of the residual, pattern and colouring found before.

use backsweep::sparse::Compression;
use backsweep_benches::measure::side_by_side;
use backsweep_benches::stencils::{bump, five_points, nine_points};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const SIDE: usize = 317;

fn sparse(criterion: &mut Criterion) {
    let u = bump(SIDE);
    let five = Compression::by_columns(five_points::jacobian_pattern(&u, SIDE, 5.0));
    let nine = Compression::by_columns(nine_points::jacobian_pattern(&u, SIDE, 1.0));
    println!("five points: {} colours, nine points: {}", five.colours(), nine.colours());
    side_by_side(
        criterion,
        "sparse/five points",
        &mut [
            ("primal", &mut || drop(black_box(five_points(black_box(&u), SIDE, 5.0)))),
            ("values", &mut || {
                black_box(five_points::jacobian_values(black_box(&u), SIDE, 5.0, &five));
            }),
            ("pattern", &mut || {
                black_box(five_points::jacobian_pattern(black_box(&u), SIDE, 5.0));
            }),
        ],
    );
    side_by_side(
        criterion,
        "sparse/nine points",
        &mut [
            ("primal", &mut || drop(black_box(nine_points(black_box(&u), SIDE, 1.0)))),
            ("values", &mut || {
                black_box(nine_points::jacobian_values(black_box(&u), SIDE, 1.0, &nine));
            }),
            ("pattern", &mut || {
                black_box(nine_points::jacobian_pattern(black_box(&u), SIDE, 1.0));
            }),
        ],
    );
}

criterion_group!(benches, sparse);
criterion_main!(benches);
