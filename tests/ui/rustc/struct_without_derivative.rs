//! A struct that is not `Differentiable`, as a local with a derivative.
use backsweep::adjoint;

#[derive(Clone, Copy)]
struct Pair {
    a: f64,
    b: f64,
}

#[adjoint]
fn f(x: f64) -> f64 {
    let p = Pair { a: x, b: 2.0 };
    p.a * p.b
}

fn main() {
    f(1.0);
}
