//! Inverses, factorizations, eigenvalues and singular values.
//!
//! The bar of a factorization is that of the matrix that was factored, and so is its direction: factoring is the identity then, and what
//! is solved has the derivatives of M⁻¹ b (M. Giles, *Collected matrix derivative results for forward and reverse mode algorithmic
//! differentiation*, 2008). Of a Cholesky factorization, as of what has to do with symmetric matrices, nalgebra reads the lower triangle of the
//! matrix, and only that has a derivative.

use super::Float;
use super::solves::Factored;
use super::types::dominated_by_diagonal;
use crate::rules::Spread;
use crate::rules::check::{Flat, Random, Sample};
use crate::storable::moved;
use crate::zero::BarIsTangent;
use crate::{Differentiable, Placeholder, ShapeDigest, Stack, Storable, Unchanging};
use nalgebra::allocator::Allocator;
use nalgebra::*;

type Square<F, D> = OMatrix<F, D, D>;

/// The lower triangle of what the bar of a symmetric matrix is: elements that stand for two have the sum of both.
pub(super) fn folded<F: Float, D: Dim>(bar: &Square<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut folded = bar + bar.transpose();
    for at in 0..folded.nrows() {
        folded[(at, at)] = bar[(at, at)];
    }
    folded.fill_upper_triangle(F::zero(), 1);
    folded
}

/// The symmetric matrix of which this is the lower triangle.
pub(super) fn mirrored<F: Float, D: Dim>(of: &Square<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut mirrored = of.clone_owned();
    mirrored.fill_upper_triangle_with_lower_triangle();
    mirrored
}

/// The lower triangle, with half of its diagonal.
fn halved<F: Float, D: Dim>(of: &Square<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut halved = of.lower_triangle();
    for at in 0..halved.nrows() {
        halved[(at, at)] /= F::one() + F::one();
    }
    halved
}

/// L⁻ᵀ X L⁻¹.
fn congruent<F: Float, D: Dim>(factor: &Square<F, D>, mut of: Square<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    factor.tr_solve_lower_triangular_unchecked_mut(&mut of);
    of.transpose_mut();
    factor.tr_solve_lower_triangular_unchecked_mut(&mut of);
    of.transpose_mut();
    of
}

/// L⁻¹ X L⁻ᵀ.
fn whitened<F: Float, D: Dim>(factor: &Square<F, D>, mut of: Square<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    factor.solve_lower_triangular_unchecked_mut(&mut of);
    of.transpose_mut();
    factor.solve_lower_triangular_unchecked_mut(&mut of);
    of.transpose_mut();
    of
}

/// Subtracts Rᵀ W Rᵀ, of the inverse R. Products of matrices that are transposed before take a third of the time of those that transpose
/// (`tr_mul`) at 200 rows.
fn pull_inverse<F: Float, D: Dim>(
    bar: &mut Square<F, D>,
    inverse: &Square<F, D>,
    weight: &Square<F, D>,
) where
    DefaultAllocator: Allocator<D, D>,
{
    let transposed = inverse.transpose();
    bar.gemm(-F::one(), &(&transposed * weight), &transposed, F::one());
}

/// The places of values, from the least to the greatest.
fn in_order<F: Float>(values: &[F]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&a, &b| values[a].partial_cmp(&values[b]).unwrap_or(std::cmp::Ordering::Equal));
    places
}

/// A normed eigenvector for each of the eigenvalues, which are perhaps in another order where vectors are found, too.
fn eigenvectors<F: Float, D: Dim + DimSub<U1>>(
    of: &Square<F, D>,
    values: &OVector<F, D>,
) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let eigen = of.clone_owned().symmetric_eigen();
    let mut vectors = eigen.eigenvectors.clone_owned();
    let places = in_order(values.as_slice()).into_iter();
    for (at, from) in places.zip(in_order(eigen.eigenvalues.as_slice())) {
        vectors.set_column(at, &eigen.eigenvectors.column(from));
    }
    vectors
}

/// Each column times a number.
fn weighted<F: Float, D: Dim>(columns: &Square<F, D>, weight: &OVector<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let mut weighted = columns.clone_owned();
    for (mut column, weight) in weighted.column_iter_mut().zip(weight.iter()) {
        column *= *weight;
    }
    weighted
}

/// V diag(w) Vᵀ: dλ = vᵀ dM v, of an eigenvector v. Of eigenvalues that are equal this is right where their weights are.
fn pulled_eigenvalues<F: Float, D: Dim + DimSub<U1>>(
    of: &Square<F, D>,
    values: &OVector<F, D>,
    weight: &OVector<F, D>,
) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let vectors = eigenvectors(of, values);
    folded(&(weighted(&vectors, weight) * vectors.transpose()))
}

/// The diagonal of Vᵀ dM V.
fn pushed_eigenvalues<F: Float, D: Dim + DimSub<U1>>(
    of: &Square<F, D>,
    values: &OVector<F, D>,
    direction: &Square<F, D>,
) -> OVector<F, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let vectors = eigenvectors(of, values);
    (vectors.transpose() * mirrored(direction) * vectors).diagonal()
}

/// Left and right singular vectors, those as rows, in the order of `singular_values`.
fn singular_vectors<F: Float, D: DimMin<D, Output = D> + DimSub<U1>>(
    of: &Square<F, D>,
) -> (Square<F, D>, Square<F, D>)
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let SVD { u, v_t, .. } = of.clone_owned().svd(true, true);
    (u.expect("it is asked for"), v_t.expect("it is asked for"))
}

/// Adds U diag(w) Vᵀ: dσ = uᵀ dM v.
fn pull_singular_values<F: Float, D: DimMin<D, Output = D> + DimSub<U1>>(
    bar: &mut Square<F, D>,
    of: &Square<F, D>,
    weight: &OVector<F, D>,
) where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let (left, right) = singular_vectors(of);
    *bar += weighted(&left, weight) * right;
}

/// The diagonal of Uᵀ dM V.
fn pushed_singular_values<F: Float, D: DimMin<D, Output = D> + DimSub<U1>>(
    of: &Square<F, D>,
    direction: &Square<F, D>,
) -> OVector<F, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let (left, right) = singular_vectors(of);
    (left.transpose() * direction * right.transpose()).diagonal()
}

/// Up to this size determinants of minors take no longer than an inverse.
const FEW: usize = 4;

/// The derivative of the determinant. Determinant and inverse of one factorization have errors that cancel out each other close to where there is no
/// inverse; where there is none, the derivative is made of the determinants of minors.
pub(super) fn cofactors<F: Float, D: DimMin<D, Output = D>>(of: &Square<F, D>) -> Square<F, D>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    if of.nrows() > FEW {
        let lu = LU::new(of.clone_owned());
        if let Some(inverse) = lu.try_inverse() {
            return inverse.transpose() * lu.determinant();
        }
    }
    let (rows, columns) = of.shape_generic();
    Square::from_fn_generic(rows, columns, |i, j| {
        let mut other = of.clone_owned();
        other.column_mut(j).fill(F::zero());
        other[(i, j)] = F::one();
        other.determinant()
    })
}

/// What factorizations of square matrices are: as the matrices, but for how they are stored.
macro_rules! factored {
    ([$($params:tt)*] $dim:ty, $matrix:ty, $ty:ty, $new:path, $internal:ident) => {
        impl<$($params)*> Differentiable for $ty
        where
            $dim: DimMin<$dim, Output = $dim>,
        {
            type Bar = $matrix;
            fn zero_bar(&self) -> $matrix {
                self.$internal().zero_bar()
            }
            fn any_bar() -> Option<$matrix> {
                <$matrix>::any_bar()
            }
            #[inline]
            fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
                self.$internal().digest_bar_shape(digest);
            }
        }

        moved! {
            [$($params)*] $ty where [$dim: DimMin<$dim, Output = $dim>]:
                |of| of.$internal().heap_bytes(), $new(<$matrix>::placeholder());
        }

        impl<$($params)*> BarIsTangent for $ty where $dim: DimMin<$dim, Output = $dim> {}
        impl<$($params)*> Unchanging for $ty where $dim: DimMin<$dim, Output = $dim> {}

        impl<$($params)*, D> Spread<D> for $ty
        where
            $dim: DimMin<$dim, Output = $dim>,
        {
            type Tangents = Self;
        }

        impl<$($params)*> Flat for $ty
        where
            $dim: DimMin<$dim, Output = $dim>,
        {
            fn flat(&self) -> Vec<f64> {
                self.matrix().flat()
            }
            fn with_flat(&self, flat: &[f64]) -> Self {
                $new(self.zero_bar().with_flat(flat))
            }
        }

        impl<$($params)*> Sample for $ty
        where
            $dim: DimMin<$dim, Output = $dim>,
        {
            fn sample(random: &mut Random) -> Self {
                let mut sample = <$matrix>::sample(random);
                dominated_by_diagonal(&mut sample);
                $new(sample)
            }
        }
    };
}

/// What factorizations are, and what there are rules for, of matrices of some sizes.
macro_rules! factorizations {
    ($($module:ident: [$($params:tt)*] $dim:ty, $matrix:ty, $vector:ty;
        { $($check:tt)* } $lu:ty, $qr:ty, $cholesky:ty)*) => {$(
        mod $module {
            use super::*;

            factored! { [$($params)*] $dim, $matrix, $lu, LU::new, lu_internal }
            factored! { [$($params)*] $dim, $matrix, $qr, QR::new, qr_internal }

            impl<$($params)*> Differentiable for $cholesky {
                type Bar = $matrix;
                fn zero_bar(&self) -> $matrix {
                    self.l_dirty().zero_bar()
                }
                fn any_bar() -> Option<$matrix> {
                    <$matrix>::any_bar()
                }
                #[inline]
                fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
                    self.l_dirty().digest_bar_shape(digest);
                }
            }

            impl<$($params)*> Storable for $cholesky {
                #[track_caller]
                fn store(self, stack: &mut Stack) {
                    self.unpack_dirty().store(stack);
                }
                #[track_caller]
                fn load(stack: &mut Stack) -> Self {
                    Cholesky::pack_dirty(<$matrix>::load(stack))
                }
                fn heap_bytes(&self) -> usize {
                    self.l_dirty().heap_bytes()
                }
            }

            impl<$($params)*> Placeholder for $cholesky {
                fn placeholder() -> Self {
                    Cholesky::pack_dirty(<$matrix>::placeholder())
                }
            }

            impl<$($params)*> BarIsTangent for $cholesky {}
            impl<$($params)*> Unchanging for $cholesky {}

            impl<$($params)*, D> Spread<D> for $cholesky {
                type Tangents = Self;
            }

            impl<$($params)*> Flat for $cholesky {
                fn flat(&self) -> Vec<f64> {
                    let factor = self.l();
                    (&factor * factor.transpose()).lower_triangle().flat()
                }
                fn with_flat(&self, flat: &[f64]) -> Self {
                    Cholesky::new_unchecked(self.zero_bar().with_flat(flat))
                }
            }

            impl<$($params)*> Sample for $cholesky {
                fn sample(random: &mut Random) -> Self {
                    let mut sample = <$matrix>::sample(random);
                    dominated_by_diagonal(&mut sample);
                    Cholesky::new_unchecked(sample)
                }
            }

            ad_macros::rules! {
                crate = crate;

                impl<$($params)*> $matrix {
                    $($check)*

                    kept fn try_inverse(self) -> Option<$matrix> {
                        self: |bar, w| pull_inverse(bar, result, w),
                              |d| -(result * d * result);
                    }
                    fn cholesky(self) -> Option<$cholesky> {
                        self: |w| w.lower_triangle(), |d| d.lower_triangle();
                    }
                }

                impl<$($params)*> $matrix
                where
                    $dim: DimMin<$dim, Output = $dim>
                {
                    $($check)*

                    fn lu(self) -> $lu { self: same; }
                    fn qr(self) -> $qr { self: same; }
                }

                impl<$($params)*> $matrix
                where
                    $dim: DimSub<U1>,
                    DefaultAllocator: Allocator<DimDiff<$dim, U1>>
                {
                    $($check)*

                    kept fn symmetric_eigenvalues(&self) -> $vector {
                        self: |w| pulled_eigenvalues::<F, $dim>(self, result, &w), |d| pushed_eigenvalues::<F, $dim>(self, result, &d);
                    }
                }

                impl<$($params)*> $matrix
                where
                    $dim: DimMin<$dim, Output = $dim> + DimSub<U1>,
                    DefaultAllocator: Allocator<DimDiff<$dim, U1>>
                {
                    $($check)*

                    fn singular_values(&self) -> $vector {
                        self: |bar, w| pull_singular_values::<F, $dim>(bar, self, w),
                              |d| pushed_singular_values::<F, $dim>(self, &d);
                    }
                }

                impl<$($params)*> $lu, $qr
                where
                    $dim: DimMin<$dim, Output = $dim>
                {
                    $($check)*

                    kept fn try_inverse(&self) -> Option<$matrix> {
                        self: |bar, w| pull_inverse(bar, result, w),
                              |d| -(result * d * result);
                    }
                }

                impl<$($params)*> $lu
                where
                    $dim: DimMin<$dim, Output = $dim>
                {
                    $($check)*

                    fn determinant(&self) -> F {
                        self: |w| cofactors(&self.matrix()) * w, |d| cofactors(&self.matrix()).dot(&d);
                    }
                }

                impl<$($params)*> $cholesky {
                    $($check)*

                    kept fn l(&self) -> $matrix {
                        self: |w| { let p = halved(&(result.transpose() * &w)); folded(&congruent(result, p)) },
                              |d| result * halved(&whitened(result, mirrored(&d)));
                    }
                    kept fn unpack(self) -> $matrix {
                        self: |w| { let p = halved(&(result.transpose() * &w)); folded(&congruent(result, p)) },
                              |d| result * halved(&whitened(result, mirrored(&d)));
                    }
                    kept fn inverse(&self) -> $matrix {
                        self: |w| -folded(&(result * w * result)), |d| -(result * mirrored(&d) * result);
                    }
                    fn determinant(&self) -> F {
                        self: |w| folded(&(self.inverse() * (*result * w))), |d| self.inverse().dot(&mirrored(&d)) * *result;
                    }
                    fn ln_determinant(&self) -> F {
                        self: |w| folded(&(self.inverse() * w)), |d| self.inverse().dot(&mirrored(&d));
                    }
                }
            }
        }
    )*};
}

factorizations! {
    of_static_size: [F: Float, const N: usize] Const<N>, SMatrix<F, N, N>, SVector<F, N>;
        { check F = f64, N = 1; check F = f64, N = 2; check F = f64, N = 3; check F = f64, N = 4; check F = f32, N = 2; }
        LU<F, Const<N>, Const<N>>, QR<F, Const<N>, Const<N>>, Cholesky<F, Const<N>>
    of_any_size: [F: Float] Dyn, DMatrix<F>, DVector<F>;
        { check F = f64; check F = f32; }
        LU<F, Dyn, Dyn>, QR<F, Dyn, Dyn>, Cholesky<F, Dyn>
}

/// All rules of them.
#[cfg(feature = "rule-checks")]
pub(super) fn all() -> Vec<crate::rules::check::Checked> {
    [of_static_size::table(), of_any_size::table()].concat()
}
