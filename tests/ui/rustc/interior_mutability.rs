//! A method that is no part of the derivative changes what the backward sweep reads.
use backsweep::{Differentiable, adjoint};
use std::cell::Cell;

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
    #[passive]
    scale: Cell<f64>,
}

impl Spring {
    fn next(&self) -> usize {
        self.scale.set(self.scale.get() + 1.0);
        2
    }
}

#[adjoint]
fn force(p: &Spring, x: f64) -> f64 {
    p.k * x
}

#[adjoint(independents(p, x), dependents(return))]
fn energy(p: &Spring, x: f64) -> f64 {
    let y = force(p, x);
    let n: usize = p.next();
    y * n as f64
}

fn main() {
    energy(&Spring { k: 1.0, scale: Cell::new(1.0) }, 2.0);
}
