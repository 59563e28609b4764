//! Types of expressions that only declarations in other modules tell: of fields, of constants, of what functions, methods and operators
//! return.

use self::grid::{Grid, Point, origin};
use self::model::{Frame, Named, Pair, Shifted, centre};
use self::turned::{Turn, turned_by};
use approx::assert_relative_eq;
use backsweep::adjoint;
use std::ops::{Add, Mul, Neg};

mod geometry {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Add, Div, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Vector {
        pub x: f64,
        pub y: f64,
    }

    impl Vector {
        pub const UNIT: Self = Self { x: 1.0, y: -0.5 };
    }

    #[adjoint]
    impl Vector {
        pub fn new(x: f64, y: f64) -> Self {
            Self { x, y }
        }

        pub fn dot(self, other: Self) -> f64 {
            self.x * other.x + self.y * other.y
        }

        /// These have the names of methods of floats.
        pub fn abs(self) -> Self {
            Self::new(self.x.abs(), self.y.abs())
        }

        pub fn max(self, other: Self) -> Self {
            Self::new(self.x.max(other.x), self.y.max(other.y))
        }

        pub fn recip(self) -> Self {
            Self::new(1.0 / self.x, 1.0 / self.y)
        }

        pub fn unit(self) -> Option<Self> {
            let length = self.dot(self).sqrt();
            if length > 0.0 { Some(self / length) } else { None }
        }
    }

    #[adjoint]
    impl Add for Vector {
        type Output = Vector;

        fn add(self, other: Vector) -> Vector {
            Vector { x: self.x + other.x, y: self.y + other.y }
        }
    }

    #[adjoint]
    impl Sub for Vector {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            Self { x: self.x - other.x, y: self.y - other.y }
        }
    }

    #[adjoint]
    impl Mul<f64> for Vector {
        type Output = Vector;

        fn mul(self, factor: f64) -> Vector {
            Vector { x: self.x * factor, y: self.y * factor }
        }
    }

    #[adjoint]
    impl Mul<Vector> for f64 {
        type Output = Vector;

        fn mul(self, vector: Vector) -> Vector {
            Vector { x: self * vector.x, y: self * vector.y }
        }
    }

    #[adjoint]
    impl Div<f64> for Vector {
        type Output = Vector;

        fn div(self, factor: f64) -> Vector {
            Vector { x: self.x / factor, y: self.y / factor }
        }
    }

    #[adjoint]
    impl Neg for Vector {
        type Output = Vector;

        fn neg(self) -> Vector {
            Vector { x: -self.x, y: -self.y }
        }
    }
}

mod model {
    use super::geometry::{self, Vector};
    use backsweep::{Differentiable, adjoint};

    pub type Place = Vector;

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Frame {
        pub origin: geometry::Vector,
        pub axis: Place,
        pub scales: [f64; 2],
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Pair(pub Vector, pub f64);

    /// Another type of a name that is known elsewhere.
    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Named {
        pub vector: self::inner::Vector,
    }

    pub mod inner {
        use backsweep::Differentiable;

        #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
        pub struct Vector {
            pub x: f64,
        }

        #[backsweep::adjoint]
        impl Vector {
            pub fn abs(self) -> f64 {
                self.x * self.x
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Shifted {
        pub by: Shift,
    }

    pub use self::hidden::Shift;

    /// Its type has its path from the module around it.
    mod hidden {
        use backsweep::Differentiable;

        #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
        pub struct Shift {
            pub x: f64,
        }

        #[backsweep::adjoint]
        impl Shift {
            pub fn exp(self) -> Self {
                Self { x: self.x * self.x }
            }
        }
    }

    pub const FAR: Vector = Vector { x: 3.0, y: 0.25 };

    #[adjoint(independents(frame), dependents(return))]
    pub fn centre(frame: &Frame) -> Vector {
        frame.origin + frame.axis * 0.5
    }
}

mod turned;

/// Types without derivatives.
mod grid {
    use std::ops::{Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl Point {
        pub const UNIT: Self = Self { x: 1.0, y: 0.5 };

        pub fn abs(self) -> Self {
            Self { x: self.x.abs(), y: self.y.abs() }
        }

        pub fn max(self, other: Self) -> Self {
            Self { x: self.x.max(other.x), y: self.y.max(other.y) }
        }
    }

    impl Sub for Point {
        type Output = Self;

        fn sub(self, other: Self) -> Self {
            Self { x: self.x - other.x, y: self.y - other.y }
        }
    }

    impl Mul<f64> for Point {
        type Output = Self;

        fn mul(self, factor: f64) -> Self {
            Self { x: self.x * factor, y: self.y * factor }
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Grid {
        pub near: Point,
        pub far: Point,
    }

    pub fn origin() -> Point {
        Point { x: 0.25, y: 2.0 }
    }
}

/// Nothing that has a derivative is asked of the grid.
#[adjoint(independents(x), dependents(return))]
fn on_a_grid(x: f64, grid: &Grid) -> f64 {
    let apart = (grid.far - grid.near).abs().max(Point::UNIT);
    let scaled = (origin() - apart) * 2.0;
    x * x * apart.x + scaled.y * x
}

#[adjoint(independents(frame, pair), dependents(return))]
fn operators_and_methods(frame: &Frame, pair: Pair) -> f64 {
    let between = frame.origin - pair.0;
    let turned = (between * 2.0).abs() - -frame.axis;
    let higher = turned.max(between).recip();
    higher.dot(frame.axis) * pair.1 + frame.scales[1].max(pair.1)
}

#[adjoint(independents(frame), dependents(return))]
fn functions_and_constants(frame: &Frame) -> f64 {
    let middle = centre(frame);
    let from = middle.max(model::FAR).abs();
    let to = geometry::Vector::UNIT.max(geometry::Vector::new(from.y, from.x));
    let sum = (1.5 * to).recip() + from;
    sum.abs().dot(to)
}

#[adjoint(independents(frame), dependents(return))]
fn operators_as_methods(frame: &Frame) -> f64 {
    let mut sum = frame.origin.mul(frame.scales[0]).add(frame.axis);
    sum = sum.add(frame.axis.neg().mul(0.25));
    sum.abs().dot(frame.axis)
}

#[adjoint(independents(pair), dependents(return))]
fn what_may_fail(pair: Pair) -> Option<f64> {
    let along = pair.0.unit()?;
    let most = along.abs().max(along);
    Some(most.dot(along) * pair.1 + most.x)
}

#[adjoint(independents(named), dependents(return))]
fn another_of_the_name(named: &Named) -> f64 {
    named.vector.abs().max(named.vector.x)
}

#[adjoint(independents(shifted), dependents(return))]
fn what_another_module_hands_on(shifted: &Shifted) -> f64 {
    shifted.by.exp().x
}

/// The derivative of a function of one number, by differences.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-4;
    (f(x - 2.0 * h) - 8.0 * f(x - h) + 8.0 * f(x + h) - f(x + 2.0 * h)) / (12.0 * h)
}

fn frame_of(numbers: [f64; 6]) -> Frame {
    let [a, b, c, d, e, f] = numbers;
    Frame {
        origin: geometry::Vector { x: a, y: b },
        axis: geometry::Vector { x: c, y: d },
        scales: [e, f],
    }
}

const FRAME: [f64; 6] = [0.4, 2.5, -1.2, 0.7, 1.9, 0.3];

/// Compares a gradient with differences.
fn check(value: f64, gradient: Frame, f: impl Fn(&Frame) -> f64) {
    assert_eq!(value, f(&frame_of(FRAME)));
    let Frame { origin, axis, scales } = gradient;
    let gradient = [origin.x, origin.y, axis.x, axis.y, scales[0], scales[1]];
    for (k, derivative) in gradient.into_iter().enumerate() {
        let by_number = slope(
            |x| {
                let mut numbers = FRAME;
                numbers[k] = x;
                f(&frame_of(numbers))
            },
            FRAME[k],
        );
        assert_relative_eq!(derivative, by_number, max_relative = 1e-8, epsilon = 1e-10);
    }
}

#[test]
fn results_of_operators_and_methods() {
    let pair = Pair(geometry::Vector { x: 1.1, y: -0.6 }, 0.8);
    let (value, (of_frame, of_pair)) = operators_and_methods::gradient(&frame_of(FRAME), pair);
    check(value, of_frame, |frame| operators_and_methods(frame, pair));
    let at = |x, factor| {
        let pair = Pair(geometry::Vector { x, ..pair.0 }, factor);
        operators_and_methods(&frame_of(FRAME), pair)
    };
    assert_relative_eq!(of_pair.0.x, slope(|x| at(x, pair.1), pair.0.x), max_relative = 1e-8);
    assert_relative_eq!(of_pair.1, slope(|k| at(pair.0.x, k), pair.1), max_relative = 1e-8);
}

#[test]
fn results_of_functions_and_constants() {
    let (value, gradient) = functions_and_constants::gradient(&frame_of(FRAME));
    check(value, gradient, functions_and_constants);
}

#[test]
fn operators_called_as_methods() {
    let (value, gradient) = operators_as_methods::gradient(&frame_of(FRAME));
    check(value, gradient, operators_as_methods);
}

#[test]
fn results_that_may_be_missing() {
    let pair = Pair(geometry::Vector { x: 1.1, y: -0.6 }, 0.8);
    let (value, gradient) = what_may_fail::gradient(pair).expect("it has a direction");
    let of = |x| what_may_fail(Pair(geometry::Vector { x, ..pair.0 }, pair.1)).expect("it has");
    assert_eq!(value, of(pair.0.x));
    assert_relative_eq!(gradient.0.x, slope(of, pair.0.x), max_relative = 1e-8);
    let nowhere = geometry::Vector { x: 0.0, y: 0.0 };
    assert!(what_may_fail::gradient(Pair(nowhere, 1.0)).is_none());
}

#[test]
fn types_with_one_name_are_told_apart() {
    let (value, gradient) =
        another_of_the_name::gradient(&Named { vector: model::inner::Vector { x: 3.0 } });
    assert_eq!((value, gradient.vector.x), (9.0, 6.0));
}

#[test]
fn types_of_private_modules() {
    let shifted = Shifted { by: model::Shift { x: 3.0 } };
    let (value, gradient) = what_another_module_hands_on::gradient(&shifted);
    assert_eq!((value, gradient.by.x), (9.0, 6.0));
}

#[test]
fn conditions_between_modules() {
    let (turn, vector) = (turned::turn(0.8, -0.3), geometry::Vector { x: 1.3, y: 0.4 });
    let (value, (of_turn, of_vector)) = turned_by::gradient(turn, vector);
    assert_eq!(value, turned_by(turn, vector));
    let at = |re, im, x, y| turned_by(Turn { re, im }, geometry::Vector { x, y });
    let (Turn { re, im }, geometry::Vector { x, y }) = (turn, vector);
    assert_relative_eq!(of_turn.re, slope(|re| at(re, im, x, y), re), max_relative = 1e-8);
    assert_relative_eq!(of_turn.im, slope(|im| at(re, im, x, y), im), max_relative = 1e-8);
    assert_relative_eq!(of_vector.x, slope(|x| at(re, im, x, y), x), max_relative = 1e-8);
    assert_relative_eq!(of_vector.y, slope(|y| at(re, im, x, y), y), max_relative = 1e-8);
}

#[test]
fn types_without_derivatives() {
    let grid = Grid { near: Point { x: 0.5, y: -1.0 }, far: Point { x: 4.0, y: 0.75 } };
    // The distances are 3.5 and 1.75.
    let (value, slope) = on_a_grid::gradient(3.0, &grid);
    assert_eq!((value, slope), (9.0 * 3.5 + 3.0 * 0.5, 6.0 * 3.5 + 0.5));
}

/// A function that only decides something, and has no derivatives: what it returns and what that is compared with are known to be
/// numbers, so that tests of them are followed into it, where there is nothing.
mod decided {
    use backsweep::adjoint;

    const LIMIT: f64 = 1.0;

    fn norm(v: &[f64]) -> f64 {
        v.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
    }

    #[adjoint]
    pub fn halved(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        while norm(&v) > LIMIT {
            for entry in v.iter_mut() {
                *entry *= 0.5;
            }
        }
        v[0] * v[1]
    }
}

#[test]
fn what_only_decides_needs_no_derivatives() {
    let mut x_b = [0.0; 2];
    let value = decided::halved::adjoint(&[3.0, 1.0], &mut x_b, 1.0);
    assert_eq!((value, x_b), (3.0 / 16.0, [1.0 / 16.0, 3.0 / 16.0]));
}
