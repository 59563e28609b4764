//! Structs that are generic in a type with derivatives, `Filter<M>`, and their methods.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
#[adjoint]
pub trait Model {
    fn observe(&self, x: f64) -> f64;
    fn advance(&self, x: f64, dt: f64) -> f64;
}
#[derive(Clone, Differentiable)]
pub struct Pendulum {
    length: f64,
    gains: Vec<f64>,
}
#[adjoint]
impl Model for Pendulum {
    fn observe(&self, x: f64) -> f64 {
        self.length * x.sin()
    }
    fn advance(&self, x: f64, dt: f64) -> f64 {
        x + dt * (self.gains[0] - self.gains[1] * x.sin())
    }
}
#[derive(Clone, Differentiable)]
pub struct Filter<M> {
    model: M,
    mean: f64,
    var: f64,
}
#[adjoint]
impl<M: Model + Differentiable> Filter<M> {
    fn innovation(&self, z: f64) -> f64 {
        z - self.model.observe(self.mean)
    }
    fn predict(&mut self, dt: f64) {
        self.mean = self.model.advance(self.mean, dt);
        self.var = self.var * 1.1 + 0.1 * dt;
    }
    fn update(&mut self, z: f64) -> f64 {
        let y = self.innovation(z);
        let k = self.var / (self.var + 0.5);
        self.mean += k * y;
        self.var *= 1.0 - k;
        y * y
    }
}
#[adjoint]
pub fn run<M: Model + Differentiable + Clone>(filter: &Filter<M>, z: &[f64]) -> f64 {
    let mut filter = Filter { model: filter.model.clone(), ..filter.clone() };
    let mut s = 0.0;
    for &z in z {
        filter.predict(0.1);
        s += filter.update(z);
    }
    s
}
#[adjoint]
fn f(x: &[f64]) -> f64 {
    let mut filter = Filter {
        model: Pendulum { length: x[0], gains: vec![x[1], x[2]] },
        mean: x[0] * x[1],
        var: x[2],
    };
    let mut s = 0.0;
    for z in [0.3, 0.2, 0.1] {
        filter.predict(0.1);
        s += filter.update(z);
    }
    s + filter.innovation(0.3)
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
}
