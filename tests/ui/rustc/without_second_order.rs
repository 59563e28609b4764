//! Functions that are called and have no second derivatives.

use backsweep::adjoint;

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

fn main() {}
