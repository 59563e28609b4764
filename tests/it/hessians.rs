//! Hessians by several products at once: dense ones are what single products are, and sparse ones are the dense ones.

use backsweep::adjoint;
use backsweep::sparse::{Compression, Pattern};

type Triplets = (Vec<usize>, Vec<usize>, Vec<f64>);

/// The matrix of the triplets, where there are no entries with zeros.
fn dense(n: usize, (rows, cols, values): &Triplets) -> Vec<f64> {
    let mut matrix = vec![0.0; n * n];
    for ((row, col), value) in rows.iter().zip(cols).zip(values) {
        matrix[row * n + col] = *value;
    }
    matrix
}

#[track_caller]
fn assert_all_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0_f64, |most, entry| most.max(entry.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 1e-13 * scale, "{at}: {found} {expected}");
    }
}

/// The area of a surface over a square, a graph of heights that are zero around it, and a load.
#[adjoint(independents(u), dependents(return), second_order)]
fn membrane(u: &[f64], side: usize, load: &[f64]) -> f64 {
    let at = |i: usize, j: usize| {
        if i > 0 && j > 0 && i <= side && j <= side { u[(i - 1) * side + j - 1] } else { 0.0 }
    };
    let mut energy = 0.0;
    for i in 0..=side {
        for j in 0..=side {
            let (east, north) = (at(i, j + 1) - at(i, j), at(i + 1, j) - at(i, j));
            energy += (1.0 + east * east + north * north).sqrt();
        }
    }
    for k in 0..u.len() {
        energy -= load[k] * u[k];
    }
    energy
}

fn heights(n: usize) -> Vec<f64> {
    (0..n).map(|k| (k as f64 * 0.7).sin()).collect()
}

#[test]
fn rows_are_bit_for_bit_products_with_unit_vectors() {
    for side in 1..5 {
        let n = side * side;
        let (u, load) = (heights(n), heights(n));
        let rows = membrane::hessian(&u, side, &load);
        let diagonal = membrane::hessian_diagonal(&u, side, &load);
        assert_eq!((rows.len(), diagonal.len()), (n * n, n));
        for k in 0..n {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            let (_, _, product) = membrane::hessian_vector(&u, &unit, side, &load);
            let same = product.iter().zip(&rows[k * n..]).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same && product[k].to_bits() == diagonal[k].to_bits(), "{side} {k}");
        }
    }
}

#[test]
fn a_sparse_hessian_is_the_dense_one() {
    for side in [1, 2, 5, 8] {
        let n = side * side;
        let (u, load) = (heights(n), vec![0.1; n]);
        let found = membrane::hessian_sparse(&u, side, &load);
        assert_all_near(&dense(n, &found), &membrane::hessian(&u, side, &load));
        // A height is in products with its neighbours, and with two of those on the diagonals.
        let near = |k: usize, l: usize| {
            let (down, right) =
                ((l / side) as i64 - (k / side) as i64, (l % side) as i64 - (k % side) as i64);
            matches!((down, right), (0, -1..=1) | (-1 | 1, 0) | (1, -1) | (-1, 1))
        };
        let rows = (0..n).map(|k| (0..n).filter(move |&l| near(k, l)));
        let pattern = membrane::hessian_pattern(&u, side, &load);
        assert_eq!(pattern, Pattern::from_rows(n, rows));
        assert_eq!((found.0, found.1), pattern.triplets());
    }
}

#[test]
fn one_compression_serves_all_points() {
    let side = 20;
    let n = side * side;
    let (mut u, load) = (vec![0.0; n], vec![0.1; n]);
    let compression = Compression::symmetric(membrane::hessian_pattern(&u, side, &load));
    // Columns of seven points that have no row in common need seven colours; found greedily, it is one more.
    assert!(compression.colours() <= 8, "{}", compression.colours());
    for step in 0..3 {
        let values = membrane::hessian_values(&u, side, &load, &compression);
        let (rows, cols) = compression.pattern().triplets();
        assert_all_near(&dense(n, &(rows, cols, values)), &membrane::hessian(&u, side, &load));
        u.iter_mut().enumerate().for_each(|(k, u)| *u += ((k + step) as f64).cos());
    }
}

/// Each number with the first, and by itself: an arrow.
#[adjoint(second_order)]
fn arrow(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += x[0] * x[i].sin() + x[i].powi(3);
    }
    sum
}

#[test]
fn an_arrow_takes_two_colours() {
    let x: Vec<f64> = (0..30).map(|i| 0.1 * i as f64).collect();
    let compression = Compression::symmetric(arrow::hessian_pattern(&x));
    assert_eq!(compression.colours(), 2);
    let values = arrow::hessian_values(&x, &compression);
    let (rows, cols) = compression.pattern().triplets();
    let mut expected = vec![0.0; 900];
    for i in 1..30 {
        (expected[i], expected[30 * i]) = (x[i].cos(), x[i].cos());
        expected[31 * i] = -x[0] * x[i].sin() + 6.0 * x[i];
    }
    assert_all_near(&dense(30, &(rows, cols, values)), &expected);
}

/// Of several independents, one a number and one an array, the columns come one after another.
#[adjoint(passive(weight), second_order)]
fn mixed(scale: f64, x: &[f64], shift: [f64; 2], weight: f64) -> f64 {
    weight * scale * x[1] * x[1] + shift[1].exp() * x[0] + shift[0]
}

#[test]
fn independents_are_numbered_in_their_order() {
    let (scale, x, shift, weight) = (2.0, [3.0, 5.0], [7.0, 0.0], 0.5);
    let (rows, cols, values) = mixed::hessian_sparse(scale, &x, shift, weight);
    let found: Vec<_> = rows.into_iter().zip(cols).zip(values).collect();
    let expected =
        [((0, 2), 5.0), ((1, 4), 1.0), ((2, 0), 5.0), ((2, 2), 2.0), ((4, 1), 1.0), ((4, 4), 3.0)];
    assert_eq!(found, expected);
    assert_eq!(mixed::hessian(scale, &x, shift, weight).len(), 25);
}

/// What is zero at the origin, for one reason or another.
#[adjoint(second_order)]
fn vanishing(x: &[f64]) -> f64 {
    let quotient = x[0] / (x[1] + 1.0);
    let root = (x[2] + 4.0).sqrt();
    x[3] * x[3] * x[4] + x[5] * quotient + x[6] * x[6] * root.ln()
}

#[test]
fn entries_that_are_zero_by_chance_are_in_the_pattern() {
    let pattern = vanishing::hessian_pattern(&[0.0; 7]);
    let rows = [vec![1, 5], vec![0, 1, 5], vec![2, 6], vec![3, 4], vec![3], vec![0, 1], vec![2, 6]];
    assert_eq!(pattern, Pattern::from_rows(7, rows));
    let compression = Compression::symmetric(pattern);
    let x = [0.3, -0.4, 1.0, 2.0, -1.0, 0.5, 0.7];
    let values = vanishing::hessian_values(&x, &compression);
    let (rows, cols) = compression.pattern().triplets();
    assert_all_near(&dense(7, &(rows, cols, values)), &vanishing::hessian(&x));
}

/// Which product there is depends on the first number.
#[adjoint(second_order)]
fn switched(x: &[f64]) -> f64 {
    if x[0] < 1.0 { x[1] * x[2] } else { x[1] * x[0] }
}

#[test]
#[should_panic(expected = "row 0 of the Hessian has entries that the pattern does not have")]
fn other_branches_have_other_patterns() {
    let compression = Compression::symmetric(switched::hessian_pattern(&[0.0, 1.0, 1.0]));
    assert_eq!(switched::hessian_values(&[0.5, 3.0, 4.0], &compression), [1.0, 1.0]);
    switched::hessian_values(&[2.0, 1.0, 1.0], &compression);
}

#[test]
#[should_panic(expected = "the compression is not one of a Hessian")]
fn columns_are_for_jacobians() {
    let compression = Compression::by_columns(switched::hessian_pattern(&[0.0, 1.0, 1.0]));
    switched::hessian_values(&[0.0, 1.0, 1.0], &compression);
}

#[test]
#[should_panic(expected = "there are more numbers than in the pattern")]
fn a_pattern_has_all_numbers() {
    let compression = Compression::symmetric(arrow::hessian_pattern(&[0.0; 3]));
    arrow::hessian_values(&[0.0; 4], &compression);
}

#[test]
#[should_panic(expected = "there are 2 numbers, the pattern has 3")]
fn a_pattern_has_no_other_numbers() {
    let compression = Compression::symmetric(arrow::hessian_pattern(&[0.0; 3]));
    arrow::hessian_values(&[0.0; 2], &compression);
}

/// Of a function that fails the Hessian is an `Option`, too.
#[adjoint(second_order)]
fn entropy(p: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for &p in p {
        if p <= 0.0 {
            return None;
        }
        sum -= p * p.ln();
    }
    Some(sum)
}

#[test]
fn what_fails_has_none() {
    let found = entropy::hessian_sparse(&[0.5, 0.25]);
    assert_eq!(found, Some((vec![0, 1], vec![0, 1], vec![-2.0, -4.0])));
    assert_eq!(entropy::hessian(&[0.5, 0.25]), Some(vec![-2.0, 0.0, 0.0, -4.0]));
    assert_eq!(entropy::hessian_sparse(&[0.5, -0.25]), None);
    assert_eq!(entropy::hessian_diagonal(&[0.5, -0.25]), None);
    assert!(entropy::hessian_pattern(&[-0.25]).is_none());
}

struct Chain {
    stiffness: Vec<f64>,
}

#[adjoint(second_order)]
impl Chain {
    /// Springs with a cubic part, and a work array of the caller.
    #[adjoint(independents(x), dependents(return))]
    fn energy(&self, x: &[f64], stretches: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        for i in 0..self.stiffness.len() {
            let d = x[i + 1] - x[i];
            stretches[i] = d * d;
            energy += self.stiffness[i] * (0.5 * stretches[i] + d.powi(4));
        }
        energy
    }
}

#[test]
fn a_method_has_a_sparse_hessian() {
    let chain = Chain { stiffness: vec![1.0, 2.0, 3.0, 4.0, 5.0] };
    let x = [0.0, 0.5, -0.25, 1.0, 2.0, 2.5];
    let found = chain.energy_hessian_sparse(&x, &mut [0.0; 5]);
    assert_eq!(found.0.len(), 16);
    let rows = chain.energy_hessian(&x, &mut [0.0; 5]);
    assert_all_near(&dense(6, &found), &rows);
    let second = |i: usize| chain.stiffness[i] * (1.0 + 12.0 * (x[i + 1] - x[i]).powi(2));
    let mut expected = vec![0.0; 36];
    for i in 0..5 {
        expected[7 * i] += second(i);
        expected[7 * (i + 1)] += second(i);
        expected[6 * i + i + 1] -= second(i);
        expected[6 * (i + 1) + i] -= second(i);
    }
    assert_all_near(&rows, &expected);
    let compression = Compression::symmetric(chain.energy_hessian_pattern(&x, &mut [0.0; 5]));
    assert_eq!(chain.energy_hessian_values(&x, &mut [0.0; 5], &compression), found.2);
}

#[test]
fn without_numbers_there_are_no_rows() {
    assert_eq!(arrow::hessian(&[]), [0.0; 0]);
    assert_eq!(arrow::hessian_sparse(&[]), (vec![], vec![], vec![]));
    assert_eq!(arrow::hessian_diagonal(&[1.0]), [0.0]);
}

/// What is overwritten at a place that is computed is popped by the statement that overwrites it, and nothing else.
#[adjoint(independents(x), dependents(return), second_order)]
fn scaled(x: &[f64], picks: &[usize]) -> f64 {
    let mut w = [x[0] * x[1], x[1], x[2]];
    for &k in picks {
        w[k] *= x[0].sin() * x[2];
    }
    w[0] * w[1] + w[2] * x[3]
}

#[test]
fn what_is_overwritten_has_directions() {
    let (x, picks) = ([0.7, 1.5, -0.4, 2.0], [0, 2, 2, 1]);
    let rows = scaled::hessian(&x, &picks);
    for k in 0..4 {
        let mut unit = [0.0; 4];
        unit[k] = 1.0;
        let (_, _, product) = scaled::hessian_vector(&x, &unit, &picks);
        assert_eq!(product, rows[4 * k..4 * k + 4]);
    }
    assert_all_near(&dense(4, &scaled::hessian_sparse(&x, &picks)), &rows);
}
