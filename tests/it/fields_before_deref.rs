//! Structs that dereference to something: their own fields come first. The oracle is the derivative by hand.

use backsweep::{Differentiable, adjoint};
use std::ops::{Deref, Mul, MulAssign};

/// What `Affine` dereferences to has a field of the same name.
#[derive(Clone, Copy, Differentiable)]
struct Columns {
    pub shift: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Affine {
    pub factor: f64,
    pub shift: f64,
    pub columns: Columns,
}

impl Deref for Affine {
    type Target = Columns;

    fn deref(&self) -> &Columns {
        &self.columns
    }
}

#[adjoint]
impl Mul for Affine {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            factor: self.factor * other.factor,
            shift: self.factor * other.shift + self.shift,
            columns: self.columns,
        }
    }
}

impl Mul<&Affine> for &Affine {
    type Output = Affine;

    fn mul(self, _: &Affine) -> Affine {
        unreachable!("another operator")
    }
}

#[adjoint]
impl MulAssign for Affine {
    fn mul_assign(&mut self, other: Self) {
        *self = self.mul(other);
    }
}

#[adjoint(independents(a, x), dependents(return))]
fn applied_twice(mut a: Affine, x: f64) -> f64 {
    let again = a;
    a *= again;
    a.factor * x * x + a.shift
}

#[test]
fn own_fields_come_before_those_behind_deref() {
    let a = Affine { factor: 2.0, shift: 3.0, columns: Columns { shift: 7.0 } };
    let (value, (a_b, x_b)) = applied_twice::gradient(a, 1.5);
    assert_eq!((a.shift, a.columns.shift), (3.0, 7.0));
    // f² x² + f s + s
    assert_eq!(value, 4.0 * 2.25 + 6.0 + 3.0);
    assert_eq!((a_b.factor, a_b.shift, a_b.columns.shift), (2.0 * 2.0 * 2.25 + 3.0, 3.0, 0.0));
    assert_eq!(x_b, 2.0 * 4.0 * 1.5);
}
