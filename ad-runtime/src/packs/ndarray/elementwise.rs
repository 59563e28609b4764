//! Functions of each element. The partials are those of the functions of floats.

use super::Float;
use super::parts::{add, pushed, sum};
use super::types::{check, choice, number};
use crate::Differentiable;
use crate::operator::strong;
use ndarray::{Array, Dimension};
use std::f64::consts::{LN_2, LN_10};

/// The derivative of an absolute value: that at 0 is 0.
fn sign<F: Float>(x: F) -> F {
    choice::<F>(x > F::zero()) - choice(x < F::zero())
}

/// What is below a root in the derivatives of inverse functions, without a difference of rounded squares.
fn root<F: Float>(x: F) -> F {
    ((F::one() - x) * (F::one() + x)).sqrt()
}

/// The derivative of a power. That of x⁰ is 0, also at 0.
fn of_integer_power<F: Float>(x: F, n: i32) -> F {
    let exponent: F = number(f64::from(n));
    match n {
        0 => F::zero(),
        // There is no integer below.
        i32::MIN => exponent * (x.powi(n) / x),
        _ => exponent * x.powi(n - 1),
    }
}

/// The same of a power that is no integer. A rounded exponent p - 1 tells where x is far from 1.
fn of_power<F: Float>(x: F, p: F) -> F {
    let power = x.powf(p);
    if p == F::zero() {
        F::zero()
    } else if power.is_normal() {
        power / x * p
    } else {
        p * x.powf(p - F::one())
    }
}

/// The derivative with respect to the exponent.
fn of_exponent<F: Float>(x: F, p: F) -> F {
    if x == F::zero() { F::zero() } else { x.powf(p) * x.ln() }
}

/// Of one element, by the partial of it or of the result, which is kept if it takes long to compute.
macro_rules! functions {
    ($($([$kept:ident])? $name:ident($of:tt) $partial:expr;)*) => {
        mod of_one {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<F: Float, D: Dimension + 'static> Array<F, D> {
                    check F = f64, D = ndarray::Ix1;
                    check F = f64, D = ndarray::Ix2;
                    check F = f32, D = ndarray::Ix2;

                    $($($kept)? fn $name(&self) -> Array<F, D> = self.$name() {
                        self: |bar, w| add(bar, w, $of, $partial), |d| pushed(&d, $of, $partial);
                    })*
                }
            }
        }
    };
}

functions! {
    recip(result) |y| -(y * y);
    sqrt(result) |y| number::<F>(0.5) / y;
    [kept] cbrt(result) |y| (number::<F>(3.0) * y * y).recip();
    [kept] exp(result) |y| y;
    [kept] exp2(result) |y| y * number(LN_2);
    exp_m1(self) |x| x.exp();
    ln(self) |x| F::one() / x;
    ln_1p(self) |x| F::one() / (F::one() + x);
    log2(self) |x| F::one() / (x * number(LN_2));
    log10(self) |x| F::one() / (x * number(LN_10));
    sin(self) |x| x.cos();
    cos(self) |x| -x.sin();
    [kept] tan(result) |y| F::one() + y * y;
    asin(self) |x| F::one() / root(x);
    acos(self) |x| -F::one() / root(x);
    atan(self) |x| F::one() / (F::one() + x * x);
    sinh(self) |x| x.cosh();
    cosh(self) |x| x.sinh();
    tanh(self) |x| x.cosh().recip().powi(2);
    asinh(self) |x| F::one() / x.hypot(F::one());
    acosh(self) |x| F::one() / ((x - F::one()).sqrt() * (x + F::one()).sqrt());
    atanh(self) |x| F::one() / ((F::one() - x) * (F::one() + x));
    to_degrees(self) |_| number::<F>(1.0).to_degrees();
    to_radians(self) |_| number::<F>(1.0).to_radians();
    abs(self) |x| sign(x);
    pow2(self) |x| x + x;
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, D: Dimension + 'static> Array<F, D> {
        check F = f64, D = ndarray::Ix1;
        check F = f64, D = ndarray::Ix2;
        check F = f32, D = ndarray::Ix2;

        fn fract(&self) -> Array<F, D> = self.fract() { self: same; }

        fn powi(&self, n: i32) -> Array<F, D> = self.powi(n) {
            self: |bar, w| add(bar, w, self, |x| of_integer_power(x, n)), |d| pushed(&d, self, |x| of_integer_power(x, n));
            n: passive;
        }
        fn powf(&self, p: F) -> Array<F, D> = self.powf(p) {
            self: |bar, w| add(bar, w, self, |x| of_power(x, p)), |d| pushed(&d, self, |x| of_power(x, p));
            p: |bar, w| *bar += sum(w, self, |x| of_exponent(x, p)), |d| self.mapv(|x| strong(d, of_exponent(x, p)));
        }
        fn log(&self, base: F) -> Array<F, D> = self.log(base) {
            self: |bar, w| add(bar, w, self, |x| F::one() / (x * base.ln())), |d| pushed(&d, self, |x| F::one() / (x * base.ln()));
            base: |bar, w| *bar -= sum(w, result, |y| y / (base * base.ln())), |d| result.mapv(|y| -strong(d, y / (base * base.ln())));
        }
        fn hypot(&self, b: F) -> Array<F, D> = self.hypot(b) {
            self: |bar, w| add(bar, w, self, |x| x / x.hypot(b)), |d| pushed(&d, self, |x| x / x.hypot(b));
            b: |bar, w| *bar += sum(w, result, |y| b / y), |d| result.mapv(|y| strong(d, b / y));
        }
        fn abs_sub(&self, b: F) -> Array<F, D> = self.abs_sub(b) {
            self: |bar, w| add(bar, w, self, |x| choice(x > b)), |d| pushed(&d, self, |x| choice(x > b));
            b: |bar, w| *bar -= sum(w, self, |x| choice(x > b)), |d| self.mapv(|x| -d * choice(x > b));
        }
        fn clamp(&self, low: F, high: F) -> Array<F, D> = self.clamp(low, high) {
            self: |bar, w| add(bar, w, self, |x| choice(!(x < low || x > high))),
                  |d| pushed(&d, self, |x| choice(!(x < low || x > high)));
            low: |bar, w| *bar += sum(w, self, |x| choice(x < low)), |d| self.mapv(|x| d * choice(x < low));
            high: |bar, w| *bar += sum(w, self, |x| choice(x > high)), |d| self.mapv(|x| d * choice(x > high));
        }

        // Between its jumps a step is constant.
        fn floor(&self) -> Array<F, D> = self.floor() { self: |bar, w| check(bar, w), |d| d.zero_bar(); }
        fn ceil(&self) -> Array<F, D> = self.ceil() { self: |bar, w| check(bar, w), |d| d.zero_bar(); }
        fn round(&self) -> Array<F, D> = self.round() { self: |bar, w| check(bar, w), |d| d.zero_bar(); }
        fn trunc(&self) -> Array<F, D> = self.trunc() { self: |bar, w| check(bar, w), |d| d.zero_bar(); }
        fn signum(&self) -> Array<F, D> = self.signum() { self: |bar, w| check(bar, w), |d| d.zero_bar(); }
    }
}

/// All rules of them.
#[cfg(feature = "rule-checks")]
pub(super) fn all() -> Vec<crate::rules::check::Checked> {
    [of_one::table(), table()].concat()
}
