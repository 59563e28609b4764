//! Functions that are generic over floats, against the same functions for `f64`.

use backsweep::{Differentiable, adjoint};
use num_traits::{Float, FloatConst};
use std::iter::Sum;

/// The functions as they are written for any float.
mod generic {
    use super::*;

    #[adjoint]
    pub fn energy<T: Float>(x: &[T], stiffness: T) -> T {
        let mut sum = T::zero();
        let half = T::from(0.5).unwrap();
        for i in 1..x.len() {
            let stretch = x[i] - x[i - 1];
            if stretch.abs() > T::epsilon() {
                sum = sum + half * stiffness * stretch.powi(2);
            }
        }
        sum / T::from(x.len()).unwrap()
    }

    #[adjoint]
    pub fn log_sum_exp<T>(x: &[T]) -> T
    where
        T: Float,
    {
        let mut largest = T::neg_infinity();
        for &v in x {
            largest = largest.max(v);
        }
        let mut sum = T::zero();
        for &v in x {
            sum = sum + (v - largest).exp();
        }
        largest + sum.ln()
    }

    #[adjoint(independents(x, mean, deviation))]
    pub fn normal_density<T: Float + FloatConst>(x: T, mean: T, deviation: T) -> T {
        let two = T::one() + T::one();
        let z = (x - mean) / deviation;
        T::exp(-z * z / two) / (deviation * T::sqrt(two * T::PI()))
    }

    #[adjoint]
    pub fn smooth<T: Float>(x: &mut [T], weight: T) {
        for i in 1..x.len() {
            x[i] = x[i - 1] * weight + x[i] * (T::one() - weight);
        }
    }

    #[adjoint]
    pub fn roughness<T: Float, const N: usize>(x: &[T; N], weight: T) -> T {
        let mut copy = x.to_vec();
        smooth(&mut copy, weight);
        energy(&copy, T::from(-2.0).unwrap().abs())
    }

    #[adjoint(independents(a))]
    pub fn root<T: Float>(a: T, tolerance: T, steps: usize) -> T {
        if a <= T::zero() {
            return T::zero();
        }
        let mut x = a;
        for _ in 0..steps {
            let next = T::from(0.5).unwrap() * (x + a / x);
            if (next - x).abs() < tolerance {
                return next;
            }
            x = next;
        }
        x
    }
}

/// The same for `f64`.
mod double {
    use backsweep::adjoint;

    #[adjoint]
    pub fn energy(x: &[f64], stiffness: f64) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            let stretch = x[i] - x[i - 1];
            if stretch.abs() > f64::EPSILON {
                sum += 0.5 * stiffness * stretch.powi(2);
            }
        }
        sum / x.len() as f64
    }

    #[adjoint]
    pub fn log_sum_exp(x: &[f64]) -> f64 {
        let mut largest = f64::NEG_INFINITY;
        for &v in x {
            largest = largest.max(v);
        }
        let mut sum = 0.0;
        for &v in x {
            sum += (v - largest).exp();
        }
        largest + sum.ln()
    }

    #[adjoint(independents(x, mean, deviation))]
    pub fn normal_density(x: f64, mean: f64, deviation: f64) -> f64 {
        let z = (x - mean) / deviation;
        (-z * z / 2.0).exp() / (deviation * (2.0 * std::f64::consts::PI).sqrt())
    }

    #[adjoint]
    pub fn smooth(x: &mut [f64], weight: f64) {
        for i in 1..x.len() {
            x[i] = x[i - 1] * weight + x[i] * (1.0 - weight);
        }
    }

    #[adjoint]
    pub fn roughness<const N: usize>(x: &[f64; N], weight: f64) -> f64 {
        let mut copy = x.to_vec();
        smooth(&mut copy, weight);
        energy(&copy, 2.0)
    }

    #[adjoint(independents(a))]
    pub fn root(a: f64, tolerance: f64, steps: usize) -> f64 {
        if a <= 0.0 {
            return 0.0;
        }
        let mut x = a;
        for _ in 0..steps {
            let next = 0.5 * (x + a / x);
            if (next - x).abs() < tolerance {
                return next;
            }
            x = next;
        }
        x
    }
}

const POINT: [f64; 5] = [0.7, -0.4, 1.1, 0.3, 2.0];
const SINGLE: [f32; 5] = [0.7, -0.4, 1.1, 0.3, 2.0];

fn flat(value: f64, gradient: &impl backsweep::Vector) -> Vec<f64> {
    let mut flat = vec![value];
    gradient.write_flat(&mut flat);
    flat
}

#[track_caller]
fn assert_near(single: &[f64], double: &[f64]) {
    assert_eq!(single.len(), double.len());
    let size = double.iter().fold(1.0, |size: f64, value| size.max(value.abs()));
    for (a, b) in single.iter().zip(double) {
        assert!((a - b).abs() <= 1e-5 * size, "{single:?} {double:?}");
    }
}

/// The value and the gradient of one function: generic in `f64`, for `f64`, generic in `f32`.
macro_rules! compare {
    ($name:ident($($arg:expr),*), $($single:expr),*) => {{
        let (value, gradient) = generic::$name::gradient($($arg),*);
        let ours = flat(value, &gradient);
        let (value, gradient) = double::$name::gradient($($arg),*);
        let theirs = flat(value, &gradient);
        assert_near(&ours, &theirs);
        assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() <= 1e-15 * b.abs()));
        let (value, gradient) = generic::$name::gradient($($single),*);
        assert_near(&flat(f64::from(value), &gradient), &theirs);
    }};
}

#[test]
fn generic_functions_have_the_derivatives_of_concrete_ones() {
    compare!(energy(&POINT, 1.5), &SINGLE, 1.5_f32);
    compare!(log_sum_exp(&POINT), &SINGLE);
    compare!(normal_density(0.7, 0.2, 1.3), 0.7_f32, 0.2, 1.3);
    compare!(roughness(&POINT, 0.3), &SINGLE, 0.3_f32);
    compare!(root(2.0, 1e-3, 20), 2.0_f32, 1e-3, 20);
    compare!(root(2.0, 0.0, 3), 2.0_f32, 0.0, 3);
    compare!(root(-1.0, 1e-3, 20), -1.0_f32, 1e-3, 20);
}

#[test]
fn generic_functions_change_lists_in_place() {
    let (mut x, mut y) = (POINT, POINT);
    let (mut x_b, mut y_b) = ([1.0, 2.0, -1.0, 0.5, 0.0], [1.0, 2.0, -1.0, 0.5, 0.0]);
    let (mut weight_b, mut other_b) = (0.0, 0.0);
    generic::smooth::adjoint(&mut x, &mut x_b, 0.3, &mut weight_b);
    double::smooth::adjoint(&mut y, &mut y_b, 0.3, &mut other_b);
    assert_eq!((x, x_b, weight_b), (y, y_b, other_b));
}

/// A function for one width calls those for any, with and without saying which.
#[adjoint]
fn caller(x: &[f64]) -> f64 {
    generic::log_sum_exp(x) * generic::root::<f64>(x[0], 1e-9, 30)
}

/// The same without calls of generic functions.
#[adjoint]
fn concrete_caller(x: &[f64]) -> f64 {
    double::log_sum_exp(x) * double::root(x[0], 1e-9, 30)
}

#[test]
fn concrete_functions_call_generic_ones() {
    let (ours, theirs) = (caller::gradient(&POINT), concrete_caller::gradient(&POINT));
    assert_near(&flat(ours.0, &ours.1), &flat(theirs.0, &theirs.1));
    let mut stack = backsweep::Stack::new();
    let value = generic::energy::forward(&mut stack, &POINT, 1.5);
    let (mut x_b, mut stiffness_b) = ([0.0; 5], 0.0);
    generic::energy::backward(&mut stack, &POINT, &mut x_b, 1.5, &mut stiffness_b, 1.0);
    let (expected, gradient) = double::energy::gradient(&POINT, 1.5);
    assert_eq!((value, &x_b[..], stiffness_b), (expected, &gradient.0[..], gradient.1));
    let (value, pullback) = generic::energy::pullback(&POINT, 1.5);
    (x_b, stiffness_b) = ([0.0; 5], 0.0);
    pullback.call(&mut x_b, &mut stiffness_b, 1.0);
    assert_eq!((value, x_b.to_vec(), stiffness_b), (expected, gradient.0, gradient.1));
}

/// Something that makes numbers, of a type that the function does not know.
trait Source {
    fn next(&mut self) -> f64;
}

struct Counter(f64);

impl Source for Counter {
    fn next(&mut self) -> f64 {
        self.0 += 1.0;
        self.0
    }
}

#[adjoint(independents(x))]
fn weighted<S: Source>(x: &[f64], source: &mut S) -> f64 {
    let mut sum = 0.0;
    for v in x {
        let weight = source.next();
        sum += weight * v * v;
    }
    sum
}

#[test]
fn other_type_parameters_are_passed_through() {
    let (value, gradient) = weighted::gradient(&[2.0, 3.0], &mut Counter(0.0));
    assert_eq!((value, gradient), (22.0, vec![4.0, 12.0]));
}

/// Of a type parameter of plain data nobody says that it is unwind safe.
#[adjoint(independents(x, w), dependents(return))]
fn soft<T: Float + Sum, I: Copy + Into<usize>>(x: &[T], w: T, idx: &[I]) -> T {
    let mut sum = T::zero();
    for i in idx {
        let at: usize = (*i).into();
        sum = sum + w * x[at] * x[at];
    }
    sum
}

#[test]
fn indices_of_any_type_are_plain_data() {
    let (_, (x_b, w_b)) = soft::gradient(&[1.0, 2.0, 3.0], 0.5, &[2_u8, 0, 2]);
    assert_eq!((x_b, w_b), (vec![1.0, 0.0, 6.0], 19.0));
    let (_, (x_b, w_b)) = soft::gradient(&[1.0_f32, 2.0], 0.5, &[1_usize]);
    assert_eq!((x_b, w_b), (vec![0.0, 2.0], 4.0));
}

/// A trait of the user's own, with conversions that cannot fail, and no operators but those it needs.
trait Real: Copy + PartialOrd + core::ops::Mul<Output = Self> + core::ops::Sub<Output = Self> {
    fn from_f64(value: f64) -> Self;
    fn from_u8(value: u8) -> Self;
    fn one() -> Self;
    fn exp(self) -> Self;
}

impl Real for f64 {
    fn from_f64(value: f64) -> f64 {
        value
    }

    fn from_u8(value: u8) -> f64 {
        f64::from(value)
    }

    fn one() -> f64 {
        1.0
    }

    fn exp(self) -> f64 {
        f64::exp(self)
    }
}

#[adjoint]
fn with_conversions<T: Real>(x: T, u: T) -> T {
    let mut y = (T::from_u8(8) * x - T::one()) * (x - T::from_f64(core::f64::consts::LN_10));
    if u < T::from_f64(-1.0) {
        y = y - T::from_u8(2) * u;
    }
    (y * T::from_f64(0.25)).exp() * u
}

#[test]
fn conversions_of_a_trait_of_the_user() {
    let (x, u) = (0.4_f64, -1.5_f64);
    let (value, (x_g, u_g)) = with_conversions::gradient(x, u);
    let ln = core::f64::consts::LN_10;
    let power = (0.25 * ((8.0 * x - 1.0) * (x - ln) - 2.0 * u)).exp();
    approx::assert_relative_eq!(value, power * u, max_relative = 1e-14);
    let slope = 8.0 * (x - ln) + (8.0 * x - 1.0);
    approx::assert_relative_eq!(x_g, power * u * 0.25 * slope, max_relative = 1e-14);
    approx::assert_relative_eq!(u_g, power - 0.5 * power * u, max_relative = 1e-14);
}

#[derive(Clone, Differentiable)]
struct Steps<T> {
    alpha: T,
    most: T,
    least: T,
    rejected: bool,
}

#[adjoint]
impl<T: Float> Steps<T> {
    fn new(alpha: T, most: T) -> Steps<T> {
        Steps { alpha, most: most.abs(), least: T::from(1e-4).unwrap(), rejected: false }
    }
}

#[adjoint]
fn of_steps<T: Float>(a: T, b: T) -> T {
    let steps = Steps::new(a, b);
    steps.alpha * steps.most + steps.least
}

/// The partial of `abs` at 0 is a number of the type parameter, though the type of the bar of a field is not seen.
#[test]
fn zeros_of_bars_of_fields() {
    assert_eq!(of_steps::gradient(2.0, -3.0), (6.0001, (3.0, -2.0)));
    assert_eq!(of_steps::gradient(2.0_f32, 0.0), (1e-4, (0.0, 0.0)));
}

/// A box, in units that are not there.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Interval<T, U> {
    low: T,
    high: T,
    #[passive]
    unit: std::marker::PhantomData<U>,
}

#[adjoint]
impl<T: Float, U: Copy> Interval<T, U> {
    /// Fields are of types that are not seen, and one of two of them has no derivative.
    #[adjoint(independents(self, other), dependents(return))]
    fn union(&self, other: &Self) -> Self {
        if other.high <= other.low {
            return *self;
        }
        let unit = std::marker::PhantomData;
        let both = Self { low: self.low.min(other.low), high: self.high.max(other.high), unit };
        if both.high - both.low > other.high {
            return both;
        }
        Self { low: both.low * other.high, ..both }
    }
}

#[test]
fn structs_of_parameters_on_several_ways_out() {
    let interval = |low, high| Interval { low, high, unit: std::marker::PhantomData::<u8> };
    let adjoint = |a: Interval<f64, u8>, b: Interval<f64, u8>| {
        let (mut a_b, mut b_b) = (interval(0.0, 0.0), interval(0.0, 0.0));
        let value = Interval::union_adjoint(&a, &mut a_b, &b, &mut b_b, interval(2.0, 3.0));
        assert_eq!(value, a.union(&b));
        ((a_b.low, a_b.high), (b_b.low, b_b.high))
    };
    assert_eq!(adjoint(interval(1.0, 2.0), interval(4.0, 3.0)), ((2.0, 3.0), (0.0, 0.0)));
    assert_eq!(adjoint(interval(1.0, 2.0), interval(-4.0, 1.5)), ((0.0, 3.0), (2.0, 0.0)));
    // Its low end is 1 · 3.
    assert_eq!(adjoint(interval(1.0, 2.0), interval(1.5, 3.0)), ((6.0, 0.0), (0.0, 2.0 + 3.0)));
}
