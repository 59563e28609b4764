//! What is refused is an error once: what calls it, and what has its type, is none.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct View<'a> {
    data: &'a [f64],
    scale: f64,
}

#[adjoint(independents(view, x), dependents(return))]
fn scaled(view: &View<'_>, x: f64) -> f64 {
    view.data[0] * x * view.scale
}

#[adjoint]
fn boxed(x: &[f64]) -> Result<f64, String> {
    let squares: Box<[f64]> = x.iter().map(|t| t * t).collect();
    Ok(squares[0])
}

#[derive(Clone, Differentiable)]
struct Curve {
    knots: Vec<f64>,
}

#[adjoint]
impl Curve {
    fn extended(&mut self, knot: f64) {
        self.knots.push(knot);
    }
    fn value(&self, x: f64) -> f64 {
        x * self.knots[0]
    }
}

#[adjoint]
trait Model {
    fn energy(&self, x: &[f64]) -> f64;
}

#[adjoint]
impl Model for Curve {
    fn energy(&self, x: &[f64]) -> f64 {
        let squares: Box<[f64]> = x.iter().map(|t| t * t).collect();
        squares[0] * self.knots[0]
    }
}

#[adjoint]
fn caller(x: &[f64]) -> Result<f64, String> {
    let mut curve = Curve { knots: vec![x[0], x[1]] };
    curve.extended(x[2]);
    Ok(boxed(x)? + curve.value(x[0]) + curve.energy(x))
}

#[adjoint]
mod inside {
    #[adjoint]
    fn boxed(x: &[f64]) -> f64 {
        let squares: Box<[f64]> = x.iter().map(|t| t * t).collect();
        squares[0]
    }
    #[adjoint]
    pub fn caller(x: &[f64]) -> f64 {
        boxed(x) + 1.0
    }
}

fn main() {
    let _ = boxed::gradient(&[1.0]);
    let _ = caller::gradient(&[1.0]);
    let _ = inside::caller::gradient(&[1.0]);
}
