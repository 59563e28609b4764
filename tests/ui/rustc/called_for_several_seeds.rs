//! A function called for several seeds that has an adjoint for one.

use backsweep::adjoint;

#[adjoint(with = halved_adjoint)]
fn halved(x: f64) -> f64 {
    x / 2.0
}

fn halved_adjoint(x: f64, x_b: &mut f64, seed: f64) -> f64 {
    *x_b += seed / 2.0;
    halved(x)
}

#[adjoint]
fn calls(x: f64) -> [f64; 2] {
    [halved(x), x]
}

fn main() {
    calls::adjoints::<2>(1.0, &mut [0.0; 2], [[1.0; 2]; 2]);
}
