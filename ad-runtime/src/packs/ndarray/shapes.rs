//! The same elements in another shape, and some of them. Where ndarray lends a view, the value is a copy.

use super::Float;
use super::types::check;
use crate::method::Lent;
use ndarray::{Array, ArrayView, Axis, CowArray, Dimension, Ix1, Ix2, RemoveAxis, ShapeBuilder};

/// A copy of a view that sums and products treat as they treat the view: the order in which ndarray adds depends on whether elements stand
/// next to each other.
fn copied<F: Float, D: Dimension>(view: ArrayView<'_, F, D>) -> Array<F, D> {
    if view.as_slice_memory_order().is_some() {
        return view.to_owned();
    }
    let mut strides = D::zeros(view.ndim());
    let mut len = 1;
    for axis in (0..view.ndim()).map(Axis) {
        strides[axis.index()] = match view.ndim() {
            1 => 2,
            _ => view.stride_of(axis).unsigned_abs(),
        };
        len += (view.len_of(axis) - 1) * strides[axis.index()];
    }
    let shape = view.raw_dim().strides(strides);
    let Ok(mut copy) = Array::from_shape_vec(shape, vec![F::zero(); len]) else {
        return view.to_owned();
    };
    for axis in (0..view.ndim()).map(Axis) {
        if view.stride_of(axis) < 0 {
            copy.invert_axis(axis);
        }
    }
    copy.assign(&view);
    copy
}

impl<F: Float, D: Dimension> Lent for ArrayView<'_, F, D> {
    type Copy = Array<F, D>;
    fn copied(self) -> Array<F, D> {
        copied(self)
    }
}

impl<F: Float, D: Dimension> Lent for CowArray<'_, F, D> {
    type Copy = Array<F, D>;
    fn copied(self) -> Array<F, D> {
        self.into_owned()
    }
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, D: Dimension + 'static> Array<F, D> {
        check F = f64, D = Ix1;
        check F = f64, D = Ix2;
        check F = f32, D = Ix2;

        fn len(&self) -> usize = self.len() { self: |bar, w| check(bar, self), |d| d.len(); }
        fn ndim(&self) -> usize = self.ndim() { self: |bar, w| check(bar, self), |d| d.ndim(); }
        fn to_owned(&self) -> Array<F, D> = self.to_owned() { self: same; }
        fn view(&self) -> Array<F, D> = copied(self.view()) { self: same; }
        fn into_owned(self) -> Array<F, D> = self { self: same; }
        fn t(&self) -> Array<F, D> = copied(self.t()) {
            self: |bar, w| { check(bar, self); bar.zip_mut_with(&w.t(), |bar, w| *bar += *w) }, |d| d.reversed_axes();
        }
        fn reversed_axes(self) -> Array<F, D> = self.reversed_axes() {
            self: |bar, w| { check(bar, &self); bar.zip_mut_with(&w.t(), |bar, w| *bar += *w) }, |d| d.reversed_axes();
        }
        fn diag(&self) -> Array<F, Ix1> = copied(self.diag()) {
            self: |bar, w| { check(bar, self); let mut bar = bar.diag_mut(); bar += w }, |d| d.into_diag();
        }
        fn into_diag(self) -> Array<F, Ix1> = self.into_diag() {
            self: |bar, w| { check(bar, &self); let mut bar = bar.diag_mut(); bar += w }, |d| d.into_diag();
        }
        fn triu(&self, k: isize) -> Array<F, D> = self.triu(k) {
            self: |bar, w| { check(bar, self); *bar += &w.triu(k) }, |d| d.triu(k);
            k: passive;
        }
        fn tril(&self, k: isize) -> Array<F, D> = self.tril(k) {
            self: |bar, w| { check(bar, self); *bar += &w.tril(k) }, |d| d.tril(k);
            k: passive;
        }
        // Row by row.
        fn flatten(&self) -> Array<F, Ix1> = self.flatten().into_owned() {
            self: |bar, w| { check(bar, self); bar.iter_mut().zip(w).for_each(|(bar, w)| *bar += *w) }, |d| d.flatten().into_owned();
        }
    }

    impl<F: Float, D: Dimension + 'static> Array<F, D>
    where
        D::Larger: 'static
    {
        check F = f64, D = Ix1;
        check F = f32, D = Ix2;

        fn insert_axis(self, axis: Axis) -> Array<F, D::Larger> = self.insert_axis(axis) {
            self: |bar, w| {
                      check(bar, &self);
                      bar.iter_mut().zip(w).for_each(|(bar, w)| *bar += *w)
                  },
                  |d| d.insert_axis(axis);
            axis: passive;
        }
    }

    impl<F: Float, D: RemoveAxis + 'static> Array<F, D>
    where
        D::Smaller: 'static
    {
        check F = f64, D = Ix2;
        check F = f32, D = Ix2;

        fn index_axis(&self, axis: Axis, at: usize) -> Array<F, D::Smaller> = copied(self.index_axis(axis, at)) {
            self: |bar, w| { check(bar, self); let mut bar = bar.index_axis_mut(axis, at); bar += w },
                  |d| d.index_axis_move(axis, at);
            axis: passive;
            at: passive;
        }
        fn index_axis_move(self, axis: Axis, at: usize) -> Array<F, D::Smaller> = self.index_axis_move(axis, at) {
            self: |bar, w| { check(bar, &self); let mut bar = bar.index_axis_mut(axis, at); bar += w },
                  |d| d.index_axis_move(axis, at);
            axis: passive;
            at: passive;
        }
    }

    impl<F: Float> Array<F, Ix1> {
        check F = f64;
        check F = f32;

        fn dim(&self) -> usize = self.dim() { self: |bar, w| check(bar, self), |d| d.dim(); }
        fn to_vec(&self) -> Vec<F> = self.to_vec() {
            self: |bar, w| { assert_eq!(bar.len(), w.len(), "a bar has the shape of its value"); bar.iter_mut().zip(w).for_each(|(bar, w)| *bar += *w) },
                  |d| d.to_vec();
        }
    }

    impl<F: Float> Array<F, Ix2> {
        check F = f64;
        check F = f32;

        fn nrows(&self) -> usize = self.nrows() { self: |bar, w| check(bar, self), |d| d.nrows(); }
        fn ncols(&self) -> usize = self.ncols() { self: |bar, w| check(bar, self), |d| d.ncols(); }
        fn dim(&self) -> (usize, usize) = self.dim() { self: |bar, w| check(bar, self), |d| d.dim(); }
        fn row(&self, i: usize) -> Array<F, Ix1> = copied(self.row(i)) {
            self: |bar, w| { check(bar, self); let mut bar = bar.row_mut(i); bar += w }, |d| d.row(i).to_owned();
            i: passive;
        }
        fn column(&self, j: usize) -> Array<F, Ix1> = copied(self.column(j)) {
            self: |bar, w| { check(bar, self); let mut bar = bar.column_mut(j); bar += w }, |d| d.column(j).to_owned();
            j: passive;
        }
    }
}
