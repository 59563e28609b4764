//! Elements by rows and columns, `m[(i, j)]`: generated code reads and writes them by methods.

use super::Float;
use crate::method::{Is, Method, Returned};
use crate::{
    Along, ByExclusive, Differentiable, IndexedBy, IndexedMutBy, Marker, Seed, Slot, Stack, Vector,
};
use nalgebra::*;
use std::marker::PhantomData;
use std::ops::IndexMut;

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const R: usize, const C: usize> SMatrix<F, R, C> {
        check F = f64, R = 3, C = 2;
        check F = f32, R = 2, C = 2;

        fn __index_tuple_usize_usize, __index_mut_tuple_usize_usize(&self, at: (usize, usize)) -> F = self[at] {
            self: |bar, w| bar[at] += *w, |d| d[at];
            at: passive;
        }
    }
}

impl<F: Float, const R: usize, const C: usize> IndexedBy<(usize, usize)> for SMatrix<F, R, C> {}
impl<F: Float, const R: usize, const C: usize> IndexedMutBy<(usize, usize)> for SMatrix<F, R, C> {}

/// Types with such indices, and how their elements are read and written, as [`adjoint`](ad_macros::adjoint) has it of types of users.
#[doc(hidden)]
#[allow(clippy::too_many_arguments, reason = "the signatures of all sweeps")]
pub trait Indexed: Sized + IndexMut<(usize, usize), Output = Self::Element> {
    /// The type of the elements.
    type Element: Float;

    /// The value of `m[at]`.
    #[inline]
    fn __index_tuple_usize_usize(&self, at: (usize, usize)) -> Self::Element {
        self[at]
    }

    /// The same where it is written next.
    #[inline]
    fn __index_mut_tuple_usize_usize(&self, at: (usize, usize)) -> Self::Element {
        self[at]
    }

    /// `m[at] = value`.
    #[inline]
    fn __index_set_tuple_usize_usize(&mut self, at: (usize, usize), value: Self::Element) {
        self[at] = value;
    }

    /// How it takes `m`.
    fn ____index_set_tuple_usize_usize_method(&self) -> Method<Self, ByExclusive> {
        Method::new()
    }

    /// It may run twice.
    fn ____index_set_tuple_usize_usize_repeatable_of(
        &self,
        _: (usize, usize),
        _: Self::Element,
        _: Returned<()>,
    ) -> Is<true> {
        Is
    }

    /// The forward sweep.
    #[inline]
    fn ____index_set_tuple_usize_usize_forward_of<P: Marker, A: Marker, I, V: Marker>(
        &mut self,
        _: &mut Stack,
        _: P,
        _: A,
        at: (usize, usize),
        _: I,
        value: Self::Element,
        _: V,
    ) -> ((), ()) {
        self[at] = value;
        ((), ())
    }

    /// The backward sweep, of a bar: what was overwritten has none.
    #[inline]
    fn ____index_set_tuple_usize_usize_backward_of<P: Marker, A: Marker, I, V>(
        &mut self,
        _: &mut Stack,
        _: P,
        (): (),
        _: A,
        at: &(usize, usize),
        _: I,
        _: &Self::Element,
        mut value_bar: V,
        _: impl Seed<()>,
    ) where
        Self: Differentiable<Bar = Self>,
        V: Slot<Self::Element>,
    {
        if A::ON {
            let weight = std::mem::take(&mut self[*at]);
            if let Some(bar) = value_bar.bar() {
                bar.accumulate(&weight);
            }
        }
    }

    /// The backward sweep for several seeds, which there is none of.
    fn ____index_set_tuple_usize_usize_backwards_of<P, B, K, A, I, V, S>(
        &mut self,
        _: &mut Stack,
        _: P,
        _: B,
        _: K,
        _: A,
        _: &(usize, usize),
        _: I,
        _: &Self::Element,
        _: V,
        _: S,
    ) {
        const { panic!("{}", crate::rules::WITHOUT_SEEDS) }
    }

    /// The tangent.
    #[inline]
    fn ____index_set_tuple_usize_usize_tangent_of<A: Slot<Self>, I, V: Along<Self::Element>>(
        &mut self,
        mut direction: A,
        at: (usize, usize),
        _: I,
        value: Self::Element,
        value_direction: V,
    ) -> ((), ()) {
        self[at] = value;
        if let Some(direction) = direction.bar() {
            direction[at] = value_direction.direction().copied().unwrap_or_default();
        }
        ((), ())
    }

    /// The tangents in several directions, which there are none of.
    fn ____index_set_tuple_usize_usize_tangents_of<D, A, I, V>(
        &mut self,
        _: PhantomData<D>,
        _: A,
        _: (usize, usize),
        _: I,
        _: Self::Element,
        _: V,
    ) -> ((), ()) {
        const { panic!("{}", crate::rules::WITHOUT_DIRECTIONS) }
    }
}

impl<F: Float, const R: usize, const C: usize> Indexed for SMatrix<F, R, C> {
    type Element = F;
}
