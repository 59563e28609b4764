//! Lists that are replaced by ones of other lengths, as parts of structs and by calls that fail.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
#[derive(Clone, Default, Differentiable)]
struct S {
    list: Vec<f64>,
    k: f64,
}
#[derive(Clone, Differentiable)]
struct Outer {
    inner: S,
    w: f64,
}
#[adjoint]
impl S {
    fn new(k: f64) -> Self {
        S { list: vec![k; 3], k }
    }
    fn with_list(self, list: Vec<f64>) -> Self {
        Self { list, ..self }
    }
    fn reset(&mut self) {
        *self = S { list: vec![self.k], ..self.clone() };
    }
}
#[adjoint]
fn updated(x: &[f64]) -> f64 {
    let a = S { list: vec![x[0], x[1]], k: x[1] };
    let b = S { list: vec![x[0] * x[1]], ..a };
    b.list[0] * b.k
}
#[adjoint]
fn built(x: &[f64]) -> f64 {
    let b = S::new(x[0]).with_list(vec![x[1], 2.0 * x[0]]);
    b.list[0] * b.k + b.list[1]
}
#[adjoint]
fn replaced(x: &[f64]) -> f64 {
    let mut s = S { list: vec![x[0], x[1]], k: x[1] };
    let y = s.list[1];
    s = S { list: vec![s.k], ..s.clone() };
    let mut q = s.clone();
    q.list = vec![q.k, x[0], x[1]];
    s = q;
    let z = s.list[2] * s.list[1];
    s.reset();
    y * s.list[0] * s.k + z
}
#[adjoint]
fn parts(x: &[f64]) -> f64 {
    let mut o = Outer { inner: S { list: vec![x[0], x[1]], k: x[1] }, w: x[0] };
    let y = o.inner.k;
    o.inner = S { list: vec![x[1] * o.w], k: y * x[0] };
    y * o.inner.list[0] * o.inner.k
}
#[adjoint]
fn extend(v: &mut Vec<f64>, t: f64) -> Option<f64> {
    v.push(t);
    if t > 2.0 {
        return None;
    }
    Some(t * v[0])
}
#[adjoint]
fn failed(x: &[f64]) -> f64 {
    let mut w = vec![x[0]];
    extend(&mut w, x[1]).unwrap_or(x[0] * x[1])
}
#[derive(Clone, Differentiable)]
enum Phase {
    Solid(f64),
    Liquid { a: f64, b: f64 },
}
#[adjoint]
fn melt(p: &mut Phase, t: f64) -> Result<f64, String> {
    let mut r = 0.0;
    if let Phase::Solid(h) = *p {
        r = h * t;
        *p = Phase::Liquid { a: h, b: t };
    }
    if t > 2.0 {
        return Err("too hot".to_string());
    }
    Ok(r)
}
#[adjoint]
fn molten(x: &[f64]) -> f64 {
    let mut p = Phase::Solid(x[0] * x[1]);
    match melt(&mut p, x[1]) {
        Ok(r) => r,
        Err(_) => x[0] * x[1] * x[1],
    }
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7], [0.1, 0.2]; updated built replaced parts failed molten);
    assert_derivatives!([0.3, 2.7], [0.1, 0.2]; failed molten);
}
