//! What is behind a `dyn` is neither changed, nor is it a value of the function, whose methods are found otherwise.
use backsweep::{Differentiable, adjoint};

trait Shape {
    fn area(&self, scale: f64) -> f64;
}

#[derive(Clone, Differentiable)]
struct Square {
    side: f64,
}

impl Shape for Square {
    fn area(&self, scale: f64) -> f64 {
        self.side * self.side * scale
    }
}

#[adjoint]
fn area(side: f64, scale: f64) -> f64 {
    let square = Square { side };
    let shape: &dyn Shape = &square;
    shape.area(scale)
}

#[adjoint(independents(scale))]
fn changed(shape: &mut dyn Shape, scale: f64) -> f64 {
    shape.area(scale)
}

fn main() {}
