//! What values of these types are: their bars are of their own types.

use super::Float;
use crate::direct::Has;
use crate::proof::sealed::SealedList;
use crate::rules::check::{Random, Sample};
use crate::rules::each::Whole;
use crate::rules::{Spread, number};
use crate::{Differentiable, List, Stack, Storable, Unchanging, Vector};
use nalgebra::SMatrix;

impl<F: Float, const R: usize, const C: usize> Vector for SMatrix<F, R, C> {
    #[inline]
    fn set_zero(&mut self) {
        self.fill(F::zero());
    }
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        *self += other;
    }
    fn inner(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| a.inner(b)).sum()
    }
    fn write_flat(&self, flat: &mut Vec<f64>) {
        self.iter().for_each(|element| element.write_flat(flat));
    }
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        self.iter_mut().fold(flat, |flat, element| element.read_flat(flat))
    }
}

impl<F: Float, const R: usize, const C: usize> Differentiable for SMatrix<F, R, C> {
    type Bar = Self;
    #[inline]
    fn zero_bar(&self) -> Self {
        Self::zeros()
    }
    #[inline]
    fn common_zero_bar() -> Option<Self> {
        Some(Self::zeros())
    }
}

impl<F: Float, const R: usize, const C: usize> Storable for SMatrix<F, R, C> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        self.data.0.store(stack);
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        <[[F; R]; C]>::load(stack).into()
    }
    #[inline]
    fn placeholder() -> Self {
        Self::zeros()
    }
    const WORDS: Option<usize> = <[[F; R]; C]>::WORDS;
    #[inline]
    fn to_words(&self, words: &mut [u64]) {
        self.data.0.to_words(words);
    }
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        <[[F; R]; C]>::from_words(words).into()
    }
}

impl<F: Float, const R: usize, const C: usize> Whole<F> for SMatrix<F, R, C> {
    #[inline]
    fn count(&self) -> usize {
        R * C
    }
    #[inline]
    fn element(&self, at: usize) -> F {
        self[at]
    }
    #[inline]
    fn with(&self, mut elements: impl FnMut(usize) -> F) -> Self {
        let mut at = 0;
        self.map(|_| {
            at += 1;
            elements(at - 1)
        })
    }
}

impl<F: Float, const R: usize, const C: usize> Unchanging for SMatrix<F, R, C> {}

impl<F: Float, D, const R: usize, const C: usize> Spread<D> for SMatrix<F, R, C> {
    type Tangents = Self;
}

impl<F: Float, const R: usize, const C: usize> Sample for SMatrix<F, R, C> {
    fn sample(random: &mut Random) -> Self {
        Self::from_fn(|_, _| F::sample(random))
    }
}

// An index finds an element, column by column.
impl<F: Float, const R: usize, const C: usize> List for SMatrix<F, R, C> {}
impl<F: Float, const R: usize, const C: usize> SealedList for SMatrix<F, R, C> {}

/// Fields that are reached by way of `Deref`, which finds the same.
macro_rules! fields {
    ($($rows:literal $columns:literal: $($field:ident)*;)*) => {$(
        $(impl<F: Float> Has<{ number(stringify!($field)) }> for SMatrix<F, $rows, $columns> {})*
    )*};
}

fields! {
    1 1: x;
    2 1: x y;
    3 1: x y z;
    4 1: x y z w;
    5 1: x y z w a;
    6 1: x y z w a b;
    1 2: x y;
    1 3: x y z;
    1 4: x y z w;
    1 5: x y z w a;
    1 6: x y z w a b;
    2 2: m11 m21 m12 m22;
    2 3: m11 m21 m12 m22 m13 m23;
    2 4: m11 m21 m12 m22 m13 m23 m14 m24;
    3 2: m11 m21 m31 m12 m22 m32;
    3 3: m11 m21 m31 m12 m22 m32 m13 m23 m33;
    3 4: m11 m21 m31 m12 m22 m32 m13 m23 m33 m14 m24 m34;
    4 2: m11 m21 m31 m41 m12 m22 m32 m42;
    4 3: m11 m21 m31 m41 m12 m22 m32 m42 m13 m23 m33 m43;
    4 4: m11 m21 m31 m41 m12 m22 m32 m42 m13 m23 m33 m43 m14 m24 m34 m44;
}
