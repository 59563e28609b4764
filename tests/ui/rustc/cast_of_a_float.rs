//! What is only cast is taken for an integer, which has no derivative.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Spring {
    k: f32,
}

impl Spring {
    fn stiffness(&self) -> f32 {
        self.k
    }
}

#[adjoint(independents(p, x), dependents(return))]
fn force(p: &Spring, x: f64) -> f64 {
    p.stiffness() as f64 * x
}

fn main() {
    force(&Spring { k: 1.0 }, 2.0);
}
