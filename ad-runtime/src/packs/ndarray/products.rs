//! Products of vectors and matrices, by the kernels that ndarray has: bars get theirs in place.

use super::Float;
use super::types::check;
use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array, Array1, Array2, ArrayRef, Axis, Ix1, Ix2, Zip};

/// Adds a product of rank 1.
fn add_outer<F: Float>(bar: &mut Array2<F>, left: &Array1<F>, right: &Array1<F>) {
    assert_eq!(bar.dim(), (left.len(), right.len()), "a bar has the shape of its value");
    let (left, right) = (left.view().insert_axis(Axis(1)), right.view().insert_axis(Axis(0)));
    general_mat_mul(F::one(), &left, &right, F::one(), bar);
}

/// Adds the product of a transposed matrix and a vector.
fn add_transposed<F: Float>(bar: &mut Array1<F>, matrix: &Array2<F>, vector: &ArrayRef<F, Ix1>) {
    assert_eq!(bar.len(), matrix.ncols(), "a bar has the shape of its value");
    match matrix.is_standard_layout() {
        // Row by row, as it is stored.
        true => Zip::from(matrix.rows()).and(vector).for_each(|row, &by| bar.scaled_add(by, &row)),
        false => general_mat_vec_mul(F::one(), &matrix.t(), vector, F::one(), bar),
    }
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float> Array<F, Ix1> {
        check F = f64;
        check F = f32;

        overloaded fn dot(&self, b: &Array<F, Ix1>) -> F = self.dot(b) {
            self: |bar, w| { check(bar, self); bar.scaled_add(*w, b) }, |d| d.dot(b);
            b: |bar, w| { check(bar, b); bar.scaled_add(*w, self) }, |d| self.dot(&d);
        }
        overloaded fn dot(&self, b: &Array<F, Ix2>) -> Array<F, Ix1> = self.dot(b) {
            self: |bar, w| general_mat_vec_mul(F::one(), b, w, F::one(), bar), |d| d.dot(b);
            b: |bar, w| add_outer(bar, self, w), |d| self.dot(&d);
        }
    }

    impl<F: Float> Array<F, Ix2> {
        check F = f64;
        check F = f32;

        overloaded fn dot(&self, b: &Array<F, Ix1>) -> Array<F, Ix1> = self.dot(b) {
            self: |bar, w| add_outer(bar, w, b), |d| d.dot(b);
            b: |bar, w| add_transposed(bar, self, w), |d| self.dot(&d);
        }
        overloaded fn dot(&self, b: &Array<F, Ix2>) -> Array<F, Ix2> = self.dot(b) {
            self: |bar, w| general_mat_mul(F::one(), w, &b.t(), F::one(), bar), |d| d.dot(b);
            b: |bar, w| general_mat_mul(F::one(), &self.t(), w, F::one(), bar), |d| self.dot(&d);
        }
    }
}
