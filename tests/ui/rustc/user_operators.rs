//! Operators of user types without an adjoint, and operators whose operands the macro takes for floats.
use backsweep::{Differentiable, adjoint};
use std::ops::{AddAssign, Mul};

#[derive(Clone, Copy, Differentiable)]
struct M([f64; 4]);

impl Mul for M {
    type Output = M;

    fn mul(self, b: M) -> M {
        let (a, b) = (self.0, b.0);
        M([
            a[0] * b[0] + a[1] * b[2],
            a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3],
        ])
    }
}

impl AddAssign for M {
    fn add_assign(&mut self, b: M) {
        for k in 0..4 {
            self.0[k] += b.0[k];
        }
    }
}

#[adjoint(independents(a, b), dependents(return))]
fn f(a: M, b: M) -> f64 {
    let c = a * b;
    c.0[0] + c.0[3]
}

#[adjoint(independents(a, b), dependents(a))]
fn g(a: &mut M, b: M) {
    *a += b;
}

struct Pair {
    a: M,
    k: f64,
}

#[adjoint(independents(k), passive(p), dependents(return))]
fn h(p: &Pair, k: f64) -> f64 {
    let c = p.a * k;
    c.0[0] * p.k
}

impl Mul<f64> for M {
    type Output = M;

    fn mul(self, k: f64) -> M {
        M([self.0[0] * k; 4])
    }
}

fn main() {
    f(M([1.0; 4]), M([2.0; 4]));
}
