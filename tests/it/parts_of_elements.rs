//! References to different fields of one element of a list, which rustc lends as a whole.

#![allow(clippy::useless_vec, reason = "elements of a `Vec` are found by a function")]

use crate::differences::{assert_derivatives, assert_gradient};
use backsweep::{Differentiable, adjoint};

const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body {
    p: Point,
    v: Point,
    l: Vec<f64>,
}
#[adjoint]
impl Point {
    fn kick(&mut self, o: &Point, h: f64) {
        self.x += o.x * h;
        self.y += o.y * h * self.x;
    }
}
#[adjoint]
fn pairs(x: &[f64]) -> f64 {
    let mut b: Vec<(f64, f64)> = x.windows(2).map(|w| (w[0], w[1])).collect();
    for (p, v) in b.iter_mut() {
        *v += *p * 0.1;
        *p += *v * 0.1;
    }
    for (p, v) in &mut b {
        *v *= *p;
        *p *= *v;
    }
    b.iter().map(|(p, v)| p * v).sum()
}
#[adjoint]
fn bodies(x: &[f64]) -> f64 {
    let mut b: Vec<Body> = x
        .iter()
        .map(|&w| Body { p: Point { x: w, y: 1.0 }, v: Point { x: 0.1, y: w }, l: vec![w, 2.0] })
        .collect();
    for (i, Body { p, v, l }) in b.iter_mut().enumerate() {
        v.x += p.x * l[0];
        p.y *= v.x;
        l[1] *= p.y * i as f64;
        l.push(v.y);
        p.kick(v, 0.1);
    }
    b.iter().map(|b| b.p.x * b.v.y * b.l[1] + b.l[2] + b.p.y).sum()
}
#[adjoint]
fn by_patterns(x: &[f64]) -> f64 {
    let mut b = vec![(Point { x: x[0], y: x[1] }, Point { x: x[2], y: x[3] }); 3];
    for k in 0..3 {
        let (p, v) = &mut b[k];
        p.x += v.y * x[k];
        v.y *= p.x;
        p.kick(v, x[0]);
    }
    let Body { p, v, .. } = &mut Body { p: b[0].0, v: b[1].1, l: vec![] };
    p.x *= v.x;
    v.x += p.y;
    p.x * v.x + b[2].0.y
}
#[adjoint]
fn nested_parts(x: &[f64]) -> f64 {
    let mut b = [(x[0], [x[1], x[2]]), (x[3], [1.0, x[0]])];
    for (s, [u, w]) in b.iter_mut() {
        *u += *s * *w;
        *w *= *u;
        *s -= *w;
    }
    for ((s, r), k) in b.iter_mut().zip(x) {
        r[0] *= *s * k;
        *s += r[1];
    }
    b[0].0 * b[1].1[0] + b[0].1[1]
}

#[test]
fn parts_of_one_element() {
    assert_derivatives!(AT, [0.3, -0.2, 0.5, 0.9]; pairs nested_parts);
    // These have no tangents: they pass one part to a method of another.
    assert_gradient(&bodies::gradient(&AT).1, &AT, bodies);
    assert_gradient(&by_patterns::gradient(&AT).1, &AT, by_patterns);
}
