//! Vectors of two, three and more elements.

use super::Float;
use super::floats::unit;
use nalgebra::*;

/// Elements in the places that they came from.
fn spread<F: Float, const N: usize, const COUNT: usize>(
    elements: &SVector<F, COUNT>,
    from: [usize; COUNT],
) -> SVector<F, N> {
    let mut sum = SVector::zeros();
    for (element, at) in elements.iter().zip(from) {
        sum[at] += *element;
    }
    sum
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const N: usize> SVector<F, N> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        fn lerp(&self, b: &SVector<F, N>, t: F) -> SVector<F, N> {
            self: |w| w * (F::one() - t), |d| d * (F::one() - t);
            b: |w| w * t, |d| d * t;
            t: |w| (b - self).dot(&w), |d| (b - self) * d;
        }
    }

    impl<F: Float> SVector<F, 3> {
        check F = f64;
        check F = f32;

        fn cross(&self, b: &SVector<F, 3>) -> SVector<F, 3> {
            self: |w| b.cross(&w), |d| d.cross(b);
            b: |w| w.cross(self), |d| self.cross(&d);
        }
        fn cross_matrix(&self) -> SMatrix<F, 3, 3> {
            self: |w| Vector3::new(w.m32 - w.m23, w.m13 - w.m31, w.m21 - w.m12), |d| d.cross_matrix();
        }
    }

    impl<F: Float> SVector<F, 2> {
        check F = f64;
        check F = f32;

        fn perp(&self, b: &SVector<F, 2>) -> F {
            self: |w| Vector2::new(b.y, -b.x) * w, |d| d.perp(b);
            b: |w| Vector2::new(-self.y, self.x) * w, |d| self.perp(&d);
        }
    }
}

/// Elements in another order, and vectors that are longer or shorter by one element.
macro_rules! by_length {
    ($($len:literal $next:literal: $($name:ident[$count:literal; $($at:literal)*])*;)*) => {
        mod by_length {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                $(impl<F: Float> SMatrix<F, $len, 1> {
                    check F = f64;
                    check F = f32;

                    fn push(&self, element: F) -> SMatrix<F, $next, 1> {
                        self: |w| w.fixed_rows::<$len>(0).into_owned(), |d| d.push(F::zero());
                        element: |w| w[$len], |d| unit::<F, $next, 1>($len) * d;
                    }
                    fn to_homogeneous(&self) -> SMatrix<F, $next, 1> {
                        self: |w| w.fixed_rows::<$len>(0).into_owned(), |d| d.push(F::zero());
                    }
                    fn insert_row(self, i: usize, value: F) -> SMatrix<F, $next, 1> {
                        self: |w| w.remove_row(i), |d| d.insert_row(i, F::zero());
                        i: passive;
                        value: |w| w[i], |d| unit::<F, $next, 1>(i) * d;
                    }

                    $(fn $name(&self) -> SMatrix<F, $count, 1> {
                        self: |w| spread(&w, [$($at),*]), |d| d.$name();
                    })*
                })*

                $(impl<F: Float> SMatrix<F, $next, 1> {
                    check F = f64;
                    check F = f32;

                    fn remove_row(self, i: usize) -> SMatrix<F, $len, 1> {
                        self: |w| w.insert_row(i, F::zero()), |d| d.remove_row(i);
                        i: passive;
                    }
                })*

                impl<F: Float> SMatrix<F, 2, 2> {
                    check F = f64;

                    fn to_homogeneous(&self) -> SMatrix<F, 3, 3> {
                        self: |w| w.fixed_view::<2, 2>(0, 0).into_owned(),
                              |d| SMatrix::from_fn(|i, j| if i < 2 && j < 2 { d[(i, j)] } else { F::zero() });
                    }
                }

                impl<F: Float> SMatrix<F, 3, 3> {
                    check F = f64;

                    fn to_homogeneous(&self) -> SMatrix<F, 4, 4> {
                        self: |w| w.fixed_view::<3, 3>(0, 0).into_owned(),
                              |d| SMatrix::from_fn(|i, j| if i < 3 && j < 3 { d[(i, j)] } else { F::zero() });
                    }
                }
            }
        }
    };
}

by_length! {
    1 2:;
    2 3: xx[2; 0 0] xy[2; 0 1] yx[2; 1 0] yy[2; 1 1];
    3 4: xx[2; 0 0] xy[2; 0 1] yx[2; 1 0] yy[2; 1 1] xz[2; 0 2] yz[2; 1 2] zx[2; 2 0] zy[2; 2 1] zz[2; 2 2] xyz[3; 0 1 2] xzy[3; 0 2 1] yxz[3; 1 0 2] yzx[3; 1 2 0] zxy[3; 2 0 1] zyx[3; 2 1 0];
    4 5: xx[2; 0 0] xy[2; 0 1] yx[2; 1 0] yy[2; 1 1] xz[2; 0 2] yz[2; 1 2] zx[2; 2 0] zy[2; 2 1] zz[2; 2 2] xyz[3; 0 1 2] xzy[3; 0 2 1] yxz[3; 1 0 2] yzx[3; 1 2 0] zxy[3; 2 0 1] zyx[3; 2 1 0];
    5 6:;
}

/// All rules of them.
#[cfg(feature = "rule-checks")]
pub(super) fn all() -> Vec<crate::rules::check::Checked> {
    [table(), by_length::table()].concat()
}
