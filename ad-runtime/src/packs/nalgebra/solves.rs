//! What is solved with factored and with triangular matrices, for vectors and for matrices on the right-hand side.

use super::Float;
use super::factorizations::{folded, mirrored};
use nalgebra::allocator::Allocator;
use nalgebra::*;

/// What a square matrix was factored to.
pub(super) trait Factored<F: Float, D: Dim>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    /// The matrix.
    fn matrix(&self) -> OMatrix<F, D, D>;
    /// The solution of Mᵀ X = B.
    fn solve_transposed<K: Dim>(&self, b: &OMatrix<F, D, K>) -> OMatrix<F, D, K>
    where
        DefaultAllocator: Allocator<D, K>;
}

/// P M = L U.
impl<F: Float, D: DimMin<D, Output = D>> Factored<F, D> for LU<F, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    fn matrix(&self) -> OMatrix<F, D, D> {
        let mut matrix = self.l() * self.u();
        self.p().inv_permute_rows(&mut matrix);
        matrix
    }
    fn solve_transposed<K: Dim>(&self, b: &OMatrix<F, D, K>) -> OMatrix<F, D, K>
    where
        DefaultAllocator: Allocator<D, K>,
    {
        let mut x = b.clone_owned();
        self.lu_internal().tr_solve_upper_triangular_unchecked_mut(&mut x);
        self.l().tr_solve_lower_triangular_unchecked_mut(&mut x);
        self.p().inv_permute_rows(&mut x);
        x
    }
}

/// M = Q R.
impl<F: Float, D: DimMin<D, Output = D>> Factored<F, D> for QR<F, D, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    fn matrix(&self) -> OMatrix<F, D, D> {
        self.q() * self.r()
    }
    fn solve_transposed<K: Dim>(&self, b: &OMatrix<F, D, K>) -> OMatrix<F, D, K>
    where
        DefaultAllocator: Allocator<D, K>,
    {
        let mut x = b.clone_owned();
        self.r().tr_solve_upper_triangular_unchecked_mut(&mut x);
        self.q() * x
    }
}

macro_rules! solves {
    ($($module:ident: [$($params:tt)*] $dim:ty, $matrix:ty, $rhs:ty; { $($check:tt)* } $lu:ty, $qr:ty, $cholesky:ty)*) => {$(
        mod $module {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<$($params)*> $matrix {
                    $($check)*

                    kept overloaded fn solve_lower_triangular(&self, b: &$rhs) -> Option<$rhs> {
                        self: |bar, w| *bar -= (self.tr_solve_lower_triangular(w).expect("it has been solved") * result.transpose()).lower_triangle(),
                              |d| -self.solve_lower_triangular(&(d.lower_triangle() * result)).expect("it has been solved");
                        b: |w| self.tr_solve_lower_triangular(&w).expect("it has been solved"),
                           |d| self.solve_lower_triangular(&d).expect("it has been solved");
                    }
                    kept overloaded fn solve_upper_triangular(&self, b: &$rhs) -> Option<$rhs> {
                        self: |bar, w| *bar -= (self.tr_solve_upper_triangular(w).expect("it has been solved") * result.transpose()).upper_triangle(),
                              |d| -self.solve_upper_triangular(&(d.upper_triangle() * result)).expect("it has been solved");
                        b: |w| self.tr_solve_upper_triangular(&w).expect("it has been solved"),
                           |d| self.solve_upper_triangular(&d).expect("it has been solved");
                    }
                    kept overloaded fn tr_solve_lower_triangular(&self, b: &$rhs) -> Option<$rhs> {
                        self: |bar, w| *bar -= (result * self.solve_lower_triangular(w).expect("it has been solved").transpose()).lower_triangle(),
                              |d| -self.tr_solve_lower_triangular(&d.lower_triangle().tr_mul(result)).expect("it has been solved");
                        b: |w| self.solve_lower_triangular(&w).expect("it has been solved"),
                           |d| self.tr_solve_lower_triangular(&d).expect("it has been solved");
                    }
                    kept overloaded fn tr_solve_upper_triangular(&self, b: &$rhs) -> Option<$rhs> {
                        self: |bar, w| *bar -= (result * self.solve_upper_triangular(w).expect("it has been solved").transpose()).upper_triangle(),
                              |d| -self.tr_solve_upper_triangular(&d.upper_triangle().tr_mul(result)).expect("it has been solved");
                        b: |w| self.solve_upper_triangular(&w).expect("it has been solved"),
                           |d| self.tr_solve_upper_triangular(&d).expect("it has been solved");
                    }
                }

                impl<$($params)*> $lu, $qr
                where
                    $dim: DimMin<$dim, Output = $dim>
                {
                    $($check)*

                    kept overloaded fn solve(&self, b: &$rhs) -> Option<$rhs> {
                        self: |bar, w| *bar -= self.solve_transposed(w) * result.transpose(),
                              |d| -self.solve(&(d * result)).expect("it has been solved");
                        b: |w| self.solve_transposed(&w), |d| self.solve(&d).expect("it has been solved");
                    }
                }

                impl<$($params)*> $cholesky {
                    $($check)*

                    kept overloaded fn solve(&self, b: &$rhs) -> $rhs {
                        self: |bar, w| *bar -= folded(&(self.solve(w) * result.transpose())),
                              |d| -self.solve(&(mirrored(&d) * result));
                        b: |w| self.solve(&w), |d| self.solve(&d);
                    }
                }
            }
        }
    )*};
}

solves! {
    of_static_size: [F: Float, const N: usize, const K: usize] Const<N>, SMatrix<F, N, N>, SMatrix<F, N, K>;
        { check F = f64, N = 1, K = 1; check F = f64, N = 3, K = 1; check F = f64, N = 4, K = 2; check F = f32, N = 2, K = 3; }
        LU<F, Const<N>, Const<N>>, QR<F, Const<N>, Const<N>>, Cholesky<F, Const<N>>
    for_vectors: [F: Float] Dyn, DMatrix<F>, DVector<F>;
        { check F = f64; check F = f32; }
        LU<F, Dyn, Dyn>, QR<F, Dyn, Dyn>, Cholesky<F, Dyn>
    for_matrices: [F: Float] Dyn, DMatrix<F>, DMatrix<F>;
        { check F = f64; check F = f32; }
        LU<F, Dyn, Dyn>, QR<F, Dyn, Dyn>, Cholesky<F, Dyn>
}

/// All rules of them.
#[cfg(feature = "rule-checks")]
pub(super) fn all() -> Vec<crate::rules::check::Checked> {
    [of_static_size::table(), for_vectors::table(), for_matrices::table()].concat()
}
