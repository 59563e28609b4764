//! What a reference is taken for is what it refers to: a type that dereferences to another has other fields.

use backsweep::{Differentiable, adjoint};
use std::ops::Deref;

#[derive(Clone, Differentiable)]
struct Inner {
    scale: f64,
}

#[derive(Clone, Differentiable)]
struct Wrapper {
    scale: f64,
    inner: Inner,
}

impl Deref for Wrapper {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

fn make(scale: f64) -> Wrapper {
    Wrapper { scale: 1.0, inner: Inner { scale } }
}

#[adjoint(independents(x))]
fn named(x: f64, y: f64) -> f64 {
    #[passive]
    let wrapper = make(y);
    let inner: &Inner = &wrapper;
    inner.scale * x
}

#[adjoint(independents(x))]
fn called(x: f64, y: f64) -> f64 {
    #[passive]
    let wrapper = make(y);
    let of = |inner: &Inner| inner.scale * x;
    of(&wrapper)
}

fn main() {}
