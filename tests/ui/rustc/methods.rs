//! Calls of methods and of functions of types that have no adjoint, or not the one that the call is for.
use backsweep::{Differentiable, adjoint};
use std::ops::Deref;

struct Accumulator(f64);

impl Accumulator {
    fn add(&mut self, x: f64) {
        self.0 += x;
    }
}

#[adjoint]
fn accumulates(x: f64) -> f64 {
    let mut acc = Accumulator(0.0);
    acc.add(x * x);
    acc.0
}

#[derive(Clone, Differentiable)]
struct Model {
    k: f64,
}

#[adjoint]
impl Model {
    fn energy(&self, x: f64) -> f64 {
        self.k * x
    }

    fn step(&mut self, x: f64) -> f64 {
        self.k *= x;
        self.k
    }
}

/// Its own method of that name hides the one that has an adjoint.
#[derive(Clone, Differentiable)]
struct Wrapper(Model);

impl Deref for Wrapper {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.0
    }
}

impl Wrapper {
    fn energy(&self, x: f64) -> f64 {
        2.0 * x
    }
}

#[adjoint(independents(w, x))]
fn hidden(w: &Wrapper, x: f64) -> f64 {
    w.energy(x)
}

#[adjoint(independents(m, x))]
fn changes(m: &mut Model, x: f64) -> f64 {
    m.step(x) + x
}

#[adjoint(independents(m, x), dependents(m))]
fn does_not_change(m: &mut Model, x: f64) {
    m.k *= x;
    m.energy(x);
    let mut other = m.clone();
    other.energy(x);
    m.k += other.k;
}

struct Scale;

impl Scale {
    fn of(x: f64) -> f64 {
        x
    }
}

#[adjoint]
fn associated(x: f64) -> f64 {
    Scale::of(x)
}

fn main() {
    let mut m = Model { k: 1.0 };
    accumulates(1.0) + hidden(&Wrapper(m.clone()), 1.0) + changes(&mut m, 1.0) + associated(1.0);
    does_not_change(&mut m, 1.0);
}
