//! Matrices and vectors whose sizes are known at run time. Bars are changed in place.

use super::Float;
use super::factorizations::cofactors;
use super::floats::{choice, number, sign};
use super::types::dominated_by_diagonal;
use crate::operator::strong;
use crate::proof::sealed::SealedList;
use crate::rules::Spread;
use crate::rules::check::{Random, Sample};
use crate::rules::each::Whole;
use crate::rules::vectors::vectors;
use crate::storable::moved;
use crate::{Differentiable, IndexedBy, IndexedMutBy, List, ShapeDigest, Unchanging, Vector};
use nalgebra::*;

/// What values of these types are: how to make one of a shape, of which elements are asked for.
macro_rules! types {
    ($($ty:ident: |$value:ident| $zeros:expr, $empty:expr, $sample:expr;)*) => {$(
        vectors! { [F: Float] $ty<F>: Several; }

        impl<F: Float> Differentiable for $ty<F> {
            type Bar = Self;
            fn zero_bar(&self) -> Self {
                let $value = self;
                $zeros
            }
            fn any_bar() -> Option<Self> {
                Some($empty)
            }
            #[inline]
            fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
                self.digest_shape(digest);
            }
        }

        moved! { [F: Float] $ty<F>: |value| value.len() * size_of::<F>(), $empty; }

        impl<F: Float> Whole<F> for $ty<F> {
            fn count(&self) -> usize {
                self.len()
            }
            fn element(&self, at: usize) -> F {
                self[at]
            }
            fn with(&self, mut elements: impl FnMut(usize) -> F) -> Self {
                let mut at = 0;
                self.map(|_| {
                    at += 1;
                    elements(at - 1)
                })
            }
        }

        impl<F: Float> Unchanging for $ty<F> {}

        impl<F: Float, D> Spread<D> for $ty<F> {
            type Tangents = Self;
        }

        impl<F: Float> Sample for $ty<F> {
            fn sample(random: &mut Random) -> Self {
                let sample: Self = $sample;
                let mut sample = sample.map(|_: F| F::sample(random));
                if sample.is_square() && random.half() {
                    dominated_by_diagonal(&mut sample);
                }
                sample
            }
        }

        // An index finds an element, column by column.
        impl<F: Float> List for $ty<F> {
            #[inline]
            fn length(&self) -> usize {
                self.len()
            }
        }
        impl<F: Float> SealedList for $ty<F> {}
    )*};
}

impl<F: Float> IndexedBy<(usize, usize)> for DMatrix<F> {}
impl<F: Float> IndexedMutBy<(usize, usize)> for DMatrix<F> {}

impl<F: Float> super::Indexed for DMatrix<F> {
    type Element = F;
}

types! {
    DVector: |v| DVector::zeros(v.len()), DVector::zeros(0), DVector::zeros(3);
    DMatrix: |m| DMatrix::zeros(m.nrows(), m.ncols()), DMatrix::zeros(0, 0), DMatrix::zeros(3, 3);
}

/// Adds elements of a weight, times partials that may be infinite where the weight is zero.
fn add<F: Float, R: Dim, C: Dim>(
    bar: &mut Matrix<F, R, C, Owned<F, R, C>>,
    weight: &Matrix<F, R, C, Owned<F, R, C>>,
    partial: impl Fn(usize) -> F,
) where
    DefaultAllocator: allocator::Allocator<R, C>,
    Owned<F, R, C>: RawStorageMut<F, R, C>,
{
    assert_eq!(bar.shape(), weight.shape(), "a bar has the shape of its value");
    for (at, (bar, weight)) in bar.iter_mut().zip(weight.iter()).enumerate() {
        *bar += strong(*weight, partial(at));
    }
}

/// The sum of these.
fn sum_of<F: Float>(weight: &[F], partial: impl Fn(usize) -> F) -> F {
    let parts = weight.iter().enumerate();
    parts.fold(F::zero(), |sum, (at, weight)| sum + strong(*weight, partial(at)))
}

/// Where the first element of that value is.
fn found<F: Float>(elements: &[F], value: impl Fn(F) -> F, result: F) -> usize {
    elements.iter().position(|element| value(*element) == result).unwrap_or(0)
}

fn magnitude<F: Float>(of: F) -> F {
    of.abs()
}

/// A number for each element.
fn each<T: Whole<F>, F: Float>(of: &T, element: impl FnMut(usize) -> F) -> T {
    of.with(element)
}

/// The rules that vectors and matrices have in common, and behind these those of one of them.
macro_rules! rules {
    ($($module:ident: $ty:ident { $($special:tt)* })*) => {
        $(mod $module {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<F: Float> $ty<F> {
                    check F = f64;
                    check F = f32;

                    op Neg(&self) -> $ty<F> { self: |bar, w| *bar -= w, |d| -d; }
                    op Add, AddAssign(&self, b: &$ty<F>) -> $ty<F> { self: same; b: same; }
                    op Sub, SubAssign(&self, b: &$ty<F>) -> $ty<F> { self: same; b: |bar, w| *bar -= w, |d| -d; }
                    op Mul, MulAssign(&self, value b: F) -> $ty<F> {
                        self: |bar, w| add(bar, w, |_| b), |d| d * b;
                        b: |bar, w| *bar += sum_of(w.as_slice(), |at| self[at]), |d| self * d;
                    }
                    op Div, DivAssign(&self, value b: F) -> $ty<F> {
                        self: |bar, w| add(bar, w, |_| F::one() / b), |d| each(&d, |at| strong(d[at], F::one() / b));
                        b: |bar, w| *bar -= sum_of(w.as_slice(), |at| result[at] / b), |d| result * -(d / b);
                    }

                    fn scale(&self, b: F) -> $ty<F> {
                        self: |bar, w| add(bar, w, |_| b), |d| d * b;
                        b: |bar, w| *bar += sum_of(w.as_slice(), |at| self[at]), |d| self * d;
                    }
                    fn unscale(&self, b: F) -> $ty<F> {
                        self: |bar, w| add(bar, w, |_| F::one() / b), |d| each(&d, |at| strong(d[at], F::one() / b));
                        b: |bar, w| *bar -= sum_of(w.as_slice(), |at| result[at] / b), |d| result * -(d / b);
                    }
                    fn add_scalar(&self, b: F) -> $ty<F> {
                        self: same;
                        b: |bar, w| *bar += w.sum(), |d| each(self, |_| d);
                    }
                    fn component_mul(&self, b: &$ty<F>) -> $ty<F> {
                        self: |bar, w| add(bar, w, |at| b[at]), |d| d.component_mul(b);
                        b: |bar, w| add(bar, w, |at| self[at]), |d| self.component_mul(&d);
                    }
                    fn component_div(&self, b: &$ty<F>) -> $ty<F> {
                        self: |bar, w| add(bar, w, |at| F::one() / b[at]), |d| each(&d, |at| strong(d[at], F::one() / b[at]));
                        b: |bar, w| add(bar, w, |at| -(result[at] / b[at])), |d| each(&d, |at| strong(d[at], -(result[at] / b[at])));
                    }
                    // To the operand that is returned.
                    fn inf(&self, b: &$ty<F>) -> $ty<F> {
                        self: |bar, w| add(bar, w, |at| choice(self[at] < b[at])), |d| each(&d, |at| strong(d[at], choice(self[at] < b[at])));
                        b: |bar, w| add(bar, w, |at| choice(!(self[at] < b[at]))), |d| each(&d, |at| strong(d[at], choice(!(self[at] < b[at]))));
                    }
                    fn sup(&self, b: &$ty<F>) -> $ty<F> {
                        self: |bar, w| add(bar, w, |at| choice(self[at] > b[at])), |d| each(&d, |at| strong(d[at], choice(self[at] > b[at])));
                        b: |bar, w| add(bar, w, |at| choice(!(self[at] > b[at]))), |d| each(&d, |at| strong(d[at], choice(!(self[at] > b[at]))));
                    }
                    // The derivative of |x| at 0 is 0.
                    fn abs(&self) -> $ty<F> {
                        self: |bar, w| add(bar, w, |at| sign(self[at])), |d| each(&d, |at| strong(d[at], sign(self[at])));
                    }

                    fn dot(&self, b: &$ty<F>) -> F {
                        self: |bar, w| *bar += b * *w, |d| d.dot(b);
                        b: |bar, w| *bar += self * *w, |d| self.dot(&d);
                    }
                    fn norm, magnitude(&self) -> F {
                        self: |bar, w| *bar += self * (*w / *result), |d| self.dot(&d) / *result;
                    }
                    fn norm_squared, magnitude_squared(&self) -> F {
                        self: |bar, w| *bar += self * (*w + *w), |d| { let d = self.dot(&d); d + d };
                    }
                    fn metric_distance(&self, b: &$ty<F>) -> F {
                        self: |w| (self - b) * (w / *result), |d| (self - b).dot(&d) / *result;
                        b: |w| (b - self) * (w / *result), |d| (b - self).dot(&d) / *result;
                    }
                    fn normalize(&self) -> $ty<F> {
                        self: |w| (&w - result * result.dot(&w)) / self.norm(),
                              |d| (&d - result * result.dot(&d)) / self.norm();
                    }
                    fn sum(&self) -> F { self: |bar, w| bar.add_scalar_mut(*w), |d| d.sum(); }
                    fn mean(&self) -> F { self: |bar, w| bar.add_scalar_mut(*w / number(self.len() as f64)), |d| d.mean(); }
                    // To the element that is returned.
                    fn max, min(&self) -> F {
                        self: |bar, w| if !bar.is_empty() { bar[found(self.as_slice(), |x| x, *result)] += *w },
                              |d| if d.is_empty() { F::zero() } else { d[found(self.as_slice(), |x| x, *result)] };
                    }
                    fn amax, amin(&self) -> F {
                        self: |bar, w| if !bar.is_empty() {
                                  let at = found(self.as_slice(), magnitude, *result);
                                  bar[at] += *w * sign(self[at]);
                              },
                              |d| if d.is_empty() { F::zero() } else {
                                  let at = found(self.as_slice(), magnitude, *result);
                                  d[at] * sign(self[at])
                              };
                    }
                    $($special)*
                }

                impl f64 {
                    op Mul(value self, b: &$ty<f64>) -> $ty<f64> {
                        self: |bar, w| *bar += sum_of(w.as_slice(), |at| b[at]), |d| b * d;
                        b: |bar, w| add(bar, w, |_| self), |d| d * self;
                    }
                }

                impl f32 {
                    op Mul(value self, b: &$ty<f32>) -> $ty<f32> {
                        self: |bar, w| *bar += sum_of(w.as_slice(), |at| b[at]), |d| b * d;
                        b: |bar, w| add(bar, w, |_| self), |d| d * self;
                    }
                }
            }
        })*

        /// All rules of them.
        #[cfg(feature = "rule-checks")]
        pub(super) fn all() -> Vec<crate::rules::check::Checked> {
            [$($module::table()),*].concat()
        }
    };
}

rules! {
    vectors: DVector {
        fn from_vec(elements: Vec<F>) -> DVector<F> {
            elements: |bar, w| {
                          assert_eq!(bar.len(), w.len(), "a bar has the length of its value");
                          bar.iter_mut().zip(w.iter()).for_each(|(bar, w)| *bar += *w)
                      },
                      |d| DVector::from_vec(d);
        }
        fn from_element(len: usize, x: F) -> DVector<F> {
            len: passive;
            x: |bar, w| *bar += w.sum(), |d| DVector::from_element(len, d);
        }
        fn lerp(&self, b: &DVector<F>, t: F) -> DVector<F> {
            self: |bar, w| bar.axpy(F::one() - t, w, F::one()), |d| d * (F::one() - t);
            b: |bar, w| bar.axpy(t, w, F::one()), |d| d * t;
            t: |bar, w| *bar += b.dot(w) - self.dot(w), |d| (b - self) * d;
        }
    }
    matrices: DMatrix {
        fn __index_tuple_usize_usize, __index_mut_tuple_usize_usize(&self, at: (usize, usize)) -> F = self[at] {
            self: |bar, w| bar[at] += *w, |d| d[at];
            at: passive;
        }
        op Mul(&self, b: &DMatrix<F>) -> DMatrix<F> {
            self: |bar, w| bar.gemm(F::one(), w, &b.transpose(), F::one()), |d| d * b;
            // `gemm_tr` takes three times as long.
            b: |bar, w| bar.gemm(F::one(), &self.transpose(), w, F::one()), |d| self * d;
        }
        op Mul(&self, b: &DVector<F>) -> DVector<F> {
            self: |bar, w| bar.ger(F::one(), w, b, F::one()), |d| d * b;
            b: |bar, w| bar.gemv_tr(F::one(), self, w, F::one()), |d| self * d;
        }
        fn tr_mul(&self, b: &DVector<F>) -> DVector<F> {
            self: |bar, w| bar.ger(F::one(), b, w, F::one()), |d| d.tr_mul(b);
            b: |bar, w| bar.gemv(F::one(), self, w, F::one()), |d| self.tr_mul(&d);
        }
        fn from_element(rows: usize, columns: usize, x: F) -> DMatrix<F> {
            rows: passive;
            columns: passive;
            x: |bar, w| *bar += w.sum(), |d| DMatrix::from_element(rows, columns, d);
        }
        fn from_diagonal(diagonal: &DVector<F>) -> DMatrix<F> {
            diagonal: |bar, w| *bar += w.diagonal(), |d| DMatrix::from_diagonal(&d);
        }
        fn transpose(&self) -> DMatrix<F> { self: |bar, w| *bar += w.transpose(), |d| d.transpose(); }
        fn trace(&self) -> F {
            self: |bar, w| (0..self.nrows()).for_each(|at| bar[(at, at)] += *w), |d| d.trace();
        }
        fn diagonal(&self) -> DVector<F> {
            self: |bar, w| (0..w.len()).for_each(|at| bar[(at, at)] += w[at]), |d| d.diagonal();
        }
        fn determinant(&self) -> F {
            self: |bar, w| *bar += cofactors(self) * *w, |d| cofactors(self).dot(&d);
        }
        fn symmetric_part(&self) -> DMatrix<F> { self: |w| w.symmetric_part(), |d| d.symmetric_part(); }
    }
}
