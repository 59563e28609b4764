//! Functions that do the same to each element: a float is the same one for all elements.

use crate::operator::strong;
use std::marker::PhantomData;
use std::ops::Mul;

/// A value that is made of elements.
pub trait Whole<F>: Sized {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them.
    fn element(&self, at: usize) -> F;
    /// A value of this shape with other elements.
    fn with(&self, elements: impl FnMut(usize) -> F) -> Self;
}

/// An argument of a function whose result is made of elements: it has as many itself, or is a float.
pub trait Elements<F, R: Whole<F>>: Sized {
    /// The one that belongs to an element of the result.
    fn element_at(&self, at: usize) -> F;
    /// A value whose elements contribute what is given to a result of this shape.
    fn gathered(result: &R, elements: impl FnMut(usize) -> F) -> Self;
}

impl<F, R: Whole<F>> Elements<F, R> for R {
    #[inline]
    fn element_at(&self, at: usize) -> F {
        self.element(at)
    }
    #[inline]
    fn gathered(result: &R, elements: impl FnMut(usize) -> F) -> Self {
        result.with(elements)
    }
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl<R: Whole<$float>> Elements<$float, R> for $float {
            #[inline]
            fn element_at(&self, _: usize) -> $float {
                *self
            }
            #[inline]
            fn gathered(result: &R, elements: impl FnMut(usize) -> $float) -> Self {
                (0..result.count()).map(elements).sum()
            }
        }
    )*};
}

floats! { f64 f32 }

/// The elements of an argument of a function with a result.
#[derive(Debug)]
pub struct Of<'v, A, F, R> {
    value: &'v A,
    of: PhantomData<fn(R) -> F>,
}

impl<F, R: Whole<F>, A: Elements<F, R>> Of<'_, A, F, R> {
    /// One of them.
    #[inline]
    pub fn at(&self, at: usize) -> F {
        self.value.element_at(at)
    }
}

/// The elements of an argument of a function with a result.
#[inline]
pub fn of<'v, F, R: Whole<F>, A: Elements<F, R>>(value: &'v A, _: &R) -> Of<'v, A, F, R> {
    Of { value, of: PhantomData }
}

/// What an argument gets of a weight, by the partials of all elements. A partial that is infinite or undefined counts as zero where
/// the weight is zero.
#[inline]
pub fn pulled<F, A: Elements<F, R>, R: Whole<F>>(weight: &R, partial: impl Fn(usize) -> F) -> A
where
    F: PartialEq + Default + Mul<Output = F>,
{
    A::gathered(weight, |at| strong(weight.element(at), partial(at)))
}

/// What a direction of an argument contributes to the tangent of a result.
#[inline]
pub fn pushed<F, A: Elements<F, R>, R: Whole<F>>(
    direction: &A,
    result: &R,
    partial: impl Fn(usize) -> F,
) -> R
where
    F: PartialEq + Default + Mul<Output = F>,
{
    result.with(|at| strong(direction.element_at(at), partial(at)))
}
