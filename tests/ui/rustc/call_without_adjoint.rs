//! A call of a function that is not annotated.
use backsweep::adjoint;

fn unknown(x: f64) -> f64 {
    x * x
}

#[adjoint]
fn f(a: &[f64], x: f64) -> f64 {
    a[0] + unknown(x)
}

fn main() {
    f(&[1.0], 1.0);
}
