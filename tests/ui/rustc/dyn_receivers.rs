//! Methods of `dyn` values have adjoints if their trait is annotated, and has what a `dyn` can have.
use backsweep::{Differentiable, adjoint};

trait Plain {
    fn area(&self, scale: f64) -> f64;
}

#[adjoint(independents(scale))]
fn of_plain(shapes: &[Box<dyn Plain>], scale: f64) -> f64 {
    shapes.iter().map(|shape| shape.area(scale)).sum()
}

#[adjoint]
trait Distance<V> {
    #[adjoint(independents(from, to), dependents(return))]
    fn distance(&self, from: &V, to: &V) -> f64;
}

#[adjoint(independents(from))]
fn of_any_type(by: &dyn Distance<[f64; 2]>, from: [f64; 2]) -> f64 {
    by.distance(&from, &[0.0, 1.0])
}

#[adjoint]
trait Shape {
    fn area(&self, scale: f64) -> f64;
    fn grow(&mut self, scale: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Square {
    side: f64,
}

#[adjoint]
impl Shape for Square {
    fn area(&self, scale: f64) -> f64 {
        self.side * self.side * scale
    }

    fn grow(&mut self, scale: f64) -> f64 {
        self.side *= scale;
        self.side
    }
}

#[adjoint(independents(scale), second_order)]
fn twice(shape: &dyn Shape, scale: f64) -> f64 {
    shape.area(scale)
}

#[adjoint(independents(scale))]
fn area_of(shape: &dyn Shape, scale: f64) -> f64 {
    shape.area(scale)
}

/// What is behind the `dyn` has a derivative.
#[adjoint]
fn active(side: f64, scale: f64) -> f64 {
    let square = Square { side };
    area_of(&square, scale)
}

/// Another method is called.
impl<S: Shape + ?Sized> Shape for Box<S> {
    fn area(&self, scale: f64) -> f64 {
        2.0 * (**self).area(scale)
    }

    fn grow(&mut self, scale: f64) -> f64 {
        (**self).grow(scale)
    }
}

#[adjoint(independents(scale))]
fn in_a_box(shape: &Box<dyn Shape>, scale: f64) -> f64 {
    shape.area(scale)
}

/// It has no size.
impl Shape for str {
    fn area(&self, scale: f64) -> f64 {
        scale
    }

    fn grow(&mut self, scale: f64) -> f64 {
        scale
    }
}

fn main() {}
