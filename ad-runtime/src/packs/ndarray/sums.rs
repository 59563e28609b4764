//! Sums, products and moments, of all elements or along an axis.

use super::Float;
use super::types::{check, number};
use crate::operator::strong;
use ndarray::{
    Array, ArrayRef, ArrayView1, ArrayViewMut1, Axis, Dimension, RemoveAxis, Slice, Zip,
};

/// Adds a function of each element to its bar.
fn add<F: Float, D: Dimension>(bar: &mut Array<F, D>, at: &Array<F, D>, part: impl Fn(F) -> F) {
    check(bar, at);
    bar.zip_mut_with(at, |bar, at| *bar += part(*at));
}

/// Adds to all lines along an axis.
fn add_along<F: Float, D: RemoveAxis>(
    bar: &mut Array<F, D>,
    value: &Array<F, D>,
    axis: Axis,
    weight: &Array<F, D::Smaller>,
) {
    check(bar, value);
    match bar.stride_of(axis) {
        1 => Zip::from(bar.lanes_mut(axis)).and(weight).for_each(|mut bar, &weight| bar += weight),
        _ => bar.axis_iter_mut(axis).for_each(|mut bar| bar += weight),
    }
}

/// The derivative of a product of numbers with respect to each, without a division.
fn others<F: Float>(numbers: impl Iterator<Item = F>) -> Vec<F> {
    let numbers: Vec<F> = numbers.collect();
    let mut product = F::one();
    let mut others: Vec<F> = Vec::with_capacity(numbers.len());
    for number in &numbers {
        others.push(product);
        product *= *number;
    }
    let mut product = F::one();
    for (other, number) in others.iter_mut().zip(&numbers).rev() {
        *other *= product;
        product *= *number;
    }
    others
}

/// The mean of some numbers.
fn mean<F: Float>(numbers: impl Iterator<Item = F>, count: usize) -> F {
    numbers.fold(F::zero(), |sum, number| sum + number) / number(count as f64)
}

/// Of so many numbers, how many are free.
fn freedom<F: Float>(count: usize, ddof: F) -> F {
    number::<F>(count as f64) - ddof
}

fn twice<F: Float>(x: F) -> F {
    x + x
}

fn half<F: Float>(x: F) -> F {
    x / twice(F::one())
}

fn inner<F: Float, D: Dimension>(a: &Array<F, D>, b: &Array<F, D>) -> F {
    Zip::from(a).and(b).fold(F::zero(), |sum, &a, &b| sum + strong(a, b))
}

/// The inner product of deviations from the mean with a direction.
fn covariance<F: Float, D: Dimension>(numbers: &ArrayRef<F, D>, direction: &ArrayRef<F, D>) -> F {
    let mean = mean(numbers.iter().copied(), numbers.len());
    Zip::from(numbers).and(direction).fold(F::zero(), |sum, &x, &d| sum + (x - mean) * d)
}

/// Those of the lines along an axis.
fn covariances<F: Float, D: RemoveAxis>(
    numbers: &Array<F, D>,
    direction: &Array<F, D>,
    axis: Axis,
) -> Array<F, D::Smaller> {
    Zip::from(numbers.lanes(axis))
        .and(direction.lanes(axis))
        .map_collect(|numbers, direction| covariance(&numbers, &direction))
}

/// Adds multiples of the deviations from the means along an axis.
fn deviate<F: Float, D: RemoveAxis>(
    bar: &mut Array<F, D>,
    numbers: &Array<F, D>,
    axis: Axis,
    by: &Array<F, D::Smaller>,
) {
    check(bar, numbers);
    let lines = Zip::from(bar.lanes_mut(axis)).and(numbers.lanes(axis)).and(by);
    lines.for_each(|mut bar, numbers, &by| {
        let mean = mean(numbers.iter().copied(), numbers.len());
        bar.zip_mut_with(&numbers, |bar, number| *bar += strong(by, *number - mean));
    });
}

/// Adds to the bars along a line of cumulative products.
fn pull_products<F: Float>(
    mut bar: ArrayViewMut1<'_, F>,
    at: ArrayView1<'_, F>,
    products: ArrayView1<'_, F>,
    weight: ArrayView1<'_, F>,
) {
    let mut of_product = F::zero();
    for i in (0..at.len()).rev() {
        let later = if i + 1 < at.len() { strong(of_product, at[i + 1]) } else { F::zero() };
        of_product = weight[i] + later;
        let before = if i > 0 { products[i - 1] } else { F::one() };
        bar[i] += strong(of_product, before);
    }
}

/// Makes directions along a line the tangents of its cumulative products.
fn push_products<F: Float>(
    mut direction: ArrayViewMut1<'_, F>,
    at: ArrayView1<'_, F>,
    products: ArrayView1<'_, F>,
) {
    for i in 1..at.len() {
        direction[i] = direction[i - 1] * at[i] + products[i - 1] * direction[i];
    }
}

/// What differences between neighbours along an axis contribute to what they are taken of.
fn pull_differences<F: Float, D: Dimension>(
    weight: &Array<F, D>,
    order: usize,
    axis: Axis,
) -> Array<F, D> {
    let mut weight = weight.clone();
    for _ in 0..order {
        let mut shape = weight.raw_dim();
        shape[axis.index()] += 1;
        let mut before = Array::zeros(shape);
        let mut heads = before.slice_axis_mut(axis, Slice::from(..-1));
        heads -= &weight;
        let mut tails = before.slice_axis_mut(axis, Slice::from(1..));
        tails += &weight;
        weight = before;
    }
    weight
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, D: Dimension + 'static> Array<F, D> {
        check F = f64, D = ndarray::Ix1;
        check F = f64, D = ndarray::Ix2;
        check F = f32, D = ndarray::Ix2;

        fn sum(&self) -> F = self.sum() {
            self: |bar, w| { check(bar, self); *bar += *w }, |d| d.sum();
        }
        fn mean(&self) -> Option<F> = self.mean() {
            self: |bar, w| { check(bar, self); *bar += *w / number(self.len() as f64) }, |d| d.sum() / number(self.len() as f64);
        }
        fn product(&self) -> F = self.product() {
            self: |bar, w| {
                      check(bar, self);
                      let others = others(self.iter().copied());
                      bar.iter_mut().zip(others).for_each(|(bar, other)| *bar += *w * other);
                  },
                  |d| d.iter().zip(others(self.iter().copied())).fold(F::zero(), |sum, (d, other)| sum + *d * other);
        }
        fn var(&self, ddof: F) -> F = self.var(ddof) {
            self: |bar, w| {
                      let (mean, by) = (mean(self.iter().copied(), self.len()), twice(*w) / freedom(self.len(), ddof));
                      add(bar, self, |at| (at - mean) * by);
                  },
                  |d| twice(covariance(self, &d)) / freedom(self.len(), ddof);
            ddof: |bar, w| *bar += *w * *result / freedom(self.len(), ddof), |d| d * *result / freedom(self.len(), ddof);
        }
        fn std(&self, ddof: F) -> F = self.std(ddof) {
            self: |bar, w| {
                      let (mean, by) = (mean(self.iter().copied(), self.len()), *w / *result / freedom(self.len(), ddof));
                      add(bar, self, |at| (at - mean) * by);
                  },
                  |d| covariance(self, &d) / *result / freedom(self.len(), ddof);
            ddof: |bar, w| *bar += *w * half(*result) / freedom(self.len(), ddof), |d| d * half(*result) / freedom(self.len(), ddof);
        }
    }

    impl<F: Float, D: RemoveAxis + 'static> Array<F, D>
    where
        D::Smaller: 'static
    {
        check F = f64, D = ndarray::Ix2;
        check F = f32, D = ndarray::Ix2;

        fn sum_axis(&self, axis: Axis) -> Array<F, D::Smaller> = self.sum_axis(axis) {
            self: |bar, w| add_along(bar, self, axis, w), |d| d.sum_axis(axis);
            axis: passive;
        }
        fn mean_axis(&self, axis: Axis) -> Option<Array<F, D::Smaller>> = self.mean_axis(axis) {
            self: |bar, w| add_along(bar, self, axis, &(w / number::<F>(self.len_of(axis) as f64))),
                  |d| d.sum_axis(axis) / number::<F>(self.len_of(axis) as f64);
            axis: passive;
        }
        fn product_axis(&self, axis: Axis) -> Array<F, D::Smaller> = self.product_axis(axis) {
            self: |bar, w| {
                      check(bar, self);
                      Zip::from(bar.lanes_mut(axis)).and(self.lanes(axis)).and(w).for_each(|mut bar, at, w| {
                          let others = others(at.iter().copied());
                          bar.iter_mut().zip(others).for_each(|(bar, other)| *bar += strong(*w, other));
                      });
                  },
                  |d| Zip::from(d.lanes(axis)).and(self.lanes(axis)).map_collect(|d, at| {
                      let others = others(at.iter().copied());
                      d.iter().zip(others).fold(F::zero(), |sum, (d, other)| sum + *d * other)
                  });
            axis: passive;
        }
        fn cumprod(&self, axis: Axis) -> Array<F, D> = self.cumprod(axis) {
            self: |bar, w| {
                      check(bar, self);
                      let lines = Zip::from(bar.lanes_mut(axis)).and(self.lanes(axis)).and(result.lanes(axis)).and(w.lanes(axis));
                      lines.for_each(pull_products);
                  },
                  |d| {
                      let mut tangent = d;
                      let lines = Zip::from(tangent.lanes_mut(axis)).and(self.lanes(axis)).and(result.lanes(axis));
                      lines.for_each(push_products);
                      tangent
                  };
            axis: passive;
        }
        fn var_axis(&self, axis: Axis, ddof: F) -> Array<F, D::Smaller> = self.var_axis(axis, ddof) {
            self: |bar, w| {
                      let by = freedom(self.len_of(axis), ddof);
                      deviate(bar, self, axis, &w.mapv(|w| twice(w) / by));
                  },
                  |d| covariances(self, &d, axis).mapv(|sum| twice(sum) / freedom(self.len_of(axis), ddof));
            axis: passive;
            ddof: |bar, w| *bar += inner(w, result) / freedom(self.len_of(axis), ddof),
                  |d| result.mapv(|var| d * var / freedom(self.len_of(axis), ddof));
        }
        fn std_axis(&self, axis: Axis, ddof: F) -> Array<F, D::Smaller> = self.std_axis(axis, ddof) {
            self: |bar, w| {
                      let by = freedom(self.len_of(axis), ddof);
                      let by = Zip::from(w).and(result).map_collect(|&w, &std| strong(w, (std * by).recip()));
                      deviate(bar, self, axis, &by);
                  },
                  |d| covariances(self, &d, axis) / result / freedom(self.len_of(axis), ddof);
            axis: passive;
            ddof: |bar, w| *bar += half(inner(w, result)) / freedom(self.len_of(axis), ddof),
                  |d| result.mapv(|std| d * half(std) / freedom(self.len_of(axis), ddof));
        }
        fn diff(&self, n: usize, axis: Axis) -> Array<F, D> = self.diff(n, axis) {
            self: |bar, w| {
                      let part = pull_differences(w, n, axis);
                      check(bar, &part);
                      *bar += &part;
                  },
                  |d| d.diff(n, axis);
            n: passive;
            axis: passive;
        }
    }
}
