//! Functions that are called and have no second derivatives.

use backsweep::{Differentiable, adjoint};

#[adjoint]
fn square(x: f64) -> f64 {
    x * x
}

#[adjoint(second_order)]
fn doubled(x: f64) -> f64 {
    square(2.0 * x)
}

#[adjoint]
fn slope(x: f64) -> f64 {
    let (_, slope) = square::gradient(x);
    slope * x
}

fn cube(x: f64) -> f64 {
    x * x * x
}

#[adjoint(second_order)]
fn cubed(x: f64) -> f64 {
    cube(2.0 * x)
}

struct Model {
    k: f64,
}

#[adjoint]
impl Model {
    #[adjoint(passive(self))]
    fn of_first_order(&self, x: f64) -> f64 {
        x * x * self.k
    }
}

#[adjoint(second_order, passive(model))]
fn calls_a_method_of_first_order(model: &Model, x: f64) -> f64 {
    model.of_first_order(x)
}

#[adjoint(second_order, passive(model))]
fn calls_a_function_of_first_order(model: &Model, x: f64) -> f64 {
    Model::of_first_order(model, x)
}

fn slope_of_first_order(x: f64) -> f64 {
    2.0 * x
}

#[adjoint(partials(x: slope_of_first_order(x)), second_order)]
fn partials_without_adjoint(x: f64) -> f64 {
    x * x
}

#[derive(Clone, Copy, Differentiable)]
struct Point {
    x: f64,
}

#[adjoint]
impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x }
    }
}

#[adjoint]
impl std::ops::Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point { x: -self.x }
    }
}

#[adjoint(second_order)]
fn calls_operators_of_first_order(x: f64) -> f64 {
    let point = Point { x: x * x };
    let turned: Point = -point;
    let sum: Point = point + turned;
    sum.x * x
}

fn main() {}
