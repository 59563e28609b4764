//! The determinant of a matrix, by minors.

use backsweep::adjoint;
use serde::Deserialize;

use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "det",
    functions: &[
        ("primal", |input| evaluate(input, |Input { a, ell }| determinant(a, *ell))),
        ("gradient", |input| evaluate(input, |Input { a, ell }| determinant::gradient(a, *ell).1)),
    ],
};

#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    a: Vec<f64>,
    ell: usize,
}

#[derive(Deserialize)]
struct Unchecked {
    #[serde(rename = "A")]
    a: Vec<f64>,
    ell: usize,
}

impl TryFrom<Unchecked> for Input {
    type Error = String;

    fn try_from(Unchecked { a, ell }: Unchecked) -> Result<Self, Self::Error> {
        if !(1..32).contains(&ell) {
            return Err(format!("the determinant of a matrix of size {ell} is not had by minors"));
        }
        if a.len() != ell * ell {
            return Err(format!("`A` has {} entries instead of {ell} × {ell}", a.len()));
        }
        Ok(Self { a, ell })
    }
}

/// det A of a square matrix, row after row: the objective `det_by_minor` of the suite cmpad.
#[adjoint(independents(a), dependents(return))]
fn determinant(a: &[f64], size: usize) -> f64 {
    minor(a, size, 0, (1 << size) - 1)
}

/// The determinant of the rows from `row` on and of the columns whose bits are set in `columns`, which are as
/// many, expanded along the first of these rows (Laplace).
#[adjoint(independents(a), dependents(return))]
fn minor(a: &[f64], size: usize, row: usize, columns: u32) -> f64 {
    if row + 1 == size {
        return a[row * size + columns.trailing_zeros() as usize];
    }
    let mut sum = 0.0;
    let mut sign = 1.0;
    let mut remaining = columns;
    while remaining != 0 {
        let column = remaining.trailing_zeros() as usize;
        let bit = 1 << column;
        remaining &= !bit;
        sum += sign * a[row * size + column] * minor(a, size, row + 1, columns & !bit);
        sign = -sign;
    }
    sum
}
