//! Is a derivative right? Checks to run on functions of one's own.
//!
//! Each check returns a [`Report`], which has [passed](Report::passed) or not, and prints as a table, the
//! worst first:
//!
//! ```
//! use backsweep::{adjoint, check};
//!
//! #[adjoint]
//! fn energy(x: &[f64]) -> f64 {
//!     x.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum()
//! }
//!
//! let report = check::gradient(energy, energy::gradient, &[0.0, 1.5, 2.0]);
//! assert!(report.passed(), "{report}");
//! ```
//!
//! | check | what is compared |
//! | --- | --- |
//! | [`gradient`], [`derivative`] | a gradient with difference quotients of the function |
//! | [`tangent`] | a tangent with difference quotients along its direction |
//! | [`dot_product`] | an adjoint with a tangent |
//! | [`agreement`] | two gradients of one function, as with optimisations and without |
//! | [`balanced`] | a stack before its forward and after its backward sweep |
//!
//! No check passes on what it could not compare. At a kink there is no derivative, and whatever a program returns
//! there is a convention; where a function is not finite, or its rounding errors hide the derivative, differences
//! say nothing. The report then says which comparison could not be made and why, and has not passed: move the
//! point.
//!
//! Differences see no more than the function shows. A contribution below its rounding errors is not missed
//! when it is missing from the derivative, and a branch that is not taken at the point is not checked: check at points
//! on both sides.
//!
//! # Rules by hand
//!
//! Derivatives that are given, `partials(…)` and `with = …`, are compared with differences of their functions wherever a derivative
//! under check uses them, in builds with debug assertions. Those that are wrong are [named](Report::wrong_rules), with
//! file and line, and the check has not passed.
//!
//! # The difference ladder
//!
//! Quotients are central, `(f(x + h) − f(x − h)) / 2h`, with some twenty steps from a quarter of the size of `x` downwards,
//! each a quarter of the last. They are extrapolated to `h = 0` three times (C. Ridders, *Accurate computation of F′(x)
//! and F′(x)F″(x)*, 1982), and that with the smallest estimated error counts. The estimate is the
//! difference from the quotients it was extrapolated from, or from those with smaller steps if that is larger, and a
//! bound of the rounding error: the noise of the function over the step. Noise is measured, by
//! tables of differences at closely spaced points (J. Moré, S. Wild, *Estimating computational noise*, 2011), so that functions
//! that lose digits by cancellation are not asked for what they do not have.
//!
//! The tolerance of a comparison is that estimate and 1e-11 of the derivative, for rounding errors of its own. A comparison counts if it is good to three digits of the derivative, or to six
//! of the quotients to either side, as where the derivative is zero; others are reported as hidden by rounding.
//!
//! Nothing is random: the same check of the same function reports the same.

#[doc(hidden)]
pub mod bisection;
mod directions;
#[doc(hidden)]
pub mod generated;
mod ladder;
mod noise;
#[doc(hidden)]
pub mod nonfinite;
mod products;
mod report;
#[doc(hidden)]
pub mod summed;
#[cfg(test)]
mod tests;
#[doc(hidden)]
pub mod trace;
#[doc(hidden)]
pub mod watch;

use directions::{Directions, scale, selected};
use ladder::{Extent, Ladder};

pub use nonfinite::{Made, NonFinite, Operand, Origin};
pub use products::{agreement, balanced, dot_product};
pub use report::{Comparison, Place, Reason, Report, Verdict, WrongRule};

/// What the functions that are checked take by reference: slices, arrays and `Vec`s of numbers.
pub trait Point {
    /// Lends these numbers as a value of the type.
    ///
    /// # Panics
    /// If the type has another length.
    fn lend<R>(numbers: &[f64], to: impl FnOnce(&Self) -> R) -> R;
}

impl Point for [f64] {
    fn lend<R>(numbers: &[f64], to: impl FnOnce(&Self) -> R) -> R {
        to(numbers)
    }
}

impl Point for Vec<f64> {
    fn lend<R>(numbers: &[f64], to: impl FnOnce(&Self) -> R) -> R {
        to(&numbers.to_vec())
    }
}

impl<const N: usize> Point for [f64; N] {
    fn lend<R>(numbers: &[f64], to: impl FnOnce(&Self) -> R) -> R {
        let len = numbers.len();
        let array = numbers.try_into();
        to(array.unwrap_or_else(|_| panic!("the function takes {N} numbers, the point has {len}")))
    }
}

/// What the functions that are checked return: a number or many.
pub trait Numbers {
    /// All of them.
    fn numbers(&self) -> &[f64];
}

impl Numbers for f64 {
    fn numbers(&self) -> &[f64] {
        std::slice::from_ref(self)
    }
}

impl Numbers for Vec<f64> {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl<const N: usize> Numbers for [f64; N] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

/// Compares a gradient with difference quotients of its function, and the value that comes with it bit by bit
/// with that of the function.
///
/// Functions of a `&[f64]`, a `&Vec<f64>` or a `&[f64; N]` are passed as they are, others in closures. In a closure, the type
/// of the argument has to be written. [`derivative`] is for functions of one number.
///
/// ```
/// use backsweep::{adjoint, check};
///
/// #[adjoint(independents(x, stiffness), dependents(return))]
/// fn spring(x: &[f64; 2], stiffness: f64) -> f64 {
///     0.5 * stiffness * (x[1] - x[0]).powi(2)
/// }
///
/// // Both independents in one point.
/// let report = check::gradient(
///     |p: &[f64; 3]| spring(&[p[0], p[1]], p[2]),
///     |p: &[f64; 3]| {
///         let (value, (by_x, by_stiffness)) = spring::gradient(&[p[0], p[1]], p[2]);
///         (value, [by_x[0], by_x[1], by_stiffness])
///     },
///     &[0.0, 1.5, 2.0],
/// );
/// report.assert_passed();
///
/// // The derivative of the absolute value is a convention at 0.
/// #[adjoint]
/// fn total(x: &[f64]) -> f64 {
///     x.iter().map(|element| element.abs()).sum()
/// }
/// let report = check::gradient(total, total::gradient, &[1.0, 0.0, -2.0]);
/// assert!(!report.passed());
/// assert!(report.to_string().contains("coordinate 1"), "{report}");
/// ```
///
/// A function of up to 100 coordinates is compared along each of them, in 80 to 120 evaluations. Of a longer one 50 coordinates,
/// spread evenly from the first to the last, are compared, and 16 directions in which all coordinates change. An
/// error in a single coordinate is then found only if it is not too small a part of the change along such
/// a direction.
pub fn gradient<X: Point + ?Sized, G: Numbers>(
    value: impl Fn(&X) -> f64,
    gradient: impl Fn(&X) -> (f64, G),
    x: &[f64],
) -> Report {
    let mut report = Report::new("gradient");
    let expected = X::lend(x, &value);
    let ((found, parts), rules) = watch::during(|| X::lend(x, &gradient));
    report.blame(rules);
    let parts = parts.numbers();
    report.add(Comparison::of_values(Place::Value, found, expected));
    if parts.len() != x.len() {
        report.add(Comparison::of_lengths(parts.len(), x.len()));
        return report;
    }
    if x.is_empty() {
        report.add(Comparison::not_compared(Place::Length, Reason::Nothing));
        return report;
    }
    let mut along = |place: Place, direction: &[f64], derivative: f64| {
        let at = |step: f64| vec![X::lend(&moved(x, direction, step), &value)];
        let ladder = Ladder::of_each(at, Extent::of(x, direction), 1).remove(0);
        report.add(ladder.compare(place, derivative));
    };
    let coordinates = selected(x.len());
    for &i in &coordinates {
        let mut direction = vec![0.0; x.len()];
        direction[i] = 1.0;
        along(Place::Coordinate(i), &direction, parts[i]);
    }
    if coordinates.len() < x.len() {
        let mut directions = Directions::new();
        for k in 0..directions::MANY {
            let direction = directions.signs(x);
            along(Place::Direction(k), &direction, inner(parts, &direction));
        }
        report.note = format!(
            "{} of {} coordinates, and {} directions in which all change, are compared",
            coordinates.len(),
            x.len(),
            directions::MANY
        );
    }
    report
}

/// Compares the derivative of a function of one number with difference quotients; see [`gradient`].
///
/// ```
/// use backsweep::{adjoint, check};
///
/// #[adjoint]
/// fn wave(x: f64) -> f64 {
///     x.sin() / x
/// }
///
/// check::derivative(wave, wave::gradient, 0.7).assert_passed();
/// // A term is missing.
/// assert!(!check::derivative(wave, |x| (wave(x), x.cos() / x), 0.7).passed());
/// ```
pub fn derivative(
    value: impl Fn(f64) -> f64,
    derivative: impl Fn(f64) -> (f64, f64),
    x: f64,
) -> Report {
    gradient(|x: &[f64; 1]| value(x[0]), |x: &[f64; 1]| derivative(x[0]), &[x])
}

/// Compares the tangent of a function along a direction with difference quotients, result by result, and the values that
/// come with it bit by bit with those of the function.
///
/// ```
/// use backsweep::check;
///
/// fn polar(x: &[f64; 2]) -> [f64; 2] {
///     [x[0] * x[1].cos(), x[0] * x[1].sin()]
/// }
///
/// fn polar_tangent(x: &[f64; 2], x_d: &[f64; 2]) -> ([f64; 2], [f64; 2]) {
///     let (sin, cos) = x[1].sin_cos();
///     (polar(x), [x_d[0] * cos - x[0] * sin * x_d[1], x_d[0] * sin + x[0] * cos * x_d[1]])
/// }
///
/// check::tangent(polar, polar_tangent, &[2.0, 0.7], &[1.0, -0.5]).assert_passed();
/// ```
///
/// # Panics
/// If the direction does not have the length of the point.
pub fn tangent<X: Point + ?Sized, Y: Numbers, D: Numbers>(
    value: impl Fn(&X) -> Y,
    tangent: impl Fn(&X, &X) -> (Y, D),
    x: &[f64],
    x_d: &[f64],
) -> Report {
    check_direction(x, x_d);
    let mut report = Report::new("tangent");
    let expected = X::lend(x, &value);
    let along = || X::lend(x, |x| X::lend(x_d, |x_d| tangent(x, x_d)));
    let ((found, slopes), rules) = watch::during(along);
    report.blame(rules);
    let (expected, found, slopes) = (expected.numbers(), found.numbers(), slopes.numbers());
    for numbers in [found, slopes] {
        if numbers.len() != expected.len() {
            report.add(Comparison::of_lengths(numbers.len(), expected.len()));
            return report;
        }
    }
    if x_d.iter().all(|&part| part == 0.0) || expected.is_empty() {
        report.add(Comparison::not_compared(Place::Direction(0), Reason::Nothing));
        return report;
    }
    let at = |step: f64| X::lend(&moved(x, x_d, step), |x| value(x).numbers().to_vec());
    let ladders = Ladder::of_each(at, Extent::of(x, x_d), expected.len());
    for (i, (ladder, slope)) in ladders.iter().zip(slopes).enumerate() {
        report.add(Comparison::of_values(Place::Value, found[i], expected[i]).at_result(i));
        report.add(ladder.compare(Place::Result(i), *slope));
    }
    report
}

#[track_caller]
fn check_direction(x: &[f64], x_d: &[f64]) {
    assert!(
        x.len() == x_d.len(),
        "the point has {} coordinates, the direction {}",
        x.len(),
        x_d.len()
    );
}

/// The point at some distance along a direction.
fn moved(x: &[f64], direction: &[f64], step: f64) -> Vec<f64> {
    x.iter().zip(direction).map(|(x, d)| if *d == 0.0 { *x } else { x + step * d }).collect()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
