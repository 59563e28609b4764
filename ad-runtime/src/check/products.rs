//! Checks that compare derivatives with each other, without differences.

use super::directions::{Directions, selected};
use super::report::{Comparison, Place, Reason, Report};
use super::{Numbers, Point, inner, scale, watch};
use crate::Stack;

/// So many pairs of directions are tried.
const PAIRS: usize = 4;
/// How far apart products may be, relative to the sizes of their terms.
const PRODUCT: f64 = 1e-10;
/// How far apart gradients may be, coordinate by coordinate.
const AGREEMENT: f64 = 1e-12;
/// What lies on a stack below the sweeps.
const BELOW: u64 = 0x5eed;

/// Compares an adjoint with a tangent: `⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩`.
///
/// `tangent(x, x_d)` is `J ẋ` and `adjoint(x, y_b)` is `Jᵀ ȳ`. The
/// products are the same to 1e-10 of the sizes of their terms, in four pairs of directions in which all numbers change, for each
/// coordinate of `x` and for each result (up to 100 of each, of more 50), which says where the
/// error is. Every size of coordinates and results counts the same.
///
/// Errors that the tangent and the adjoint have in common are not found.
///
/// ```
/// use backsweep::{adjoint, check};
///
/// #[adjoint]
/// fn rotated(x: &[f64; 2], by: f64) -> [f64; 2] {
///     let (sin, cos) = by.sin_cos();
///     [x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos]
/// }
///
/// let report = check::dot_product(
///     // The function is linear in the first two.
///     |x: &[f64; 3], d: &[f64; 3]| {
///         let along = rotated(&[d[0], d[1]], x[2]);
///         let [a, b] = rotated(&[x[0], x[1]], x[2]);
///         [along[0] - d[2] * b, along[1] + d[2] * a]
///     },
///     |x: &[f64; 3], y_b: &[f64]| {
///         let (mut x_b, mut by_b) = ([0.0; 2], 0.0);
///         rotated::adjoint(&[x[0], x[1]], &mut x_b, x[2], &mut by_b, [y_b[0], y_b[1]]);
///         [x_b[0], x_b[1], by_b]
///     },
///     &[1.0, 2.0, 0.3],
/// );
/// report.assert_passed();
/// ```
pub fn dot_product<X: Point + ?Sized, Y: Numbers, G: Numbers>(
    tangent: impl Fn(&X, &X) -> Y,
    adjoint: impl Fn(&X, &[f64]) -> G,
    x: &[f64],
) -> Report {
    let forward =
        |x_d: &[f64]| X::lend(x, |x| X::lend(x_d, |x_d| tangent(x, x_d).numbers().to_vec()));
    let backward = |y_b: &[f64]| X::lend(x, |x| adjoint(x, y_b).numbers().to_vec());
    let mut report = Report::new("dot product");
    let mut directions = Directions::new();
    let x_d = directions.weights(x.iter().map(|x| scale(*x)));
    let (y_d, rules) = watch::during(|| forward(&x_d));
    report.blame(rules);
    if x.is_empty() || y_d.is_empty() {
        report.add(Comparison::not_compared(Place::Length, Reason::Nothing));
        return report;
    }
    let scales: Vec<f64> = y_d.iter().map(|y_d| 1.0 / scale(*y_d)).collect();
    let y_b = directions.weights(scales.iter().copied());
    let (x_b, rules) = watch::during(|| backward(&y_b));
    report.blame(rules);
    if x_b.len() != x.len() {
        report.add(Comparison::of_lengths(x_b.len(), x.len()));
        return report;
    }
    report.add(product(Place::Direction(0), [&x_b, &x_d], [&y_b, &y_d]));
    for pair in 1..PAIRS {
        let x_d = directions.weights(x.iter().map(|x| scale(*x)));
        let y_b = directions.weights(scales.iter().copied());
        let (x_b, y_d) = (backward(&y_b), forward(&x_d));
        report.add(product(Place::Direction(pair), [&x_b, &x_d], [&y_b, &y_d]));
    }
    for i in selected(x.len()) {
        let x_d = unit(x.len(), i);
        report.add(product(Place::Coordinate(i), [&x_b, &x_d], [&y_b, &forward(&x_d)]));
    }
    for i in selected(y_d.len()) {
        let y_b = unit(y_d.len(), i);
        report.add(product(Place::Result(i), [&backward(&y_b), &x_d], [&y_b, &y_d]));
    }
    report
}

fn unit(len: usize, i: usize) -> Vec<f64> {
    let mut unit = vec![0.0; len];
    unit[i] = 1.0;
    unit
}

/// Compares the products of an adjoint and of a tangent.
fn product(place: Place, adjoint: [&[f64]; 2], tangent: [&[f64]; 2]) -> Comparison {
    let [[x_b, x_d], [y_b, y_d]] = [adjoint, tangent];
    if x_b.len() != x_d.len() {
        return Comparison::of_lengths(x_b.len(), x_d.len());
    }
    if y_d.len() != y_b.len() {
        return Comparison::of_lengths(y_d.len(), y_b.len());
    }
    let size = |[a, b]: [&[f64]; 2]| a.iter().zip(b).map(|(a, b)| (a * b).abs()).sum::<f64>();
    let tolerance = PRODUCT * (size(adjoint) + size(tangent));
    Comparison::within(place, inner(x_b, x_d), inner(y_b, y_d), tolerance)
}

/// Compares two gradients of one function, coordinate by coordinate to 1e-12 of the larger, and their values bit by
/// bit: those of the function with optimisations and without, or joined and split.
///
/// ```
/// use backsweep::{adjoint, check};
///
/// #[adjoint]
/// fn optimised(x: &[f64]) -> f64 {
///     let mut state = 0.5;
///     for element in x {
///         state = (state * element).sin() + element;
///     }
///     state
/// }
///
/// #[adjoint(no(all))]
/// fn plain(x: &[f64]) -> f64 {
///     let mut state = 0.5;
///     for element in x {
///         state = (state * element).sin() + element;
///     }
///     state
/// }
///
/// check::agreement(optimised::gradient, plain::gradient, &[0.3, 0.7, -0.2]).assert_passed();
/// ```
pub fn agreement<X: Point + ?Sized, G: Numbers, H: Numbers>(
    gradient: impl Fn(&X) -> (f64, G),
    other: impl Fn(&X) -> (f64, H),
    x: &[f64],
) -> Report {
    let mut report = Report::new("agreement");
    let ((value, parts), rules) = watch::during(|| X::lend(x, &gradient));
    report.blame(rules);
    let ((other_value, other_parts), rules) = watch::during(|| X::lend(x, &other));
    report.blame(rules);
    report.add(Comparison::of_values(Place::Value, value, other_value));
    let (parts, others) = (parts.numbers(), other_parts.numbers());
    if parts.len() != others.len() {
        report.add(Comparison::of_lengths(parts.len(), others.len()));
        return report;
    }
    if parts.is_empty() {
        report.add(Comparison::not_compared(Place::Length, Reason::Nothing));
    }
    for (i, (&part, &other)) in parts.iter().zip(others).enumerate() {
        let tolerance = AGREEMENT * part.abs().max(other.abs());
        report.add(Comparison::within(Place::Coordinate(i), part, other, tolerance));
    }
    report
}

/// Runs a forward sweep and its backward sweep and compares the height of the stack before and after. The stack is
/// not empty before, so that it is seen if more is popped than was pushed.
///
/// ```
/// use backsweep::{adjoint, check};
///
/// #[adjoint]
/// fn iterated(x: f64, n: usize) -> f64 {
///     let mut state = x;
///     for _ in 0..n {
///         state = state.sin() * state;
///     }
///     state
/// }
///
/// let mut x_b = 0.0;
/// let report = check::balanced(
///     |stack| iterated::forward(stack, 0.7, 10),
///     |stack, _value| iterated::backward(stack, 0.7, &mut x_b, 10, 1.0),
/// );
/// report.assert_passed();
/// ```
pub fn balanced<T>(
    forward: impl FnOnce(&mut Stack) -> T,
    backward: impl FnOnce(&mut Stack, T),
) -> Report {
    let mut report = Report::new("balance");
    let mut stack = Stack::new();
    stack.push(true);
    stack.push(vec![0_u8]);
    stack.push(BELOW);
    let (mark, before) = (stack.mark(), stack.report().bytes);
    let ((), rules) = watch::during(|| {
        let between = forward(&mut stack);
        backward(&mut stack, between);
    });
    report.blame(rules);
    let after = stack.report().bytes;
    let level = stack.mark() == mark
        && stack.pop::<u64>() == BELOW
        && stack.pop::<Vec<u8>>() == [0]
        && stack.pop::<bool>();
    // The number of bytes may be the same although the stack is not.
    let tolerance = if level { 0.0 } else { -1.0 };
    report.add(Comparison::within(Place::Stack, after as f64, before as f64, tolerance));
    report
}
