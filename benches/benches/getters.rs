//! What it costs to read elements by way of getters instead of fields: `cargo bench -p backsweep-benches --bench getters`.

use backsweep::{Differentiable, adjoint};
use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A matrix by rows.
#[derive(Clone, Debug, Differentiable)]
struct Grid {
    data: Vec<f64>,
    columns: usize,
}

#[adjoint]
impl Grid {
    fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.columns..(i + 1) * self.columns]
    }

    fn at(&self, i: usize, j: usize) -> &f64 {
        &self.data[i * self.columns + j]
    }
}

#[adjoint(independents(grid, x), dependents(return))]
fn rows_by_getter(grid: &Grid, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..grid.columns {
        let row = grid.row(i);
        let mut product = 0.0;
        for j in 0..row.len() {
            product += row[j] * x[j];
        }
        sum += product * product;
    }
    sum
}

#[adjoint(independents(grid, x), dependents(return))]
fn rows_by_field(grid: &Grid, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..grid.columns {
        let row = &grid.data[i * grid.columns..(i + 1) * grid.columns];
        let mut product = 0.0;
        for j in 0..row.len() {
            product += row[j] * x[j];
        }
        sum += product * product;
    }
    sum
}

#[adjoint(independents(grid, x), dependents(return))]
fn elements_by_getter(grid: &Grid, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..grid.columns {
        for j in 0..grid.columns {
            sum += grid.at(i, j) * x[i] * x[j];
        }
    }
    sum
}

#[adjoint(independents(grid, x), dependents(return))]
fn elements_by_field(grid: &Grid, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..grid.columns {
        for j in 0..grid.columns {
            sum += grid.data[i * grid.columns + j] * x[i] * x[j];
        }
    }
    sum
}

fn getters(criterion: &mut Criterion) {
    const SIDE: usize = 100;
    let mut random = fastrand::Rng::with_seed(1);
    let mut numbers = |len: usize| -> Vec<f64> { (0..len).map(|_| random.f64() - 0.5).collect() };
    let grid = Grid { data: numbers(SIDE * SIDE), columns: SIDE };
    let x = numbers(SIDE);
    let zeros = || {
        let grid_b = Grid { data: vec![0.0; SIDE * SIDE], columns: SIDE };
        (grid_b, vec![0.0; SIDE])
    };
    macro_rules! contest {
        ($group:literal, $by_field:ident, $by_getter:ident) => {
            let ((mut field_b, mut field_x_b), (mut getter_b, mut getter_x_b)) = (zeros(), zeros());
            side_by_side(
                criterion,
                $group,
                &mut [
                    ("primal", &mut || {
                        black_box($by_field(black_box(&grid), black_box(&x)));
                    }),
                    ("field", &mut || {
                        $by_field::adjoint(&grid, &mut field_b, &x, &mut field_x_b, black_box(1.0));
                    }),
                    ("getter", &mut || {
                        $by_getter::adjoint(
                            &grid,
                            &mut getter_b,
                            &x,
                            &mut getter_x_b,
                            black_box(1.0),
                        );
                    }),
                ],
            );
        };
    }
    contest!("getters/rows", rows_by_field, rows_by_getter);
    contest!("getters/elements", elements_by_field, elements_by_getter);
}

criterion_group!(benches, getters);
criterion_main!(benches);
