//! Tests that cannot be generated.

use backsweep::adjoint;

#[adjoint(test(x: 1.0))]
fn misses_one(x: f64, y: f64) -> f64 {
    x * y
}

#[adjoint(test(x: 1.0, z: 2.0))]
fn has_another(x: f64) -> f64 {
    x
}

#[adjoint(test(x: 1.0, x: 2.0))]
fn twice(x: f64) -> f64 {
    x
}

#[adjoint(test(x))]
fn no_value(x: f64) -> f64 {
    x
}

#[adjoint(test)]
fn no_list(x: f64) -> f64 {
    x
}

#[adjoint(test(x: 1.0))]
fn generic<F: num_traits::Float>(x: F) -> F {
    x
}

struct Model;

#[adjoint]
impl Model {
    #[adjoint(test(x: 1.0))]
    fn method(x: f64) -> f64 {
        x
    }
}

fn main() {}
