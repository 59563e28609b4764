//! Results of generic functions whose types arguments tell, where nothing else does: receivers of methods, conversions, choices, tuples.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use approx::assert_relative_eq;
use backsweep::adjoint;
use num_traits::{Float, NumCast};

/// A polynomial.
#[adjoint]
pub fn polynomial<T: Float>(x: T, coefficients: &[T]) -> T {
    coefficients.iter().rev().fold(T::zero(), |sum, c| sum * x + *c)
}

#[adjoint]
pub fn root<T>(x: T, y: T) -> Option<T>
where
    T: Float,
{
    if x * y < T::zero() { None } else { Some((x * y).sqrt()) }
}

#[adjoint]
pub fn ends<T: Float>(list: &[T]) -> Result<T, &'static str> {
    match list {
        [first, .., last] => Ok(*first * *last),
        _ => Err("too short"),
    }
}

/// Converted back and forth: of what is converted the type has to be known.
#[adjoint]
fn converted<T: Float>(x: T, y: T) -> T {
    if let (Some(wide), Some(other)) = (x.to_f64(), y.to_f64()) {
        let value = root(wide, other).unwrap_or_else(|| polynomial(wide, &[1.0, other]));
        if let Some(value) = T::from(value) {
            return value * x;
        }
    }
    if let Some(value) = <T as NumCast>::from(polynomial(x, &[y, x])) {
        return value;
    }
    x
}

#[adjoint]
fn received(x: f64, y: f64) -> f64 {
    let list = [x, y, x * y];
    let first = polynomial(x, &list).powi(2).min(9.0);
    let (second, third) = (root(x, y).unwrap_or(x), polynomial(y, &list).abs().sqrt());
    let fourth = match ends(&list) {
        Ok(product) => product.sin() - 2.0 * product,
        Err(_) => 0.5 * x,
    };
    let fifth =
        if polynomial(x, &[1.0, y]) > 0.0 { root(y, x).map_or(1.0, |r| r.exp()) } else { x };
    first / 3.0 + second * third - fourth * fifth
}

/// A pair, and pairs in a list beside what is no float.
#[adjoint]
fn pair<T: Float>(x: T) -> (T, T) {
    (x * x, x.sin())
}

#[adjoint]
fn pairs<T: Float>(x: T, y: T, n: usize) -> (usize, [(T, T); 2]) {
    (n, [(x * y, y.sin()), (y, x)])
}

/// The type of the pattern is stated, as one does where a result is destructured.
#[adjoint]
fn stated(x: f64, y: f64) -> f64 {
    let (square, sine): (f64, f64) = pair(x);
    let p: (f64, f64) = pair(y);
    let (n, list): (usize, [(f64, f64); 2]) = pairs(x, y, 2);
    square * p.1 + sine * p.0 + list[n - 1].0 * list[0].1 - list[n - 2].0
}

fn slopes(function: impl Fn(f64, f64) -> f64, x: f64, y: f64) -> (f64, f64) {
    let slope = |along: &dyn Fn(f64) -> f64| {
        let step = 1e-4;
        (8.0 * (along(step) - along(-step)) - (along(2.0 * step) - along(-2.0 * step)))
            / (12.0 * step)
    };
    (slope(&|step| function(x + step, y)), slope(&|step| function(x, y + step)))
}

#[test]
fn arguments_tell_the_types_of_results() {
    for (x, y) in [(0.8, 1.3), (-0.7, 0.6), (1.1, -0.4)] {
        let (value, (x_g, y_g)) = converted::gradient(x, y);
        assert_eq!(value, converted(x, y));
        let (by_x, by_y) = slopes(converted, x, y);
        assert_relative_eq!(x_g, by_x, max_relative = 1e-9, epsilon = 1e-9);
        assert_relative_eq!(y_g, by_y, max_relative = 1e-9, epsilon = 1e-9);
        let (value, (x_g, y_g)) = received::gradient(x, y);
        assert_eq!(value, received(x, y));
        let (by_x, by_y) = slopes(received, x, y);
        assert_relative_eq!(x_g, by_x, max_relative = 1e-8, epsilon = 1e-8);
        assert_relative_eq!(y_g, by_y, max_relative = 1e-8, epsilon = 1e-8);
        let (_, slope) = received::tangent(x, 0.3, y, -0.6);
        assert_relative_eq!(slope, 0.3 * x_g - 0.6 * y_g, max_relative = 1e-12);
    }
    let (value, (x_g, y_g)) = stated::gradient(0.8, 1.3);
    assert_eq!(value, stated(0.8, 1.3));
    let (by_x, by_y) = slopes(stated, 0.8, 1.3);
    assert_relative_eq!(x_g, by_x, max_relative = 1e-9);
    assert_relative_eq!(y_g, by_y, max_relative = 1e-9);
    let (value, (x_g, _)) = converted::gradient(0.8_f32, 1.3);
    assert_eq!(value, converted(0.8_f32, 1.3));
    assert_relative_eq!(x_g as f64, converted::gradient(0.8, 1.3).1.0, max_relative = 1e-5);
}
