//! A saddle point, found by gradient descent within gradient descent: the inner one, which finds a maximum, is
//! differentiated for the outer one. The first letter of a function says how the derivatives for the outer descent are had,
//! the second that of the inner descent: `f` by tangents, `r` by adjoints.

use backsweep::adjoint;
use serde::Deserialize;

use crate::protocol::Module;
use crate::runs::evaluate;

pub use descent::minimum;
use descent::{highest_by_adjoints, highest_by_tangents};

pub const MODULE: Module = Module {
    name: "saddle",
    functions: &[
        ("ff", |input| {
            evaluate(input, |Input { start }| {
                let slope =
                    |x: &[f64]| by_directions(|x_d| highest_by_tangents::tangent(x, x_d, start).1);
                let x = minimum(|x| highest_by_tangents(x, start), slope, start);
                with_highest(&x, start, slope_by_tangents)
            })
        }),
        ("fr", |input| {
            evaluate(input, |Input { start }| {
                let slope =
                    |x: &[f64]| by_directions(|x_d| highest_by_adjoints::tangent(x, x_d, start).1);
                let x = minimum(|x| highest_by_adjoints(x, start), slope, start);
                with_highest(&x, start, slope_by_tangents)
            })
        }),
        ("rf", |input| {
            evaluate(input, |Input { start }| {
                let slope = |x: &[f64]| highest_by_tangents::gradient(x, start).1;
                let x = minimum(|x| highest_by_tangents(x, start), slope, start);
                with_highest(&x, start, slope_by_adjoints)
            })
        }),
        ("rr", |input| {
            evaluate(input, |Input { start }| {
                let slope = |x: &[f64]| highest_by_adjoints::gradient(x, start).1;
                let x = minimum(|x| highest_by_adjoints(x, start), slope, start);
                with_highest(&x, start, slope_by_adjoints)
            })
        }),
    ],
};

#[derive(Deserialize)]
struct Input {
    start: [f64; 2],
}

/// A function of two variables by its derivatives in the directions of these.
fn by_directions(derivative: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    vec![derivative(&[1.0, 0.0]), derivative(&[0.0, 1.0])]
}

/// x, and the y where the objective is highest.
fn with_highest(
    x: &[f64],
    start: &[f64],
    slope: impl Fn(&[f64], &[f64], usize) -> f64,
) -> Vec<f64> {
    let y = minimum(|y| -objective(x, y), |y| vec![-slope(x, y, 0), -slope(x, y, 1)], start);
    [x, &y].concat()
}

/// ‖x‖² − ‖y‖², which has its saddle point at zero (Pearlmutter and Siskind 2008).
#[adjoint(independents(x, y), dependents(return), second_order)]
fn objective(x: &[f64], y: &[f64]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]) - (y[0] * y[0] + y[1] * y[1])
}

/// The derivative of the objective by y₀ or y₁.
#[adjoint(independents(x, y), dependents(return))]
fn slope_by_tangents(x: &[f64], y: &[f64], axis: usize) -> f64 {
    objective::tangent(x, &[0.0; 2], y, &unit(axis)).1
}

/// The same.
#[adjoint(independents(x, y), dependents(return))]
fn slope_by_adjoints(x: &[f64], y: &[f64], axis: usize) -> f64 {
    let (_, (_, slope)) = objective::gradient(x, y);
    slope[axis]
}

fn unit(axis: usize) -> [f64; 2] {
    std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 })
}

/// Gradient descent, and what is had by it.
#[adjoint]
mod descent {
    use super::{objective, slope_by_adjoints, slope_by_tangents};

    /// Where the search begins with the length of steps, and what it takes for zero.
    const SMALL: f64 = 1e-5;

    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
    }

    /// Where a function is least: steps against the gradient, the longer the more of them were good (Siskind and
    /// Pearlmutter 2008).
    pub fn minimum(
        value: impl Fn(&[f64]) -> f64,
        gradient: impl Fn(&[f64]) -> Vec<f64>,
        start: &[f64],
    ) -> Vec<f64> {
        let mut x = start.to_vec();
        let mut least = value(&x);
        let mut slope = gradient(&x);
        let mut rate = SMALL;
        let mut good_steps = 0;
        while norm(&slope) > SMALL {
            if good_steps == 10 {
                rate *= 2.0;
                good_steps = 0;
            }
            let step: Vec<f64> = slope.iter().map(|derivative| -rate * derivative).collect();
            if norm(&step) <= SMALL {
                break;
            }
            let next: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x + step).collect();
            let value_there = value(&next);
            if value_there < least {
                x = next;
                least = value_there;
                slope = gradient(&x);
                good_steps += 1;
            } else {
                rate /= 2.0;
                good_steps = 0;
            }
        }
        x
    }

    /// The largest value of the objective for an x.
    #[adjoint(independents(x), dependents(return))]
    pub fn highest_by_tangents(x: &[f64], start: &[f64]) -> f64 {
        let slope = |y: &[f64]| vec![-slope_by_tangents(x, y, 0), -slope_by_tangents(x, y, 1)];
        let y = minimum(|y| -objective(x, y), slope, start);
        objective(x, &y)
    }

    /// The same.
    #[adjoint(independents(x), dependents(return))]
    pub fn highest_by_adjoints(x: &[f64], start: &[f64]) -> f64 {
        let slope = |y: &[f64]| vec![-slope_by_adjoints(x, y, 0), -slope_by_adjoints(x, y, 1)];
        let y = minimum(|y| -objective(x, y), slope, start);
        objective(x, &y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_value_is_as_steep_as_the_square_of_x() {
        let (x, start) = ([0.4, -0.7], [1.0, 1.0]);
        let gradients = [
            by_directions(|x_d| highest_by_tangents::tangent(&x, x_d, &start).1),
            by_directions(|x_d| highest_by_adjoints::tangent(&x, x_d, &start).1),
            highest_by_tangents::gradient(&x, &start).1,
            highest_by_adjoints::gradient(&x, &start).1,
        ];
        for gradient in gradients {
            for (derivative, x) in gradient.iter().zip(x) {
                assert!((derivative - 2.0 * x).abs() < 1e-12, "{gradient:?}");
            }
        }
    }
}
