//! The floats of which the types are made, and what rules have in common.

use crate::operator::strong;
use crate::{Differentiable, Placeholder, Storable, Unchanging, Vector};
use nalgebra::{RealField, SMatrix, Scalar};

/// `f64` or `f32`.
pub trait Float:
    RealField
    + Scalar
    + Copy
    + Default
    + Differentiable<Bar = Self>
    + Vector
    + Storable
    + Placeholder
    + Unchanging
    + crate::rules::check::Sample
{
}

impl Float for f64 {}
impl Float for f32 {}

/// A number, rounded.
pub(super) fn number<F: Float>(value: f64) -> F {
    nalgebra::convert(value)
}

/// Elements weighted by numbers that may be infinite where the element is zero.
pub(super) fn weighted<F: Float, const R: usize, const C: usize>(
    elements: &SMatrix<F, R, C>,
    factor: impl Fn(usize) -> F,
) -> SMatrix<F, R, C> {
    let mut at = 0;
    elements.map(|element| {
        at += 1;
        strong(element, factor(at - 1))
    })
}

/// Their sum.
pub(super) fn sum_of<F: Float, const R: usize, const C: usize>(
    elements: &SMatrix<F, R, C>,
    factor: impl Fn(usize) -> F,
) -> F {
    let parts = elements.iter().enumerate();
    parts.fold(F::zero(), |sum, (at, element)| sum + strong(*element, factor(at)))
}

/// The unit matrix of an element.
pub(super) fn unit<F: Float, const R: usize, const C: usize>(at: usize) -> SMatrix<F, R, C> {
    let mut unit = SMatrix::zeros();
    unit[at] = F::one();
    unit
}

/// One if it holds, and zero if it does not.
pub(super) fn choice<F: Float>(holds: bool) -> F {
    if holds { F::one() } else { F::zero() }
}

/// The derivative of an absolute value: that at 0 is 0.
pub(super) fn sign<F: Float>(of: F) -> F {
    choice::<F>(of > F::zero()) - choice(of < F::zero())
}
