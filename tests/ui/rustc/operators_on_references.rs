//! An operator on references that is not the one on values, which alone has an adjoint.
use backsweep::{Differentiable, adjoint};
use std::ops::{AddAssign, Mul, Neg};

#[derive(Clone, Copy, Differentiable)]
struct Length {
    x: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Of<T> {
    length: T,
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

impl Mul<&Length> for Length {
    type Output = Length;
    fn mul(self, other: &Length) -> Length {
        Length { x: 5.0 * self.x * other.x }
    }
}

impl Mul<Length> for &Length {
    type Output = Length;
    fn mul(self, other: Length) -> Length {
        Length { x: 7.0 * self.x * other.x }
    }
}

#[adjoint]
impl Neg for Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -self.x }
    }
}

impl Neg for &Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length { x: -2.0 * self.x }
    }
}

#[adjoint]
impl AddAssign for Length {
    fn add_assign(&mut self, other: Length) {
        self.x += other.x;
    }
}

impl AddAssign<&Length> for Length {
    fn add_assign(&mut self, other: &Length) {
        self.x += 2.0 * other.x;
    }
}

#[adjoint(independents(a, b))]
fn parameters(a: &Length, b: &Length) -> f64 {
    let c = a * b;
    c.x
}

#[adjoint]
fn references(x: f64) -> f64 {
    let a = Length { x };
    let c = -&a;
    c.x
}

#[adjoint(independents(list))]
fn items(list: &[Length]) -> f64 {
    let product = list.iter().fold(Length { x: 1.0 }, |product, next| product * next);
    product.x
}

#[adjoint(independents(list))]
fn one_of_a_list(list: &[Length]) -> f64 {
    let product = list.first().unwrap() * list[1];
    product.x
}

#[adjoint(independents(a))]
fn assigned(a: &Length) -> f64 {
    let mut sum = Length { x: 1.0 };
    sum += a;
    sum.x
}

/// Without a derivative it is an operator on references, too.
#[adjoint(independents(x), passive(of))]
fn of_an_unknown_type(x: f64, of: &Of<Length>) -> f64 {
    let length = &of.length;
    x * (length * length).x
}

fn main() {}
