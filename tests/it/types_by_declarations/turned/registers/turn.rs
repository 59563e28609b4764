//! Turns that are something else: this file is read, and not compiled.

use super::super::super::geometry::Vector;
use std::ops::Mul;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn(pub [f64; 2]);

pub fn turn(re: f64, im: f64) -> Turn {
    Turn([re, im])
}

impl Turn {
    pub fn size(self) -> f64 {
        self.0[0].hypot(self.0[1])
    }
}

impl Mul<Vector> for Turn {
    type Output = Vector;

    fn mul(self, vector: Vector) -> Vector {
        Vector { x: self.0[0] * vector.x, y: self.0[1] * vector.y }
    }
}
