//! Turns that are two numbers.

use super::super::super::geometry::Vector;
use backsweep::{Differentiable, adjoint};
use std::ops::Mul;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Turn {
    pub re: f64,
    pub im: f64,
}

/// A turn by its parts.
pub fn turn(re: f64, im: f64) -> Turn {
    Turn { re, im }
}

#[adjoint]
impl Turn {
    pub fn size(self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt()
    }

    fn turns(self, vector: Vector) -> Vector {
        let (re, im) = (self.re, self.im);
        Vector { x: re * vector.x - im * vector.y, y: im * vector.x + re * vector.y }
    }
}

#[adjoint]
impl Mul<Vector> for Turn {
    type Output = Vector;

    fn mul(self, vector: Vector) -> Vector {
        self.turns(vector)
    }
}
