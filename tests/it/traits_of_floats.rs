//! Functions that are generic over floats by way of the user's own traits, which may mean anything by `exp`: what is no elementary function
//! of the standard library is never differentiated as if it were one.

use backsweep::adjoint;
use std::panic::{UnwindSafe, catch_unwind};

mod numbers {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    /// What the functions below ask of a number.
    pub trait Real:
        Copy
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
    {
        fn zero() -> Self;
        fn one() -> Self;
        fn third() -> Self;
        fn from_f64(value: f64) -> Option<Self>;
        fn from_usize(value: usize) -> Option<Self>;
        fn from_u8(value: u8) -> Option<Self>;
        fn sin(self) -> Self;
        fn tan(self) -> Self;
        fn powi(self, n: i32) -> Self;
        fn atan2(self, other: Self) -> Self;
        fn exp(self) -> Self;
        fn ln(self) -> Self;
        fn acos(self) -> Self;
        fn hypot(self, other: Self) -> Self;
        fn floor(self) -> Self;
    }

    macro_rules! real {
        ($float:ident) => {
            impl Real for $float {
                fn zero() -> Self {
                    0.0
                }
                fn one() -> Self {
                    1.0
                }
                fn third() -> Self {
                    1.0 / 3.0
                }
                fn from_f64(value: f64) -> Option<Self> {
                    Some(value as $float)
                }
                fn from_usize(value: usize) -> Option<Self> {
                    Some(value as $float)
                }
                // Another number.
                fn from_u8(value: u8) -> Option<Self> {
                    Some(value as $float / 255.0)
                }
                // Nothing but this.
                fn sin(self) -> Self {
                    $float::sin(self)
                }
                fn tan(self) -> Self {
                    self.tan()
                }
                fn powi(self, n: i32) -> Self {
                    $float::powi(self, n)
                }
                // In the other order.
                fn atan2(self, other: Self) -> Self {
                    $float::atan2(other, self)
                }
                // Of another base.
                fn exp(self) -> Self {
                    self.exp2()
                }
                fn ln(self) -> Self {
                    self.log10()
                }
                // Beyond its domain, too.
                fn acos(self) -> Self {
                    $float::acos(self.max(-1.0).min(1.0))
                }
                // Something else.
                fn hypot(self, other: Self) -> Self {
                    self.abs() + other.abs()
                }
                // With a derivative.
                fn floor(self) -> Self {
                    self - 0.5
                }
            }
        };
    }

    real!(f64);
    real!(f32);
}

use numbers::Real;

#[adjoint]
fn waves<T: Real>(x: &[T], frequency: T) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        let phase = x[i] * frequency + T::third();
        sum = sum + phase.sin() * phase.powi(3) / T::from_usize(i + 1).unwrap();
    }
    (T::one() + sum) * T::from_f64(0.5).unwrap() + x[0].tan()
}

fn waves_f64(x: &[f64], frequency: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let phase = x[i] * frequency + 1.0 / 3.0;
        sum += phase.sin() * phase.powi(3) / (i + 1) as f64;
    }
    (1.0 + sum) * 0.5 + x[0].tan()
}

#[test]
fn functions_of_the_users_traits() {
    let (x, frequency) = ([0.4, -1.3, 2.0], 1.5);
    let (value, gradient) = waves::gradient(&x, frequency);
    assert_eq!(value, waves_f64(&x, frequency));
    let step = 1e-6;
    for k in 0..x.len() {
        let moved = |by: f64| {
            let mut x = x;
            x[k] += by;
            waves_f64(&x, frequency)
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        assert!((gradient.0[k] - difference).abs() < 1e-8, "{k}: {} {difference}", gradient.0[k]);
    }
    let difference =
        (waves_f64(&x, frequency + step) - waves_f64(&x, frequency - step)) / (2.0 * step);
    assert!((gradient.1 - difference).abs() < 1e-8);
    let (_, along) = waves::tangent(&x, &[0.0; 3], frequency, 1.0);
    assert!((along - difference).abs() < 1e-8);
    let single = waves::gradient(&[0.4f32, -1.3, 2.0], 1.5).1;
    assert!((f64::from(single.1) - difference).abs() < 1e-4);
}

/// A function of one number, generic over the user's trait, by its name.
macro_rules! functions {
    ($($name:ident: $x:ident => $value:expr;)*) => {
        $(
            #[adjoint]
            fn $name<T: Real>($x: T) -> T {
                $value
            }
        )*
    };
}

functions! {
    exponential: x => x.exp() * x;
    logarithm: x => x.ln();
    logarithm_as_a_function: x => T::ln(x) + x;
    angle: x => (x + x).atan2(T::one() + x);
    arc: x => x.acos() * x;
    length: x => x.hypot(x * x);
    step: x => x.floor() * x;
    conversion: x => x * T::from_u8(3u8).unwrap();
    conversion_of_a_variable: x => {
        let n = 3u8;
        x * T::from_u8(n).unwrap()
    };
}

/// The message of the panic of a function.
fn panics<R>(f: impl FnOnce() -> R + UnwindSafe) -> String {
    let Err(error) = catch_unwind(f) else { panic!("no panic") };
    *error.downcast::<String>().expect("a message")
}

/// The gradient and the tangent are refused, for either type.
macro_rules! is_refused {
    ($function:ident at $x:literal: $message:literal) => {
        for message in [
            panics(|| $function::gradient($x)),
            panics(|| $function::tangent($x, 1.0)),
            panics(|| $function::gradient::<f32>($x)),
            panics(|| $function::tangent::<f32>($x, 1.0)),
        ] {
            assert!(message.contains($message), "{message}");
        }
    };
}

#[test]
fn another_function_of_that_name() {
    is_refused!(exponential at 0.7: "`exp` of this type parameter is not that of the standard library");
    is_refused!(logarithm at 2.5: "`ln` of this type parameter");
    is_refused!(logarithm_as_a_function at 2.5: "`ln` of this type parameter");
    is_refused!(angle at 0.3: "`atan2` of this type parameter");
    is_refused!(length at 0.3: "`hypot` of this type parameter");
    is_refused!(step at 0.3: "`floor` of this type parameter");
}

/// At points where it has the value of the standard library's.
#[test]
fn another_function_with_the_same_value() {
    is_refused!(exponential at 0.0: "`exp` of this type parameter");
    is_refused!(exponential at 1e-30: "`exp` of this type parameter");
    is_refused!(logarithm at 1.0: "`ln` of this type parameter");
    is_refused!(angle at 1.0: "`atan2` of this type parameter");
    is_refused!(length at 0.0: "`hypot` of this type parameter");
    is_refused!(step at 0.5: "`floor` of this type parameter");
}

#[test]
fn the_same_function_around_the_point() {
    let (value, gradient) = arc::gradient(0.5);
    assert_eq!(value, 0.5_f64.acos() * 0.5);
    assert!((gradient - (0.5_f64.acos() - 0.5 / 0.75_f64.sqrt())).abs() < 1e-15);
    is_refused!(arc at 1.5: "`acos` of this type parameter");
}

#[test]
fn another_number() {
    is_refused!(conversion at 2.0: "and not 3e0");
    is_refused!(conversion_of_a_variable at 2.0: "the conversion from an integer");
}

/// A trait with other names for elementary functions, and conversions that cannot fail.
trait Number: Copy + std::ops::Mul<Output = Self> + std::ops::Add<Output = Self> {
    fn from_f64(value: f64) -> Self;
    fn from_u32(value: u32) -> Self;
    fn half() -> Self;
    fn pow(self, exponent: Self) -> Self;
    fn arctan2(self, other: Self) -> Self;
    fn arsinh(self) -> Self;
    fn inv(self) -> Self;
    fn log(self) -> Self;
    // Another function.
    fn arctan(self) -> Self;
}

macro_rules! number {
    ($float:ident) => {
        impl Number for $float {
            fn from_f64(value: f64) -> Self {
                value as $float
            }
            fn from_u32(value: u32) -> Self {
                value as $float
            }
            fn half() -> Self {
                0.5
            }
            fn pow(self, exponent: Self) -> Self {
                self.powf(exponent)
            }
            fn arctan2(self, other: Self) -> Self {
                self.atan2(other)
            }
            fn arsinh(self) -> Self {
                self.asinh()
            }
            fn inv(self) -> Self {
                1.0 / self
            }
            fn log(self) -> Self {
                self.ln()
            }
            fn arctan(self) -> Self {
                self.tan()
            }
        }
    };
}

number!(f64);
number!(f32);

/// A type parameter that stands for a float by its trait's name.
trait RealNumber: Number {}

impl RealNumber for f64 {}
impl RealNumber for f32 {}

#[adjoint]
fn renamed<T: RealNumber>(x: T, y: T, n: u32) -> T {
    let z = (x * y + T::half()).pow(T::from_f64(2.5));
    z * x.arctan2(y)
        + y.arsinh() * T::from_u32(n + 1)
        + (x + y).pow(y) * x.inv().pow(T::from_u32(2)) * (x + y).log()
}

fn renamed_f64(x: f64, y: f64, n: u32) -> f64 {
    let z = (x * y + 0.5).powf(2.5);
    z * x.atan2(y)
        + y.asinh() * f64::from(n + 1)
        + (x + y).powf(y) * x.recip().powf(2.0) * (x + y).ln()
}

#[adjoint]
fn another_by_that_name<T: RealNumber>(x: T) -> T {
    x.arctan() * x
}

/// A derivative with respect to a number, against a central difference.
fn assert_close(derivative: f64, of: impl Fn(f64) -> f64) {
    let step = 4e-6;
    let difference = (of(step) - of(-step)) / (2.0 * step);
    let tolerance = 1e-9 * difference.abs().max(1.0);
    assert!((derivative - difference).abs() < tolerance, "{derivative} {difference}");
}

#[test]
fn elementary_functions_by_other_names() {
    let (x, y) = (0.8, 1.7);
    let (value, gradient) = renamed::gradient(x, y, 2);
    assert_eq!(value, renamed_f64(x, y, 2));
    assert_close(gradient.0, |t| renamed_f64(x + t, y, 2));
    assert_close(gradient.1, |t| renamed_f64(x, y + t, 2));
    assert_close(renamed::tangent(x, 1.0, y, -2.0, 2).1, |t| renamed_f64(x + t, y - 2.0 * t, 2));
    is_refused!(another_by_that_name at 0.4: "`atan` of this type parameter");
}

/// No trait of floats, but their arithmetic.
#[adjoint]
fn dot<T>(a: &[T], b: &[T], start: T) -> T
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Mul<T, Output = T>,
{
    let mut sum = start;
    for i in 0..a.len() {
        sum = sum + a[i] * b[i] * a[i];
    }
    sum
}

/// Indices that are added are no floats.
#[adjoint(passive(i, j))]
fn element<I: Copy + Into<usize> + std::ops::Add<Output = I>>(x: &[f64], i: I, j: I) -> f64 {
    let k: usize = (i + j).into();
    x[k] * x[k]
}

#[test]
fn arithmetic_is_that_of_floats() {
    let (value, (a, b, start)) = dot::gradient(&[2.0, 3.0], &[5.0, 7.0], 1.0);
    assert_eq!((value, start), (84.0, 1.0));
    assert_eq!((a, b), (vec![20.0, 42.0], vec![4.0, 9.0]));
    assert_eq!(element::gradient(&[1.0, 2.0, 3.0], 1u8, 1u8), (9.0, vec![0.0, 0.0, 6.0]));
}

/// What has nothing to do with floats is a constant.
trait Noise {
    fn next(&mut self) -> f64;
}

struct Steps(f64);

impl Noise for Steps {
    fn next(&mut self) -> f64 {
        self.0 += 1.0;
        self.0
    }
}

trait Log {
    fn level(&self) -> usize;
}

impl Log for Steps {
    fn level(&self) -> usize {
        3
    }
}

#[adjoint]
fn noisy<N: Noise>(x: f64, noise: &mut N, log: &dyn Log) -> f64 {
    let mut sum = x;
    for _ in 0..log.level() {
        let amplitude = noise.next();
        sum = sum + amplitude * x * x;
    }
    sum
}

#[test]
fn values_without_floats_are_constants() {
    let (value, gradient) = noisy::gradient(2.0, &mut Steps(0.0), &Steps(0.0));
    assert_eq!((value, gradient), (2.0 + 6.0 * 4.0, 1.0 + 6.0 * 4.0));
}

/// A vector with a unit: nothing but arithmetic is asked of its numbers, and nothing at all of the unit.
#[derive(backsweep::Differentiable)]
struct Vector<T, U> {
    x: T,
    y: T,
    unit: std::marker::PhantomData<U>,
}

impl<T: Copy, U> Copy for Vector<T, U> {}

impl<T: Copy, U> Clone for Vector<T, U> {
    fn clone(&self) -> Self {
        *self
    }
}

struct Meters;

#[adjoint]
impl<T, U> Vector<T, U>
where
    T: Copy + std::ops::Mul<T, Output = T> + std::ops::Sub<T, Output = T>,
{
    #[adjoint(independents(self, other))]
    fn cross(self, other: Self) -> T {
        self.x * other.y - self.y * other.x
    }
}

#[adjoint]
impl<T: num_traits::Float, U> Vector<T, U> {
    #[adjoint(independents(self))]
    fn length(self) -> T {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    #[adjoint(independents(self, length))]
    fn with_length(self, length: T) -> Self {
        let own = self.length();
        let unit = std::marker::PhantomData;
        Vector { x: self.x * length / own, y: self.y * length / own, unit }
    }

    #[adjoint(independents(self, length))]
    fn first_of_length(self, length: T) -> T {
        let mut scaled = self.with_length(length);
        scaled.x = scaled.x * -(self.length() - length);
        scaled.x
    }
}

#[test]
fn structs_with_units() {
    let of = |x: f64, y: f64| Vector::<f64, Meters> { x, y, unit: std::marker::PhantomData };
    let (value, (a, b)) = of(2.0, 3.0).cross_gradient(of(5.0, 7.0));
    assert_eq!(value, -1.0);
    assert_eq!((a.x, a.y, b.x, b.y), (7.0, -5.0, -3.0, 2.0));
    let (x, y, length) = (0.6, -1.1, 2.0);
    let first = |x: f64, y: f64, length: f64| x * length / x.hypot(y) * -(x.hypot(y) - length);
    let (value, (v, of_length)) = of(x, y).first_of_length_gradient(length);
    assert!((value - first(x, y, length)).abs() < 1e-15);
    assert_close(v.x, |t| first(x + t, y, length));
    assert_close(v.y, |t| first(x, y + t, length));
    assert_close(of_length, |t| first(x, y, length + t));
}

/// Methods of a trait of the crate by reference, which have the names of those of floats.
mod by_reference {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{AddAssign, Mul};

    pub trait Rounded {
        fn floor(&self) -> Self;
        fn to_u32(&self) -> u32;
    }

    impl Rounded for f64 {
        fn floor(&self) -> Self {
            Self::floor(*self)
        }

        fn to_u32(&self) -> u32 {
            *self as u32
        }
    }

    pub trait Real: Copy + Rounded + num_traits::Zero + AddAssign + Mul<Output = Self> {}

    impl Real for f64 {}

    #[derive(Clone, Differentiable)]
    pub struct Binomial<T> {
        pub p: T,
    }

    #[adjoint]
    impl<T: Real> Binomial<T> {
        pub fn summed(&self, x: T) -> T {
            let last: u32 = x.floor().to_u32();
            let mut sum = T::zero();
            for _ in 0..last + 1 {
                sum += self.p * self.p;
            }
            sum * x
        }
    }
}

#[test]
fn methods_of_a_trait_by_reference_find_integers() {
    let binomial = by_reference::Binomial { p: 0.3 };
    let (value, (g, x)) = binomial.summed_gradient(2.5);
    assert_eq!(value, binomial.summed(2.5));
    assert!((g.p - 3.0 * 2.0 * 0.3 * 2.5).abs() < 1e-12);
    assert!((x - 3.0 * 0.09).abs() < 1e-12);
}
