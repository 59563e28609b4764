//! Indexing and dereferencing of user types are code that the macro does not see.
use backsweep::{Differentiable, adjoint};
use std::ops::{Deref, DerefMut, Index, IndexMut};

#[derive(Clone, Differentiable)]
struct Table(Vec<f64>);

impl Index<usize> for Table {
    type Output = f64;

    fn index(&self, n: usize) -> &f64 {
        &self.0[self.0.len() - 1 - n]
    }
}

impl IndexMut<usize> for Table {
    fn index_mut(&mut self, n: usize) -> &mut f64 {
        &mut self.0[n]
    }
}

#[derive(Clone, Differentiable)]
struct Inner {
    x: f64,
}

#[derive(Clone, Differentiable)]
struct Outer {
    inner: Inner,
}

impl Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl DerefMut for Outer {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

#[adjoint(independents(t), dependents(return))]
fn indexed(t: &Table) -> f64 {
    t[0] * t[1]
}

#[adjoint(independents(o), dependents(return))]
fn dereferenced(mut o: Outer) -> f64 {
    o.inner.x *= 3.0;
    o.x * o.x
}

struct Dial;

impl Index<usize> for Dial {
    type Output = f64;

    fn index(&self, _: usize) -> &f64 {
        println!("read");
        &0.5
    }
}

const DIAL: Dial = Dial;

/// A constant is read again where it is needed.
#[adjoint(independents(x))]
fn of_a_constant(x: f64, n: usize) -> f64 {
    let speed = DIAL[n];
    x * speed
}

fn main() {
    of_a_constant(1.0, 0);
    indexed(&Table(vec![1.0, 2.0]));
    dereferenced(Outer { inner: Inner { x: 1.0 } });
}
