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

/// A method that keeps what it is given, and tells how often it did.
struct History {
    kept: Cell<f64>,
}

impl History {
    fn record(&self, x: f64) -> usize {
        self.kept.set(x);
        1
    }

    fn last(&self) -> f64 {
        self.kept.get()
    }
}

#[adjoint(independents(x), dependents(return))]
fn by_way_of_a_parameter(history: &History, x: f64) -> f64 {
    let n: usize = history.record(x);
    let last: f64 = history.last();
    last * x * n as f64
}

#[adjoint(independents(x), dependents(return))]
fn by_way_of_a_variable(x: f64) -> f64 {
    let history = History { kept: Cell::new(0.0) };
    let n: usize = history.record(x);
    let last: f64 = history.last();
    last * x * n as f64
}

/// References by value, in a struct that is copied.
#[derive(Clone, Copy)]
struct Window<'a>(&'a History);

fn record(window: Window<'_>, x: f64) -> usize {
    window.0.record(x)
}

fn last(window: Window<'_>) -> f64 {
    window.0.last()
}

#[adjoint(independents(x), dependents(return))]
fn by_value(window: Window<'_>, x: f64) -> f64 {
    let n: usize = record(window, x);
    let last: f64 = last(window);
    last * x * n as f64
}

fn main() {
    by_value(Window(&History { kept: Cell::new(1.0) }), 1.0);
    by_way_of_a_parameter(&History { kept: Cell::new(1.0) }, by_way_of_a_variable(1.0));
    energy(&Spring { k: 1.0, scale: Cell::new(1.0) }, 2.0);
}
