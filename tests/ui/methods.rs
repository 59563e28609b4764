//! Methods that are not understood, on active values.
use backsweep::{Differentiable, adjoint};

#[adjoint]
fn unsupported(x: f64) -> f64 {
    x.next_up() + x
}

#[adjoint]
fn list(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.copy_within(1.., 0);
    v[0]
}

#[adjoint]
fn first(x: &[f64]) -> f64 {
    *x.split_first().unwrap().0 * x[0]
}

#[adjoint]
fn get(x: &[f64]) -> f64 {
    x.get(0).copied().unwrap_or(0.0)
}

/// Not the operators: what these call is up to the traits in scope.
trait Odd {
    fn neg(self) -> f64;
    fn mul(self, other: f64) -> f64;
}

impl Odd for f64 {
    fn neg(self) -> f64 {
        2.0 * self
    }

    fn mul(self, other: f64) -> f64 {
        self + other
    }
}

#[adjoint]
fn named_like_operators(x: f64) -> f64 {
    x.neg() + x.mul(x) + f64::neg(x)
}

/// Called like a float, and none.
#[derive(Clone, Copy, Differentiable)]
struct Scalar(f64);

impl std::ops::Mul for Scalar {
    type Output = Scalar;

    fn mul(self, other: Scalar) -> Scalar {
        Scalar(self.0 * other.0)
    }
}

#[adjoint(independents(a, b))]
fn called_like_a_float(a: Scalar, b: Scalar) -> f64 {
    let c = a * b;
    c.0
}

fn main() {
    let x = [1.0, 2.0];
    unsupported(1.0) + pair(1.0);
    list(&x) + first(&x) + get(&x) + named_like_operators(1.0);
}
