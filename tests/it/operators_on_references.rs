//! Operators on references are not those on values, unless they are those of numbers; what is refused is in `ui`.

use backsweep::{Differentiable, adjoint};
use std::ops::Mul;

/// No `Copy`: operands are cloned.
#[derive(Clone, Debug, PartialEq, Differentiable)]
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
impl Length {
    #[adjoint(independents(self))]
    fn half(&self) -> f64 {
        self.x / 2.0
    }
}

#[adjoint(independents(a, b))]
fn on_values(a: &Length, b: &Length) -> f64 {
    let product = a.clone() * b.clone();
    product.x
}

/// Nobody sees here that what the method returns is a float.
#[adjoint(independents(a))]
fn on_references_to_results(a: &Length) -> f64 {
    let half = a.half();
    let reference = &half;
    let square = reference * reference;
    square + -reference
}

/// The comparison of references is that of what they refer to.
#[adjoint(independents(a, b))]
fn compared(a: &Length, b: &Length) -> f64 {
    let product = a.clone() * b.clone();
    if a == b { product.x * product.x } else { product.x }
}

#[adjoint(independents(x), passive(counts))]
fn on_numbers_of_unknown_types(x: &[f64], counts: &[(usize, f64)]) -> f64 {
    let mut sum = 0.0;
    for ((n, weight), x) in counts.iter().zip(x) {
        sum += x * weight * (n * 2) as f64;
    }
    sum
}

#[test]
fn operators_are_those_on_values() {
    let (a, b) = (Length { x: 2.0 }, Length { x: 5.0 });
    assert_eq!(on_values::gradient(&a, &b), (10.0, (b.clone(), a.clone())));
    // 3 · 2 · 5 is what the operator on references makes of them.
    assert_eq!((&a * &b).x, 30.0);
}

#[test]
fn numbers_have_the_same_operators_on_references() {
    // (x / 2)² - x / 2
    let a = Length { x: 6.0 };
    assert_eq!(on_references_to_results::gradient(&a), (6.0, Length { x: 2.5 }));
    let counts = [(1, 0.5), (3, 0.25)];
    assert_eq!(on_numbers_of_unknown_types::gradient(&[2.0, 4.0], &counts), (8.0, vec![1.0, 1.5]));
}

#[test]
fn references_are_compared_as_values() {
    let (a, b) = (Length { x: 2.0 }, Length { x: 5.0 });
    assert_eq!(compared::gradient(&a, &b), (10.0, (b, a.clone())));
    assert_eq!(compared::gradient(&a, &a), (16.0, (Length { x: 16.0 }, Length { x: 16.0 })));
}
