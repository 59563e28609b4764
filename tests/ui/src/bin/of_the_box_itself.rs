//! A method of the box itself comes before that of what is in it.
use backsweep::{Differentiable, adjoint};

trait Total {
    fn total(&self) -> f64;
}

#[derive(Clone, Differentiable)]
struct Leaf {
    value: f64,
}

#[adjoint]
impl Leaf {
    fn total(&self) -> f64 {
        self.value * self.value
    }
}

impl Total for Box<Leaf> {
    fn total(&self) -> f64 {
        0.5 * self.value
    }
}

#[derive(Clone, Differentiable)]
struct Tree {
    leaf: Box<Leaf>,
}

#[adjoint]
fn of_tree(tree: &Tree) -> f64 {
    tree.leaf.total()
}

fn main() {
    of_tree(&Tree { leaf: Box::new(Leaf { value: 1.0 }) });
}
