//! References in places from which they may become operands of an operator on references.
use backsweep::{Differentiable, adjoint};
use std::ops::Mul;

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

#[adjoint(independents(a, b))]
fn of_a_tuple(a: &Length, b: &Length) -> f64 {
    let both = (a, b);
    let product: Length = both.0 * both.1;
    product.x
}

#[adjoint(independents(a))]
fn of_an_array(a: &Length) -> f64 {
    let both = [a];
    let product: Length = both[0] * both[0];
    product.x
}

#[adjoint(independents(a, b))]
fn of_a_choice(a: &Length, b: &Length) -> f64 {
    let larger = if a.x > b.x { a } else { b };
    let square: Length = larger * larger;
    square.x
}

#[adjoint(independents(a))]
fn referred_to_twice(a: &Length) -> f64 {
    let reference = &a;
    let square: Length = *reference * *reference;
    square.x
}

fn main() {}
