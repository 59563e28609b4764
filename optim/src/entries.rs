//! The functions of a point that solvers are made of.

use crate::{Failure, Numbers, Outcome};

/// A function with one number as its result, such as a function that `#[adjoint]` is on: `|x| f(x, &data)`.
///
/// Closures `Fn(&[f64]) -> f64` are such functions, and those that return an `Option` or a `Result` of a number.
pub trait ValueFn {
    /// The value at a point.
    fn value(&self, x: &[f64]) -> Result<f64, Failure>;
}

/// A function with a value and the gradient as its result, such as `|x| f::gradient(x, &data)`.
///
/// Closures are such functions whose result is a tuple of a number and [`Numbers`], or an `Option` or a `Result` of that.
pub trait GradientFn {
    /// The value at a point, and the gradient.
    fn gradient(&self, x: &[f64]) -> Result<(f64, Vec<f64>), Failure>;
}

/// A function with a list as its result, such as residuals and `|x| f::jacobian(x, &data)`.
///
/// Closures are such functions whose result is [`Numbers`], or an `Option` or a `Result` of that.
pub trait ListFn {
    /// The list at a point.
    fn list(&self, x: &[f64]) -> Result<Vec<f64>, Failure>;
}

impl<F, R> ValueFn for F
where
    F: Fn(&[f64]) -> R,
    R: Outcome<Value = f64>,
{
    fn value(&self, x: &[f64]) -> Result<f64, Failure> {
        self(x).outcome()
    }
}

impl<F, R, D> GradientFn for F
where
    F: Fn(&[f64]) -> R,
    R: Outcome<Value = (f64, D)>,
    D: Numbers,
{
    fn gradient(&self, x: &[f64]) -> Result<(f64, Vec<f64>), Failure> {
        let (value, gradient) = self(x).outcome()?;
        Ok((value, gradient.into_list()))
    }
}

impl<F, R> ListFn for F
where
    F: Fn(&[f64]) -> R,
    R: Outcome,
    R::Value: Numbers,
{
    fn list(&self, x: &[f64]) -> Result<Vec<f64>, Failure> {
        Ok(self(x).outcome()?.into_list())
    }
}
