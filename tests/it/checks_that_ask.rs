//! Checks of what functions of users tell: `assert!(tree.depth() < 20)`.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
#[derive(Clone, Differentiable)]
struct Tree {
    v: f64,
    kids: Vec<Tree>,
}
trait Problem {
    fn dimension(&self) -> usize;
}
#[derive(Clone, Differentiable)]
struct Quad {
    w: Vec<f64>,
}
impl Problem for Quad {
    fn dimension(&self) -> usize {
        self.w.len()
    }
}
#[adjoint]
impl Tree {
    fn sum(&self) -> f64 {
        let mut s = self.v * self.v;
        for k in &self.kids {
            s += k.sum();
        }
        s
    }
    fn depth(&self) -> usize {
        1 + self.kids.iter().map(|k| k.depth()).max().unwrap_or(0)
    }
    fn is_leaf(&self) -> bool {
        self.kids.is_empty() && self.name().is_empty()
    }
    fn name(&self) -> String {
        String::new()
    }
}
#[adjoint]
fn make(x: f64) -> Tree {
    Tree { v: x, kids: vec![Tree { v: 2.0 * x, kids: vec![] }] }
}
#[adjoint]
fn f(x: &[f64]) -> f64 {
    let tree = make(x[0]);
    assert!(tree.depth() < 20);
    assert!(tree.depth() < 20 && !tree.is_leaf(), "too deep: {}", x[1]);
    debug_assert!(!tree.is_leaf());
    debug_assert_eq!(tree.depth(), 2, "depth of {}", x[0]);
    assert_ne!(tree.depth(), 3);
    assert_eq!(tree.depth(), x.len());
    let q = Quad { w: x.to_vec() };
    assert_eq!(q.dimension(), 2);
    let mut s = tree.sum();
    for i in 0..2 {
        let t = make(x[i]);
        assert!(t.depth() > i, "{i}");
        s *= t.sum() * q.w[i];
    }
    s
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7], [0.1, 0.2]; f);
}
#[test]
#[should_panic(expected = "assertion failed: tree.depth() < 2")]
fn message() {
    g::gradient(&[1.0]);
}
#[adjoint]
fn g(x: &[f64]) -> f64 {
    let tree = make(x[0]);
    assert!(tree.depth() < 2);
    tree.sum()
}
