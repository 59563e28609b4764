//! What functions and their derivatives return.

use crate::Failure;
use std::error::Error;

/// What a function may return: a value, or an `Option` or a `Result` of one.
///
/// The error of a `Result` is anything that goes into a `Box<dyn Error + Send + Sync>`: errors, texts, and such boxes.
pub trait Outcome {
    /// What there is if the function does not fail.
    type Value;

    /// The value, or the error as a [`Failure`].
    fn outcome(self) -> Result<Self::Value, Failure>;
}

impl<T> Outcome for Option<T> {
    type Value = T;

    fn outcome(self) -> Result<T, Failure> {
        self.ok_or(Failure::Nothing)
    }
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> Outcome for Result<T, E> {
    type Value = T;

    fn outcome(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::Function(error.into()))
    }
}

/// Numbers in a row: those of a gradient, of residuals, of a matrix.
///
/// The parts of a tuple follow each other, as the gradients of several parameters do: a function of `(&[f64], f64)` is one of a list that
/// ends with the second parameter.
///
/// ```
/// use backsweep::adjoint;
/// use backsweep_optim::{Numbers, Objective};
///
/// assert_eq!(([1.0, 2.0], 3.0).into_list(), [1.0, 2.0, 3.0]);
///
/// #[adjoint]
/// fn distance(at: &[f64], time: f64) -> f64 {
///     (at[0] - time) * (at[0] - time) + at[1] * at[1]
/// }
///
/// let objective =
///     Objective::new(|x| distance(&x[..2], x[2]), |x| distance::gradient(&x[..2], x[2]));
/// assert_eq!(objective.gradient(&[1.0, 2.0, 3.0]).expect("a gradient"), [-4.0, 4.0, 4.0]);
/// ```
pub trait Numbers {
    /// Puts the numbers at the end of a list.
    fn append(self, to: &mut Vec<f64>);

    /// The numbers as a list.
    fn into_list(self) -> Vec<f64>
    where
        Self: Sized,
    {
        let mut list = Vec::new();
        self.append(&mut list);
        list
    }
}

impl Numbers for f64 {
    fn append(self, to: &mut Vec<f64>) {
        to.push(self);
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn append(self, to: &mut Vec<f64>) {
        to.reserve(self.len());
        self.into_iter().for_each(|part| part.append(to));
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn append(self, to: &mut Vec<f64>) {
        to.reserve(N);
        self.into_iter().for_each(|part| part.append(to));
    }
}

/// What is neither an `Option` nor a `Result` does not fail.
macro_rules! certain {
    ($([$($parameters:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($parameters)*> Outcome for $type {
            type Value = Self;

            fn outcome(self) -> Result<Self, Failure> {
                Ok(self)
            }
        }
    )*};
}

/// Tuples of numbers.
macro_rules! tuples {
    ($($($part:ident)*;)*) => {$(
        impl<$($part: Numbers),*> Numbers for ($($part,)*) {
            fn append(self, to: &mut Vec<f64>) {
                #[expect(non_snake_case, reason = "the parts are called as their types")]
                let ($($part,)*) = self;
                $($part.append(to);)*
            }
        }

        certain! { [$($part),*] ($($part,)*) }
    )*};
}

certain! { [] (), [] f64, [T] Vec<T>, [T, const N: usize] [T; N] }

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
