//! Sparse Jacobians of residuals of partial differential equations: few colours, and the right values.

use backsweep::sparse::{Compression, Pattern};
use backsweep_benches::stencils::{bump, five_points, nine_points};

/// The dense Jacobian with respect to the unknowns, column by column.
fn columns(n: usize, tangent: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let unit = |at: usize| (0..n).map(|k| if k == at { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    (0..n).map(|at| tangent(&unit(at))).collect()
}

#[track_caller]
fn assert_same(dense: &[Vec<f64>], (rows, cols, values): (Vec<usize>, Vec<usize>, Vec<f64>)) {
    let mut found = vec![vec![0.0; dense[0].len()]; dense.len()];
    for ((row, col), value) in rows.into_iter().zip(cols).zip(values) {
        found[col][row] = value;
    }
    assert_eq!(found, dense);
}

#[test]
fn values_are_those_of_dense_jacobians() {
    let (side, lambda) = (7, 5.0);
    let u = bump(side);
    let mut dense = columns(u.len(), |u_d| five_points::tangent(&u, u_d, side, lambda, 0.0).1);
    dense.push(five_points::tangent(&u, &vec![0.0; u.len()], side, lambda, 1.0).1);
    assert_same(&dense, five_points::jacobian_sparse(&u, side, lambda));
    let dense = columns(u.len(), |u_d| nine_points::tangent(&u, u_d, side, 1.0).1);
    assert_same(&dense, nine_points::jacobian_sparse(&u, side, 1.0));
}

/// The columns of the unknowns alone.
fn of_unknowns(pattern: &Pattern) -> Pattern {
    let n = pattern.rows();
    let rows = (0..n).map(|row| pattern.row(row).iter().copied().filter(move |&col| col < n));
    Pattern::from_rows(n, rows)
}

#[test]
fn a_hundred_thousand_unknowns_need_few_sweeps() {
    let side = 317;
    let u = bump(side);
    assert!(u.len() > 100_000);
    let five = of_unknowns(&five_points::jacobian_pattern(&u, side, 5.0));
    let nine = of_unknowns(&nine_points::jacobian_pattern(&u, side, 1.0));
    assert_eq!((five.len(), nine.len()), (5 * side * side - 4 * side, (3 * side - 2).pow(2)));
    let colours = [five, nine].map(|pattern| Compression::by_columns(pattern).colours());
    assert!(colours[0] <= 7 && colours[1] <= 12, "{colours:?}");
}
