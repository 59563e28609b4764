//! Numbers of twice the precision: the unevaluated sum of two `f64`s, about 32 digits.
//!
//! An oracle for what is computed in `f64`: slow, written by the textbook formulas, for arguments of moderate size.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of about 32 digits.
#[derive(Clone, Copy, Debug)]
pub struct Doubled {
    /// The nearest `f64`.
    pub high: f64,
    /// The rest.
    pub low: f64,
}

const fn parts(high: f64, low: f64) -> Doubled {
    Doubled { high, low }
}

/// ln 2
pub const LN_2: Doubled = parts(std::f64::consts::LN_2, 2.319_046_813_846_3e-17);
/// ln 10
pub const LN_10: Doubled = parts(std::f64::consts::LN_10, -2.170_756_223_382_249_4e-16);
/// π
pub const PI: Doubled = parts(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);
/// What is missing of π / 2 behind the second part.
const REST_OF_HALF_PI: f64 = -1.497_384_904_859_183_3e-33;

/// The sum of two numbers of which the first is not the smaller one.
fn ordered_sum(a: f64, b: f64) -> Doubled {
    let high = a + b;
    parts(high, b - (high - a))
}

fn sum(a: f64, b: f64) -> Doubled {
    let high = a + b;
    let of_b = high - a;
    parts(high, (a - (high - of_b)) + (b - of_b))
}

fn product(a: f64, b: f64) -> Doubled {
    let high = a * b;
    parts(high, a.mul_add(b, -high))
}

impl From<f64> for Doubled {
    fn from(value: f64) -> Self {
        parts(value, 0.0)
    }
}

impl Add for Doubled {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let first = ordered_sum(high.high, high.low + low.high);
        ordered_sum(first.high, first.low + low.low)
    }
}

impl Neg for Doubled {
    type Output = Self;
    fn neg(self) -> Self {
        parts(-self.high, -self.low)
    }
}

impl Sub for Doubled {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Doubled {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let first = product(self.high, other.high);
        let rest = first.low + (self.high * other.low + self.low * other.high);
        ordered_sum(first.high, rest)
    }
}

impl Div for Doubled {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let digits = |rest: Self| rest.high / other.high;
        let first = digits(self);
        let rest = self - other * first.into();
        let second = digits(rest);
        let third = digits(rest - other * second.into());
        ordered_sum(first, second) + third.into()
    }
}

impl Doubled {
    /// The square root.
    pub fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        if root == 0.0 {
            return self;
        }
        Self::from(root) + (self - product(root, root)) / (2.0 * root).into()
    }

    /// A power of two as factor, in two steps: the factor itself may overflow.
    fn scaled(self, exponent: i32) -> Self {
        let half = exponent / 2;
        let [first, second] = [half, exponent - half].map(|exponent| 2.0_f64.powi(exponent));
        parts(self.high * first * second, self.low * first * second)
    }

    /// The exponential.
    pub fn exp(self) -> Self {
        const HALVINGS: i32 = 8;
        let exponent = (self.high / LN_2.high).round();
        let rest = (self - LN_2 * exponent.into()).scaled(-HALVINGS);
        // Less one, so that squaring loses nothing.
        let mut value = rest.series(11);
        for _ in 0..HALVINGS {
            value = value + value + value * value;
        }
        (value + 1.0.into()).scaled(exponent as i32)
    }

    /// `x + x² / 2! + x³ / 3! + …`, so many terms.
    fn series(self, terms: u32) -> Self {
        let (mut term, mut total) = (self, self);
        for n in 2..=terms {
            term = term * self / f64::from(n).into();
            total = total + term;
        }
        total
    }

    /// The natural logarithm: a step of Newton's method.
    pub fn ln(self) -> Self {
        let first = Self::from(self.high.ln());
        first + (self * (-first).exp() - 1.0.into())
    }

    /// Any power of a positive number.
    pub fn pow(self, exponent: Self) -> Self {
        (exponent * self.ln()).exp()
    }

    /// Sine and cosine.
    pub fn sin_cos(self) -> (Self, Self) {
        let quarters = (self.high / PI.high * 2.0).round();
        let half_pi = PI * 0.5.into();
        let rest = self - half_pi * quarters.into() - (REST_OF_HALF_PI * quarters).into();
        let square = -(rest * rest);
        let (mut sine, mut cosine) = (rest, Self::from(1.0));
        let (mut odd, mut even) = (rest, Self::from(1.0));
        for n in 1..16 {
            let n = f64::from(2 * n);
            even = even * square / (n * (n - 1.0)).into();
            odd = odd * square / (n * (n + 1.0)).into();
            cosine = cosine + even;
            sine = sine + odd;
        }
        match quarters.rem_euclid(4.0) as u8 {
            0 => (sine, cosine),
            1 => (cosine, -sine),
            2 => (-sine, -cosine),
            _ => (-cosine, sine),
        }
    }

    /// The hyperbolic cosine.
    pub fn cosh(self) -> Self {
        (self.exp() + (-self).exp()) * 0.5.into()
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> Self {
        if self.high.abs() > 0.5 {
            return (self.exp() - (-self).exp()) * 0.5.into();
        }
        let square = self * self;
        let (mut term, mut total) = (self, self);
        for n in 1..12 {
            let n = f64::from(2 * n);
            term = term * square / (n * (n + 1.0)).into();
            total = total + term;
        }
        total
    }

    /// By how many units in the last place of this number a float differs from it, at least: units are of the size
    /// 2⁻⁵², relative to the number.
    pub fn units_off(self, float: f64) -> f64 {
        ((Self::from(float) - self).high / (self.high * f64::EPSILON)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agreement to 28 digits.
    #[track_caller]
    fn assert_same(a: Doubled, b: Doubled) {
        let off = ((a - b).high / b.high).abs();
        assert!(off < 1e-28, "{a:?} and {b:?} differ by {off:e}");
    }

    #[test]
    fn known_numbers() {
        // e, from its decimal digits.
        assert_same(
            Doubled::from(1.0).exp(),
            parts(std::f64::consts::E, 1.445_646_891_729_250_2e-16),
        );
        let root = parts(std::f64::consts::SQRT_2, -9.667_293_313_452_913e-17);
        assert_same(Doubled::from(2.0).sqrt(), root);
        assert_same(Doubled::from(10.0).ln(), LN_10);
        assert_same(Doubled::from(2.0).ln(), LN_2);
        assert_same((PI / 6.0.into()).sin_cos().0, 0.5.into());
        assert_same((PI / 4.0.into()).sin_cos().1, root / 2.0.into());
    }

    #[test]
    fn identities() {
        let one = Doubled::from(1.0);
        for k in 1..400 {
            let x = Doubled::from(f64::from(k) * 0.173) + (f64::from(k) * 1e-17).into();
            assert_same(x.exp().ln(), x);
            assert_same(x * (one / x), one);
            assert_same(x.sqrt() * x.sqrt(), x);
            let (sine, cosine) = (x * x).sin_cos();
            assert_same(sine * sine + cosine * cosine, one);
            let x = x * 0.01.into();
            assert_same(x.cosh() * x.cosh() - x.sinh() * x.sinh(), one);
            assert_same(x.cosh() + x.sinh(), x.exp());
            let (twice, _) = (x + x).sin_cos();
            let (sine, cosine) = x.sin_cos();
            assert_same(twice, sine * cosine * 2.0.into());
        }
    }

    #[test]
    fn floats_next_to_one_another_are_a_unit_apart() {
        let units = Doubled::from(1.0).units_off(1.0_f64.next_up());
        assert!((units - 1.0).abs() < 1e-10, "{units}");
        assert_eq!(Doubled::from(0.1).units_off(0.1), 0.0);
    }
}
