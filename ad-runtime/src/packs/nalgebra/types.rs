//! What values of these types are: their bars are of their own types.

use super::Float;
use crate::direct::Has;
use crate::proof::sealed::SealedList;
use crate::rules::check::{Random, Sample};
use crate::rules::each::Whole;
use crate::rules::vectors::vectors;
use crate::rules::{Spread, number};
use crate::{Differentiable, List, Placeholder, Stack, Storable, Unchanging};
use nalgebra::{Dim, Matrix, SMatrix, StorageMut};

vectors! { [F: Float, const R: usize, const C: usize] SMatrix<F, R, C>: One; }

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

impl<F: Float, const R: usize, const C: usize> Placeholder for SMatrix<F, R, C> {
    #[inline]
    fn placeholder() -> Self {
        Self::zeros()
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
        let mut sample = Self::from_fn(|_, _| F::sample(random));
        if R == C && random.half() {
            dominated_by_diagonal(&mut sample);
        }
        sample
    }
}

// An index finds an element, column by column.
impl<F: Float, const R: usize, const C: usize> List for SMatrix<F, R, C> {
    #[inline]
    fn length(&self) -> usize {
        R * C
    }
}
impl<F: Float, const R: usize, const C: usize> SealedList for SMatrix<F, R, C> {}

/// Makes a matrix positive definite, as far as its symmetric part is concerned: factorizations need such.
pub(super) fn dominated_by_diagonal<F: Float, R: Dim, C: Dim, S: StorageMut<F, R, C>>(
    matrix: &mut Matrix<F, R, C, S>,
) {
    let size = super::floats::number::<F>(2.0 * matrix.nrows() as f64);
    for at in 0..matrix.nrows().min(matrix.ncols()) {
        let diagonal = &mut matrix[(at, at)];
        *diagonal = diagonal.abs() + size;
    }
}

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
