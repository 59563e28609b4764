//! Lists of references that are written down and gone through.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
#[derive(Clone, Differentiable)]
pub struct M {
    data: Vec<f64>,
}
#[adjoint]
impl M {
    fn dot(&self, o: &M) -> f64 {
        self.data[0] * o.data[0] + self.data[1] * o.data[1].sin()
    }
    fn total(self) -> f64 {
        self.data.iter().sum()
    }
}
#[derive(Clone, Differentiable)]
pub struct Net {
    w1: Vec<f64>,
    w2: Vec<f64>,
    b1: f64,
    b2: f64,
    m1: M,
    m2: M,
}
#[adjoint]
fn make(x: &[f64]) -> Net {
    Net {
        w1: vec![x[0], x[1]],
        w2: vec![x[1] * x[2], x[2]],
        b1: x[0] * x[2],
        b2: x[1],
        m1: M { data: x.to_vec() },
        m2: M { data: x[1..].to_vec() },
    }
}
#[adjoint]
impl Net {
    fn run(&self, x: f64) -> f64 {
        let mut h = vec![x, x * x];
        for (w, b) in [(&self.w1, self.b1), (&self.w2, self.b2)] {
            for (h, w) in h.iter_mut().zip(w) {
                *h = (*h * w + b).tanh();
            }
        }
        h.iter().sum()
    }
    fn two(&self) -> f64 {
        let [q, k] = [&self.m1, &self.m2].map(|w| w.dot(&self.m1));
        let s: f64 = [&self.m1, &self.m2].into_iter().map(|w| self.m2.dot(w)).sum();
        let mut t = 0.0;
        for w in [&self.m1, &self.m2] {
            t += self.m1.dot(w) * s;
            if t > 1e9 {
                break;
            }
        }
        let v: Vec<f64> = [&self.m1, &self.m2].iter().map(|w| self.m2.dot(w)).collect();
        q * k + t + v[0] * v[1]
    }
}
#[adjoint]
fn f(x: &[f64]) -> f64 {
    let n = make(x);
    n.run(x[0]) + n.two()
}
#[adjoint]
fn g(x: &[f64]) -> f64 {
    let n = make(x);
    of(&n.m1, &n.m2, &n.w1)
}
#[adjoint]
fn of(x: &M, y: &M, w: &[f64]) -> f64 {
    let [q, k] = [x, y].map(|w| x.dot(w));
    let mut s = 0.0;
    for (k, (m, l)) in [(x, w), (y, &w[1..])].iter().enumerate() {
        s += m.dot(x) * l[0] * (k + 1) as f64;
    }
    for m in [x, y] {
        s *= m.dot(y);
    }
    let mut lists = 0.0;
    for (l, c) in [(&x.data, 2.0), (&y.data, 3.0)] {
        lists += c * l.iter().sum::<f64>();
    }
    for l in [&x.data[..1], &y.data[1..]] {
        lists += l.iter().map(|v| v * v).sum::<f64>();
    }
    q * k + s + lists
}
#[adjoint]
fn h(x: &[f64]) -> f64 {
    let n = make(x);
    let ms = [n.m1.clone(), n.m2.clone()];
    let areas = ms.map(|m| m.dot(&n.m1));
    let ns = [n.m1.clone(), n.m2.clone()];
    let [a, b] = ns.map(M::total);
    areas[0] * areas[1] + a * b
}
#[adjoint]
fn i(x: &[f64]) -> f64 {
    let n = make(x);
    let total: f64 = [&n.m1, &n.m2].iter().zip([2.0, 3.0]).map(|(m, c)| c * m.dot(&n.m1)).sum();
    let best = [&n.w1, &n.w2].into_iter().map(|w| w[0]).fold(f64::MIN, f64::max);
    total * best
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; g);
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; h);
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; i);
}
