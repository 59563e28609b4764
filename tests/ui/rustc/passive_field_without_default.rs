//! A value that is not always there, with a `#[passive]` field of a type without a default.
use backsweep::{Differentiable, adjoint};

enum Kind {
    Linear,
}

#[derive(Clone, Differentiable)]
struct Curve {
    heights: Vec<f64>,
    #[passive]
    kind: Kind,
}

impl Clone for Kind {
    fn clone(&self) -> Self {
        Kind::Linear
    }
}

#[adjoint(independents(x))]
fn through(x: &[f64]) -> Option<Curve> {
    (x[0] > 0.0).then(|| Curve { heights: x.to_vec(), kind: Kind::Linear })
}

#[adjoint(independents(curve))]
fn at(curve: &Curve) -> f64 {
    curve.heights[0] * curve.heights[1]
}

#[adjoint(independents(x))]
fn f(x: &[f64]) -> f64 {
    match through(x) {
        Some(curve) => at(&curve),
        None => 0.0,
    }
}

fn main() {
    f(&[1.0, 2.0]);
}
