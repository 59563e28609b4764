//! Functions that do the same to each element: a float is the same one for all elements.

use crate::operator::strong;
use std::ops::{Add, Mul};

/// The elements of a value, or as many times the same float.
pub trait Elements<F, const N: usize>: Copy {
    /// The elements.
    fn elements(self) -> [F; N];
    /// A value whose elements contribute what is given.
    fn gathered(elements: [F; N]) -> Self;
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl<const N: usize> Elements<$float, N> for $float {
            #[inline]
            fn elements(self) -> [$float; N] {
                [self; N]
            }
            #[inline]
            fn gathered(elements: [$float; N]) -> Self {
                elements.into_iter().sum()
            }
        }
    )*};
}

floats! { f64 f32 }

/// The elements of an argument of a function with a result.
#[inline]
pub fn of<F, const N: usize, A: Elements<F, N>, R: Elements<F, N>>(value: A, _: R) -> [F; N] {
    value.elements()
}

/// What an argument gets of a weight, by the partials of all elements. A partial that is infinite or undefined counts as zero where
/// the weight is zero.
#[inline]
pub fn pulled<F, const N: usize, A: Elements<F, N>, R: Elements<F, N>>(
    weight: R,
    partial: impl Fn(usize) -> F,
) -> A
where
    F: Copy + PartialEq + Default + Mul<Output = F>,
{
    let weights = weight.elements();
    A::gathered(std::array::from_fn(|at| strong(weights[at], partial(at))))
}

/// What a direction of an argument contributes to the tangent of a result.
#[inline]
pub fn pushed<F, const N: usize, A: Elements<F, N>, R: Elements<F, N>>(
    direction: A,
    partial: impl Fn(usize) -> F,
) -> R
where
    F: Copy + PartialEq + Default + Mul<Output = F> + Add<Output = F>,
{
    let directions = direction.elements();
    R::gathered(std::array::from_fn(|at| strong(directions[at], partial(at))))
}
