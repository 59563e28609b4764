//! What only rustc knows of enums.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Marked {
    Some {
        #[passive]
        k: f64,
        x: f64,
    },
    None,
}

#[adjoint]
fn written(x: f64) -> f64 {
    let value = Marked::Some { k: x, x };
    match value {
        Marked::Some { k, x } => k * x,
        Marked::None => 0.0,
    }
}

pub struct Opaque;

#[derive(Clone, Differentiable)]
pub enum Holder {
    Of(Opaque),
    Empty,
}

fn main() {}
