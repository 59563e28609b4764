//! What generated code needs of a type parameter that stands for a float.

use crate::{Differentiable, Fingerprint, Real, Storable, Vector, WithoutInteriorMutability};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

/// A float, where its width is a type parameter. Sealed, as [`Real`] is: `f64` and `f32`.
#[diagnostic::on_unimplemented(
    message = "a function that is generic over floats is differentiated for `f64` and `f32`, not for `{Self}`",
    note = "call its derivatives with one of the two"
)]
pub trait Scalar:
    Real
    + Default
    + Send
    + WithoutInteriorMutability
    + 'static
    + Differentiable<Bar = Self>
    + Vector
    + Storable
    + Fingerprint
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
{
    /// The number nearest to a constant.
    fn constant(value: f64) -> Self;
}

impl Scalar for f64 {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }
}

impl Scalar for f32 {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value as f32
    }
}
