//! What the bars of operands get, element by element, in the logical order of elements whatever the order in which they are stored. An
//! operand that is smaller than the result is repeated along some axes, and its bar gets the sums along these.

use super::Float;
use super::types::check;
use crate::operator::strong;
use ndarray::{Array, ArrayRef, ArrayView, Axis, Dimension, Zip};

/// Elements of a weight times partials of an operand of its shape.
pub(super) fn add<F: Float, D: Dimension>(
    bar: &mut Array<F, D>,
    weight: &Array<F, D>,
    at: &Array<F, D>,
    partial: impl Fn(F) -> F,
) {
    check(bar, weight);
    Zip::from(bar).and(weight).and(at).for_each(|bar, &weight, &at| {
        *bar += strong(weight, partial(at));
    });
}

/// The sum of these.
pub(super) fn sum<F: Float, D: Dimension>(
    weight: &Array<F, D>,
    at: &Array<F, D>,
    partial: impl Fn(F) -> F,
) -> F {
    let parts = Zip::from(weight).and(at);
    parts.fold(F::zero(), |sum, &weight, &at| sum + strong(weight, partial(at)))
}

/// What a direction contributes to a result of its shape.
pub(super) fn pushed<F: Float, D: Dimension>(
    direction: &Array<F, D>,
    at: &Array<F, D>,
    partial: impl Fn(F) -> F,
) -> Array<F, D> {
    Zip::from(direction).and(at).map_collect(|&direction, &at| strong(direction, partial(at)))
}

/// An operand as large as the result.
pub(super) fn repeated<'a, F, D: Dimension, R: Dimension>(
    operand: &'a ArrayRef<F, D>,
    result: &ArrayRef<F, R>,
) -> ArrayView<'a, F, R> {
    operand.broadcast(result.raw_dim()).expect("an operand has a shape that fits")
}

/// Adds what a weight contributes, element by element, to the bar of an operand that may be smaller.
pub(super) fn gather<F: Float, D: Dimension, R: Dimension>(
    bar: &mut Array<F, D>,
    value: &Array<F, D>,
    weight: &Array<F, R>,
    part: impl Fn(F) -> F,
) {
    check(bar, value);
    if bar.shape() == weight.shape() {
        bar.zip_mut_with(weight, |bar, weight| *bar += part(*weight));
        return;
    }
    let mut sums = weight.mapv(part).into_dyn();
    while sums.ndim() > bar.ndim() {
        sums = sums.sum_axis(Axis(0));
    }
    for axis in (0..bar.ndim()).map(Axis) {
        if bar.len_of(axis) == 1 && sums.len_of(axis) != 1 {
            sums = sums.sum_axis(axis).insert_axis(axis);
        }
    }
    assert_eq!(bar.shape(), sums.shape(), "a bar has the shape of its value");
    bar.zip_mut_with(&sums, |bar, part| *bar += *part);
}

/// Two operands, with the weight of the result.
pub(super) struct Operands<'a, F, D: Dimension, E: Dimension, R: Dimension> {
    left: &'a Array<F, D>,
    right: &'a Array<F, E>,
    weight: &'a Array<F, R>,
}

/// Two operands, with the weight of the result, or with what has its shape.
pub(super) fn of<'a, F, D: Dimension, E: Dimension, R: Dimension>(
    left: &'a Array<F, D>,
    right: &'a Array<F, E>,
    weight: &'a Array<F, R>,
) -> Operands<'a, F, D, E, R> {
    Operands { left, right, weight }
}

impl<F: Float, D: Dimension, E: Dimension, R: Dimension> Operands<'_, F, D, E, R> {
    /// Adds to the bar of an operand, by the partials of both.
    pub(super) fn add<B: Dimension>(
        &self,
        bar: &mut Array<F, B>,
        value: &Array<F, B>,
        partial: impl Fn(F, F) -> F,
    ) {
        let weight = self.weight;
        let (left, right) = (repeated(self.left, weight), repeated(self.right, weight));
        if bar.shape() != weight.shape() {
            let parts = Zip::from(weight).and(&left).and(&right);
            let part = parts.map_collect(|&w, &left, &right| strong(w, partial(left, right)));
            gather(bar, value, &part, |part| part);
            return;
        }
        check(bar, value);
        let bar = bar.view_mut().into_dimensionality::<R>().expect("it is as large");
        Zip::from(bar).and(weight).and(&left).and(&right).for_each(|bar, &w, &left, &right| {
            *bar += strong(w, partial(left, right));
        });
    }

    /// What a direction of an operand contributes to the tangent, of which the weight has the shape.
    pub(super) fn pushed<B: Dimension>(
        &self,
        direction: &Array<F, B>,
        partial: impl Fn(F, F) -> F,
    ) -> Array<F, R> {
        let result = self.weight;
        let direction = repeated(direction, result);
        let (left, right) = (repeated(self.left, result), repeated(self.right, result));
        let parts = Zip::from(&direction).and(&left).and(&right);
        parts.map_collect(|&d, &left, &right| strong(d, partial(left, right)))
    }
}
