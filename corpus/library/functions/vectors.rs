//! Vectors of space.

use backsweep::{Differentiable, adjoint};
use std::ops::{Add, Mul, Sub};

/// A vector.
#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Vec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[adjoint]
impl Vec3 {
    pub fn of(p: &[f64]) -> Self {
        Self { x: p[0], y: p[1], z: p[2] }
    }

    pub fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    pub fn cross(self, o: Self) -> Self {
        Self {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    pub fn length(&self) -> f64 {
        self.dot(*self).sqrt()
    }

    pub fn normalise(&mut self) -> f64 {
        let length = self.length();
        self.x /= length;
        self.y /= length;
        self.z /= length;
        length
    }
}

#[adjoint]
impl Add for Vec3 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

#[adjoint]
impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

#[adjoint]
impl Mul<f64> for Vec3 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}
