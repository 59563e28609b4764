//! Elements by several indices, `m[(i, j)]` and `m[[i, j]]`: generated code reads and writes them by methods.

use super::Float;
use crate::method::{Is, Method, Returned};
use crate::{
    Along, ByExclusive, Differentiable, IndexedBy, IndexedMutBy, Marker, Seed, Slot, Stack, Vector,
};
use ndarray::{Array, Dimension, Ix2, Ix3};
use std::marker::PhantomData;
use std::ops::IndexMut;

/// The functions of one kind of indices.
macro_rules! indices {
    ($($module:ident: $by:ty, $dim:ident;
        $get:ident $get_mut:ident $set:ident $method:ident $repeatable:ident $forward:ident $backward:ident $backwards:ident $tangent:ident $tangents:ident;)*) => {
        $(mod $module {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<F: Float> Array<F, $dim> {
                    check F = f64;
                    check F = f32;

                    fn $get, $get_mut(&self, at: $by) -> F = self[at] {
                        self: |bar, w| bar[at] += *w, |d| d[at];
                        at: passive;
                    }
                }
            }

            impl<F: Float> IndexedBy<$by> for Array<F, $dim> {}
            impl<F: Float> IndexedMutBy<$by> for Array<F, $dim> {}
        })*

        $crate::rules::indexed::indexed! {
            $($by: $get $get_mut $set $method $repeatable $forward $backward $backwards $tangent $tangents;)*
        }

        /// All rules of them.
        #[cfg(feature = "rule-checks")]
        pub(super) fn all() -> Vec<crate::rules::check::Checked> {
            [$($module::table()),*].concat()
        }
    };
}

indices! {
    tuple_usize_usize: (usize, usize), Ix2;
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
    array_usize_2: [usize; 2], Ix2;
        __index_array_usize_2
        __index_mut_array_usize_2
        __index_set_array_usize_2
        ____index_set_array_usize_2_method
        ____index_set_array_usize_2_repeatable_of
        ____index_set_array_usize_2_forward_of
        ____index_set_array_usize_2_backward_of
        ____index_set_array_usize_2_backwards_of
        ____index_set_array_usize_2_tangent_of
        ____index_set_array_usize_2_tangents_of;
    tuple_usize_usize_usize: (usize, usize, usize), Ix3;
        __index_tuple_usize_usize_usize
        __index_mut_tuple_usize_usize_usize
        __index_set_tuple_usize_usize_usize
        ____index_set_tuple_usize_usize_usize_method
        ____index_set_tuple_usize_usize_usize_repeatable_of
        ____index_set_tuple_usize_usize_usize_forward_of
        ____index_set_tuple_usize_usize_usize_backward_of
        ____index_set_tuple_usize_usize_usize_backwards_of
        ____index_set_tuple_usize_usize_usize_tangent_of
        ____index_set_tuple_usize_usize_usize_tangents_of;
    array_usize_3: [usize; 3], Ix3;
        __index_array_usize_3
        __index_mut_array_usize_3
        __index_set_array_usize_3
        ____index_set_array_usize_3_method
        ____index_set_array_usize_3_repeatable_of
        ____index_set_array_usize_3_forward_of
        ____index_set_array_usize_3_backward_of
        ____index_set_array_usize_3_backwards_of
        ____index_set_array_usize_3_tangent_of
        ____index_set_array_usize_3_tangents_of;
}

impl<F: Float, D: Dimension> Indexed for Array<F, D> {
    type Element = F;
}
