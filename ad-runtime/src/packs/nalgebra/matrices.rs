//! Matrices of any shape, vectors among them, and square ones.

use super::Float;
use super::factorizations::cofactors;
use super::floats::{choice, number, sign, sum_of, unit, weighted};
use nalgebra::*;

/// One for the element that was found, which is the first of that value.
fn found<F: Float, const R: usize, const C: usize>(
    of: &SMatrix<F, R, C>,
    value: impl Fn(F) -> F,
    result: F,
) -> SMatrix<F, R, C> {
    let at = of.iter().position(|element| value(*element) == result);
    if R * C == 0 { SMatrix::zeros() } else { unit(at.unwrap_or(0)) }
}

/// The product of all elements but one, for each.
fn products_of_others<F: Float, const R: usize, const C: usize>(
    of: &SMatrix<F, R, C>,
) -> SMatrix<F, R, C> {
    let but = |at: usize| {
        let others = of.iter().enumerate().filter(|(other, _)| *other != at);
        others.fold(F::one(), |product, (_, element)| product * *element)
    };
    SMatrix::from_fn(|i, j| but(i + j * R))
}

/// The column whose sum of absolute values is the largest: their signs, and zeros elsewhere.
fn signs_of_largest<F: Float, const R: usize, const C: usize>(
    of: &SMatrix<F, R, C>,
    result: F,
) -> SMatrix<F, R, C> {
    let sum = |j: usize| (0..R).fold(F::zero(), |sum, i| sum + of[(i, j)].abs());
    let largest = (0..C).find(|j| sum(*j) == result);
    SMatrix::from_fn(|i, j| choice::<F>(Some(j) == largest) * sign(of[(i, j)]))
}

fn magnitude<F: Float>(of: F) -> F {
    of.abs()
}

/// The derivative of a norm by an element.
fn slope_of_norm<F: Float>(element: F, p: i32, norm: F) -> F {
    (element.abs() / norm).powi(p - 1) * sign(element)
}

/// A quarter turn from the first vector to the second, in their plane, over the length of the first.
fn turn<F: Float, const R: usize, const C: usize>(
    from: &SMatrix<F, R, C>,
    to: &SMatrix<F, R, C>,
) -> SMatrix<F, R, C> {
    let (a, b) = (from.norm(), to.norm());
    if a == F::zero() || b == F::zero() {
        return SMatrix::zeros();
    }
    let cosine = from.dot(to) / (a * b);
    if cosine > F::one() || cosine < -F::one() {
        return SMatrix::zeros();
    }
    let sine = ((F::one() - cosine) * (F::one() + cosine)).sqrt();
    (to / b - from * (cosine / a)) / (sine * a)
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float, const R: usize, const C: usize> SMatrix<F, R, C> {
        check F = f64, R = 3, C = 2;
        check F = f32, R = 2, C = 2;
        check F = f64, R = 3, C = 1;

        op Neg(&self) -> SMatrix<F, R, C> { self: |w| -w, |d| -d; }
        op Add, AddAssign(&self, b: &SMatrix<F, R, C>) -> SMatrix<F, R, C> { self: same; b: same; }
        op Sub, SubAssign(&self, b: &SMatrix<F, R, C>) -> SMatrix<F, R, C> { self: same; b: |w| -w, |d| -d; }
        op Mul, MulAssign(self, value b: F) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |_| b), |d| weighted(&d, |_| b);
            b: |w| sum_of(&w, |at| self[at]), |d| self * d;
        }
        op Div, DivAssign(self, value b: F) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |_| F::one() / b), |d| weighted(&d, |_| F::one() / b);
            b: |w| -sum_of(&w, |at| result[at] / b), |d| *result * -(d / b);
        }

        fn scale(&self, b: F) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |_| b), |d| weighted(&d, |_| b);
            b: |w| sum_of(&w, |at| self[at]), |d| self * d;
        }
        fn unscale(&self, b: F) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |_| F::one() / b), |d| weighted(&d, |_| F::one() / b);
            b: |w| -sum_of(&w, |at| result[at] / b), |d| *result * -(d / b);
        }
        fn add_scalar(&self, b: F) -> SMatrix<F, R, C> {
            self: |w| w, |d| d;
            b: |w| w.sum(), |d| SMatrix::repeat(d);
        }
        fn component_mul(&self, b: &SMatrix<F, R, C>) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |at| b[at]), |d| weighted(&d, |at| b[at]);
            b: |w| weighted(&w, |at| self[at]), |d| weighted(&d, |at| self[at]);
        }
        fn component_div(&self, b: &SMatrix<F, R, C>) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |at| F::one() / b[at]), |d| weighted(&d, |at| F::one() / b[at]);
            b: |w| weighted(&w, |at| -(result[at] / b[at])), |d| weighted(&d, |at| -(result[at] / b[at]));
        }
        // To the operand that is returned.
        fn inf(&self, b: &SMatrix<F, R, C>) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |at| choice(self[at] < b[at])), |d| weighted(&d, |at| choice(self[at] < b[at]));
            b: |w| weighted(&w, |at| choice(!(self[at] < b[at]))), |d| weighted(&d, |at| choice(!(self[at] < b[at])));
        }
        fn sup(&self, b: &SMatrix<F, R, C>) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |at| choice(self[at] > b[at])), |d| weighted(&d, |at| choice(self[at] > b[at]));
            b: |w| weighted(&w, |at| choice(!(self[at] > b[at]))), |d| weighted(&d, |at| choice(!(self[at] > b[at])));
        }
        // The derivative of |x| at 0 is 0.
        fn abs(&self) -> SMatrix<F, R, C> {
            self: |w| weighted(&w, |at| sign(self[at])), |d| weighted(&d, |at| sign(self[at]));
        }
        fn transpose, adjoint(&self) -> SMatrix<F, C, R> { self: |w| w.transpose(), |d| d.transpose(); }
        fn upper_triangle(&self) -> SMatrix<F, R, C> { self: |w| w.upper_triangle(), |d| d.upper_triangle(); }
        fn lower_triangle(&self) -> SMatrix<F, R, C> { self: |w| w.lower_triangle(), |d| d.lower_triangle(); }

        fn dot(&self, b: &SMatrix<F, R, C>) -> F {
            self: |w| b * w, |d| d.dot(b);
            b: |w| self * w, |d| self.dot(&d);
        }
        fn tr_dot(&self, b: &SMatrix<F, C, R>) -> F {
            self: |w| b.transpose() * w, |d| d.tr_dot(b);
            b: |w| self.transpose() * w, |d| self.tr_dot(&d);
        }
        fn norm, magnitude(&self) -> F { self: |w| self * (w / *result), |d| self.dot(&d) / *result; }
        fn norm_squared, magnitude_squared(&self) -> F { self: |w| self * (w + w), |d| { let d = self.dot(&d); d + d }; }
        fn metric_distance(&self, b: &SMatrix<F, R, C>) -> F {
            self: |w| (self - b) * (w / *result), |d| (self - b).dot(&d) / *result;
            b: |w| (b - self) * (w / *result), |d| (b - self).dot(&d) / *result;
        }
        fn lp_norm(&self, p: i32) -> F {
            self: |w| SMatrix::from_fn(|i, j| w * slope_of_norm(self[(i, j)], p, *result)),
                  |d| sum_of(&d, |at| slope_of_norm(self[at], p, *result));
            p: passive;
        }
        fn one_norm(&self) -> F {
            self: |w| signs_of_largest(self, *result) * w, |d| signs_of_largest(self, *result).dot(&d);
        }
        fn normalize(&self) -> SMatrix<F, R, C> {
            self: |w| (w - result * result.dot(&w)) / self.norm(),
                  |d| (d - result * result.dot(&d)) / self.norm();
        }
        // Where there is a result, it does not depend on what is too short.
        fn try_normalize(&self, min_norm: F) -> Option<SMatrix<F, R, C>> {
            self: |w| (w - result * result.dot(&w)) / self.norm(),
                  |d| (d - result * result.dot(&d)) / self.norm();
            min_norm: |_w| F::zero(), |_d| SMatrix::zeros();
        }
        fn cap_magnitude(&self, max: F) -> SMatrix<F, R, C> {
            self: |w| match self.norm() > max {
                      true => { let n = self.norm(); (w - self * (self.dot(&w) / (n * n))) * (max / n) }
                      false => w,
                  },
                  |d| match self.norm() > max {
                      true => { let n = self.norm(); (d - self * (self.dot(&d) / (n * n))) * (max / n) }
                      false => d,
                  };
            max: |w| match self.norm() > max { true => self.dot(&w) / self.norm(), false => F::zero() },
                 |d| match self.norm() > max { true => self * (d / self.norm()), false => SMatrix::zeros() };
        }
        fn angle(&self, b: &SMatrix<F, R, C>) -> F {
            self: |w| turn(self, b) * -w, |d| -turn(self, b).dot(&d);
            b: |w| turn(b, self) * -w, |d| -turn(b, self).dot(&d);
        }

        fn sum(&self) -> F { self: |w| SMatrix::repeat(w), |d| d.sum(); }
        fn product(&self) -> F {
            self: |w| products_of_others(self) * w, |d| products_of_others(self).dot(&d);
        }
        fn mean(&self) -> F { self: |w| SMatrix::repeat(w / number((R * C) as f64)), |d| d.mean(); }
        fn variance(&self) -> F {
            self: |w| self.add_scalar(-self.mean()) * (w * number(2.0 / (R * C) as f64)),
                  |d| self.add_scalar(-self.mean()).dot(&d) * number(2.0 / (R * C) as f64);
        }
        fn row_sum(&self) -> SMatrix<F, 1, C> { self: |w| SMatrix::from_fn(|_, j| w[j]), |d| d.row_sum(); }
        fn row_sum_tr(&self) -> SMatrix<F, C, 1> { self: |w| SMatrix::from_fn(|_, j| w[j]), |d| d.row_sum_tr(); }
        fn row_mean(&self) -> SMatrix<F, 1, C> {
            self: |w| SMatrix::from_fn(|_, j| w[j] / number(R as f64)), |d| d.row_mean();
        }
        fn column_sum(&self) -> SMatrix<F, R, 1> { self: |w| SMatrix::from_fn(|i, _| w[i]), |d| d.column_sum(); }
        fn column_mean(&self) -> SMatrix<F, R, 1> {
            self: |w| SMatrix::from_fn(|i, _| w[i] / number(C as f64)), |d| d.column_mean();
        }
        // To the element that is returned.
        fn max, min(&self) -> F { self: |w| found(self, |x| x, *result) * w, |d| found(self, |x| x, *result).dot(&d); }
        fn amax, amin(&self) -> F {
            self: |w| found(self, magnitude, *result).component_mul(&self.map(sign)) * w,
                  |d| found(self, magnitude, *result).component_mul(&self.map(sign)).dot(&d);
        }
    }

    impl<F: Float, const N: usize> SMatrix<F, N, N> {
        check F = f64, N = 3;
        check F = f32, N = 2;

        fn trace(&self) -> F { self: |w| SMatrix::from_diagonal_element(w), |d| d.trace(); }
        fn diagonal(&self) -> SVector<F, N> { self: |w| SMatrix::from_diagonal(&w), |d| d.diagonal(); }
        fn symmetric_part(&self) -> SMatrix<F, N, N> { self: |w| w.symmetric_part(), |d| d.symmetric_part(); }
    }

    impl<F: Float, const N: usize> SMatrix<F, N, N>
    where
        Const<N>: DimMin<Const<N>, Output = Const<N>>
    {
        check F = f64, N = 1;
        check F = f64, N = 2;
        check F = f64, N = 3;
        check F = f64, N = 4;
        check F = f64, N = 5;
        check F = f32, N = 3;

        fn determinant(&self) -> F { self: |w| cofactors(self) * w, |d| cofactors(self).dot(&d); }
    }
}
