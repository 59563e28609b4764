//! Ordinary code that is refused: choices of lists of lists, conversions of user types, generic parameters that no value tells, ranges of wide integers.
use backsweep::{Differentiable, adjoint};

#[adjoint]
fn chosen(x: &[Vec<f64>], y: &[Vec<f64>], c: bool) -> f64 {
    let p = if c { x } else { y };
    p[0][0] * p[0][1]
}

#[derive(Clone, Copy, Differentiable)]
struct Angle(f64);

impl From<Angle> for f64 {
    fn from(angle: Angle) -> f64 {
        angle.0.to_radians()
    }
}

#[adjoint]
fn converted(x: f64) -> f64 {
    let a = Angle(x);
    f64::from(a) * x
}

#[adjoint(independents(x))]
fn wide(x: &[f64], n: u128) -> f64 {
    let mut s = 0.0;
    for (i, t) in (0..n).rev().zip(x) {
        s += t * i as f64;
    }
    s
}

fn main() {}
