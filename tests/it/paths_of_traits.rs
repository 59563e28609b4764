//! Elementary functions of traits by their paths, `Real::sin(x)`: they are those of the standard library, or none that has a derivative.

use backsweep::adjoint;
use num_traits::{Float, Signed};
use std::panic::{UnwindSafe, catch_unwind};

mod numbers {
    use std::ops::{Add, Mul, Neg, Sub};

    /// What the functions below ask of a number.
    pub trait Real:
        Copy
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Neg<Output = Self>
    {
        fn zero() -> Self;
    }

    /// Each function is that of its name, but `cosh` and `sinh_cosh`.
    pub trait Functions: Sized {
        fn sin_cos(self) -> (Self, Self);
        fn exp(self) -> Self;
        fn powi(self, n: i32) -> Self;
        fn arctan2(self, other: Self) -> Self;
        fn min(self, other: Self) -> Self;
        fn abs(&self) -> Self;
        fn hypot(&self, other: &Self) -> Self;
        fn cosh(self) -> Self;
    }

    /// The pair is the other way round.
    pub trait Swapped: Sized {
        fn floor(self) -> usize;
        fn sin(self) -> Self;
        fn cos(self) -> Self;
        fn sin_cos(self) -> (Self, Self);
    }

    macro_rules! functions {
        ($float:ident) => {
            impl Real for $float {
                fn zero() -> Self {
                    0.0
                }
            }

            impl Functions for $float {
                fn sin_cos(self) -> (Self, Self) {
                    $float::sin_cos(self)
                }
                fn exp(self) -> Self {
                    $float::exp(self)
                }
                fn powi(self, n: i32) -> Self {
                    $float::powi(self, n)
                }
                fn arctan2(self, other: Self) -> Self {
                    self.atan2(other)
                }
                fn min(self, other: Self) -> Self {
                    $float::min(self, other)
                }
                fn abs(&self) -> Self {
                    $float::abs(*self)
                }
                fn hypot(&self, other: &Self) -> Self {
                    $float::hypot(*self, *other)
                }
                fn cosh(self) -> Self {
                    self.cos()
                }
            }

            impl Swapped for $float {
                fn floor(self) -> usize {
                    self as usize + 1
                }
                fn sin(self) -> Self {
                    $float::sin(self)
                }
                fn cos(self) -> Self {
                    $float::cos(self)
                }
                fn sin_cos(self) -> (Self, Self) {
                    (self.cos(), self.sin())
                }
            }
        };
    }

    functions!(f64);
    functions!(f32);
}

use numbers::{Functions, Real, Swapped};

/// Of a type parameter, by traits of the crate.
#[adjoint]
fn of_parameter<T: Real + Functions>(x: T, y: &T, n: i32) -> T {
    let (s, c) = Functions::sin_cos(x * *y);
    let pair = Functions::sin_cos(x + *y);
    let mut sum = T::zero();
    for k in 0..3 {
        sum = sum + Functions::powi(x, n + k) * s;
    }
    let least = numbers::Functions::min(Functions::exp(*y), x);
    sum + Functions::arctan2(c, x) * pair.0 - pair.1 * least
        + Functions::abs(&(x - *y)) * Functions::abs(y)
        + Functions::hypot(&x, y)
}

fn of_numbers(x: f64, y: f64, n: i32) -> f64 {
    let (s, c) = (x * y).sin_cos();
    let pair = (x + y).sin_cos();
    let sum = (0..3).map(|k| x.powi(n + k) * s).sum::<f64>();
    sum + c.atan2(x) * pair.0 - pair.1 * y.exp().min(x) + (x - y).abs() * y.abs() + x.hypot(y)
}

/// Of `f64`, which has the traits.
#[adjoint]
fn of_known(x: f64, y: f64) -> f64 {
    let (s, c) = Functions::sin_cos(x * y);
    s * Functions::exp(-y) + Functions::powi(c, 2) * Functions::abs(&y)
}

fn of_known_f64(x: f64, y: f64) -> f64 {
    (x * y).sin() * (-y).exp() + (x * y).cos().powi(2) * y.abs()
}

/// By the traits of `num-traits` that bounds name.
#[adjoint]
fn of_bounds<T: Float + Signed>(x: &[T], scale: T) -> T {
    let mut sum = T::zero();
    for &x in x {
        let (s, c) = Float::sin_cos(x);
        sum = sum + Float::mul_add(s, scale, c) * Signed::abs(&x) + Float::sqrt(x * x + T::one());
    }
    Float::max(sum, <T as Float>::powi(scale, 2))
}

fn of_bounds_f64(x: &[f64], scale: f64) -> f64 {
    let of = |x: &f64| (x.sin() * scale + x.cos()) * f64::abs(*x) + (x * x + 1.0).sqrt();
    x.iter().map(of).sum::<f64>().max(scale * scale)
}

/// A derivative with respect to a number, against a central difference.
fn assert_close(derivative: f64, of: impl Fn(f64) -> f64) {
    let step = 4e-6;
    let difference = (of(step) - of(-step)) / (2.0 * step);
    let tolerance = 2e-9 * difference.abs().max(1.0);
    assert!((derivative - difference).abs() < tolerance, "{derivative} {difference}");
}

#[test]
fn functions_of_type_parameters() {
    for (x, y, n) in [(0.7, 1.3, 2), (-0.4, 0.9, 3), (2.6, -0.3, -1)] {
        let (value, gradient) = of_parameter::gradient(x, &y, n);
        assert!((value - of_numbers(x, y, n)).abs() < 1e-14 * value.abs().max(1.0));
        assert_close(gradient.0, |t| of_numbers(x + t, y, n));
        assert_close(gradient.1, |t| of_numbers(x, y + t, n));
        let (_, along) = of_parameter::tangent(x, 1.0, &y, &-2.0, n);
        assert_close(along, |t| of_numbers(x + t, y - 2.0 * t, n));
        let single = of_parameter::gradient(x as f32, &(y as f32), n).1;
        assert!((f64::from(single.0) - gradient.0).abs() < 1e-3 * gradient.0.abs().max(1.0));
    }
}

#[test]
fn functions_of_floats() {
    for (x, y) in [(0.7, 1.3), (2.2, -0.6)] {
        let (value, gradient) = of_known::gradient(x, y);
        assert!((value - of_known_f64(x, y)).abs() < 1e-15);
        assert_close(gradient.0, |t| of_known_f64(x + t, y));
        assert_close(gradient.1, |t| of_known_f64(x, y + t));
    }
}

#[test]
fn functions_of_bounds() {
    let (x, scale) = ([0.3, -1.4, 2.2], 0.8);
    let (value, (of_x, of_scale)) = of_bounds::gradient(&x, scale);
    assert!((value - of_bounds_f64(&x, scale)).abs() < 1e-14);
    for k in 0..x.len() {
        assert_close(of_x[k], |t| {
            let mut x = x;
            x[k] += t;
            of_bounds_f64(&x, scale)
        });
    }
    assert_close(of_scale, |t| of_bounds_f64(&x, scale + t));
}

#[adjoint]
fn another_function<T: Real + Functions>(x: T) -> T {
    Functions::cosh(x) * x
}

#[adjoint]
fn another_function_of_floats(x: f64) -> f64 {
    Functions::cosh(x) * x
}

#[adjoint]
fn another_pair<T: Real + Swapped>(x: T) -> T {
    let (s, c) = Swapped::sin_cos(x);
    s * x + c
}

#[adjoint]
fn another_pair_by_method<T: Real + Swapped>(x: T) -> T {
    let (s, c) = x.sin_cos();
    s * x + c
}

#[adjoint]
fn another_pair_by_method_as_a_whole<T: Real + Swapped>(x: T) -> T {
    let pair = x.sin_cos();
    pair.0 * x
}

/// The functions of that trait by themselves are those of their names.
#[adjoint]
fn own_functions<T: Real + Swapped>(x: T) -> T {
    Swapped::sin(x) * Swapped::cos(x)
}

/// Another type than its name tells.
#[adjoint(passive(k))]
fn of_indices<T: Real + Swapped>(x: &[T], k: T) -> T {
    let i = Swapped::floor(k);
    x[i] * x[i]
}

/// No derivative passes through it: it may be any function.
#[adjoint(passive(k))]
fn of_constants(x: f64, k: f64) -> f64 {
    x * x * Functions::cosh(k)
}

mod turns {
    use backsweep::{Differentiable, adjoint};
    use std::marker::PhantomData;
    use std::ops::{Add, Mul, Sub};

    /// It has the pair, and neither of the two.
    pub trait Real:
        Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
    {
        fn sin_cos(self) -> (Self, Self);
    }

    impl Real for f64 {
        fn sin_cos(self) -> (f64, f64) {
            f64::sin_cos(self)
        }
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Angle<T> {
        pub radians: T,
    }

    #[adjoint]
    impl<T> Angle<T> {
        pub fn get(self) -> T {
            self.radians
        }
    }

    /// From one unit to another: nothing is known of them, not even whether they have `Cell`s in them.
    #[derive(Clone, Copy, Differentiable)]
    pub struct Turn<T, From> {
        pub a: T,
        pub b: T,
        pub unit: PhantomData<From>,
    }

    #[adjoint]
    impl<T, From> Turn<T, From> {
        pub fn new(a: T, b: T) -> Self {
            Self { a, b, unit: PhantomData }
        }
    }

    impl<T: Real, From: Clone> Turn<T, From> {
        fn is_there(&self) -> bool {
            !(self.a > self.b && self.b > self.a)
        }
    }

    #[adjoint]
    impl<T: Real, From: Clone> Turn<T, From> {
        #[adjoint]
        pub fn of_angles(roll: Angle<T>, pitch: Angle<T>) -> Self {
            let (sy, cy) = Real::sin_cos(roll.get());
            let (sp, cp) = Real::sin_cos(pitch.get());
            Self::new(cy * sp * cp - sy * cp * sy, cy * sy * sp)
        }

        #[adjoint(independents(self, by))]
        pub fn turned(&self, by: T) -> T {
            assert!(self.is_there());
            let (s, c) = Real::sin_cos(by * self.a);
            self.b * c - self.a * s
        }
    }
}

/// Types that the macro does not see are those of the only type parameter.
#[adjoint]
fn of_angles(roll: f64, pitch: f64) -> f64 {
    let (roll, pitch) = (turns::Angle { radians: roll }, turns::Angle { radians: pitch * roll });
    let turn = turns::Turn::<f64, u8>::of_angles(roll, pitch);
    turn.turned(turn.b) * turn.a
}

#[test]
fn pairs_without_their_parts() {
    let (value, (by_roll, by_pitch)) = of_angles::gradient(0.4, 0.7);
    assert_eq!(value, of_angles(0.4, 0.7));
    assert_close(by_roll, |t| of_angles(0.4 + t, 0.7));
    assert_close(by_pitch, |t| of_angles(0.4, 0.7 + t));
}

/// The message of the panic of a function.
fn panics<R>(f: impl FnOnce() -> R + UnwindSafe) -> String {
    let Err(error) = catch_unwind(f) else { panic!("no panic") };
    *error.downcast::<String>().expect("a message")
}

#[test]
fn other_functions_by_their_names() {
    for x in [0.4, 0.0] {
        for (message, name) in [
            (panics(|| another_function::gradient(x)), "cosh"),
            (panics(|| another_function::tangent(x, 1.0)), "cosh"),
            (panics(|| another_function_of_floats::gradient(x)), "cosh"),
            (panics(|| another_pair::gradient(x)), "sin"),
            (panics(|| another_pair::gradient(x as f32)), "sin"),
            (panics(|| another_pair_by_method::gradient(x)), "sin"),
            (panics(|| another_pair_by_method::tangent(x, 1.0)), "sin"),
            (panics(|| another_pair_by_method_as_a_whole::gradient(x)), "sin"),
        ] {
            let expected =
                format!("`{name}` of this type parameter is not that of the standard library");
            assert!(message.contains(&expected), "{message}");
        }
    }
    let (value, derivative) = own_functions::gradient(0.4);
    assert_eq!(value, 0.4_f64.sin() * 0.4_f64.cos());
    assert_close(derivative, |t| (0.4 + t).sin() * (0.4 + t).cos());
    assert_eq!(of_indices::gradient(&[1.0, 2.0, 3.0], 1.5), (9.0, vec![0.0, 0.0, 6.0]));
    assert_eq!(of_constants::gradient(3.0, 2.0), (9.0 * 2.0_f64.cos(), 6.0 * 2.0_f64.cos()));
}
