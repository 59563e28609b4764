//! A field that is taken to be marked `#[passive]` is.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Table {
    scale: f64,
}

#[adjoint(declared(passive Table, scale, ()))]
fn scaled(table: &Table, x: f64) -> f64 {
    table.scale * x
}

fn main() {
    scaled::gradient(&Table { scale: 1.0 }, 2.0);
}
