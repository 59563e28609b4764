//! Quaternions, and those of length 1, which are rotations. Rules are those of the formulas that are evaluated, for quaternions of any
//! length.

use super::Float;
use super::floats::{number, sum_of, weighted};
use super::turns::{pulled_by_scaled_axis, pushed_by_scaled_axis};
use nalgebra::*;

/// What is left of a change where a quaternion is normalized: this is its own adjoint.
fn normalized<F: Float>(direction: Quaternion<F>, norm: F, change: Quaternion<F>) -> Quaternion<F> {
    (change - direction * direction.dot(&change)) / norm
}

/// The partials of the angle of a rotation, by its vector and its scalar.
fn by_angle<F: Float>(of: &UnitQuaternion<F>) -> Quaternion<F> {
    let (vector, scalar) = (of.as_ref().imag(), of.as_ref().scalar());
    let (norm, two) = (vector.norm(), number::<F>(2.0));
    let square = of.as_ref().norm_squared();
    let sign = if scalar < F::zero() { -F::one() } else { F::one() };
    Quaternion::from_parts(
        -two * sign * norm / square,
        vector * (two * scalar.abs() / (square * norm)),
    )
}

/// Half of the axes about which roll, pitch and yaw turn what is made of all three.
fn half_axes<F: Float>(yaw: F) -> [Quaternion<F>; 2] {
    let half = number::<F>(0.5);
    [
        Quaternion::from_imag(Vector3::new(-yaw.sin(), yaw.cos(), F::zero()) * half),
        Quaternion::from_imag(Vector3::new(F::zero(), F::zero(), half)),
    ]
}

fn half_x<F: Float>() -> Quaternion<F> {
    Quaternion::from_imag(Vector3::x() * number::<F>(0.5))
}

fn unit<F: Float>(of: Quaternion<F>) -> UnitQuaternion<F> {
    Unit::new_unchecked(of)
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float> Quaternion<F> {
        check F = f64;
        check F = f32;

        op Neg(self) -> Quaternion<F> { self: |w| -w, |d| -d; }
        op Add, AddAssign(self, b: Quaternion<F>) -> Quaternion<F> { self: same; b: same; }
        op Sub, SubAssign(self, b: Quaternion<F>) -> Quaternion<F> { self: same; b: |w| -w, |d| -d; }
        op Mul, MulAssign(self, value b: F) -> Quaternion<F> {
            self: |w| Quaternion::from(weighted(&w.coords, |_| b)), |d| Quaternion::from(weighted(&d.coords, |_| b));
            b: |w| sum_of(&w.coords, |at| self.coords[at]), |d| self * d;
        }
        op Div, DivAssign(self, value b: F) -> Quaternion<F> {
            self: |w| Quaternion::from(weighted(&w.coords, |_| F::one() / b)), |d| Quaternion::from(weighted(&d.coords, |_| F::one() / b));
            b: |w| -sum_of(&w.coords, |at| result.coords[at] / b), |d| *result * -(d / b);
        }
        op Mul, MulAssign(self, b: Quaternion<F>) -> Quaternion<F> {
            self: |w| w * b.conjugate(), |d| d * b;
            b: |w| self.conjugate() * w, |d| self * d;
        }

        fn new(w: F, i: F, j: F, k: F) -> Quaternion<F> {
            w: |weight| weight.w, |d| Quaternion::new(d, F::zero(), F::zero(), F::zero());
            i: |weight| weight.i, |d| Quaternion::new(F::zero(), d, F::zero(), F::zero());
            j: |weight| weight.j, |d| Quaternion::new(F::zero(), F::zero(), d, F::zero());
            k: |weight| weight.k, |d| Quaternion::new(F::zero(), F::zero(), F::zero(), d);
        }
        fn from_parts(scalar: F, vector: SVector<F, 3>) -> Quaternion<F> {
            scalar: |w| w.w, |d| Quaternion::from_real(d);
            vector: |w| w.imag(), |d| Quaternion::from_imag(d);
        }
        fn from_imag(vector: SVector<F, 3>) -> Quaternion<F> { vector: |w| w.imag(), |d| Quaternion::from_imag(d); }
        fn from_real(real: F) -> Quaternion<F> { real: |w| w.w, |d| Quaternion::from_real(d); }
        fn from_vector(vector: SVector<F, 4>) -> Quaternion<F> { vector: |w| w.coords, |d| Quaternion::from(d); }
        fn conjugate(&self) -> Quaternion<F> { self: |w| w.conjugate(), |d| d.conjugate(); }
        fn imag(&self) -> SVector<F, 3> { self: |w| Quaternion::from_imag(w), |d| d.imag(); }
        fn scalar(&self) -> F { self: |w| Quaternion::from_real(w), |d| d.scalar(); }
        fn dot(&self, b: &Quaternion<F>) -> F {
            self: |w| *b * w, |d| d.dot(b);
            b: |w| *self * w, |d| self.dot(&d);
        }
        fn norm, magnitude(&self) -> F { self: |w| *self * (w / *result), |d| self.dot(&d) / *result; }
        fn norm_squared, magnitude_squared(&self) -> F { self: |w| *self * (w + w), |d| { let d = self.dot(&d); d + d }; }
        fn normalize(&self) -> Quaternion<F> {
            self: |w| normalized(*result, self.norm(), w), |d| normalized(*result, self.norm(), d);
        }
        fn lerp(&self, b: &Quaternion<F>, t: F) -> Quaternion<F> {
            self: |w| w * (F::one() - t), |d| d * (F::one() - t);
            b: |w| w * t, |d| d * t;
            t: |w| (b - self).dot(&w), |d| (b - self) * d;
        }
        fn squared(&self) -> Quaternion<F> {
            self: |w| w * self.conjugate() + self.conjugate() * w, |d| d * self + self * d;
        }
        fn half(&self) -> Quaternion<F> { self: |w| w.half(), |d| d.half(); }
    }

    impl<F: Float> UnitQuaternion<F> {
        check F = f64;
        check F = f32;

        fn from_axis_angle(axis: &Unit<SVector<F, 3>>, angle: F) -> UnitQuaternion<F> {
            axis: |w| Unit::new_unchecked(w.as_ref().imag() * (angle * number(0.5)).sin()),
                  |d| unit(Quaternion::from_imag(d.into_inner() * (angle * number(0.5)).sin()));
            angle: |w| {
                       let (sine, cosine) = (angle * number(0.5)).sin_cos();
                       (axis.dot(&w.as_ref().imag()) * cosine - w.as_ref().w * sine) * number(0.5)
                   },
                   |d| {
                       let (sine, cosine) = (angle * number(0.5)).sin_cos();
                       unit(Quaternion::from_parts(-sine, axis.as_ref() * cosine) * (d * number(0.5)))
                   };
        }
        fn from_euler_angles(roll: F, pitch: F, yaw: F) -> UnitQuaternion<F> {
            roll: |w| (result.as_ref() * half_x()).dot(w.as_ref()), |d| unit(result.as_ref() * half_x() * d);
            pitch: |w| (half_axes(yaw)[0] * result.as_ref()).dot(w.as_ref()), |d| unit(half_axes(yaw)[0] * result.as_ref() * d);
            yaw: |w| (half_axes(yaw)[1] * result.as_ref()).dot(w.as_ref()), |d| unit(half_axes(yaw)[1] * result.as_ref() * d);
        }
        // Close to 0 the value is that of 0, and the derivative the one that it has there.
        fn from_scaled_axis, new(axisangle: SVector<F, 3>) -> UnitQuaternion<F> {
            axisangle: |w| pulled_by_scaled_axis(&axisangle, &w), |d| pushed_by_scaled_axis(&axisangle, &d);
        }
        fn from_quaternion(q: Quaternion<F>) -> UnitQuaternion<F> {
            q: |w| normalized(result.into_inner(), q.norm(), w.into_inner()),
               |d| unit(normalized(result.into_inner(), q.norm(), d));
        }
        fn to_rotation_matrix(self) -> Rotation<F, 3> {
            self: |w| {
                      let (w, two) = (w.into_inner(), number::<F>(2.0));
                      let (v, s) = (self.as_ref().imag(), self.as_ref().w);
                      let axial = super::turns::axial(&w);
                      unit(Quaternion::from_parts(
                          (s * w.trace() + v.dot(&axial)) * two,
                          ((w + w.transpose()) * v + axial * s - v * w.trace()) * two,
                      ))
                  },
                  |d| {
                      let two = number::<F>(2.0);
                      let (v, s) = (self.as_ref().imag(), self.as_ref().w);
                      let (dv, ds) = (d.as_ref().imag(), d.as_ref().w);
                      let outer = v * dv.transpose();
                      let skew = v.cross_matrix() * ds + dv.cross_matrix() * s;
                      let diagonal = Matrix3::from_diagonal_element(s * ds - v.dot(&dv));
                      Rotation::from_matrix_unchecked((diagonal + skew + outer + outer.transpose()) * two)
                  };
        }
        fn into_inner(self) -> Quaternion<F> { self: |w| unit(w), |d| d.into_inner(); }
        fn conjugate(&self) -> UnitQuaternion<F> { self: |w| w.conjugate(), |d| d.conjugate(); }
        fn imag(&self) -> SVector<F, 3> = self.as_ref().imag() { self: |w| unit(Quaternion::from_imag(w)), |d| d.imag(); }
        fn scalar(&self) -> F = self.as_ref().scalar() { self: |w| unit(Quaternion::from_real(w)), |d| d.as_ref().w; }
        fn angle(&self) -> F {
            self: |w| unit(by_angle(self) * w), |d| by_angle(self).dot(d.as_ref());
        }
        fn angle_to(&self, b: &UnitQuaternion<F>) -> F {
            self: |w| unit(by_angle(&(b / self)) * w).conjugate() * b, |d| by_angle(&(b / self)).dot((b * d.conjugate()).as_ref());
            b: |w| unit(by_angle(&(b / self)) * w) * self, |d| by_angle(&(b / self)).dot((d / self).as_ref());
        }
        fn rotation_to(&self, b: &UnitQuaternion<F>) -> UnitQuaternion<F> {
            self: |w| w.conjugate() * b, |d| b * d.conjugate();
            b: |w| w * self, |d| d / self;
        }
        fn lerp(&self, b: &UnitQuaternion<F>, t: F) -> Quaternion<F> {
            self: |w| unit(w * (F::one() - t)), |d| d.into_inner() * (F::one() - t);
            b: |w| unit(w * t), |d| d.into_inner() * t;
            t: |w| (b.as_ref() - self.as_ref()).dot(&w), |d| (b.as_ref() - self.as_ref()) * d;
        }
        fn nlerp(&self, b: &UnitQuaternion<F>, t: F) -> UnitQuaternion<F> {
            self: |w| unit(normalized(result.into_inner(), self.lerp(b, t).norm(), w.into_inner()) * (F::one() - t)),
                  |d| unit(normalized(result.into_inner(), self.lerp(b, t).norm(), d.into_inner() * (F::one() - t)));
            b: |w| unit(normalized(result.into_inner(), self.lerp(b, t).norm(), w.into_inner()) * t),
               |d| unit(normalized(result.into_inner(), self.lerp(b, t).norm(), d.into_inner() * t));
            t: |w| (b.as_ref() - self.as_ref()).dot(&normalized(result.into_inner(), self.lerp(b, t).norm(), w.into_inner())),
               |d| unit(normalized(result.into_inner(), self.lerp(b, t).norm(), (b.as_ref() - self.as_ref()) * d));
        }
    }
}
