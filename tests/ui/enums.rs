//! Enums through which no derivative passes. What the files of a crate tell stands in the attribute here.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Shape {
    Disc { r: f64 },
    Rect(f64, f64),
    Empty,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    Disc(f64),
    Empty,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Generic<T> {
    Of(T),
    Empty,
}

mod inside {
    use super::Shape::{self, *};
    use backsweep::adjoint;

    #[adjoint(independents(shape))]
    pub fn alone(shape: &Shape) -> f64 {
        match shape {
            Disc { r } => *r,
            _ => 0.0,
        }
    }
}

#[adjoint]
fn product(a: &mut f64, b: &mut f64) {
    *a *= *b;
}

#[adjoint(independents(shape), dependents(shape), declared(variant Shape, Disc, named; variant Shape, Rect, tuple2; varies Shape, ();))]
fn together(shape: &mut Shape) {
    if let Shape::Rect(a, b) = shape {
        product(a, b);
    }
}

#[adjoint]
fn not_derived(x: f64) -> f64 {
    match Plain::Disc(x) {
        Plain::Disc(r) => r * r,
        Plain::Empty => 0.0,
    }
}

#[adjoint(independents(value))]
fn generic(value: &Generic<f64>) -> f64 {
    match value {
        Generic::Of(x) => x * x,
        Generic::Empty => 0.0,
    }
}

#[adjoint]
fn as_a_function(x: f64) -> f64 {
    let make = Shape::Rect;
    match make(x, x) {
        Shape::Rect(a, _) => a,
        _ => 0.0,
    }
}

#[adjoint(independents(shape), declared(variant Shape, Disc, named; variant Shape, Rect, tuple2; varies Shape, ();))]
fn alternatives(shape: &Shape, x: f64) -> f64 {
    let (Shape::Disc { r } | Shape::Rect(r, _)) = shape else { return x };
    r * x
}

fn main() {}
