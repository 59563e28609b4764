//! What rustc refuses, too: the macro says so instead of panicking.

use backsweep::adjoint;

#[adjoint]
fn unknown_variable(x: f64) -> f64 {
    total += x;
    x
}

#[adjoint]
fn parameter_without_mut(x: f64, y: f64) -> f64 {
    x /= y;
    x
}

#[adjoint]
fn list_for_a_number(x: &[f64], y: f64) -> f64 {
    let z = y * x;
    z
}

fn main() {}
