//! `Option`s of what the macro does not take apart.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[adjoint(independents(node, x))]
fn of_boxes(node: &Node, x: f64) -> f64 {
    match &node.next {
        Some(next) => next.value * x,
        None => x,
    }
}

#[adjoint(independents(x))]
fn of_numbers_elsewhere<'a>(shift: Option<&'a f64>, x: f64) -> f64 {
    let y = x * x;
    shift.map(|s| s * y).unwrap_or(x)
}

#[derive(Clone, Differentiable)]
struct State {
    last: Option<f64>,
}

#[adjoint]
impl State {
    fn step(&mut self, x: f64) -> Option<f64> {
        self.last = Some(x);
        if x > 0.0 { Some(x * x) } else { None }
    }

    fn stepped(&mut self, x: f64) -> f64 {
        self.step(x).unwrap_or(x)
    }
}

fn main() {}
