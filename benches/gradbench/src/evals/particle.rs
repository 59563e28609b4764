//! A charged particle is steered such that it hits the origin. Its acceleration is the derivative of a potential, and where it
//! hits is differentiated for gradient descent. The first letter of a function says how the derivatives for the descent
//! are had, the second those of the potential: `f` by tangents, `r` by adjoints.

use backsweep::adjoint;
use serde::Deserialize;

use super::saddle::minimum;
use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "particle",
    functions: &[
        ("ff", |input| {
            evaluate(input, |Input { w }| {
                steered(*w, miss_by_tangents, |w| miss_by_tangents::tangent(w, 1.0).1)
            })
        }),
        ("fr", |input| {
            evaluate(input, |Input { w }| {
                steered(*w, miss_by_adjoints, |w| miss_by_adjoints::tangent(w, 1.0).1)
            })
        }),
        ("rf", |input| {
            evaluate(input, |Input { w }| {
                steered(*w, miss_by_tangents, |w| miss_by_tangents::gradient(w).1)
            })
        }),
        ("rr", |input| {
            evaluate(input, |Input { w }| {
                steered(*w, miss_by_adjoints, |w| miss_by_adjoints::gradient(w).1)
            })
        }),
    ],
};

#[derive(Deserialize)]
struct Input {
    w: f64,
}

/// The parameter for which the particle hits the origin.
fn steered(start: f64, miss: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> f64 {
    minimum(|w| miss(w[0]), |w| vec![slope(w[0])], &[start])[0]
}

/// The potential of two charges, at (10, 10 − w) and at (10, 0).
#[adjoint(independents(place, w), dependents(return), second_order)]
fn potential(place: &[f64], w: f64) -> f64 {
    let above = (place[0] - 10.0).hypot(place[1] - (10.0 - w));
    let below = (place[0] - 10.0).hypot(place[1]);
    1.0 / above + 1.0 / below
}

/// The acceleration along an axis, −∂p/∂x or −∂p/∂y.
#[adjoint(independents(place, w), dependents(return))]
fn acceleration_by_tangents(place: &[f64], w: f64, axis: usize) -> f64 {
    -potential::tangent(place, &unit(axis), w, 0.0).1
}

/// The same.
#[adjoint(independents(place, w), dependents(return))]
fn acceleration_by_adjoints(place: &[f64], w: f64, axis: usize) -> f64 {
    let (_, (slope, _)) = potential::gradient(place, w);
    -slope[axis]
}

fn unit(axis: usize) -> [f64; 2] {
    std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 })
}

/// Where a particle of mass and charge 1 comes down.
#[adjoint]
mod flight {
    use super::{acceleration_by_adjoints, acceleration_by_tangents};

    const TIME_STEP: f64 = 0.1;
    /// A particle that takes longer is on its way to infinity.
    const LONGEST: usize = 1_000_000;

    /// The square of the place where the particle, at (0, 8) with the velocity (0.75, 0) in the beginning, meets the first axis, by
    /// Euler's method and linear interpolation (Pearlmutter and Siskind 2008).
    fn squared_miss(acceleration: impl Fn(&[f64], usize) -> f64) -> f64 {
        let (mut place, mut velocity) = ([0.0, 8.0], [0.75, 0.0]);
        let mut steps = 0;
        loop {
            steps += 1;
            assert!(steps < LONGEST, "the particle does not come down");
            let pull = [acceleration(&place, 0), acceleration(&place, 1)];
            place[0] += TIME_STEP * velocity[0];
            place[1] += TIME_STEP * velocity[1];
            if place[1] <= 0.0 {
                let too_long = place[1] / velocity[1];
                let hit = place[0] - too_long * velocity[0];
                return hit * hit;
            }
            velocity[0] += TIME_STEP * pull[0];
            velocity[1] += TIME_STEP * pull[1];
        }
    }

    #[adjoint]
    pub fn miss_by_tangents(w: f64) -> f64 {
        squared_miss(|place, axis| acceleration_by_tangents(place, w, axis))
    }

    #[adjoint]
    pub fn miss_by_adjoints(w: f64) -> f64 {
        squared_miss(|place, axis| acceleration_by_adjoints(place, w, axis))
    }
}

use flight::{miss_by_adjoints, miss_by_tangents};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_the_miss_are_those_of_differences() {
        let (w, step) = (0.05, 1e-6);
        let difference = (miss_by_adjoints(w + step) - miss_by_adjoints(w - step)) / (2.0 * step);
        let derivatives = [
            miss_by_tangents::tangent(w, 1.0).1,
            miss_by_adjoints::tangent(w, 1.0).1,
            miss_by_tangents::gradient(w).1,
            miss_by_adjoints::gradient(w).1,
        ];
        for derivative in derivatives {
            assert!(
                (derivative - difference).abs() < 1e-6 * difference.abs(),
                "{derivative} {difference}"
            );
        }
    }
}
