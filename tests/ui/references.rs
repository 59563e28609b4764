//! References that are assigned again.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Matrix(Vec<f64>);

impl Matrix {
    fn row(&self, i: usize) -> &[f64] {
        &self.0[2 * i..2 * i + 2]
    }
}

#[adjoint]
fn of_two_lists(x: &[f64], y: &[f64]) -> f64 {
    let mut row = &x[..2];
    let s = row[0] * row[1];
    row = &y[1..];
    s + row[0] * row[1]
}

#[adjoint]
fn of_two_kinds(x: &[[f64; 2]]) -> f64 {
    let mut part: &[f64] = &x[0];
    let s = part[0];
    part = x.as_flattened();
    s + part[3]
}

#[adjoint]
fn in_unknown_code(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    while let Some(t) = rest.first() {
        s += t * t;
        rest = &rest[1..];
    }
    s
}

#[adjoint]
fn exchanged_by_a_tuple(x: &[f64], y: &[f64]) -> f64 {
    let (mut a, mut b) = (x, y);
    (a, b) = (b, a);
    a[0] * b[1]
}

fn tail(xs: &[f64]) -> &[f64] {
    &xs[1..]
}

#[adjoint]
fn rebound_to_what_a_function_returns(x: &[f64]) -> f64 {
    let mut rest = x;
    let s = rest[0];
    rest = &rest[1..];
    rest = tail(rest);
    s * rest[0]
}

#[adjoint]
fn split(a: &mut [f64]) -> f64 {
    let (l, r) = a.split_first_mut().unwrap();
    *l *= r[0];
    a[0]
}

#[adjoint(independents(m))]
fn method(m: &Matrix) -> f64 {
    let row = m.row(1);
    row[0] * row[1]
}

#[adjoint]
fn swapped<'a>(mut a: &'a [f64], mut b: &'a [f64]) -> f64 {
    std::mem::swap(&mut a, &mut b);
    a[0] * b[1]
}

#[adjoint]
fn value_of_a_block(x: f64) -> f64 {
    let mut a = [0.0; 2];
    let r = { &mut a };
    r[0] = x * x;
    a[0]
}

#[adjoint]
fn value_of_a_choice(x: f64, c: bool) -> f64 {
    let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
    let r = if c { &mut a } else { &mut b };
    r[0] = x * x;
    a[0] + b[0]
}

#[adjoint]
fn in_a_tuple(x: f64) -> f64 {
    let mut a = [0.0; 2];
    let r = &mut a;
    let pair = (r, 1);
    pair.0[0] = x * x;
    a[0]
}

#[adjoint]
fn deferred(x: f64) -> f64 {
    let mut a = [0.0; 2];
    let r;
    r = &mut a;
    r[0] = x * x;
    a[0]
}

fn main() {
    of_two_lists(&[1.0; 2], &[1.0; 2]) + of_two_kinds(&[[1.0; 2]]) + in_unknown_code(&[1.0]) + exchanged_by_a_tuple(&[1.0; 2], &[1.0; 2]) + rebound_to_what_a_function_returns(&[1.0]);
    split(&mut [1.0, 2.0]) + method(&Matrix(vec![1.0; 4])) + swapped(&[1.0; 2], &[2.0; 2]);
    value_of_a_block(1.0) + value_of_a_choice(1.0, true) + in_a_tuple(1.0) + deferred(1.0);
}
