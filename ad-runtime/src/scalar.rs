//! What generated code needs of a type parameter that stands for a float.

use crate::operator::{Assign, Binary, Unary, kind};
use crate::{
    Cast, Castable, Differentiable, Fingerprint, Number, Placeholder, Real, Storable, Unchanging,
    Vector, WithoutInteriorMutability,
};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

/// A float, where its width is a type parameter. Sealed, as [`Real`] is: `f64` and `f32`.
#[diagnostic::on_unimplemented(
    message = "a function that is generic over floats is differentiated for `f64` and `f32`, not for `{Self}`",
    note = "call its derivatives with one of the two"
)]
pub trait Scalar:
    Real
    + Number
    + Default
    + Send
    + WithoutInteriorMutability
    + Unchanging
    + 'static
    + Differentiable<Bar = Self>
    + Vector
    + Storable
    + Placeholder
    + Fingerprint
    + Cast
    + Castable<f64>
    + Castable<f32>
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Binary<kind::Add, Self, Output = Self>
    + Binary<kind::Sub, Self, Output = Self>
    + Binary<kind::Mul, Self, Output = Self>
    + Binary<kind::Div, Self, Output = Self>
    + Binary<kind::Rem, Self, Output = Self>
    + Unary<kind::Neg, Output = Self>
    + Assign<kind::AddAssign, Self>
    + Assign<kind::SubAssign, Self>
    + Assign<kind::MulAssign, Self>
    + Assign<kind::DivAssign, Self>
{
    /// The distance of 1 from the next number.
    const PRECISION: f64;
    /// How far points are apart, relative to their distance from zero, at which functions are told from each other.
    const STEP: f64;
    /// The number nearest to a constant.
    fn constant(value: f64) -> Self;
    /// The same number as an `f64`.
    fn double(value: Self) -> f64;
    /// A function, which the standard library has for either type. None of these is a method: those of the user's traits could not be
    /// called any more.
    fn unary(x: Self, double: impl FnOnce(f64) -> f64, single: impl FnOnce(f32) -> f32) -> Self;
    /// A function of two numbers.
    fn binary(
        x: Self,
        y: Self,
        double: impl FnOnce(f64, f64) -> f64,
        single: impl FnOnce(f32, f32) -> f32,
    ) -> Self;
    /// A function of three numbers.
    fn ternary(
        x: Self,
        y: Self,
        z: Self,
        double: impl FnOnce(f64, f64, f64) -> f64,
        single: impl FnOnce(f32, f32, f32) -> f32,
    ) -> Self;
    /// What is true of a number.
    fn test(x: Self, double: impl FnOnce(f64) -> bool, single: impl FnOnce(f32) -> bool) -> bool;
}

macro_rules! scalar {
    ($own:ident, $step:literal: $double:ident, $single:ident => $chosen:ident) => {
        impl Scalar for $own {
            const PRECISION: f64 = $own::EPSILON as f64;
            const STEP: f64 = $step;

            #[inline(always)]
            fn constant(value: f64) -> Self {
                value as $own
            }

            #[inline(always)]
            fn double(value: Self) -> f64 {
                value.into()
            }

            #[inline(always)]
            fn unary(
                x: Self,
                $double: impl FnOnce(f64) -> f64,
                $single: impl FnOnce(f32) -> f32,
            ) -> Self {
                $chosen(x)
            }

            #[inline(always)]
            fn binary(
                x: Self,
                y: Self,
                $double: impl FnOnce(f64, f64) -> f64,
                $single: impl FnOnce(f32, f32) -> f32,
            ) -> Self {
                $chosen(x, y)
            }

            #[inline(always)]
            fn ternary(
                x: Self,
                y: Self,
                z: Self,
                $double: impl FnOnce(f64, f64, f64) -> f64,
                $single: impl FnOnce(f32, f32, f32) -> f32,
            ) -> Self {
                $chosen(x, y, z)
            }

            #[inline(always)]
            fn test(
                x: Self,
                $double: impl FnOnce(f64) -> bool,
                $single: impl FnOnce(f32) -> bool,
            ) -> bool {
                $chosen(x)
            }
        }
    };
}

scalar!(f64, 1e-6: double, _single => double);
scalar!(f32, 1e-3: _double, single => single);
