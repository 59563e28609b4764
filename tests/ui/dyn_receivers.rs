//! Which method of a `dyn` value is called only run time knows.
use backsweep::adjoint;

trait Shape {
    fn area(&self, scale: f64) -> f64;
}

#[adjoint(independents(scale))]
fn of_one(shape: &dyn Shape, scale: f64) -> f64 {
    shape.area(scale)
}

#[adjoint(independents(scale))]
fn of_all(shapes: &[Box<dyn Shape>], scale: f64) -> f64 {
    shapes.iter().map(|shape| shape.area(scale)).sum()
}

fn main() {}
