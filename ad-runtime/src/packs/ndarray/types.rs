//! What values of these types are: their bars are of their own types.

use crate::differentiable::without_floats;
use crate::proof::sealed::SealedList;
use crate::rules::check::{Random, Sample};
use crate::rules::vectors::vectors;
use crate::rules::{Discrete, Spread, Tried};
use crate::storable::moved;
use crate::{Differentiable, List, Placeholder, ShapeDigest, Stack, Storable, Unchanging, Vector};
use ndarray::{Array, Axis, Dimension, Ix1, NdFloat, ShapeBuilder};
use num_traits::FromPrimitive;

/// `f64` or `f32`.
pub trait Float:
    NdFloat
    + FromPrimitive
    + Default
    + Differentiable<Bar = Self>
    + Vector
    + Storable
    + Placeholder
    + Unchanging
    + Sample
{
}

impl Float for f64 {}
impl Float for f32 {}

/// A number, rounded.
pub(super) fn number<F: Float>(value: f64) -> F {
    F::from(value).expect("floats of all kinds have it, rounded")
}

/// One if it holds, and zero if it does not.
pub(super) fn choice<F: Float>(holds: bool) -> F {
    if holds { F::one() } else { F::zero() }
}

/// Panics unless a bar has the shape of its value. Where the shapes differ ndarray would repeat elements.
#[track_caller]
pub(super) fn check<F, D: Dimension>(bar: &Array<F, D>, value: &Array<F, D>) {
    assert_eq!(bar.shape(), value.shape(), "a bar has the shape of its value");
}

vectors! { [F: Float, D: Dimension] Array<F, D>: Several; }

impl<F: Float, D: Dimension> Differentiable for Array<F, D> {
    type Bar = Self;
    fn zero_bar(&self) -> Self {
        Self::zeros(self.raw_dim())
    }
    fn any_bar() -> Option<Self> {
        Some(Self::default(D::default()))
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        self.digest_shape(digest);
    }
}

moved! {
    [F: Float, D: Dimension + 'static] Array<F, D>:
        |array| array.len() * size_of::<F>(), Self::default(D::default());
}

impl<F: Float, D: Dimension> Unchanging for Array<F, D> {}

impl<F: Float, C, D: Dimension> Spread<C> for Array<F, D> {
    type Tangents = Self;
}

/// Three rows, also such that are stored by columns.
impl<F: Float, D: Dimension + 'static> Sample for Array<F, D> {
    fn sample(random: &mut Random) -> Self {
        let mut shape = D::default();
        shape.as_array_view_mut().fill(3);
        let is_by_columns = usize::sample(random) == 1;
        Self::zeros(shape.set_f(is_by_columns)).map(|_: &F| F::sample(random))
    }
}

// An index finds an element.
impl<F: Float> List for Array<F, Ix1> {
    #[inline]
    fn length(&self) -> usize {
        self.len()
    }
}
impl<F: Float> SealedList for Array<F, Ix1> {}

/// Those of a matrix.
impl Discrete for Axis {}

impl Tried for Axis {
    fn some(word: usize) -> Self {
        Axis(word % 2)
    }
}

without_floats! { [] Axis: |axis| *axis, Axis(0); }

impl Storable for Axis {
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        self.index().store(stack);
    }
    fn load(stack: &mut Stack) -> Self {
        Self(usize::load(stack))
    }
}

impl Placeholder for Axis {
    fn placeholder() -> Self {
        Self(0)
    }
}

impl Unchanging for Axis {}
