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

#[adjoint(independents(list))]
fn of_a_closure(list: &[Length]) -> f64 {
    let nth = |n: usize| &list[n];
    let product: Length = nth(0) * nth(1);
    product.x
}

#[adjoint(independents(list))]
fn in_an_option(list: &[Length]) -> f64 {
    let mut last = None;
    for length in list {
        last = Some(length);
    }
    let Some(last) = last else { return 0.0 };
    let square: Length = last * last;
    square.x
}

#[adjoint(independents(list))]
fn of_a_choice_of_calls(list: &[Length], first: bool) -> f64 {
    let chosen = if first { list.first().unwrap() } else { list.last().unwrap() };
    let square: Length = chosen * chosen;
    square.x
}

#[adjoint(independents(list))]
fn in_a_list(list: &[Length]) -> f64 {
    let mut chosen = Vec::new();
    for length in list {
        chosen.push(length);
    }
    let product: Length = chosen[0] * chosen[1];
    product.x
}

#[adjoint(independents(a, list))]
fn instead_of_none(a: &Length, list: &[Length]) -> f64 {
    let first = list.first().map_or(a, |first| first);
    let square: Length = first * first;
    square.x
}

fn main() {}
