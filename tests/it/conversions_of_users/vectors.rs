//! Types, and conversions to and from tuples.

use backsweep::{Differentiable, adjoint};
use std::ops::Mul;

#[derive(Clone, Copy, Differentiable)]
pub struct Vector4 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}

#[derive(Clone, Copy, Differentiable)]
pub struct Vector3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[adjoint]
impl Vector4 {
    #[adjoint(independents(self, other), dependents(return))]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }
}

#[adjoint]
impl Mul<f64> for Vector4 {
    type Output = Self;

    fn mul(self, by: f64) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by, w: self.w * by }
    }
}

#[adjoint]
impl Mul<f64> for Vector3 {
    type Output = Self;

    fn mul(self, by: f64) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

#[adjoint]
impl From<Vector3> for (f64, f64, f64) {
    fn from(v: Vector3) -> Self {
        (v.x, v.y, v.z)
    }
}

#[adjoint]
impl From<(f64, f64, f64)> for Vector3 {
    fn from((x, y, z): (f64, f64, f64)) -> Self {
        Self { x, y, z }
    }
}

#[adjoint]
impl From<[f64; 3]> for Vector3 {
    fn from(v: [f64; 3]) -> Self {
        Self { x: v[0] * v[1], y: v[1], z: v[2].sin() }
    }
}

/// A type with a function of that name of its own.
#[derive(Clone, Copy, Differentiable)]
pub struct Scale {
    pub by: f64,
}

#[adjoint]
impl Scale {
    #[adjoint]
    #[allow(clippy::should_implement_trait)]
    pub fn from(by: f64) -> Self {
        Self { by: by * by }
    }
}

#[adjoint]
impl From<Vector3> for Scale {
    fn from(v: Vector3) -> Self {
        Self { by: v.x }
    }
}
