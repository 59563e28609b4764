//! The problem of [levenberg-marquardt](https://docs.rs/levenberg-marquardt), with the feature `levenberg-marquardt`.
//!
//! ```
//! use backsweep::adjoint;
//! use backsweep_optim::Residuals;
//! use levenberg_marquardt::LevenbergMarquardt;
//!
//! #[adjoint(independents(p), dependents(return))]
//! fn left(p: &[f64], times: &[f64], measured: &[f64]) -> Vec<f64> {
//!     let model = times.iter().map(|t| p[0] * (-p[1] * t).exp());
//!     model.zip(measured).map(|(model, measured)| model - measured).collect()
//! }
//!
//! let times = [0.0, 1.0, 2.0, 3.0];
//! let measured = times.map(|t: f64| 3.0 * (-0.5 * t).exp());
//! let problem = Residuals::new(
//!     |p| left(p, &times, &measured),
//!     |p| left::jacobian(p, &times, &measured),
//! );
//! let (found, report) = LevenbergMarquardt::new().minimize(problem.starting_at([1.0, 1.0]));
//!
//! assert!(report.termination.was_successful());
//! assert!((found.parameters()[0] - 3.0).abs() < 1e-8);
//! assert!((found.parameters()[1] - 0.5).abs() < 1e-8);
//! ```

use crate::{Failure, List, ListFn, Residuals};
use ::levenberg_marquardt::LeastSquaresProblem;
use ::nalgebra::{DMatrix, DVector, Dyn, Owned};

/// [`Residuals`] at parameters: a `LeastSquaresProblem`, and what `minimize` returns.
///
/// Where a function fails, or a residual or a number of the Jacobian is not finite, the solver is told that there are no residuals or
/// no Jacobian, and ends with the reason `User`. The failure is kept for [`take_failure`](Self::take_failure).
///
/// ```
/// use backsweep_optim::{Failure, Residuals};
/// use levenberg_marquardt::{LevenbergMarquardt, TerminationReason};
///
/// let logarithms = |x: &[f64]| match x[0] {
///     x if x > 0.0 => Ok([x.ln() - 1.0, 2.0 * x.ln() - 1.0]),
///     x => Err(format!("{x} has no logarithm")),
/// };
/// let problem = Residuals::new(logarithms, |x| [1.0 / x[0], 2.0 / x[0]]).starting_at([-1.0]);
/// let (found, report) = LevenbergMarquardt::new().minimize(problem);
///
/// assert!(matches!(report.termination, TerminationReason::User(_)));
/// let failure = found.take_failure().expect("a failure");
/// assert_eq!(failure.to_string(), "-1 has no logarithm");
/// ```
#[derive(Clone, Debug)]
pub struct LeastSquares<R, J> {
    residuals: Residuals<R, J>,
    parameters: DVector<f64>,
}

impl<R, J, P> Residuals<R, J, P> {
    /// The problem of least squares that levenberg-marquardt solves, from parameters to start at.
    pub fn starting_at(self, parameters: impl Into<Vec<f64>>) -> LeastSquares<R, J> {
        let parameters = DVector::from_vec(parameters.into());
        LeastSquares { residuals: self.with_parameters(), parameters }
    }
}

impl<R, J> LeastSquares<R, J> {
    /// The parameters: those that were found, after `minimize`.
    pub fn parameters(&self) -> &[f64] {
        self.parameters.as_slice()
    }

    /// The residuals as functions of parameters.
    pub fn residuals(&self) -> &Residuals<R, J> {
        &self.residuals
    }

    /// Takes the first failure since this was last called.
    pub fn take_failure(&self) -> Option<Failure> {
        self.residuals.take_failure()
    }
}

impl<R: ListFn, J: ListFn> LeastSquaresProblem<f64, Dyn, Dyn> for LeastSquares<R, J> {
    type ParameterStorage = Owned<f64, Dyn>;
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        self.parameters.copy_from(x);
    }

    fn params(&self) -> DVector<f64> {
        self.parameters.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let found = self.residuals.residuals(self.parameters());
        self.residuals.or_keep(found).map(DVector::from_vec)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let columns = self.parameters.len();
        let found = self.residuals.jacobian(self.parameters()).and_then(|numbers| {
            // No residuals of no parameters: there is nothing to solve.
            let found = numbers.len();
            if columns == 0 {
                return Err(Failure::Length { of: List::Jacobian, expected: 1, found });
            }
            Ok(DMatrix::from_row_slice(found / columns, columns, &numbers))
        });
        self.residuals.or_keep(found)
    }
}
