//! `sum` and `product` of values of users' types, by `impl Sum` and `impl Product` that are annotated.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};
use std::iter::Sum;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vec2 {
    x: f64,
    y: f64,
}
#[adjoint]
impl Vec2 {
    const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
    fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y
    }
}
#[adjoint]
impl std::ops::Add for Vec2 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y)
    }
}
#[adjoint]
impl std::ops::Mul<f64> for Vec2 {
    type Output = Self;
    fn mul(self, o: f64) -> Self {
        Self::new(self.x * o, self.y * o)
    }
}
#[adjoint]
impl std::iter::Sum for Vec2 {
    fn sum<I: Iterator<Item = Vec2>>(iter: I) -> Vec2 {
        let mut t = Vec2::ZERO;
        for v in iter {
            t = t + v;
        }
        t
    }
}
#[adjoint]
impl<'a> Sum<&'a Vec2> for Vec2 {
    fn sum<I: Iterator<Item = &'a Vec2>>(iter: I) -> Vec2 {
        iter.fold(Vec2::ZERO, |a, b| a + *b)
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Poly {
    c: Vec<f64>,
}
#[adjoint]
impl std::iter::Product for Poly {
    fn product<I>(mut iter: I) -> Self
    where
        I: Iterator<Item = Self>,
    {
        let first = iter.next().unwrap();
        iter.fold(first, |a, b| {
            let mut c = vec![0.0; a.c.len() + b.c.len() - 1];
            for i in 0..a.c.len() {
                for j in 0..b.c.len() {
                    c[i + j] += a.c[i] * b.c[j];
                }
            }
            Poly { c }
        })
    }
}
#[adjoint]
fn points(x: &[f64]) -> Vec<Vec2> {
    x.windows(2).map(|w| Vec2::new(w[0], w[1] * w[0])).collect()
}
#[adjoint]
fn of_values_and_references(x: &[f64]) -> f64 {
    let p = points(x);
    let s = p.iter().map(|p| *p * x[0]).sum::<Vec2>() * 0.5;
    let t: Vec2 = p.iter().sum();
    let u: Vec2 = p.iter().copied().sum();
    s.dot(t) + u.x
}
#[adjoint]
fn product_of_polynomials(x: &[f64]) -> f64 {
    let p: Poly = x.iter().map(|v| Poly { c: vec![*v, 1.0] }).product();
    p.c[0] * p.c[2] + p.c[1]
}
#[adjoint]
fn center(p: &[Vec2], w: &[f64]) -> Vec2 {
    p.iter().zip(w).map(|(p, w)| *p * *w).sum::<Vec2>() * (1.0 / w.iter().sum::<f64>())
}
#[adjoint]
fn center_of_points(x: &[f64]) -> f64 {
    let c = center(&points(x), &x[1..]);
    c.dot(c)
}

/// In another module than the type.
mod elsewhere {
    use super::{Vec2, adjoint};

    #[adjoint]
    pub fn sum_elsewhere(x: &[f64]) -> f64 {
        let sum: Vec2 = x.iter().map(|v| Vec2::new(*v, v * v)).sum();
        sum.x * sum.y
    }
}
use elsewhere::sum_elsewhere;

#[test]
fn sums_and_products() {
    const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];
    assert_derivatives!(AT, [0.3, -0.2, 0.5, 0.9]; of_values_and_references product_of_polynomials center_of_points sum_elsewhere);
}
