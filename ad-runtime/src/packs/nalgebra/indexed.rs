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

crate::rules::indexed::indexed! {
    (usize, usize):
        __index_tuple_usize_usize
        __index_mut_tuple_usize_usize
        __index_set_tuple_usize_usize
        ____index_set_tuple_usize_usize_method
        ____index_set_tuple_usize_usize_repeatable_of
        ____index_set_tuple_usize_usize_forward_of
        ____index_set_tuple_usize_usize_backward_of
        ____index_set_tuple_usize_usize_backwards_of
        ____index_set_tuple_usize_usize_tangent_of
        ____index_set_tuple_usize_usize_tangents_of;
}

impl<F: Float, const R: usize, const C: usize> Indexed for SMatrix<F, R, C> {
    type Element = F;
}
