//! `impl` blocks and methods that cannot be differentiated.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Model {
    k: f64,
}

#[adjoint]
impl Model {
    fn boxed(self: Box<Self>, x: f64) -> f64 {
        self.k * x
    }
}

impl Model {
    #[adjoint(independents(self.k))]
    fn part(&self, x: f64) -> f64 {
        self.k * x
    }
}

#[adjoint(independents(x))]
impl Model {
    fn force(&self, x: f64) -> f64 {
        self.k * x
    }
}

#[adjoint]
impl Model {
    fn size(n: usize) -> usize {
        n
    }

    #[adjoint(skip)]
    fn skipped(&self) -> f64 {
        self.k
    }
}

#[derive(Clone, Differentiable)]
struct Buffer(f64);

#[adjoint]
impl Buffer {
    fn borrowed(&self) -> &f64 {
        &self.0
    }

    fn fallible(&self, x: f64) -> f64 {
        let list: Box<dyn Fn(f64) -> f64> = Box::new(move |y| y * x);
        list(x)
    }
}

fn main() {}
