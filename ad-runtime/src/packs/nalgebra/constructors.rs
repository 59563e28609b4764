//! Matrices and vectors that are made of numbers, or of others.

use super::Float;
use super::floats::unit;
use nalgebra::*;

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const R: usize, const C: usize> SMatrix<F, R, C> {
        check F = f64, R = 3, C = 2;
        check F = f32, R = 2, C = 2;

        fn from_element, repeat(x: F) -> SMatrix<F, R, C> { x: |w| w.sum(), |d| SMatrix::from_element(d); }
        fn from_diagonal_element(x: F) -> SMatrix<F, R, C> {
            x: |w| (0..R.min(C)).fold(F::zero(), |sum, at| sum + w[(at, at)]), |d| SMatrix::from_diagonal_element(d);
        }
        fn from_columns(columns: &[SMatrix<F, R, 1>; C]) -> SMatrix<F, R, C> {
            columns: |w| std::array::from_fn(|j| w.column(j).into_owned()), |d| SMatrix::from_columns(&d);
        }
        fn from_rows(rows: &[SMatrix<F, 1, C>; R]) -> SMatrix<F, R, C> {
            rows: |w| std::array::from_fn(|i| w.row(i).into_owned()), |d| SMatrix::from_rows(&d);
        }
    }

    impl<F: Float, const N: usize> SMatrix<F, N, N> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        fn from_diagonal(diagonal: &SMatrix<F, N, 1>) -> SMatrix<F, N, N> {
            diagonal: |w| w.diagonal(), |d| SMatrix::from_diagonal(&d);
        }
    }

    impl<F: Float, const N: usize> SVector<F, N>
    where
        Const<N>: ToTypenum
    {
        check F = f64, N = 3;
        check F = f32, N = 2;

        fn ith(i: usize, value: F) -> SVector<F, N> {
            i: passive;
            value: |w| w[i], |d| SVector::ith(i, d);
        }
    }
}

/// With the places of the arguments, column by column.
macro_rules! made {
    ($($rows:literal $columns:literal $len:literal: $($arg:ident=$at:literal)*;)*) => {
        mod of_elements {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                $(impl<F: Float> SMatrix<F, $rows, $columns> {
                    check F = f64;
                    check F = f32;

                    fn new($($arg: F),*) -> SMatrix<F, $rows, $columns> {
                        $($arg: |weight| weight[$at], |d| unit::<F, $rows, $columns>($at) * d;)*
                    }
                    fn from_row_slice(elements: &[F; $len]) -> SMatrix<F, $rows, $columns> {
                        elements: |w| w.transpose().as_slice().try_into().expect("there are as many"),
                                  |d| SMatrix::from_row_slice(&d);
                    }
                    fn from_column_slice(elements: &[F; $len]) -> SMatrix<F, $rows, $columns> {
                        elements: |w| w.as_slice().try_into().expect("there are as many"),
                                  |d| SMatrix::from_column_slice(&d);
                    }
                })*
            }
        }
    };
}

made! {
    1 1 1: x=0;
    2 1 2: x=0 y=1;
    3 1 3: x=0 y=1 z=2;
    4 1 4: x=0 y=1 z=2 w=3;
    5 1 5: x=0 y=1 z=2 w=3 a=4;
    6 1 6: x=0 y=1 z=2 w=3 a=4 b=5;
    1 2 2: x=0 y=1;
    1 3 3: x=0 y=1 z=2;
    1 4 4: x=0 y=1 z=2 w=3;
    1 5 5: x=0 y=1 z=2 w=3 a=4;
    1 6 6: x=0 y=1 z=2 w=3 a=4 b=5;
    2 2 4: m11=0 m12=2 m21=1 m22=3;
    2 3 6: m11=0 m12=2 m13=4 m21=1 m22=3 m23=5;
    3 2 6: m11=0 m12=3 m21=1 m22=4 m31=2 m32=5;
    2 4 8: m11=0 m12=2 m13=4 m14=6 m21=1 m22=3 m23=5 m24=7;
    4 2 8: m11=0 m12=4 m21=1 m22=5 m31=2 m32=6 m41=3 m42=7;
    3 3 9: m11=0 m12=3 m13=6 m21=1 m22=4 m23=7 m31=2 m32=5 m33=8;
    3 4 12: m11=0 m12=3 m13=6 m14=9 m21=1 m22=4 m23=7 m24=10 m31=2 m32=5 m33=8 m34=11;
    4 3 12: m11=0 m12=4 m13=8 m21=1 m22=5 m23=9 m31=2 m32=6 m33=10 m41=3 m42=7 m43=11;
    4 4 16: m11=0 m12=4 m13=8 m14=12 m21=1 m22=5 m23=9 m24=13 m31=2 m32=6 m33=10 m34=14 m41=3 m42=7 m43=11 m44=15;
}

/// All rules of them.
#[cfg(feature = "rule-checks")]
pub(super) fn all() -> Vec<crate::rules::check::Checked> {
    [table(), of_elements::table()].concat()
}
