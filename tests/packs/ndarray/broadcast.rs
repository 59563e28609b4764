//! Operators of arrays of different shapes: the smaller is repeated.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use crate::{STEP, matrix, vector};
use backsweep::adjoint;
use backsweep_packs::compare;
use ndarray::{Array1, Array2};

/// Matrices with rows on either side, by value and by reference.
#[adjoint(independents(m, row))]
fn rows(m: &Array2<f64>, row: &Array1<f64>) -> f64 {
    let a = m + row;
    let b = row - m.clone();
    let c = &a * row.clone() / 1.5;
    let d = row / &(&b * &b + 2.0);
    let e = a.clone() - row / 2.0;
    let f = row + &b;
    let g = row.clone() * &f - m / &(row * row + 1.0);
    (c + d * e + f * g).sum()
}

/// Of one number of dimensions: a column, a row, and one element.
#[adjoint(independents(m, column, row, one))]
fn alike(m: &Array2<f64>, column: &Array2<f64>, row: &Array2<f64>, one: &Array2<f64>) -> f64 {
    let outer = column * row;
    let a = m - column;
    let b = column / &(m * m + 1.0) + row;
    let c = one * &a - one;
    let d = row % &(m + 3.0);
    (outer * a + b * c / one + d).sum()
}

/// The smaller one is assigned to the larger.
#[adjoint(independents(m, row, column))]
fn assigned(m: &Array2<f64>, row: &Array1<f64>, column: &Array2<f64>) -> f64 {
    let mut a: Array2<f64> = m * 2.0;
    for _ in 0..3 {
        a += row;
        a *= column;
        a -= &(row * 0.5);
        a /= &(column * column + 1.0);
        a += column;
        a += 0.25;
        a *= 1.5;
    }
    a %= &(row * row + 2.0);
    (&a * &a).sum()
}

#[test]
fn with_rows() {
    let (m, row) = (matrix(4, 3, 1), vector(3, 1));
    compare(
        &(m.clone(), row.clone()),
        |(m, row)| rows(m, row),
        rows::gradient(&m, &row),
        |(along_m, along_row)| rows::tangent(&m, along_m, &row, along_row),
        STEP,
    );
    // Stored by columns.
    let m = matrix(3, 4, 1).reversed_axes();
    compare(
        &(m.clone(), row.clone()),
        |(m, row)| rows(m, row),
        rows::gradient(&m, &row),
        |(along_m, along_row)| rows::tangent(&m, along_m, &row, along_row),
        STEP,
    );
}

#[test]
fn with_one_number_of_dimensions() {
    let at = (matrix(4, 3, 1), matrix(4, 1, 2), matrix(1, 3, 3), Array2::from_elem((1, 1), 0.7));
    let (m, column, row, one) = &at;
    compare(
        &at,
        |(m, column, row, one)| alike(m, column, row, one),
        alike::gradient(m, column, row, one),
        |(along_m, along_column, along_row, along_one)| {
            alike::tangent(m, along_m, column, along_column, row, along_row, one, along_one)
        },
        STEP,
    );
}

#[test]
fn assignments() {
    let at = (matrix(4, 3, 1), vector(3, 2), matrix(4, 1, 3));
    let (m, row, column) = &at;
    compare(
        &at,
        |(m, row, column)| assigned(m, row, column),
        assigned::gradient(m, row, column),
        |(along_m, along_row, along_column)| {
            assigned::tangent(m, along_m, row, along_row, column, along_column)
        },
        STEP,
    );
}

/// A column with no rows at all beside it.
#[test]
fn nothing_is_repeated_for_nothing() {
    let (m, row) = (Array2::<f64>::zeros((0, 3)), vector(3, 1));
    let (value, (of_m, of_row)) = rows::gradient(&m, &row);
    assert_eq!((value, of_m.dim(), of_row), (0.0, (0, 3), Array1::zeros(3)));
}

/// As without derivatives.
#[test]
#[should_panic(expected = "IncompatibleShape")]
fn shapes_that_do_not_fit() {
    rows::gradient(&matrix(4, 3, 1), &vector(2, 1));
}

/// What is handed over.
#[test]
#[should_panic(
    expected = "`m_b` has another shape than the value it belongs to: lengths [4, 1] instead of [4, 3]"
)]
fn bars_that_do_not_fit() {
    rows::adjoint(&matrix(4, 3, 1), &mut matrix(4, 1, 1), &vector(3, 1), &mut vector(3, 1), 1.0);
}
