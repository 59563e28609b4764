//! `any` and `all` of lists whose types the macro does not see: truth values, through which no derivative passes.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Knot {
    pub at: f64,
    pub value: f64,
}

/// What is told of the fields of a struct with parameters for lengths is nothing.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Curve<const N: usize> {
    pub knots: Vec<Knot>,
    pub bounds: [f64; N],
}

#[adjoint]
impl<const N: usize> Curve<N> {
    /// The value of a curve with a knot that is added, unless there is one.
    pub fn with_knot(&self, at: f64, value: f64) -> f64 {
        let is_known = self.knots.iter().any(|knot| (knot.at - at).abs() < f64::EPSILON);
        let is_inside = self.bounds.iter().all(|&bound| bound.abs() > at.abs());
        if is_known {
            return value * at;
        }
        if is_inside && !self.knots.iter().any(|knot| knot.value > value) {
            value * value * self.bounds[0]
        } else {
            at * self.bounds[0]
        }
    }
}

#[test]
fn tests_of_elements_have_no_derivative() {
    let knots = vec![Knot { at: 0.5, value: 1.0 }, Knot { at: 1.5, value: -2.0 }];
    let curve = Curve { knots, bounds: [2.0, -3.0] };
    let zero = Curve {
        knots: vec![Knot { at: 0.0, value: 0.0 }, Knot { at: 0.0, value: 0.0 }],
        bounds: [0.0, 0.0],
    };
    for (at, value, by_bound, by_at, by_value) in [
        (0.5, 3.0, 0.0, 3.0, 0.5),
        (0.75, 3.0, 9.0, 0.0, 12.0),
        (0.75, 0.5, 0.75, 2.0, 0.0),
        (2.5, 3.0, 2.5, 2.0, 0.0),
    ] {
        let mut curve_b = zero.clone();
        let (mut at_b, mut value_b) = (0.0, 0.0);
        let found = curve.with_knot_adjoint(&mut curve_b, at, &mut at_b, value, &mut value_b, 1.0);
        assert_eq!(found, curve.with_knot(at, value));
        assert_relative_eq!(curve_b.bounds[0], by_bound);
        assert_relative_eq!(at_b, by_at);
        assert_relative_eq!(value_b, by_value);
        assert_eq!(curve_b.knots, zero.knots);
    }
}
