use backsweep::{Differentiable, adjoint};
use std::ops::{Mul, Neg};

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

impl Pair {
    fn mul(self, factor: f64) -> f64 {
        self.a * factor
    }
}

#[adjoint]
impl Pair {
    fn neg(&self) -> f64 {
        self.a.sin()
    }

    /// The method of the type, which is no operator and has no adjoint.
    fn doubled(self) -> f64 {
        self.mul(2.0)
    }

    /// That of the block is found.
    fn negative(self) -> f64 {
        self.neg()
    }
}

#[adjoint]
impl Mul<f64> for Pair {
    type Output = f64;

    fn mul(self, factor: f64) -> f64 {
        self.b * factor
    }
}

#[adjoint]
impl Neg for Pair {
    type Output = f64;

    fn neg(self) -> f64 {
        self.b
    }
}

fn main() {}
