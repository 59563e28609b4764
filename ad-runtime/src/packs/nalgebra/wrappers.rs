//! Types that wrap vectors or matrices. Their bars are of their own types, and hold numbers that are free: that of a rotation is none.

use super::Float;
use crate::direct::Has;
use crate::proof::sealed::SealedList;
use crate::rules::check::{Random, Sample};
use crate::rules::{Spread, number};
use crate::{
    Differentiable, List, Placeholder, ShapeDigest, Shapes, Stack, Storable, Unchanging, Vector,
};
use nalgebra::*;

/// A type that wraps another one: what is wrapped, and how to wrap it.
macro_rules! wrappers {
    ($(
        [$($params:tt)*] $ty:ty: $inner:ty, |$value:ident| $unwrapped:expr, |$wrapped:ident| $wrapper:expr, $sampled:expr;
    )*) => {$(
        impl<$($params)*> Vector for $ty {
            const SHAPES: Shapes = Shapes::One;
            #[inline]
            fn digest_shape(&self, _: &mut ShapeDigest) {}
            #[inline]
            fn set_zero(&mut self) {
                *self = Self::placeholder();
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                let unwrapped = |$value: &Self| -> $inner { $unwrapped };
                let $wrapped = unwrapped(self) + unwrapped(other);
                *self = $wrapper;
            }
            fn inner(&self, other: &Self) -> f64 {
                let unwrapped = |$value: &Self| -> $inner { $unwrapped };
                unwrapped(self).inner(&unwrapped(other))
            }
            fn write_flat(&self, flat: &mut Vec<f64>) {
                let $value = self;
                $unwrapped.write_flat(flat);
            }
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                let mut $wrapped: $inner = Placeholder::placeholder();
                let rest = $wrapped.read_flat(flat);
                *self = $wrapper;
                rest
            }
        }

        impl<$($params)*> Differentiable for $ty {
            type Bar = Self;
            #[inline]
            fn zero_bar(&self) -> Self {
                Self::placeholder()
            }
            #[inline]
            fn common_zero_bar() -> Option<Self> {
                Some(Self::placeholder())
            }
        }

        impl<$($params)*> Storable for $ty {
            #[inline]
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                let $value = &self;
                $unwrapped.store(stack);
            }
            #[inline]
            fn load(stack: &mut Stack) -> Self {
                let $wrapped = <$inner>::load(stack);
                $wrapper
            }
            const WORDS: Option<usize> = <$inner>::WORDS;
            #[inline]
            fn to_words(&self, words: &mut [u64]) {
                let $value = self;
                $unwrapped.to_words(words);
            }
            #[inline]
            fn from_words(words: &[u64]) -> Self {
                let $wrapped = <$inner>::from_words(words);
                $wrapper
            }
        }

        impl<$($params)*> Placeholder for $ty {
            // All numbers are zero, also those of rotations.
            #[inline]
            fn placeholder() -> Self {
                let $wrapped = <$inner>::placeholder();
                $wrapper
            }
        }

        impl<$($params)*> Unchanging for $ty {}

        impl<__Directions, $($params)*> Spread<__Directions> for $ty {
            type Tangents = Self;
        }

        impl<$($params)*> Sample for $ty {
            fn sample(random: &mut Random) -> Self {
                let sampled: fn($inner) -> $inner = $sampled;
                let $wrapped = sampled(Sample::sample(random));
                $wrapper
            }
        }
    )*};
}

wrappers! {
    [F: Float, const N: usize] Point<F, N>: SVector<F, N>, |p| p.coords, |v| Point::from(v), |v| v;
    [F: Float, const N: usize] Translation<F, N>: SVector<F, N>, |t| t.vector, |v| Translation::from(v), |v| v;
    [F: Float] Quaternion<F>: SVector<F, 4>, |q| q.coords, |v| Quaternion::from(v), |v| v;
    [F: Float] UnitQuaternion<F>: SVector<F, 4>, |q| q.as_ref().coords, |v| Unit::new_unchecked(Quaternion::from(v)), |v| v.normalize();
    [F: Float] UnitComplex<F>: SVector<F, 2>, |z| Vector2::new(z.as_ref().re, z.as_ref().im), |v| Unit::new_unchecked(Complex::new(v.x, v.y)), |v| v.normalize();
    [F: Float, const N: usize] Unit<SVector<F, N>>: SVector<F, N>, |u| u.into_inner(), |v| Unit::new_unchecked(v), |v| v.normalize();
    // What is checked there holds of all matrices, but the angle needs a small trace.
    [F: Float, const N: usize] Rotation<F, N>: SMatrix<F, N, N>, |r| r.into_inner(), |m| Rotation::from_matrix_unchecked(m), |m| m * super::floats::number::<F>(0.5);
}

// An index finds an element.
impl<F: Float, const N: usize> List for Point<F, N> {
    #[inline]
    fn length(&self) -> usize {
        N
    }
}
impl<F: Float, const N: usize> SealedList for Point<F, N> {}
impl<F: Float> List for Quaternion<F> {
    #[inline]
    fn length(&self) -> usize {
        4
    }
}
impl<F: Float> SealedList for Quaternion<F> {}

/// Fields, also those that are reached by way of `Deref`, which finds the same. Of two ways to one number there is only one here, `p.x` and
/// not `p.coords.x`: generated code takes them for two.
macro_rules! fields {
    (@[$($params:tt)*] $ty:ty, $field:ident) => {
        impl<$($params)*> Has<{ number(stringify!($field)) }> for $ty {}
    };
    ($($params:tt $ty:ty: $($field:ident)*;)*) => {$(
        $(fields! { @$params $ty, $field })*
    )*};
}

fields! {
    [F: Float] Point<F, 1>: x;
    [F: Float] Point<F, 2>: x y;
    [F: Float] Point<F, 3>: x y z;
    [F: Float] Point<F, 4>: x y z w;
    [F: Float, const N: usize] Translation<F, N>: vector;
    [F: Float] Quaternion<F>: i j k w;
}
