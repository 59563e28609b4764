//! Operators and indices of types with parameters, as fields and as results have them.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
use std::ops::{Index, Mul};
#[derive(Clone, Copy, Differentiable)]
pub struct Mat<const R: usize, const C: usize>([[f64; C]; R]);
#[adjoint]
impl<const R: usize, const C: usize> Index<(usize, usize)> for Mat<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}
#[adjoint]
impl<const R: usize, const C: usize> Mul for Mat<R, C> {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        Mat([[self.0[0][0] * rhs.0[0][0]; C]; R])
    }
}
#[derive(Clone, Differentiable)]
struct Belief {
    mean: Mat<2, 1>,
}
#[adjoint]
fn f(b: &[Belief]) -> f64 {
    b.iter().map(|b| b.mean[(1, 0)]).sum()
}
#[adjoint(independents(h, p))]
fn g(h: Mat<2, 2>, p: Mat<2, 2>) -> f64 {
    (h * p)[(0, 0)]
}
#[adjoint(independents(h, p))]
fn k(h: Mat<2, 2>, p: Mat<2, 2>) -> f64 {
    let q = h * p;
    q[(0, 0)]
}
#[derive(Clone, Copy, Differentiable)]
pub struct Big<const R: usize, const C: usize>([[f64; C]; R]);
#[adjoint]
impl<const R: usize, const C: usize> Index<(usize, usize)> for Big<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}
#[adjoint]
impl<const R: usize, const K: usize, const C: usize> Mul<&Big<K, C>> for &Big<R, K> {
    type Output = Big<R, C>;
    fn mul(self, rhs: &Big<K, C>) -> Big<R, C> {
        let mut out = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    out[i][j] += self.0[i][k] * rhs.0[k][j];
                }
            }
        }
        Big(out)
    }
}
#[adjoint]
impl<const R: usize, const C: usize> Mul<f64> for Big<R, C> {
    type Output = Self;
    fn mul(self, rhs: f64) -> Self {
        let mut out = self;
        for i in 0..R {
            for j in 0..C {
                out.0[i][j] *= rhs;
            }
        }
        out
    }
}
#[adjoint(independents(h, p))]
fn m(h: Big<2, 3>, p: Big<3, 1>, k: f64) -> f64 {
    let q = &h * &p;
    let s = (q * k)[(1, 0)] + (&h * &p)[(0, 0)] * (h * 2.0)[(1, 2)];
    s * q[(1, 0)]
}
#[adjoint]
fn n(x: &[f64]) -> f64 {
    let h = Big([[x[0], x[1], x[2]], [x[2], x[1] * x[0], 0.3]]);
    let p = Big([[x[1]], [x[0]], [x[2]]]);
    m(h, p, 0.7)
        + f(&[Belief { mean: Mat([[x[0]], [x[1] * x[1]]]) }])
        + g(Mat([[x[0], x[1]], [x[2], 1.0]]), Mat([[x[2], 1.0], [2.0, x[1]]]))
}
#[derive(Clone, Copy, Differentiable)]
pub struct V3<T> {
    x: T,
    y: T,
}
#[adjoint]
impl Mul<f64> for V3<f64> {
    type Output = V3<f64>;
    fn mul(self, rhs: f64) -> V3<f64> {
        V3 { x: self.x * rhs, y: self.y * rhs }
    }
}
#[adjoint]
impl V3<f64> {
    fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y
    }
}
#[derive(Clone, Differentiable)]
struct Body {
    at: V3<f64>,
    v: V3<f64>,
    m: f64,
}
#[adjoint]
fn energy(b: &[Body]) -> f64 {
    b.iter()
        .map(|b| {
            let p = b.v * b.m;
            p.dot(b.v) * b.at.x.abs().min(3.0)
        })
        .sum()
}
#[adjoint]
fn o(x: &[f64]) -> f64 {
    energy(&[Body { at: V3 { x: x[0], y: x[1] }, v: V3 { x: x[2], y: x[1] * x[0] }, m: x[2] }])
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; n);
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; o);
}

mod rows {
    use backsweep::{Differentiable, adjoint};
    use std::ops::Mul;
    #[derive(Clone, Copy, Differentiable)]
    pub struct Row<const N: usize>([f64; N]);
    #[adjoint]
    impl<const N: usize> Mul<f64> for Row<N> {
        type Output = f64;
        fn mul(self, k: f64) -> f64 {
            self.0[0] * k
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let a = Row([x[0], x[1]]);
        let b = a * x[2];
        b.sin()
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]; f);
    }
}
