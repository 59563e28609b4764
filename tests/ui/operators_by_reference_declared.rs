//! `impl` blocks of operators on references that cannot be annotated.
use backsweep::{Differentiable, adjoint};
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Differentiable)]
struct Length {
    x: f64,
}

#[adjoint]
impl Neg for &mut Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -self.x }
    }
}

#[adjoint]
impl Mul<&&Length> for &Length {
    type Output = Length;
    fn mul(self, other: &&Length) -> Length {
        Length { x: self.x * other.x }
    }
}

#[adjoint]
impl Add<&[f64]> for &Length {
    type Output = Length;
    fn add(self, others: &[f64]) -> Length {
        Length { x: self.x + others[0] }
    }
}

#[adjoint(second_order)]
impl Sub<&Length> for &Length {
    type Output = Length;
    fn sub(self, other: &Length) -> Length {
        Length { x: self.x - other.x }
    }
}

struct View<'a> {
    data: &'a [f64],
}

#[adjoint]
impl<'a> Neg for &'a View<'a> {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -self.data[0] }
    }
}

fn main() {}
