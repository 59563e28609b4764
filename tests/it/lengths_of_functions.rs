//! Functions that take functions, and lengths or types with operators for parameters.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};
use std::ops::{Add, Mul};

const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];
const ALONG: [f64; 4] = [0.3, -0.2, 0.5, 0.9];

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct P {
    x: f64,
    y: f64,
}
#[adjoint]
impl Add for P {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        P { x: self.x + o.x, y: self.y + o.y }
    }
}
#[adjoint]
impl Mul<f64> for P {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        P { x: self.x * o, y: self.y * o }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct V<const N: usize>([f64; N]);
#[adjoint]
impl<const N: usize> Add for V<N> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let mut r = self;
        for i in 0..N {
            r.0[i] += o.0[i];
        }
        r
    }
}
#[adjoint]
impl<const N: usize> Mul<f64> for V<N> {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        V(self.0.map(|a| a * o))
    }
}
#[adjoint]
fn rk4<const N: usize>(
    f: impl Fn(f64, [f64; N]) -> [f64; N],
    mut y: [f64; N],
    h: f64,
    n: usize,
) -> [f64; N] {
    for i in 0..n {
        let t = i as f64 * h;
        let k1 = f(t, y);
        let mut y2 = [0.0; N];
        for j in 0..N {
            y2[j] = y[j] + 0.5 * h * k1[j];
        }
        let k2 = f(t + 0.5 * h, y2);
        for j in 0..N {
            y[j] += h * k2[j];
        }
    }
    y
}
#[adjoint]
fn of_a_literal(x: &[f64]) -> f64 {
    let y = rk4(|t, [p, v]| [v, -x[2] * p - x[3] * v + t.cos()], [x[0], x[1]], 0.1, 10);
    y[0] * y[1]
}
#[adjoint]
fn stated(x: &[f64]) -> f64 {
    let mut a = [0.0; 3];
    a.copy_from_slice(&x[..3]);
    let y = rk4::<3>(|_, y| y.map(|v| -v * x[3]), a, 0.1, 5);
    y.iter().sum()
}
#[adjoint]
fn euler<S: Copy + Add<Output = S> + Mul<f64, Output = S>>(
    f: impl Fn(f64, S) -> S,
    y: S,
    h: f64,
    n: usize,
) -> S {
    let mut y = y;
    for i in 0..n {
        y = y + f(i as f64 * h, y) * h;
    }
    y
}
#[adjoint]
fn heun<S, F>(f: F, y: S, h: f64) -> S
where
    F: Fn(S) -> S,
    S: Add<Output = S> + Mul<f64, Output = S> + Copy,
{
    let k = f(y);
    let l = f(y + k * h);
    y + (k + l) * (0.5 * h)
}
#[adjoint]
fn of_any_type(x: &[f64]) -> f64 {
    let s = euler(|t, s| -s * x[0] + t, x[1], 0.1, 5);
    let p = euler(|_, p: P| P { x: p.y, y: -p.x * x[2] }, P { x: x[0], y: x[1] }, 0.1, 5);
    let q = heun(|p| P { x: p.y * x[3], y: -p.x }, p, 0.2);
    let v = heun(|v: V<2>| V([v.0[1] * x[3], -v.0[0]]), V([x[0], x[2]]), 0.2);
    s * p.x + q.y + v.0[0] * heun(|a| a * a, x[2], 0.3)
}
#[adjoint]
fn each<const N: usize, const M: usize>(
    mut f: impl FnMut(&[f64; M]) -> f64,
    rows: &[[f64; M]; N],
) -> [f64; N] {
    let mut out = [0.0; N];
    for (o, r) in out.iter_mut().zip(rows) {
        *o = f(r) / M as f64;
    }
    out
}
#[adjoint]
fn of_rows(x: &[f64]) -> f64 {
    let rows = [[x[0], x[1], 1.0], [x[2], x[3], x[0]]];
    let m = each(|r| r.iter().map(|v| v * v).sum(), &rows);
    m[0] * m[1]
}
#[adjoint]
fn generic<const K: usize>(y: [f64; K], a: f64) -> f64 {
    let r = rk4(|t, y| y.map(|v| -v * a + t), y, 0.1, 4);
    r.iter().product()
}
#[adjoint]
fn handed_on(x: &[f64]) -> f64 {
    generic([x[0], x[1], x[2]], x[3])
}
#[adjoint]
fn stepped<const N: usize>(f: impl Fn(f64, V<N>) -> V<N>, mut y: V<N>, h: f64, n: usize) -> V<N> {
    for i in 0..n {
        let t = i as f64 * h;
        let k1 = f(t, y);
        let k2 = f(t + h, y + k1 * h);
        y = y + (k1 + k2) * (h / 2.0);
    }
    y
}
#[adjoint]
fn of_structs(x: &[f64]) -> f64 {
    let y = stepped(
        |t, y| V([y.0[1], -x[2] * y.0[0] - x[3] * y.0[1] + t.cos()]),
        V([x[0], x[1]]),
        0.1,
        10,
    );
    y.0[0] * y.0[1]
}

#[test]
fn parameters_of_functions_that_take_functions() {
    assert_derivatives!(AT, ALONG; of_a_literal stated of_any_type of_rows handed_on of_structs);
}
