//! A value with a derivative is written to a field without one.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
struct Params {
    k: f64,
    #[passive]
    step: f64,
}

#[adjoint(independents(p), dependents(return))]
fn assigned(p: Params) -> f64 {
    let mut q = p;
    q.step = p.k * p.k;
    q.k * q.step
}

#[adjoint]
fn built(x: f64) -> f64 {
    let q = Params { k: 1.0, step: x };
    q.k * q.step
}

fn main() {
    assigned(Params { k: 1.0, step: 0.5 });
    built(1.0);
}
