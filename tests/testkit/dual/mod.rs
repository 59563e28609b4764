//! Dual numbers that can stand where a program says `f64` or `f32`: the reference for derivatives of
//! whole functions.
//!
//! Derivatives are num-dual's. Values are computed with the same functions of `std` as the program
//! computes them with, so that conditions come out alike and loops make the same number of trips. Where
//! num-dual has no such function, or another convention at a kink, the derivative is written out here
//! and says so.

mod operators;
pub mod tested;

use num_dual::{Dual2_64, DualNum};
pub use operators::{Cast, cast, narrow};

/// A number with its first and second derivative.
#[derive(Clone, Copy, Debug)]
pub struct Dual(Dual2_64);

impl Dual {
    /// A number with the derivative 0.
    pub const fn constant(value: f64) -> Self {
        Self::new(value, 0.0)
    }

    /// A number with a derivative.
    pub const fn new(value: f64, slope: f64) -> Self {
        Self::curved(value, slope, 0.0)
    }

    /// A number with its first and second derivative.
    const fn curved(value: f64, slope: f64, curvature: f64) -> Self {
        Self(Dual2_64 { re: value, v1: slope, v2: curvature })
    }

    /// The value.
    pub const fn value(self) -> f64 {
        self.0.re
    }

    /// The bits of the value, as `std` has them.
    pub const fn to_bits(self) -> u64 {
        self.0.re.to_bits()
    }

    /// The derivative.
    pub const fn slope(self) -> f64 {
        self.0.v1
    }

    /// The second derivative.
    pub const fn curvature(self) -> f64 {
        self.0.v2
    }

    /// Whether it depends on the input.
    fn depends(self) -> bool {
        self.slope() != 0.0 || self.curvature() != 0.0
    }

    /// The value as `std` has it, with the derivatives that num-dual has. Those of what does
    /// not depend on the input are 0, also where a partial is infinite.
    fn with_slope_of(value: f64, depends: bool, derivative: impl FnOnce() -> Dual2_64) -> Self {
        if !depends {
            return Self::constant(value);
        }
        let Dual2_64 { v1, v2, .. } = derivative();
        Self::curved(value, v1, v2)
    }

    /// A value that changes so many times as fast as this one.
    fn linear(self, value: f64, factor: f64) -> Self {
        Self::curved(value, self.slope() * factor, self.curvature() * factor)
    }

    /// What is left of this one, modulo another, where the quotient is constant.
    fn remainder(self, value: f64, divisor: Self, quotient: f64) -> Self {
        let slope = self.slope() - divisor.slope() * quotient;
        Self::curved(value, slope, self.curvature() - divisor.curvature() * quotient)
    }
}

/// A list of constants.
pub const fn list<const N: usize>(values: [f64; N]) -> [Dual; N] {
    let mut duals = [Dual::constant(0.0); N];
    let mut position = 0;
    while position < N {
        duals[position] = Dual::constant(values[position]);
        position += 1;
    }
    duals
}

/// A table of constants.
pub const fn table<const N: usize, const M: usize>(values: [[f64; M]; N]) -> [[Dual; M]; N] {
    let mut duals = [[Dual::constant(0.0); M]; N];
    let mut position = 0;
    while position < N {
        duals[position] = list(values[position]);
        position += 1;
    }
    duals
}

impl Default for Dual {
    fn default() -> Self {
        Self::constant(0.0)
    }
}

/// Functions of one argument that num-dual has under the same name.
macro_rules! functions {
    ($($name:ident)*) => {
        impl Dual {$(
            #[doc = concat!("As `f64::", stringify!($name), "`.")]
            pub fn $name(self) -> Self {
                Self::with_slope_of(self.value().$name(), self.depends(), || DualNum::$name(&self.0))
            }
        )*}
    };
}

functions! {
    sqrt cbrt recip exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh
    acosh atanh
}

/// Steps: their derivative is 0. They jump at multiples of 1.
macro_rules! steps {
    ($($name:ident $ends:path;)*) => {
        impl Dual {$(
            #[doc = concat!("As `f64::", stringify!($name), "`.")]
            pub fn $name(self) -> Self {
                tested::divided(self, Self::constant(1.0), $ends);
                Self::constant(self.value().$name())
            }
        )*}
    };
}

steps! {
    floor tested::beside;
    ceil tested::beside;
    round tested::middles;
    round_ties_even tested::middles;
    trunc tested::digits;
}

/// Questions about the value.
macro_rules! tests {
    ($($name:ident)*) => {
        impl Dual {$(
            #[doc = concat!("As `f64::", stringify!($name), "`.")]
            pub fn $name(self) -> bool {
                self.value().$name()
            }
        )*}
    };
}

tests! { is_nan is_infinite is_finite is_normal }

/// Associated constants of `f64`.
macro_rules! limits {
    ($($name:ident)*) => {
        impl Dual {$(
            #[doc = concat!("As `f64::", stringify!($name), "`.")]
            pub const $name: Self = Self::constant(f64::$name);
        )*}
    };
}

limits! { EPSILON MAX MIN MIN_POSITIVE INFINITY NEG_INFINITY NAN }

impl Dual {
    fn depends_with(self, other: Self) -> bool {
        self.depends() || other.depends()
    }

    /// As `f64::powi`; constant for the exponent 0, also at 0.
    pub fn powi(self, n: i32) -> Self {
        let depends = self.depends() && n != 0;
        Self::with_slope_of(self.value().powi(n), depends, || self.0.powi(n))
    }

    /// As `f64::powf`.
    pub fn powf(self, exponent: Self) -> Self {
        let value = self.value().powf(exponent.value());
        if !exponent.depends() {
            let depends = self.depends() && exponent.value() != 0.0;
            return Self::with_slope_of(value, depends, || self.0.powf(exponent.value()));
        }
        Self::with_slope_of(value, true, || self.0.powd(exponent.0))
    }

    /// As `f64::atan2`.
    pub fn atan2(self, x: Self) -> Self {
        let value = self.value().atan2(x.value());
        Self::with_slope_of(value, self.depends_with(x), || self.0.atan2(x.0))
    }

    /// As `f64::hypot`, which num-dual does not have.
    pub fn hypot(self, other: Self) -> Self {
        let derivative = || DualNum::sqrt(&(self.0 * self.0 + other.0 * other.0));
        let value = self.value().hypot(other.value());
        Self::with_slope_of(value, self.depends_with(other), derivative)
    }

    /// As `f64::log`, of which num-dual has only the one with a constant base.
    pub fn log(self, base: Self) -> Self {
        let derivative = || DualNum::ln(&self.0) / DualNum::ln(&base.0);
        Self::with_slope_of(self.value().log(base.value()), self.depends_with(base), derivative)
    }

    /// As `f64::mul_add`: rounded once.
    pub fn mul_add(self, factor: Self, summand: Self) -> Self {
        let value = self.value().mul_add(factor.value(), summand.value());
        Self::with_slope_of(value, true, || self.0 * factor.0 + summand.0)
    }

    /// As `f64::sin_cos`.
    pub fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value().sin_cos();
        let (sines, cosines) = DualNum::sin_cos(&self.0);
        (Self::curved(sin, sines.v1, sines.v2), Self::curved(cos, cosines.v1, cosines.v2))
    }

    /// As `f64::signum`, a step.
    pub fn signum(self) -> Self {
        tested::compared(self, Self::constant(0.0));
        Self::constant(self.value().signum())
    }

    /// As `f64::is_sign_positive`.
    pub fn is_sign_positive(self) -> bool {
        tested::compared(self, Self::constant(0.0));
        self.value().is_sign_positive()
    }

    /// As `f64::is_sign_negative`.
    pub fn is_sign_negative(self) -> bool {
        !self.is_sign_positive()
    }

    /// As `f64::abs`; the derivative at 0 is 0.
    pub fn abs(self) -> Self {
        tested::compared(self, Self::constant(0.0));
        let sign = if self.value() == 0.0 { 0.0 } else { self.value().signum() };
        self.linear(self.value().abs(), sign)
    }

    /// As `f64::max`: the derivative of the operand that is returned, the first if they are equal.
    pub fn max(self, other: Self) -> Self {
        tested::compared(self, other);
        if self.value() >= other.value() || other.value().is_nan() { self } else { other }
    }

    /// As `f64::min`: the derivative of the operand that is returned, the first if they are equal.
    pub fn min(self, other: Self) -> Self {
        tested::compared(self, other);
        if self.value() <= other.value() || other.value().is_nan() { self } else { other }
    }

    /// As `f64::clamp`; the bounds belong to the inside.
    pub fn clamp(self, low: Self, high: Self) -> Self {
        tested::compared(self, low);
        tested::compared(self, high);
        if self.value() < low.value() {
            low
        } else if self.value() > high.value() {
            high
        } else {
            self
        }
    }

    /// As `f64::copysign`; the sign is a step.
    pub fn copysign(self, sign: Self) -> Self {
        let keeps = self.is_sign_negative() == sign.is_sign_negative();
        if keeps { self } else { -self }
    }

    /// As `f64::fract`.
    pub fn fract(self) -> Self {
        tested::divided(self, Self::constant(1.0), tested::digits);
        self.linear(self.value().fract(), 1.0)
    }

    /// As `f64::rem_euclid`.
    pub fn rem_euclid(self, divisor: Self) -> Self {
        tested::divided(self, divisor, tested::beside);
        let quotient = self.value().div_euclid(divisor.value());
        self.remainder(self.value().rem_euclid(divisor.value()), divisor, quotient)
    }

    /// As `f64::div_euclid`, a step.
    pub fn div_euclid(self, divisor: Self) -> Self {
        tested::divided(self, divisor, tested::beside);
        Self::constant(self.value().div_euclid(divisor.value()))
    }

    /// As `f64::to_radians`.
    pub fn to_radians(self) -> Self {
        self.linear(self.value().to_radians(), std::f64::consts::PI / 180.0)
    }

    /// As `f64::to_degrees`.
    pub fn to_degrees(self) -> Self {
        self.linear(self.value().to_degrees(), 180.0 / std::f64::consts::PI)
    }

    /// As `f64::total_cmp`.
    pub fn total_cmp(&self, other: &Self) -> std::cmp::Ordering {
        tested::compared(*self, *other);
        self.value().total_cmp(&other.value())
    }
}

/// The constants of `std::f64::consts`.
pub mod consts {
    use super::Dual;

    macro_rules! constants {
        ($($name:ident)*) => {$(
            #[doc = concat!("As `std::f64::consts::", stringify!($name), "`.")]
            pub const $name: Dual = Dual::constant(std::f64::consts::$name);
        )*};
    }

    constants! {
        PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG10_E FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
        FRAC_1_PI FRAC_2_PI FRAC_2_SQRT_PI FRAC_1_SQRT_2
    }
}
