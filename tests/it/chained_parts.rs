//! Sequences that follow each other where these are lists of structs, and what is zipped with what functions with locals make.
#![allow(clippy::all, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
#[derive(Clone, Differentiable)]
struct B {
    s: f64,
    w: Vec<f64>,
}
#[derive(Clone, Differentiable)]
struct R {
    record: Vec<B>,
    end: f64,
}
#[adjoint]
impl R {
    fn of(x: &[f64]) -> R {
        R { record: x.iter().map(|v| B { s: v * v, w: vec![*v, v.sin()] }).collect(), end: x[0] }
    }
    fn own_ends(&self) -> f64 {
        let ends = self.record.iter().map(|s| s.s).chain(std::iter::once(self.end));
        self.record.iter().zip(ends).map(|(s, e)| s.s * e).sum()
    }
    fn ends_shifted(&self) -> f64 {
        let ends = self.record.iter().skip(1).map(|s| s.s).chain([self.end]);
        self.record.iter().zip(ends).map(|(s, e)| s.s * e).sum()
    }
}
#[adjoint]
fn m(s: f64, w: f64) -> f64 {
    s * w.cos()
}
#[adjoint(independents(a, b))]
fn both(a: &R, b: &R) -> f64 {
    let mut t = 0.0;
    for b in a.record.iter().chain(&b.record) {
        t += b.s * b.w[1];
    }
    t + a.record.iter().chain(b.record.iter()).map(|b| b.s * b.s * b.w[0]).sum::<f64>()
}
#[adjoint]
fn of_both_lists(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(3);
    let (a, b) = (R::of(a), R::of(b));
    both(&a, &b)
}
#[adjoint]
fn ends(x: &[f64]) -> f64 {
    let r = R::of(x);
    r.own_ends() + r.ends_shifted()
}
#[adjoint]
fn zipped_with_sums(x: &[f64]) -> f64 {
    x.iter()
        .map(|&w| x.iter().map(|&s| m(s, w)).sum::<f64>())
        .zip(x)
        .map(|(db, want)| db * want)
        .sum()
}
#[adjoint]
fn zipped_with_loops(x: &[f64]) -> f64 {
    let scores = x.iter().map(|&w| {
        let mut s = 0.0;
        for v in x {
            s += m(*v, w);
        }
        s
    });
    scores.zip(x.iter().skip(1)).map(|(db, want)| db * want).sum()
}
#[adjoint]
fn zipped_with_lists(x: &[f64]) -> f64 {
    let rows = x.iter().map(|&w| {
        let mut v = vec![0.0; 3];
        for i in 0..3 {
            v[i] = w * (i as f64 + w).sin();
        }
        v[0] + v[1] * v[2]
    });
    rows.enumerate().zip(x.iter().rev()).map(|((i, db), want)| i as f64 * db * want).sum()
}
#[test]
fn sequences() {
    assert_derivatives!([0.3, 1.2, 0.7, -0.4, 0.9, 1.1], [1.0, 0.3, -0.4, 0.2, 0.6, 0.4]; of_both_lists ends zipped_with_sums zipped_with_loops zipped_with_lists);
}
