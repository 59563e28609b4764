//! What a loop goes through is taken for a list of the standard library where its type is not seen: it must be one.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Tail(Vec<f64>);

impl Tail {
    fn iter(&self) -> std::slice::Iter<'_, f64> {
        self.0[1..].iter()
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

#[derive(Clone, Differentiable)]
struct Model {
    tail: Tail,
}

#[adjoint(independents(model, y), dependents(return))]
fn for_nothing(model: &Model, y: f64) -> f64 {
    let mut total = y;
    for _ in model.tail.iter() {
        total *= total;
    }
    total
}

fn main() {}
