//! The elementary functions of type parameters that stand for floats.
//!
//! What `x.exp()` means of a type parameter only its traits know, and they may be the user's. Its value is what they say; its derivative
//! is that of the exponential. So wherever a derivative evaluates it the value is compared with the exponential of the standard library,
//! and where two functions may well meet, at 0 and 1 and the like, that at a point beside it, too: what agrees there has the same
//! derivative. Where the one just calls the other, the compiler sees that and leaves the comparison out.

use crate::{Cast, Scalar, Whole};

/// How far two implementations of one function are apart, in units of the last place.
const TOLERANCE: f64 = 32.0;

/// The value, if it is also that of the function of the standard library.
#[inline]
#[track_caller]
fn confirmed<T: Scalar>(value: T, expected: T, name: &str) -> T {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn means_something_else(name: &str, value: &str, expected: &str) -> ! {
        panic!(
            "`{name}` of this type parameter is not that of the standard library: it is {value} where that is {expected}; \
             a derivative would be wrong"
        )
    }
    if value == expected || is_close(value, expected) {
        return value;
    }
    means_something_else(
        name,
        &std::format!("{:e}", T::double(value)),
        &std::format!("{:e}", T::double(expected)),
    )
}

/// Whether a number is so close to an integer that other functions may agree there with the one that is meant.
#[inline]
fn is_special<T: Scalar>(x: T) -> bool {
    let x = T::double(x);
    (x - x.round()).abs() < 1.0 / 64.0
}

/// A point beside a number, nearer to zero unless it is there. Each operand of a function goes in a direction of its own.
#[inline]
fn beside<T: Scalar>(x: T, operand: u8) -> T {
    let step = f64::from(2 * operand + 1) * T::STEP;
    let x = T::double(x);
    T::constant(if x.abs() < step { step } else { x * (1.0 - step) })
}

fn is_close<T: Scalar>(value: T, expected: T) -> bool {
    let (value, expected) = (T::double(value), T::double(expected));
    let apart = (value - expected).abs();
    apart <= TOLERANCE * T::PRECISION * expected.abs() && expected.is_finite()
        || value.is_nan() && expected.is_nan()
}

/// Checks that what is taken for a constant is that: `T::one()` for 1.
///
/// # Panics
/// If it is not.
#[inline]
#[track_caller]
pub fn is_constant<T: Scalar>(value: T, expected: f64, text: &str) {
    let expected = T::constant(expected);
    assert!(
        value == expected,
        "`{text}` is {:e} and not {:e}: a derivative would be wrong",
        T::double(value),
        T::double(expected)
    );
}

/// The value of a conversion from an integer, if it is the number nearest to it.
///
/// # Panics
/// If it is another one.
#[inline]
#[track_caller]
pub fn converted<T: Scalar>(value: T, nearest: T) -> T {
    confirmed(value, nearest, "the conversion from an integer")
}

/// The value of a conversion between floats, whose derivative is 1, if it is the number nearest to the operand, here and, where another
/// function may well agree, beside it.
///
/// # Panics
/// If it is another one.
#[inline(always)]
#[track_caller]
pub fn nearest<S: Scalar, T: Scalar>(x: S, own: impl Fn(S) -> T) -> T {
    let value = own(x);
    is_nearest(value, x);
    if is_special(x) {
        let step = if S::STEP < T::STEP { T::STEP } else { S::STEP };
        let x = S::double(x);
        let beside = S::constant(if x.abs() < step { step } else { x * (1.0 - step) });
        is_nearest(own(beside), beside);
    }
    value
}

#[inline]
#[track_caller]
fn is_nearest<S: Scalar, T: Scalar>(value: T, x: S) {
    let expected = T::constant(S::double(x));
    if value != expected && !is_close(value, expected) {
        not_nearest(T::double(value), T::double(expected));
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn not_nearest(value: f64, expected: f64) -> ! {
    panic!("this conversion makes {value:e} of {expected:e}: a derivative would be wrong")
}

/// An integer that a float is converted to.
pub trait Integer: Whole + Cast + PartialEq {
    /// What `as` makes of a float.
    fn of(x: f64) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Integer for $ty {
            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $ty
            }
        }
    )*};
}

integers! { usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

/// The value of a conversion from a float to an integer, whose derivative is 0, if it is one beside the float, or what `as` makes of it. What
/// is made of the bits of a float is neither.
///
/// # Panics
/// If it is another one.
#[inline]
#[track_caller]
pub fn beside_it<S: Scalar, I: Integer>(x: S, value: I) -> I {
    let (x, number) = (S::double(x), I::as_double(value));
    let is_beside = (number - x).abs() <= 1.0 + S::PRECISION * x.abs();
    if !is_beside && value != I::of(x) {
        not_nearest(number, x);
    }
    value
}

/// The same where there may be none, in the place of which there is some number then.
///
/// # Panics
/// If it is another one.
#[inline]
#[track_caller]
pub fn beside_it_if_any<S: Scalar, I: Integer>(x: S, value: Option<I>) -> I {
    match value {
        Some(value) => beside_it(x, value),
        None => I::of(0.0),
    }
}

/// What an operand is beside the point: an integer is none of a point.
macro_rules! beside {
    ($x:ident, $operand:literal) => {
        super::beside($x, $operand)
    };
    ($x:ident, $operand:literal, $ty:ident) => {
        $x
    };
}

macro_rules! elementary {
    ($($name:ident($first:ident $(, $other:ident $(: $ty:ident)? = $operand:literal)*) = $apply:ident($($float:ident),*) $double:expr, $single:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the standard library.")]
            #[inline(always)]
            #[must_use]
            pub fn $name<T: Scalar>($first: T $(, $other: elementary!(@type T $($ty)?))*) -> T {
                T::$apply($($float,)* $double, $single)
            }
        )*

        /// The functions of the user's traits, which must be those of the standard library.
        pub mod of_traits {
            use crate::Scalar;

            $(
                #[doc = concat!("`", stringify!($name), "` as a trait of a type parameter has it.")]
                ///
                /// # Panics
                /// If that is not what the standard library has.
                #[inline(always)]
                #[track_caller]
                pub fn $name<T: Scalar>(
                    $first: T,
                    $($other: elementary!(@type T $($ty)?),)*
                    own: impl Fn(T $(, elementary!(@type T $($ty)?))*) -> T,
                ) -> T {
                    const NAME: &str = stringify!($name);
                    let value = own($first $(, $other)*);
                    super::confirmed(value, super::$name($first $(, $other)*), NAME);
                    if super::is_special(value) $(|| super::is_special($float))* {
                        let $first = super::beside($first, 0);
                        $(let $other = beside!($other, $operand $(, $ty)?);)*
                        super::confirmed(own($first $(, $other)*), super::$name($first $(, $other)*), NAME);
                    }
                    value
                }
            )*

            /// `clamp` as a trait of a type parameter has it.
            ///
            /// # Panics
            /// If that is not what the standard library has.
            #[inline(always)]
            #[track_caller]
            pub fn clamp<T: Scalar>(x: T, lo: T, hi: T, own: impl Fn(T, T, T) -> T) -> T {
                super::confirmed(own(x, lo, hi), super::clamp(x, lo, hi), "clamp")
            }
        }
    };
    (@type $own:ident) => { $own };
    (@type $own:ident $ty:ident) => { $ty };
}

/// `clamp` of the standard library.
#[inline(always)]
#[must_use]
pub fn clamp<T: Scalar>(x: T, lo: T, hi: T) -> T {
    T::ternary(x, lo, hi, f64::clamp, f32::clamp)
}

elementary! {
    sqrt(x) = unary(x) f64::sqrt, f32::sqrt;
    cbrt(x) = unary(x) f64::cbrt, f32::cbrt;
    recip(x) = unary(x) f64::recip, f32::recip;
    hypot(a, b = 1) = binary(a, b) f64::hypot, f32::hypot;
    powi(x, n: i32 = 1) = unary(x) |x| f64::powi(x, n), |x| f32::powi(x, n);
    powf(x, p = 1) = binary(x, p) f64::powf, f32::powf;
    mul_add(a, b = 1, c = 2) = ternary(a, b, c) f64::mul_add, f32::mul_add;
    exp(x) = unary(x) f64::exp, f32::exp;
    exp2(x) = unary(x) f64::exp2, f32::exp2;
    exp_m1(x) = unary(x) f64::exp_m1, f32::exp_m1;
    ln(x) = unary(x) f64::ln, f32::ln;
    ln_1p(x) = unary(x) f64::ln_1p, f32::ln_1p;
    log2(x) = unary(x) f64::log2, f32::log2;
    log10(x) = unary(x) f64::log10, f32::log10;
    log(x, b = 1) = binary(x, b) f64::log, f32::log;
    sin(x) = unary(x) f64::sin, f32::sin;
    cos(x) = unary(x) f64::cos, f32::cos;
    tan(x) = unary(x) f64::tan, f32::tan;
    asin(x) = unary(x) f64::asin, f32::asin;
    acos(x) = unary(x) f64::acos, f32::acos;
    atan(x) = unary(x) f64::atan, f32::atan;
    atan2(a, b = 1) = binary(a, b) f64::atan2, f32::atan2;
    to_degrees(x) = unary(x) f64::to_degrees, f32::to_degrees;
    to_radians(x) = unary(x) f64::to_radians, f32::to_radians;
    sinh(x) = unary(x) f64::sinh, f32::sinh;
    cosh(x) = unary(x) f64::cosh, f32::cosh;
    tanh(x) = unary(x) f64::tanh, f32::tanh;
    asinh(x) = unary(x) f64::asinh, f32::asinh;
    acosh(x) = unary(x) f64::acosh, f32::acosh;
    atanh(x) = unary(x) f64::atanh, f32::atanh;
    abs(x) = unary(x) f64::abs, f32::abs;
    max(a, b = 1) = binary(a, b) f64::max, f32::max;
    min(a, b = 1) = binary(a, b) f64::min, f32::min;
    abs_sub(a, b = 1) = binary(a, b) |a, b| f64::max(a, b) - b, |a, b| f32::max(a, b) - b;
    copysign(x, s = 1) = binary(x, s) f64::copysign, f32::copysign;
    midpoint(a, b = 1) = binary(a, b) f64::midpoint, f32::midpoint;
    floor(x) = unary(x) f64::floor, f32::floor;
    ceil(x) = unary(x) f64::ceil, f32::ceil;
    round(x) = unary(x) f64::round, f32::round;
    round_ties_even(x) = unary(x) f64::round_ties_even, f32::round_ties_even;
    trunc(x) = unary(x) f64::trunc, f32::trunc;
    signum(x) = unary(x) f64::signum, f32::signum;
    div_euclid(a, b = 1) = binary(a, b) f64::div_euclid, f32::div_euclid;
    fract(x) = unary(x) f64::fract, f32::fract;
    rem_euclid(a, b = 1) = binary(a, b) f64::rem_euclid, f32::rem_euclid;
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the standard library.")]
            #[inline(always)]
            #[must_use]
            pub fn $name<T: Scalar>(x: T) -> bool {
                T::test(x, f64::$name, f32::$name)
            }
        )*
    };
}

tests! { is_nan is_normal is_sign_negative }
