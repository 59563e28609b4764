//! Sparse Jacobians of annotated functions: what few adjoints recover is the dense Jacobian.

use backsweep::adjoint;
use backsweep::sparse::{Compression, Pattern};

/// The residual of `−Δu = λ eᵘ + c u uₓ` on a square, with zeros around it. With `corners` the Laplacian has nine
/// points.
#[adjoint(independents(u), dependents(out))]
fn residual(u: &[f64], side: usize, lambda: f64, corners: bool, out: &mut [f64]) {
    let at = |i: usize, j: usize| {
        if i > 0 && j > 0 && i <= side && j <= side { u[(i - 1) * side + j - 1] } else { 0.0 }
    };
    for i in 1..=side {
        for j in 1..=side {
            let middle = at(i, j);
            let cross = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
            let along = at(i, j + 1) - at(i, j - 1);
            let mut sum = 4.0 * middle - cross - lambda * middle.exp() - 0.3 * middle * along;
            if corners {
                let diagonal =
                    at(i - 1, j - 1) + at(i - 1, j + 1) + at(i + 1, j - 1) + at(i + 1, j + 1);
                sum += 0.5 * (4.0 * middle - diagonal) + 0.1 * at(i - 1, j - 1) * at(i + 1, j + 1);
            }
            out[(i - 1) * side + j - 1] = sum;
        }
    }
}

fn pattern(side: usize, corners: bool) -> Pattern {
    let points = move || (0..side).flat_map(move |i| (0..side).map(move |j| (i, j)));
    let rows = points().map(|(i, j)| {
        let near = move |&(k, l): &(usize, usize)| {
            let (lines, columns) = (i.abs_diff(k), j.abs_diff(l));
            lines.max(columns) <= 1 && (corners || lines.min(columns) == 0)
        };
        points().filter(near).map(|(k, l)| k * side + l).collect::<Vec<_>>()
    });
    Pattern::from_rows(side * side, rows)
}

/// The weighted sum of rows of the Jacobian.
fn adjoint_along(u: &[f64], side: usize, corners: bool, weights: &[f64]) -> Vec<f64> {
    let (mut u_b, mut out_b) = (vec![0.0; u.len()], weights.to_vec());
    residual::adjoint(u, &mut u_b, side, 1.5, corners, &mut vec![0.0; u.len()], &mut out_b);
    u_b
}

#[test]
fn a_jacobian_is_recovered_from_few_adjoints() {
    for (side, corners, bound) in [(7, false, 7), (6, true, 9)] {
        let n = side * side;
        let u: Vec<f64> = (0..n).map(|k| (k as f64 * 0.7).sin()).collect();
        let compression = Compression::by_rows(pattern(side, corners));
        assert!(compression.colours() <= bound);
        let mut values = compression.zeros();
        for sweep in 0..compression.sweeps::<1>() {
            let weights: Vec<f64> =
                compression.directions::<1>(sweep).iter().map(|[weight]| *weight).collect();
            let product = adjoint_along(&u, side, corners, &weights);
            let product: Vec<[f64; 1]> = product.iter().map(|element| [*element]).collect();
            compression.recover(sweep, &product, &mut values);
        }
        let mut recovered = vec![vec![0.0; n]; n];
        let (rows, cols) = compression.pattern().triplets();
        for (k, value) in values.iter().enumerate() {
            recovered[rows[k]][cols[k]] = *value;
        }
        for i in 0..n {
            let mut weights = vec![0.0; n];
            weights[i] = 1.0;
            assert_eq!(recovered[i], adjoint_along(&u, side, corners, &weights), "row {i}");
        }
    }
}
