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
