//! Rotations: what the types of them have in common, and matrices and complex numbers that are rotations.

use super::Float;
use super::floats::number;
use super::turns::{Turn, axial, pulled_by_axis_of_matrix, pushed_by_axis_of_matrix};
use nalgebra::*;

/// The rules of all types of rotations.
macro_rules! turns {
    ($($module:ident: [$($params:tt)*] [$($bounds:tt)*] $ty:ty, $len:tt, { $(check $($name:ident = $value:tt),+;)+ };)*) => {
        $(mod $module {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<$($params)*> $ty
                where
                    $($bounds)*
                {
                    $(check $($name = $value),+;)+

                    op Mul, MulAssign(self, b: $ty) -> $ty {
                        self: |w| w * b.inverse(), |d| d * b;
                        b: |w| self.inverse() * w, |d| self * d;
                    }
                    op Div, DivAssign(self, b: $ty) -> $ty {
                        self: |w| w * b, |d| d / b;
                        b: |w| (self.inverse() * w).inverse(), |d| self / d;
                    }
                    op Mul(self, b: SVector<F, $len>) -> SVector<F, $len> {
                        self: |w| self.pulled(&b, &w), |d| self.pushed(&b, &d);
                        b: |w| self.inverse() * w, |d| self * d;
                    }
                    op Mul(self, b: Point<F, $len>) -> Point<F, $len> {
                        self: |w| self.pulled(&b.coords, &w.coords), |d| Point::from(self.pushed(&b.coords, &d));
                        b: |w| self.inverse() * w, |d| self * d;
                    }
                    op Mul(self, b: Unit<SVector<F, $len>>) -> Unit<SVector<F, $len>> {
                        self: |w| self.pulled(b.as_ref(), w.as_ref()), |d| Unit::new_unchecked(self.pushed(b.as_ref(), &d));
                        b: |w| self.inverse() * w, |d| self * d;
                    }
                    fn inverse(&self) -> $ty { self: |w| w.inverse(), |d| d.inverse(); }
                    fn transform_vector(&self, b: &SVector<F, $len>) -> SVector<F, $len> {
                        self: |w| self.pulled(b, &w), |d| self.pushed(b, &d);
                        b: |w| self.inverse() * w, |d| self * d;
                    }
                    fn inverse_transform_vector(&self, b: &SVector<F, $len>) -> SVector<F, $len> {
                        self: |w| self.inverse().pulled(b, &w).inverse(), |d| self.inverse().pushed(b, &d.inverse());
                        b: |w| self * w, |d| self.inverse() * d;
                    }
                    fn transform_point(&self, b: &Point<F, $len>) -> Point<F, $len> {
                        self: |w| self.pulled(&b.coords, &w.coords), |d| Point::from(self.pushed(&b.coords, &d));
                        b: |w| self.inverse() * w, |d| self * d;
                    }
                    fn inverse_transform_point(&self, b: &Point<F, $len>) -> Point<F, $len> {
                        self: |w| self.inverse().pulled(&b.coords, &w.coords).inverse(),
                              |d| Point::from(self.inverse().pushed(&b.coords, &d.inverse()));
                        b: |w| self * w, |d| self.inverse() * d;
                    }
                }
            }
        })*

        /// All rules of rotations.
        #[cfg(feature = "rule-checks")]
        pub(super) fn all() -> Vec<crate::rules::check::Checked> {
            [table(), $($module::table()),*].concat()
        }
    };
}

turns! {
    quaternions: [F: Float] [] UnitQuaternion<F>, 3, { check F = f64; check F = f32; };
    complex: [F: Float] [] UnitComplex<F>, 2, { check F = f64; check F = f32; };
    matrices: [F: Float, const N: usize] [] Rotation<F, N>, N, { check F = f64, N = 3; check F = f32, N = 2; };
}

/// The derivative of the matrix of a rotation about an axis, by the angle.
fn by_angle<F: Float>(axis: &SVector<F, 3>, angle: F) -> SMatrix<F, 3, 3> {
    let (sine, cosine) = angle.sin_cos();
    axis.cross_matrix() * cosine + (axis * axis.transpose() - Matrix3::identity()) * sine
}

fn turned<F: Float, const N: usize>(of: SMatrix<F, N, N>) -> Rotation<F, N> {
    Rotation::from_matrix_unchecked(of)
}

/// About which roll, pitch and yaw turn what is made of all three.
fn axes<F: Float>(yaw: F) -> [SMatrix<F, 3, 3>; 2] {
    [Vector3::new(-yaw.sin(), yaw.cos(), F::zero()).cross_matrix(), Vector3::z().cross_matrix()]
}

/// The partials of an angle by the two numbers of a complex number.
fn by_complex<F: Float>(re: F, im: F) -> Vector2<F> {
    Vector2::new(-im, re) / (re * re + im * im)
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const N: usize> Rotation<F, N> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        fn from_matrix_unchecked(matrix: SMatrix<F, N, N>) -> Rotation<F, N> { matrix: |w| w.into_inner(), |d| turned(d); }
        fn into_inner(self) -> SMatrix<F, N, N> { self: |w| turned(w), |d| d.into_inner(); }
        fn transpose(&self) -> Rotation<F, N> { self: |w| w.transpose(), |d| d.transpose(); }
    }

    impl<F: Float> Rotation<F, 3> {
        check F = f64;
        check F = f32;

        // At 0 the value does not depend on the axis, and the derivative is the one that it has there.
        fn from_axis_angle(axis: &Unit<SVector<F, 3>>, angle: F) -> Rotation<F, 3> {
            axis: |w| {
                      let w = w.into_inner();
                      let (sine, cosine) = angle.sin_cos();
                      Unit::new_unchecked(axial(&w) * sine + (w + w.transpose()) * axis.as_ref() * (F::one() - cosine))
                  },
                  |d| {
                      let (sine, cosine) = angle.sin_cos();
                      let outer = axis.as_ref() * d.transpose();
                      turned(d.cross_matrix() * sine + (outer + outer.transpose()) * (F::one() - cosine))
                  };
            angle: |w| by_angle(axis.as_ref(), angle).dot(w.matrix()), |d| turned(by_angle(axis.as_ref(), angle) * d);
        }
        fn from_scaled_axis, new(axisangle: SVector<F, 3>) -> Rotation<F, 3> {
            axisangle: |w| pulled_by_axis_of_matrix(&axisangle, w.matrix()), |d| turned(pushed_by_axis_of_matrix(&axisangle, &d));
        }
        fn from_euler_angles(roll: F, pitch: F, yaw: F) -> Rotation<F, 3> {
            roll: |w| (result.matrix() * Vector3::x().cross_matrix()).dot(w.matrix()),
                  |d| turned(result.matrix() * Vector3::x().cross_matrix() * d);
            pitch: |w| (axes(yaw)[0] * result.matrix()).dot(w.matrix()), |d| turned(axes(yaw)[0] * result.matrix() * d);
            yaw: |w| (axes(yaw)[1] * result.matrix()).dot(w.matrix()), |d| turned(axes(yaw)[1] * result.matrix() * d);
        }
        fn angle(&self) -> F {
            self: |w| turned(Matrix3::from_diagonal_element(w / (result.sin() * number(-2.0)))),
                  |d| d.matrix().trace() / (result.sin() * number(-2.0));
        }
        fn rotation_to(&self, b: &Rotation<F, 3>) -> Rotation<F, 3> {
            self: |w| w.inverse() * b, |d| b * d.inverse();
            b: |w| w * self, |d| d / self;
        }
        fn angle_to(&self, b: &Rotation<F, 3>) -> F {
            self: |w| turned(b.matrix() * (w / (result.sin() * number(-2.0)))), |d| d.matrix().dot(b.matrix()) / (result.sin() * number(-2.0));
            b: |w| turned(self.matrix() * (w / (result.sin() * number(-2.0)))), |d| d.matrix().dot(self.matrix()) / (result.sin() * number(-2.0));
        }
        fn to_homogeneous(&self) -> SMatrix<F, 4, 4> {
            self: |w| turned(w.fixed_view::<3, 3>(0, 0).into_owned()),
                  |d| { let mut tangent = d.to_homogeneous(); tangent.m44 = F::zero(); tangent };
        }
    }

    impl<F: Float> Rotation<F, 2> {
        check F = f64;
        check F = f32;

        fn new(angle: F) -> Rotation<F, 2> {
            angle: |w| Matrix2::new(-angle.sin(), -angle.cos(), angle.cos(), -angle.sin()).dot(w.matrix()),
                   |d| turned(Matrix2::new(-angle.sin(), -angle.cos(), angle.cos(), -angle.sin()) * d);
        }
        fn angle(&self) -> F {
            self: |w| {
                      let part = by_complex(self.matrix().m11, self.matrix().m21) * w;
                      turned(Matrix2::new(part.x, F::zero(), part.y, F::zero()))
                  },
                  |d| by_complex(self.matrix().m11, self.matrix().m21).dot(&Vector2::new(d.matrix().m11, d.matrix().m21));
        }
    }

    impl<F: Float> UnitComplex<F> {
        check F = f64;
        check F = f32;

        fn new, from_angle(angle: F) -> UnitComplex<F> {
            angle: |w| w.im * angle.cos() - w.re * angle.sin(),
                   |d| Unit::new_unchecked(Complex::new(-angle.sin() * d, angle.cos() * d));
        }
        fn angle(&self) -> F {
            self: |w| { let part = by_complex(self.re, self.im) * w; Unit::new_unchecked(Complex::new(part.x, part.y)) },
                  |d| by_complex(self.re, self.im).dot(&Vector2::new(d.re, d.im));
        }
        fn sin_angle(&self) -> F { self: |w| Unit::new_unchecked(Complex::new(F::zero(), w)), |d| d.im; }
        fn cos_angle(&self) -> F { self: |w| Unit::new_unchecked(Complex::new(w, F::zero())), |d| d.re; }
        fn conjugate(&self) -> UnitComplex<F> { self: |w| w.conjugate(), |d| d.conjugate(); }
        fn to_rotation_matrix(self) -> Rotation<F, 2> {
            self: |w| {
                      let w = w.into_inner();
                      Unit::new_unchecked(Complex::new(w.m11 + w.m22, w.m21 - w.m12))
                  },
                  |d| d.to_rotation_matrix();
        }
    }

    impl<F: Float, const N: usize> Unit<SVector<F, N>> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        op Neg(value self) -> Unit<SVector<F, N>> { self: |w| -w, |d| -d; }
        fn into_inner(self) -> SVector<F, N> { self: |w| Unit::new_unchecked(w), |d| d.into_inner(); }
        fn new_normalize(v: SVector<F, N>) -> Unit<SVector<F, N>> {
            v: |w| (w.into_inner() - result.as_ref() * result.dot(w.as_ref())) / v.norm(),
               |d| Unit::new_unchecked((d - result.as_ref() * result.dot(&d)) / v.norm());
        }
        fn new_unchecked(v: SVector<F, N>) -> Unit<SVector<F, N>> { v: |w| w.into_inner(), |d| Unit::new_unchecked(d); }
        fn dot(&self, b: &SVector<F, N>) -> F = self.as_ref().dot(b) {
            self: |w| Unit::new_unchecked(b * w), |d| d.dot(b);
            b: |w| self.as_ref() * w, |d| self.dot(&d);
        }
    }
}
