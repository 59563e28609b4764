//! Methods of types of users with the names of methods of iterators, options and results: the files tell that a type has them.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};
use num_traits::Float;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Tank {
    level: f64,
    flows: Vec<f64>,
}

#[adjoint]
impl Tank {
    fn take(&mut self, x: f64) -> f64 {
        self.level -= x * self.level;
        self.level * x
    }
    fn filter(&mut self, x: f64) {
        self.level *= x.sin();
        self.flows[0] += x;
    }
    fn skip(&mut self) -> f64 {
        self.level *= 0.5;
        self.level
    }
    fn sum(&self) -> f64 {
        self.level + self.flows.iter().sum::<f64>()
    }
    fn product(&self, x: f64) -> f64 {
        self.level * x
    }
    fn fold(&self, x: f64, y: f64) -> f64 {
        self.level * x + y * y
    }
    fn unwrap(&self) -> f64 {
        self.level * self.level
    }
    fn ok(&self) -> f64 {
        self.level.exp()
    }
    fn windows(&self, n: usize) -> f64 {
        self.flows[n] * self.level
    }
    fn is_some(&self) -> bool {
        self.level > 0.1
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Cell<T> {
    held: T,
}

#[adjoint]
impl<T: Float> Cell<T> {
    fn take(&mut self) -> T {
        let held = self.held;
        self.held = held * held;
        held
    }
    fn cloned(&self, by: T) -> T {
        self.held * by
    }
}

#[adjoint]
fn of_users(x: &[f64]) -> f64 {
    let mut tank = Tank { level: x[0], flows: x.to_vec() };
    let mut total = tank.take(x[1]) * tank.sum();
    tank.filter(x[2]);
    total += tank.skip() + tank.product(x[1]) + tank.fold(x[0], x[2]);
    if tank.is_some() {
        total *= tank.unwrap() + tank.ok();
    }
    total + tank.windows(1) + tank.level
}

#[adjoint]
fn beside_others(x: &[f64]) -> f64 {
    let mut tank = Tank { level: x[0], flows: x.to_vec() };
    let first: f64 = x.iter().take(2).map(|v| v * v).sum();
    let taken = tank.take(first);
    let large: Vec<f64> = x.iter().filter(|v| **v > 0.5).copied().collect();
    let last = x.last().copied().unwrap();
    taken * large[0] + tank.unwrap() * last + x.windows(2).map(|w| w[0] * w[1]).sum::<f64>()
}

#[adjoint]
fn of_generic_type(x: &[f64]) -> f64 {
    let mut cell = Cell { held: x[0] };
    let taken = cell.take() * x[1];
    taken + cell.cloned(x[2]) + cell.take()
}

#[derive(Clone, Differentiable)]
struct Curve {
    knots: Vec<f64>,
}

#[adjoint]
impl Curve {
    fn push(&mut self, x: f64) {
        self.knots[0] *= x + 0.5;
        self.knots.push(x * self.knots[0]);
    }
    fn insert(&mut self, x: f64) {
        self.knots[0] *= x + 1.5;
        self.knots.push(x * self.knots[0]);
    }
    fn extend(&mut self, x: f64) {
        self.knots[0] *= x + 2.5;
        self.knots.push(x * self.knots[0]);
    }
    fn truncate(&mut self, x: f64) {
        self.knots[0] *= x + 3.5;
        self.knots.push(x * self.knots[0]);
    }
    fn retain(&mut self, x: f64) {
        self.knots[0] *= x + 4.5;
        self.knots.push(x * self.knots[0]);
    }
    fn drain(&mut self, x: f64) {
        self.knots[0] *= x + 5.5;
        self.knots.push(x * self.knots[0]);
    }
    fn sort(&mut self, x: f64) {
        self.knots[0] *= x + 6.5;
        self.knots.push(x * self.knots[0]);
    }
    fn clear(&mut self, x: f64) {
        self.knots[0] *= x + 7.5;
        self.knots.push(x * self.knots[0]);
    }
}

#[adjoint]
fn named_like_those_of_lists(x: &[f64]) -> f64 {
    let mut curve = Curve { knots: x.to_vec() };
    curve.push(x[0]);
    curve.insert(x[1]);
    curve.extend(x[2]);
    curve.truncate(x[0]);
    curve.retain(x[1]);
    curve.drain(x[2]);
    curve.sort(x[0]);
    curve.clear(x[1]);
    let mut list = vec![x[0]];
    list.push(x[1]);
    list.truncate(2);
    curve.knots.iter().map(|k| k.ln()).sum::<f64>() + curve.knots[0].sqrt() * list[1]
}

#[test]
fn methods_may_have_the_names_of_those_of_iterators() {
    assert_derivatives!([1.2, 0.4, 0.7], [0.3, -0.2, 0.9]; of_users beside_others of_generic_type named_like_those_of_lists);
}
