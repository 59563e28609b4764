//! What has tangents in one direction only.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Point {
    x: f64,
}

#[adjoint(independents(point))]
fn of_a_struct(point: &Point) -> f64 {
    point.x * point.x
}

#[adjoint]
fn of_any_float<F: num_traits::Float>(x: F) -> F {
    x * x
}

#[adjoint(no(tbr))]
fn stores_everything(x: f64) -> f64 {
    x * x
}

#[adjoint]
impl Point {
    #[adjoint(independents(self))]
    fn norm(&self) -> f64 {
        self.x.abs()
    }

    #[adjoint(no(tbr))]
    fn stores_everything(x: f64) -> f64 {
        x * x
    }
}

fn main() {
    let point = Point { x: 1.0 };
    of_a_struct::tangent(&point, &point);
    of_a_struct::tangents::<2>(&point, &point);
    of_any_float::tangents(1.0, 2.0);
    stores_everything::tangents(1.0, [2.0]);
    point.norm_tangents::<2>(&point);
    Point::stores_everything_tangents(1.0, [2.0]);
}
