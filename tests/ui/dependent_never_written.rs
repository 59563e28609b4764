//! A `&mut` dependent that the function never writes.
use backsweep::adjoint;

#[adjoint(independents(x), dependents(y))]
fn f(x: &[f64], y: &mut [f64]) -> f64 {
    x[0] * y[0]
}

fn main() {
    f(&[1.0], &mut [2.0]);
}
