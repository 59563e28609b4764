//! Operators on references that have no adjoint.
use backsweep::{Differentiable, adjoint};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

#[derive(Clone, Copy, Differentiable)]
struct Length {
    x: f64,
}

#[adjoint]
impl Mul for Length {
    type Output = Length;
    fn mul(self, other: Length) -> Length {
        Length { x: self.x * other.x }
    }
}

impl Mul<&Length> for &Length {
    type Output = Length;
    fn mul(self, other: &Length) -> Length {
        Length { x: 3.0 * self.x * other.x }
    }
}

#[adjoint]
impl Sub<&Length> for &Length {
    type Output = Length;
    fn sub(self, other: &Length) -> Length {
        Length { x: self.x - other.x }
    }
}

impl Sub<&&Length> for &&Length {
    type Output = Length;
    fn sub(self, other: &&Length) -> Length {
        Length { x: 5.0 * (self.x - other.x) }
    }
}

impl Neg for &Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -2.0 * self.x }
    }
}

impl AddAssign<&Length> for Length {
    fn add_assign(&mut self, other: &Length) {
        self.x += other.x;
    }
}

#[adjoint(independents(a, b))]
fn of_values_only(a: &Length, b: &Length) -> f64 {
    let product: Length = a * b;
    product.x
}

#[adjoint(independents(a))]
fn negative(a: &Length) -> f64 {
    let negative: Length = -a;
    negative.x
}

#[adjoint(independents(a, b))]
fn added(a: &Length, b: &Length) -> f64 {
    let mut sum = *a;
    sum += b;
    sum.x
}

/// What is called is the operator on references to references, which a macro does not see.
#[adjoint(independents(a))]
fn of_references_to_references(a: &[Length]) -> f64 {
    let mut sum = 0.0;
    for other in a.iter().filter(|other| (other - &&a[0]).x > 0.0) {
        sum += other.x;
    }
    sum
}

fn main() {}
