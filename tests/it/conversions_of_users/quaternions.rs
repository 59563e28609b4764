//! Functions that convert.

use super::vectors::{Scale, Vector3, Vector4};
use backsweep::{Differentiable, adjoint};
use std::ops::Mul;

#[derive(Clone, Copy, Differentiable)]
pub struct Quaternion {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

#[derive(Clone, Copy, Differentiable)]
pub struct Turn {
    pub axis: Vector3,
    pub angle: f64,
}

#[adjoint]
impl From<Quaternion> for Vector4 {
    fn from(q: Quaternion) -> Self {
        Self { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}

#[adjoint]
impl From<Quaternion> for (f64, f64, f64, f64) {
    fn from(q: Quaternion) -> Self {
        (q.x, q.y, q.z, q.w)
    }
}

/// Another conversion of the same type.
#[adjoint]
impl From<Quaternion> for Vector3 {
    fn from(q: Quaternion) -> Self {
        Self { x: q.x * q.w, y: q.y, z: q.z }
    }
}

#[adjoint]
impl Mul<f64> for Quaternion {
    type Output = Self;

    fn mul(self, by: f64) -> Self {
        Self::from_vector(Vector4::from(self) * by)
    }
}

#[adjoint]
impl Quaternion {
    #[adjoint]
    pub fn of_parts(x: f64, y: f64, z: f64, w: f64) -> Self {
        Self { x, y, z, w }
    }

    #[adjoint(independents(v), dependents(return))]
    pub fn from_vector(v: Vector4) -> Self {
        Self { x: v.x, y: v.y, z: v.z, w: v.w }
    }

    #[adjoint(independents(self, other), dependents(return))]
    pub fn dot(self, other: Self) -> f64 {
        Vector4::from(self).dot(Vector4::from(other))
    }

    #[adjoint(independents(self), dependents(return))]
    pub fn squared_norm(self) -> f64 {
        self.dot(self)
    }

    #[adjoint(independents(self, other), dependents(return))]
    pub fn product(self, other: Self) -> Self {
        let (x0, y0, z0, w0) = self.into();
        let (x1, y1, z1, w1) = other.into();
        Self::of_parts(
            w0 * x1 + x0 * w1 + y0 * z1 - z0 * y1,
            w0 * y1 - x0 * z1 + y0 * w1 + z0 * x1,
            w0 * z1 + x0 * y1 - y0 * x1 + z0 * w1,
            w0 * w1 - x0 * x1 - y0 * y1 - z0 * z1,
        )
    }

    #[adjoint(independents(self), dependents(return))]
    pub fn first_of_square(self) -> f64 {
        let square: Quaternion = self.product(self * 2.0);
        square.x * square.w + square.y
    }

    #[adjoint(independents(self), dependents(return))]
    pub fn by_fields(self) -> f64 {
        let turn = Turn { axis: self.into(), angle: self.w };
        let (a, b, c) = turn.axis.mul(turn.angle).into();
        a * b - c
    }

    #[adjoint(independents(self), dependents(return))]
    pub fn of_a_tuple(self) -> f64 {
        let v: Vector3 = (self.x, self.y * self.z, self.w).into();
        v.x * v.y * v.z
    }

    #[adjoint(independents(self), dependents(return))]
    pub fn by_path_of_a_tuple(self) -> f64 {
        let v = Vector3::from((self.x, self.y * self.z, self.w)) * 0.5;
        v.x * v.y * v.z
    }

    #[adjoint(independents(self), dependents(return))]
    pub fn of_an_array(self) -> f64 {
        let v: Vector3 = [self.x, self.y, self.z * self.w].into();
        v.x * v.y + v.z
    }

    /// What is converted changes from step to step.
    #[adjoint(independents(self), dependents(return))]
    pub fn in_a_loop(self) -> f64 {
        let mut q = self;
        let mut sum = 0.0;
        for k in 0..3 {
            let v: Vector3 = q.into();
            sum += v.x * v.y.exp() + k as f64 * v.z;
            q = Quaternion { x: v.y * 0.5, y: v.z.cos(), z: v.x, w: q.w * v.x };
        }
        sum
    }

    /// A function of the type itself comes before that of the trait.
    #[adjoint(independents(self), dependents(return))]
    pub fn own_function(self) -> f64 {
        let scale = Scale::from(self.x);
        scale.by * self.y
    }

    #[adjoint(independents(v), dependents(return))]
    pub fn length_of(v: Vector3) -> f64 {
        (v.x * v.x + v.y * v.y + v.z * v.z).sqrt()
    }

    #[adjoint(independents(self, v), dependents(return))]
    pub fn along(self, v: Vector3) -> f64 {
        self.x * v.y - self.w * v.x
    }

    /// The types of the parameters tell what is converted to.
    #[adjoint(independents(self), dependents(return))]
    pub fn as_argument(self) -> f64 {
        Self::length_of(self.into()) * self.along(self.into())
    }
}
