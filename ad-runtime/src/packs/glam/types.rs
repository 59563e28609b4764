//! What values of these types are: their bars are of their own types.

use crate::differentiable::discrete;
use crate::direct::Has;
use crate::proof::sealed::SealedList;
use crate::rules::check::{Random, Sample, sample_floats};
use crate::rules::each::Whole;
use crate::rules::{Discrete, Spread, Tried, number};
use crate::{
    Differentiable, List, Placeholder, ShapeDigest, Shapes, Stack, Storable, Unchanging, Vector,
};
use glam::*;

/// A type that is made of so many floats.
macro_rules! types {
    ($($ty:ident: [$float:ident; $len:literal], $to:ident, $from:ident, {$($field:ident)*};)*) => {$(
        impl Vector for $ty {
            const SHAPES: Shapes = Shapes::One;
            #[inline]
            fn digest_shape(&self, _: &mut ShapeDigest) {}
            #[inline]
            fn set_zero(&mut self) {
                *self = $ty::$from(types!(@array $ty [0.0; $len]));
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                *self += *other;
            }
            fn inner(&self, other: &Self) -> f64 {
                self.$to().iter().zip(&other.$to()).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
            }
            fn write_flat(&self, flat: &mut Vec<f64>) {
                flat.extend(self.$to().map(f64::from));
            }
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                let mut elements = [0.0; $len];
                let rest = Vector::read_flat(&mut elements, flat);
                let elements = elements.map(|element: f64| element as $float);
                *self = $ty::$from(types!(@array $ty elements));
                rest
            }
        }

        impl Differentiable for $ty {
            type Bar = $ty;
            #[inline]
            fn zero_bar(&self) -> $ty {
                $ty::$from(types!(@array $ty [0.0; $len]))
            }
            #[inline]
            fn common_zero_bar() -> Option<$ty> {
                Some($ty::$from(types!(@array $ty [0.0; $len])))
            }
        }

        impl Storable for $ty {
            #[inline]
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                self.$to().store(stack);
            }
            #[inline]
            fn load(stack: &mut Stack) -> Self {
                $ty::$from(types!(@array $ty <[$float; $len]>::load(stack)))
            }
            const WORDS: Option<usize> = <[$float; $len]>::WORDS;
            #[inline]
            fn to_words(&self, words: &mut [u64]) {
                self.$to().to_words(words);
            }
            #[inline]
            fn from_words(words: &[u64]) -> Self {
                $ty::$from(types!(@array $ty <[$float; $len]>::from_words(words)))
            }
        }

        impl Placeholder for $ty {
            #[inline]
            fn placeholder() -> Self {
                $ty::$from(types!(@array $ty [0.0; $len]))
            }
        }

        impl Whole<$float> for $ty {
            #[inline]
            fn count(&self) -> usize {
                $len
            }
            #[inline]
            fn element(&self, at: usize) -> $float {
                self.$to()[at]
            }
            #[inline]
            fn with(&self, elements: impl FnMut(usize) -> $float) -> Self {
                $ty::$from(types!(@array $ty std::array::from_fn(elements)))
            }
        }

        impl Unchanging for $ty {}

        impl<D> Spread<D> for $ty {
            type Tangents = $ty;
        }

        impl Sample for $ty {
            fn sample(random: &mut Random) -> Self {
                types!(@sample $ty sample_floats(Self::placeholder(), random))
            }
        }

        // Of some types they are reached by way of `Deref`, which finds the same.
        $(impl Has<{ number(stringify!($field)) }> for $ty {})*
    )*};
    // Rules of rotations are right for all quaternions; where they interpolate, other formulas are used for those that are no rotations.
    (@sample DQuat $value:expr) => { $value.normalize() };
    (@sample Quat $value:expr) => { $value.normalize() };
    (@sample $ty:ident $value:expr) => { $value };
    // Matrices are made of references to arrays.
    (@array DMat2 $array:expr) => { &$array };
    (@array DMat3 $array:expr) => { &$array };
    (@array DMat4 $array:expr) => { &$array };
    (@array Mat2 $array:expr) => { &$array };
    (@array Mat3 $array:expr) => { &$array };
    (@array Mat4 $array:expr) => { &$array };
    (@array $ty:ident $array:expr) => { $array };
}

types! {
    DVec2: [f64; 2], to_array, from_array, { x y };
    DVec3: [f64; 3], to_array, from_array, { x y z };
    DVec4: [f64; 4], to_array, from_array, { x y z w };
    Vec2: [f32; 2], to_array, from_array, { x y };
    Vec3: [f32; 3], to_array, from_array, { x y z };
    Vec4: [f32; 4], to_array, from_array, { x y z w };
    DMat2: [f64; 4], to_cols_array, from_cols_array, { x_axis y_axis };
    DMat3: [f64; 9], to_cols_array, from_cols_array, { x_axis y_axis z_axis };
    DMat4: [f64; 16], to_cols_array, from_cols_array, { x_axis y_axis z_axis w_axis };
    Mat2: [f32; 4], to_cols_array, from_cols_array, { x_axis y_axis };
    Mat3: [f32; 9], to_cols_array, from_cols_array, { x_axis y_axis z_axis };
    Mat4: [f32; 16], to_cols_array, from_cols_array, { x_axis y_axis z_axis w_axis };
    DQuat: [f64; 4], to_array, from_array, { x y z w };
    Quat: [f32; 4], to_array, from_array, { x y z w };
}

/// Types of which an index finds an element.
macro_rules! indexed {
    ($($ty:ident)*) => {$(
        impl List for $ty {
            #[inline]
            fn length(&self) -> usize {
                Whole::count(self)
            }
        }
        impl SealedList for $ty {}
    )*};
}

indexed! { DVec2 DVec3 DVec4 Vec2 Vec3 Vec4 }

macro_rules! masks {
    ($($ty:ident: $len:literal;)*) => {$(
        impl Discrete for $ty {}

        impl Tried for $ty {
            fn some(bits: usize) -> Self {
                let mut mask = <$ty>::default();
                for at in 0..$len {
                    mask.set(at, bits >> at & 1 == 1);
                }
                mask
            }
        }

        impl Unchanging for $ty {}
    )*};
}

masks! { BVec2: 2; BVec3: 3; BVec4: 4; BVec4A: 4; }
discrete! { BVec2 BVec3 BVec4 BVec4A }
