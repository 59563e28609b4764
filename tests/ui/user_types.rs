//! Parameters of types that cannot be said to carry floats.
use backsweep::adjoint;

#[adjoint]
fn undecided<F: Fn(f64) -> f64>(p: F, x: f64) -> f64 {
    p(x) * x
}

fn main() {
    undecided(|t| t, 1.0);
}
