//! Parts of values that are made constants: their bars get nothing, though the values are passed and returned as wholes.

#![allow(clippy::useless_vec, reason = "a list is meant")]

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Transform {
    m11: f64,
    m13: f64,
    m31: f64,
    m44: f64,
}

#[adjoint]
impl Transform {
    fn flat(&self) -> Self {
        let mut result = self.clone();
        result.m13 = 0.0;
        result
    }

    fn projected(&self) -> Self {
        let (zero, one): (f64, f64) = (0.0, 1.0);
        let mut result = self.clone();
        result.m31 = zero;
        result.m13 = zero;
        if self.m13 != zero && self.m44 != zero {
            let scale = one / self.m44;
            result.m11 = result.m11 * scale;
            result.m44 = one;
        }
        result
    }

    fn weighted(&self) -> f64 {
        self.m11 * 2.0 + self.m13 * 3.0 + self.m31 * 4.0 + self.m44 * 5.0
    }
}

#[adjoint]
fn flat(t: &Transform) -> Transform {
    let mut result = t.clone();
    result.m13 = 0.0;
    result
}

#[adjoint]
fn swapped(pair: (f64, f64)) -> (f64, f64) {
    let mut result = pair;
    result.0 = 1.5;
    (result.1, result.0)
}

#[adjoint]
fn of(x: &[f64]) -> Transform {
    Transform { m11: x[0], m13: x[1], m31: x[2], m44: x[3] }
}

#[adjoint]
fn by_method(x: &[f64]) -> f64 {
    of(x).flat().weighted()
}

#[adjoint]
fn projected(x: &[f64]) -> f64 {
    of(x).projected().weighted()
}

#[adjoint]
fn by_function(x: &[f64]) -> f64 {
    flat(&of(x)).weighted()
}

#[adjoint]
fn passed(x: &[f64]) -> f64 {
    let mut t = of(x);
    t.m13 = 0.0;
    t.weighted()
}

#[adjoint]
fn in_lists(x: &[f64]) -> f64 {
    let mut list = vec![of(x), of(x)];
    list[0].m44 = 2.0;
    list[1].m11 = 0.5;
    list.iter().map(|t| t.weighted()).sum()
}

#[adjoint]
fn tuples(x: &[f64]) -> f64 {
    let (a, b) = swapped((x[0] * x[1], x[2]));
    a * b * x[3]
}

#[derive(Clone, Differentiable)]
struct Scaled {
    transform: Transform,
    scale: f64,
}

#[adjoint]
fn cloned(x: &[f64]) -> f64 {
    let mut t = of(x);
    t.m13 = 0.0;
    let copy = t.clone();
    copy.weighted() + t.weighted()
}

#[adjoint]
fn held(x: &[f64]) -> f64 {
    let mut scaled = Scaled { transform: of(x), scale: x[2] };
    scaled.transform.m13 = 1.0;
    let part = scaled.transform.clone();
    scaled.scale = 2.0;
    part.weighted() + scaled.transform.weighted() * scaled.scale
}

#[adjoint]
fn repeated(x: &[f64]) -> f64 {
    let mut t = of(x);
    let mut total = 0.0;
    for i in 0..3 {
        total += t.weighted() * x[i];
        t.m13 = 0.5;
        let copy = t.clone();
        t.m11 = copy.weighted().sin();
    }
    total
}

#[test]
fn what_is_constant_gets_nothing() {
    let (at, along) = ([0.7, 1.3, 0.4, 2.0], [1.0, -1.0, 0.5, 0.25]);
    assert_derivatives!(at, along; by_method projected by_function passed in_lists tuples cloned held repeated);
    assert_eq!(by_method::gradient(&at).1, [2.0, 0.0, 4.0, 5.0]);
}
