//! Bits under masks, of type parameters that stand for floats: what the functions of the user's trait make of them is looked at where it is
//! differentiated.

use backsweep::{Differentiable, adjoint};
use std::ops::{BitAnd, Not};

trait Float: Copy + PartialOrd + std::ops::Mul<Output = Self> {
    type Int: Copy + BitAnd<Output = Self::Int> + Not<Output = Self::Int>;
    const SIGN: Self::Int;
    const LAST: Self::Int;
    const FIRST: Self::Int;
    fn to_bits(self) -> Self::Int;
    fn from_bits(bits: Self::Int) -> Self;
}

macro_rules! float {
    ($float:ident, $int:ident) => {
        impl Float for $float {
            type Int = $int;
            const SIGN: $int = !($int::MAX >> 1);
            const LAST: $int = 0xfff;
            const FIRST: $int = 0xfff << 12;
            fn to_bits(self) -> $int {
                self.to_bits()
            }
            fn from_bits(bits: $int) -> Self {
                Self::from_bits(bits)
            }
        }
    };
}

float!(f64, u64);
float!(f32, u32);

#[adjoint]
fn magnitude<F: Float>(x: F) -> F {
    let mask = !F::SIGN;
    F::from_bits(x.to_bits() & mask)
}

#[adjoint(passive(mask))]
fn rounded<F: Float>(x: F, y: F, mask: F::Int) -> F {
    let product = x * y;
    let first = F::from_bits(mask & product.to_bits());
    first * x
}

/// By a method, and with what is written to in between.
#[derive(Clone, Copy, Differentiable)]
struct Times(f64);

#[adjoint]
impl Times {
    fn of_sign(&self, x: f64, y: f64) -> f64 {
        self.0 * repeated(x, y)
    }
}

#[adjoint]
fn repeated<F: Float>(mut x: F, y: F) -> F {
    for _ in 0..3 {
        x = F::from_bits((x * y).to_bits() & !F::SIGN);
    }
    x
}

#[adjoint]
fn called(x: f64, y: f64) -> f64 {
    magnitude(x).sqrt() * magnitude(y) + Times(2.0).of_sign(x, y)
}

#[test]
fn the_sign_is_cleared() {
    for x in [-2.5, 0.7, -1e-310, f64::MIN] {
        assert_eq!(magnitude::gradient(x), (x.abs(), x.signum()));
        assert_eq!(magnitude::tangent(x, 3.0), (x.abs(), 3.0 * x.signum()));
    }
    assert_eq!(magnitude::gradient(-2.5_f32), (2.5, -1.0));
    let (x, y) = (-1.3_f64, 0.7_f64);
    let (value, (x_b, y_b)) = called::gradient(x, y);
    assert_eq!(value, called(x, y));
    let h = 1e-6;
    let by_x = (called(x + h, y) - called(x - h, y)) / (2.0 * h);
    let by_y = (called(x, y + h) - called(x, y - h)) / (2.0 * h);
    assert!((x_b - by_x).abs() < 1e-8 && (y_b - by_y).abs() < 1e-8, "{x_b} {y_b}");
}

#[test]
fn rounding_is_looked_through() {
    let (x, y) = (1.3_f64, -0.7);
    let (value, (x_b, y_b)) = rounded::gradient(x, y, !f64::LAST);
    assert_eq!(value, f64::from_bits((x * y).to_bits() & !0xfff) * x);
    assert!((x_b - 2.0 * x * y).abs() < 1e-11 && (y_b - x * x).abs() < 1e-11);
}

#[test]
#[should_panic(expected = "clears neither the sign nor the last digits")]
fn other_masks_are_not_understood() {
    rounded::gradient(1.3_f64, -0.7, !f64::FIRST);
}
