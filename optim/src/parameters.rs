//! The types of points and matrices that solvers compute with.

use std::borrow::Cow;

/// A type of points of a solver that is generic over them: `Vec<f64>`, with the feature `ndarray` `Array1<f64>`, with `nalgebra`
/// `DVector<f64>`.
pub trait Parameters: Sized {
    /// The type of matrices that goes with it.
    type Matrix;

    /// The numbers of a point; a copy where they do not follow each other in memory.
    fn numbers(&self) -> Cow<'_, [f64]>;

    /// The point with these numbers.
    fn from_numbers(numbers: Vec<f64>) -> Self;

    /// The matrix with these numbers, row by row.
    ///
    /// # Panics
    /// If there are not as many numbers as `rows` times `columns`.
    fn matrix(rows: usize, columns: usize, numbers: Vec<f64>) -> Self::Matrix;
}

impl Parameters for Vec<f64> {
    type Matrix = Vec<Vec<f64>>;

    fn numbers(&self) -> Cow<'_, [f64]> {
        Cow::Borrowed(self)
    }

    fn from_numbers(numbers: Vec<f64>) -> Self {
        numbers
    }

    fn matrix(rows: usize, columns: usize, numbers: Vec<f64>) -> Vec<Vec<f64>> {
        assert_eq!(numbers.len(), rows * columns, "the numbers are those of the matrix");
        (0..rows).map(|row| numbers[row * columns..][..columns].to_vec()).collect()
    }
}

#[cfg(feature = "ndarray")]
impl Parameters for ::ndarray::Array1<f64> {
    type Matrix = ::ndarray::Array2<f64>;

    fn numbers(&self) -> Cow<'_, [f64]> {
        match self.as_slice() {
            Some(numbers) => Cow::Borrowed(numbers),
            None => Cow::Owned(self.to_vec()),
        }
    }

    fn from_numbers(numbers: Vec<f64>) -> Self {
        Self::from_vec(numbers)
    }

    fn matrix(rows: usize, columns: usize, numbers: Vec<f64>) -> Self::Matrix {
        let matrix = ::ndarray::Array2::from_shape_vec((rows, columns), numbers);
        matrix.expect("the numbers are those of the matrix")
    }
}

#[cfg(feature = "nalgebra")]
impl Parameters for ::nalgebra::DVector<f64> {
    type Matrix = ::nalgebra::DMatrix<f64>;

    fn numbers(&self) -> Cow<'_, [f64]> {
        Cow::Borrowed(self.as_slice())
    }

    fn from_numbers(numbers: Vec<f64>) -> Self {
        Self::from_vec(numbers)
    }

    fn matrix(rows: usize, columns: usize, numbers: Vec<f64>) -> Self::Matrix {
        ::nalgebra::DMatrix::from_row_slice(rows, columns, &numbers)
    }
}
