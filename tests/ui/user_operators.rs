//! Operators of user types are no operations on floats.
use backsweep::adjoint;
use std::ops::{AddAssign, Mul};

#[derive(Clone, Copy)]
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

fn main() {
    f(M([1.0; 4]), M([2.0; 4]));
}
