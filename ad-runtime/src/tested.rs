//! How far along a direction a function goes the same way: what tangents that follow tests call.
//!
//! Where two numbers `a` and `b` decide which branch is taken, `d = a - b` has the derivative `ḋ` along the direction; `d + t ḋ` changes its
//! sign at `t = -d / ḋ`. The interval in which no number does that is the *validity* of the derivative, to first
//! order.
//!
//! See M. Araya-Polo, L. Hascoët, *Domain of validity of derivatives computed by automatic differentiation*, INRIA
//! RR-5237 (2004).

use crate::Directions;
use std::cell::Cell;

/// To which of the numbers beside it 0 belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zero {
    /// To those below it.
    Below,
    /// To those above it.
    Above,
    /// To neither.
    Alone,
}

thread_local! {
    static INTERVAL: Cell<(f64, f64)> = const { Cell::new(EVERYWHERE) };
}

const EVERYWHERE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Where tested numbers keep their signs while this lives, as far as the thread has met them.
#[derive(Debug)]
pub struct Validity {
    before: (f64, f64),
}

impl Validity {
    /// Begins to watch.
    #[expect(clippy::new_without_default, reason = "it counts from where it is made")]
    pub fn new() -> Self {
        Self { before: INTERVAL.replace(EVERYWHERE) }
    }

    /// The ends of the interval, which contains 0.
    pub fn interval(&self) -> (f64, f64) {
        INTERVAL.get()
    }
}

impl Drop for Validity {
    fn drop(&mut self) {
        INTERVAL.set(self.before);
    }
}

/// The derivative in one direction, which follows tests.
impl Directions for f64 {
    const ZERO: Self = 0.0;
    const FOLLOWS_TESTS: bool = true;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline]
    fn negative(self) -> Self {
        -self
    }

    #[inline]
    fn times(self, partial: impl Into<f64>) -> Self {
        self * partial.into()
    }

    #[inline]
    fn over(self, divisor: impl Into<f64>) -> Self {
        self / divisor.into()
    }

    #[inline]
    fn strongly(self, partial: impl Into<f64>) -> Self {
        if self == 0.0 { 0.0 } else { self * partial.into() }
    }

    #[inline]
    fn strongly_over(self, divisor: impl Into<f64>) -> Self {
        if self == 0.0 { 0.0 } else { self / divisor.into() }
    }

    #[inline]
    fn under(self, bar: impl Into<f64>) -> Self {
        let bar = bar.into();
        if bar == 0.0 { 0.0 } else { self * bar }
    }

    fn tested(self, number: f64, zero: Zero) {
        let (low, high) = INTERVAL.get();
        INTERVAL.set(narrowed((low, high), number, self, zero));
    }
}

/// The part of an interval in which a number keeps its sign. Of one that does not change it is the whole, of one of
/// which the change is not known nothing but 0.
fn narrowed((low, high): (f64, f64), number: f64, slope: f64, zero: Zero) -> (f64, f64) {
    if slope.is_nan() {
        return (0.0, 0.0);
    }
    // A NaN stays one.
    if slope == 0.0 || number.is_nan() {
        return (low, high);
    }
    if number == 0.0 {
        let ends_below = zero == Zero::Alone || (zero == Zero::Above) == (slope > 0.0);
        let ends_above = zero == Zero::Alone || (zero == Zero::Above) == (slope < 0.0);
        return (if ends_below { 0.0 } else { low }, if ends_above { 0.0 } else { high });
    }
    let length = (number / slope).abs();
    match (number > 0.0) == (slope < 0.0) {
        true => (low, high.min(length)),
        false => (low.max(-length), high),
    }
}

/// Says that branches tell `value` from `other`, by whether it is less: the first is returned.
#[inline]
pub fn below<F: Copy + Into<f64>, D: Directions>(
    value: F,
    slope: D,
    other: F,
    other_slope: D,
) -> F {
    compared(value, slope, other, other_slope, Zero::Above)
}

/// The same, by whether it is greater.
#[inline]
pub fn above<F: Copy + Into<f64>, D: Directions>(
    value: F,
    slope: D,
    other: F,
    other_slope: D,
) -> F {
    compared(value, slope, other, other_slope, Zero::Below)
}

/// The same, by whether it is less, equal, or greater.
#[inline]
pub fn order<F: Copy + Into<f64>, D: Directions>(
    value: F,
    slope: D,
    other: F,
    other_slope: D,
) -> F {
    compared(value, slope, other, other_slope, Zero::Alone)
}

#[inline]
fn compared<F: Copy + Into<f64>, D: Directions>(
    value: F,
    slope: D,
    other: F,
    other_slope: D,
    zero: Zero,
) -> F {
    if D::FOLLOWS_TESTS {
        slope.minus(other_slope).tested(value.into() - other.into(), zero);
    }
    value
}

macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident: $ends:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name<F: Copy + Into<f64>, D: Directions>(
            value: F,
            slope: D,
            other: F,
            other_slope: D,
        ) -> F {
            if D::FOLLOWS_TESTS {
                let (dividend, divisor): (f64, f64) = (value.into(), other.into());
                let quotient = dividend / divisor;
                let slope = slope.minus(other_slope.strongly(quotient)).over(divisor);
                let ends: fn(f64, f64) -> [(f64, Zero); 2] = $ends;
                let [(low, of_low), (high, of_high)] = ends(quotient, divisor);
                slope.tested(quotient - low, of_low);
                slope.tested(quotient - high, of_high);
            }
            value
        }
    )*};
}

steps! {
    /// Says that branches go by `⌊value / other⌋`: the value is returned.
    floor: |quotient, _| from_floor(quotient.floor());
    /// The same, by `⌈value / other⌉`.
    ceiling: |quotient, _| from_ceiling(quotient.ceil());
    /// The same, by the integer next to the quotient.
    nearest: |quotient, _| {
        let middle = quotient.round();
        [(middle - 0.5, Zero::Above), (middle + 0.5, Zero::Below)]
    };
    /// The same, by the quotient without the digits behind the point.
    truncated: |quotient, _| match quotient.trunc() {
        0.0 => [(-1.0, Zero::Above), (1.0, Zero::Below)],
        digits if digits > 0.0 => from_floor(digits),
        digits => from_ceiling(digits),
    };
    /// The same, by the quotient that leaves a remainder of no sign.
    euclidean: |quotient, divisor| match divisor > 0.0 {
        true => from_floor(quotient.floor()),
        false => from_ceiling(quotient.ceil()),
    };
}

/// The ends of the numbers that a floor belongs to.
fn from_floor(floor: f64) -> [(f64, Zero); 2] {
    [(floor, Zero::Above), (floor + 1.0, Zero::Above)]
}

/// The ends of the numbers that a ceiling belongs to.
fn from_ceiling(ceiling: f64) -> [(f64, Zero); 2] {
    [(ceiling - 1.0, Zero::Below), (ceiling, Zero::Below)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(test: impl FnOnce()) -> (f64, f64) {
        let validity = Validity::new();
        test();
        validity.interval()
    }

    /// Where a property of `value + t slope` is the same as at 0, by looking.
    fn found<T: PartialEq>(value: f64, slope: f64, property: impl Fn(f64) -> T) -> (f64, f64) {
        let at = |t: f64| property(value + t * slope);
        let steps = 4096;
        let end = |sign: f64| {
            let mut distances = (0..=steps * 16).map(|k| f64::from(k) / f64::from(steps));
            let differs = distances.find(|distance| at(sign * distance) != at(0.0));
            differs.map_or(f64::INFINITY, |distance| (distance - 1.0 / f64::from(steps)).max(0.0))
        };
        (-end(-1.0), end(1.0))
    }

    /// The ends agree up to the width of a step: whether an end belongs to the interval is not said.
    fn assert_agrees(name: &str, value: f64, slope: f64, own: (f64, f64), found: (f64, f64)) {
        let near =
            |a: f64, b: f64| a == b || (a - b).abs() < 1e-3 || (a.abs() > 15.0 && b.abs() > 15.0);
        assert!(
            near(own.0, found.0) && near(own.1, found.1),
            "{name} of {value} + {slope} t: {own:?} in place of {found:?}"
        );
    }

    #[test]
    fn intervals_are_those_in_which_nothing_changes() {
        type Step = (&'static str, fn(f64, f64, f64, f64) -> f64, fn(f64) -> f64);
        let steps: [Step; 5] = [
            ("floor", floor, f64::floor),
            ("ceiling", ceiling, f64::ceil),
            ("nearest", nearest, f64::round),
            ("truncated", truncated, f64::trunc),
            ("euclidean", euclidean, |value| value.div_euclid(1.0)),
        ];
        for value in [-2.0, -1.5, -1.25, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.25] {
            for slope in [1.0, -1.0, 0.5, -2.0] {
                for (name, step, of) in steps {
                    let own = interval(|| assert_eq!(step(value, slope, 1.0, 0.0), value));
                    assert_agrees(name, value, slope, own, found(value, slope, of));
                }
                let own = interval(|| assert_eq!(below(value, slope, 0.5, 0.0), value));
                assert_agrees("below", value, slope, own, found(value, slope, |x| x < 0.5));
                let own = interval(|| assert_eq!(above(value, slope, 0.5, 0.0), value));
                assert_agrees("above", value, slope, own, found(value, slope, |x| x > 0.5));
                let own = interval(|| assert_eq!(order(value, slope, 0.5, 0.0), value));
                let sign = |x: f64| x.partial_cmp(&0.5);
                assert_agrees("order", value, slope, own, found(value, slope, sign));
            }
        }
    }

    #[test]
    fn divisors_move_too() {
        for (value, slope, other, other_slope) in
            [(5.5, 0.5, 2.0, 0.25), (-5.5, 1.0, 2.0, -0.125), (5.5, 0.5, -2.0, 0.0)]
        {
            let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
            // To first order: the quotient goes as fast as at 0.
            let quotient: f64 = value / other;
            let rate = (slope - quotient * other_slope) / other;
            for (test, of) in [
                (truncated as fn(f64, f64, f64, f64) -> f64, f64::trunc as fn(f64) -> f64),
                (floor, f64::floor),
            ] {
                let own = interval(|| assert_eq!(test(value, slope, other, other_slope), value));
                let (low, high) = found(quotient, rate, of);
                assert!(near(own.0, low) && near(own.1, high), "{own:?}, {low}, {high}");
            }
        }
    }

    #[test]
    fn what_is_not_known_leaves_nothing() {
        assert_eq!(interval(|| assert_eq!(below(1.0, f64::NAN, 2.0, 0.0), 1.0)), (0.0, 0.0));
        assert_eq!(interval(|| assert_eq!(below(1.0, 0.0, 2.0, 0.0), 1.0)), EVERYWHERE);
        assert!(interval(|| assert!(below(f64::NAN, 1.0, 2.0, 0.0).is_nan())) == EVERYWHERE);
        assert_eq!(interval(|| assert_eq!(below(1.0, f64::INFINITY, 2.0, 0.0), 1.0)).1, 0.0);
        let first = interval(|| assert_eq!(below(1.0, 1.0, f64::INFINITY, 0.0), 1.0));
        assert_eq!(first, EVERYWHERE);
    }

    #[test]
    fn one_inside_of_another_keeps_its_own() {
        let outer = Validity::new();
        assert_eq!(below(0.0, 1.0, 2.0, 0.0), 0.0);
        assert_eq!(
            interval(|| assert_eq!(below(0.0, 1.0, 1.0, 0.0), 0.0)),
            (f64::NEG_INFINITY, 1.0)
        );
        assert_eq!(outer.interval(), (f64::NEG_INFINITY, 2.0));
    }

    #[test]
    fn others_are_not_told() {
        let value = interval(|| assert_eq!(below(0.0_f32, [1.0], 1.0, [0.0]), 0.0));
        assert_eq!(value, EVERYWHERE);
    }
}
