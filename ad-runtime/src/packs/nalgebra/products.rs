//! Products of matrices, and of floats with them.

use super::Float;
use nalgebra::*;

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const R: usize, const C: usize, const K: usize> SMatrix<F, R, C> {
        check F = f64, R = 3, C = 2, K = 4;
        check F = f64, R = 3, C = 3, K = 1;
        check F = f32, R = 2, C = 2, K = 2;

        op Mul(&self, b: &SMatrix<F, C, K>) -> SMatrix<F, R, K> {
            self: |w| w * b.transpose(), |d| d * b;
            b: |w| self.tr_mul(&w), |d| self * d;
        }
    }
}

macro_rules! floats {
    ($($module:ident: $float:ty;)*) => {
        $(mod $module {
            use super::super::floats::{sum_of, weighted};
            use nalgebra::SMatrix;

            ad_macros::rules! {
                crate = crate;

                impl<const R: usize, const C: usize> $float {
                    check R = 3, C = 1;
                    check R = 2, C = 2;

                    op Mul(value self, b: SMatrix<$float, R, C>) -> SMatrix<$float, R, C> {
                        self: |w| sum_of(&w, |at| b[at]), |d| b * d;
                        b: |w| weighted(&w, |_| self), |d| weighted(&d, |_| self);
                    }
                }
            }
        })*

        /// All rules of them.
        #[cfg(feature = "rule-checks")]
        pub(super) fn all() -> Vec<crate::rules::check::Checked> {
            [table(), $($module::table()),*].concat()
        }
    };
}

floats! { double: f64; single: f32; }
