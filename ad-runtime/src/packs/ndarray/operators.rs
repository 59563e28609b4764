//! Operators: elements that belong together, where an operand that is smaller is repeated.

use super::Float;
use super::parts::{add, gather, of, pushed, repeated, sum};
use ndarray::{Array, Dimension, Ix1, Ix2};
use std::ops::Neg;

ad_macros::rules! {
    crate = crate;

    impl<F: Float, D: Dimension + 'static> Array<F, D>
    where
        for<'a> &'a F: Neg<Output = F>
    {
        check F = f64, D = Ix1;
        check F = f64, D = Ix2;
        check F = f32, D = Ix2;

        op Neg(&self) -> Array<F, D> { self: |bar, w| add(bar, w, w, |_| -F::one()), |d| -d; }
    }

    impl<F: Float, D: Dimension + 'static> Array<F, D> {
        check F = f64, D = Ix1;
        check F = f64, D = Ix2;
        check F = f32, D = Ix2;

        op Add, AddAssign(&self, value b: F) -> Array<F, D> {
            self: same;
            b: |bar, w| *bar += w.sum(), |d| Array::from_elem(result.raw_dim(), d);
        }
        op Sub, SubAssign(&self, value b: F) -> Array<F, D> {
            self: same;
            b: |bar, w| *bar -= w.sum(), |d| Array::from_elem(result.raw_dim(), -d);
        }
        op Mul, MulAssign(&self, value b: F) -> Array<F, D> {
            self: |bar, w| add(bar, w, w, |_| b), |d| d * b;
            b: |bar, w| *bar += sum(w, self, |at| at), |d| self * d;
        }
        op Div, DivAssign(&self, value b: F) -> Array<F, D> {
            self: |bar, w| add(bar, w, w, |_| F::one() / b), |d| pushed(&d, &d, |_| F::one() / b);
            b: |bar, w| *bar -= sum(w, self, |at| at / b / b), |d| self.mapv(|at| -(at / b) * (d / b));
        }
        op Rem, RemAssign(&self, value b: F) -> Array<F, D> {
            self: same;
            b: |bar, w| *bar += sum(w, self, |at| quotient(at, b)), |d| self.mapv(|at| quotient(at, b) * d);
        }
    }
}

/// The derivative of a remainder with respect to what is divided by.
fn quotient<F: Float>(a: F, b: F) -> F {
    -((a - a % b) / b).round()
}

/// Those of two arrays, of one number of dimensions or of others.
macro_rules! of_arrays {
    ($($module:ident: [$($params:tt)*] $left:ty, $right:ty => $output:ty;
        [$($add:tt)*] [$($sub:tt)*] [$($mul:tt)*] [$($div:tt)*] [$($rem:tt)*] $([$($check:tt)*])*)*) => {
        $(mod $module {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<$($params)*> $left {
                    $(check $($check)*;)*

                    op $($add)*(&self, b: &$right) -> $output {
                        self: same |bar, w| gather(bar, self, w, |w| w), |d| repeated(&d, result).into_owned();
                        b: |bar, w| gather(bar, b, w, |w| w), |d| repeated(&d, result).into_owned();
                    }
                    op $($sub)*(&self, b: &$right) -> $output {
                        self: same |bar, w| gather(bar, self, w, |w| w), |d| repeated(&d, result).into_owned();
                        b: |bar, w| gather(bar, b, w, |w| -w), |d| repeated(&d, result).mapv(|d| -d);
                    }
                    op $($mul)*(&self, b: &$right) -> $output {
                        self: |bar, w| of(self, b, w).add(bar, self, |_, b| b), |d| of(self, b, result).pushed(&d, |_, b| b);
                        b: |bar, w| of(self, b, w).add(bar, b, |a, _| a), |d| of(self, b, result).pushed(&d, |a, _| a);
                    }
                    op $($div)*(&self, b: &$right) -> $output {
                        self: |bar, w| of(self, b, w).add(bar, self, |_, b| F::one() / b),
                              |d| of(self, b, result).pushed(&d, |_, b| F::one() / b);
                        b: |bar, w| of(self, b, w).add(bar, b, |a, b| -(a / b / b)),
                           |d| of(self, b, result).pushed(&d, |a, b| -(a / b / b));
                    }
                    op $($rem)*(&self, b: &$right) -> $output {
                        self: same |bar, w| gather(bar, self, w, |w| w), |d| repeated(&d, result).into_owned();
                        b: |bar, w| of(self, b, w).add(bar, b, quotient), |d| of(self, b, result).pushed(&d, quotient);
                    }
                }
            }
        })*

        #[cfg(feature = "rule-checks")]
        fn of_arrays() -> Vec<crate::rules::check::Checked> {
            [$($module::table()),*].concat()
        }
    };
}

of_arrays! {
    alike: [F: Float, D: Dimension + 'static] Array<F, D>, Array<F, D> => Array<F, D>;
        [Add, &AddAssign] [Sub, &SubAssign] [Mul, &MulAssign] [Div, &DivAssign] [Rem, &RemAssign]
        [F = f64, D = Ix1] [F = f64, D = Ix2] [F = f32, D = Ix2]
    with_rows: [F: Float] Array<F, Ix2>, Array<F, Ix1> => Array<F, Ix2>;
        [Add, &AddAssign] [Sub, &SubAssign] [Mul, &MulAssign] [Div, &DivAssign] [Rem, &RemAssign]
        [F = f64] [F = f32]
    of_rows: [F: Float] Array<F, Ix1>, Array<F, Ix2> => Array<F, Ix2>;
        [Add] [Sub] [Mul] [Div] [Rem]
        [F = f64] [F = f32]
}

/// Those of floats and arrays.
macro_rules! of_floats {
    ($($module:ident: $float:ty;)*) => {
        $(mod $module {
            use super::*;

            ad_macros::rules! {
                crate = crate;

                impl<D: Dimension + 'static> $float {
                    check D = Ix1;
                    check D = Ix2;

                    op Add(value self, b: &Array<$float, D>) -> Array<$float, D> {
                        self: |bar, w| *bar += w.sum(), |d| Array::from_elem(result.raw_dim(), d);
                        b: same;
                    }
                    op Sub(value self, b: &Array<$float, D>) -> Array<$float, D> {
                        self: |bar, w| *bar += w.sum(), |d| Array::from_elem(result.raw_dim(), d);
                        b: |bar, w| gather(bar, b, w, |w| -w), |d| -d;
                    }
                    op Mul(value self, b: &Array<$float, D>) -> Array<$float, D> {
                        self: |bar, w| *bar += sum(w, b, |at| at), |d| b * d;
                        b: |bar, w| add(bar, w, b, |_| self), |d| d * self;
                    }
                    op Div(value self, b: &Array<$float, D>) -> Array<$float, D> {
                        self: |bar, w| *bar += sum(w, b, |at| 1.0 / at), |d| b.mapv(|at| d / at);
                        b: |bar, w| add(bar, w, b, |at| -(self / at / at)), |d| pushed(&d, b, |at| -(self / at / at));
                    }
                    op Rem(value self, b: &Array<$float, D>) -> Array<$float, D> {
                        self: |bar, w| *bar += w.sum(), |d| Array::from_elem(result.raw_dim(), d);
                        b: |bar, w| add(bar, w, b, |at| quotient(self, at)), |d| pushed(&d, b, |at| quotient(self, at));
                    }
                }
            }
        })*

        /// All rules of operators.
        #[cfg(feature = "rule-checks")]
        pub(super) fn all() -> Vec<crate::rules::check::Checked> {
            [table(), of_arrays(), $($module::table()),*].concat()
        }
    };
}

of_floats! { double: f64; single: f32; }
