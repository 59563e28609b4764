//! [argmin](https://argmin-rs.org)'s traits, with the feature `argmin`.
//!
//! An [`Objective`] is a `CostFunction` and a `Gradient`, and with a Hessian a `Hessian`:
//!
//! ```
//! use argmin::core::{Error, Executor, State};
//! use argmin::solver::linesearch::MoreThuenteLineSearch;
//! use argmin::solver::quasinewton::LBFGS;
//! use backsweep::adjoint;
//! use backsweep_optim::Objective;
//!
//! #[adjoint(independents(x), dependents(return))]
//! fn rosenbrock(x: &[f64], weight: f64) -> f64 {
//!     let (along, across) = (1.0 - x[0], x[1] - x[0] * x[0]);
//!     along * along + weight * across * across
//! }
//!
//! # fn main() -> Result<(), Error> {
//! let problem = Objective::new(|x| rosenbrock(x, 100.0), |x| rosenbrock::gradient(x, 100.0));
//!
//! let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5);
//! let result = Executor::new(problem, solver)
//!     .configure(|state| state.param(vec![-1.2, 1.0]).max_iters(100))
//!     .run()?;
//! let x = result.state().get_best_param().expect("the solver has run");
//! assert!((x[0] - 1.0).abs() < 1e-6 && (x[1] - 1.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! [`Residuals`] are an `Operator` and a `Jacobian`, for Gauss and Newton's method, and `CostFunction` and `Gradient` of half the sum of their
//! squares.
//!
//! # Types
//!
//! | [`Parameters`] | gradient, residuals | Hessian, Jacobian | feature |
//! | --- | --- | --- | --- |
//! | `Vec<f64>` | `Vec<f64>` | `Vec<Vec<f64>>`, of rows | |
//! | `ndarray::Array1<f64>` | the same | `ndarray::Array2<f64>` | `ndarray` |
//! | `nalgebra::DVector<f64>` | the same | `nalgebra::DMatrix<f64>` | `nalgebra` |
//!
//! Others than `Vec` are chosen by `with_parameters`. The features turn on what argmin computes with them, too.
//!
#![cfg_attr(feature = "nalgebra", doc = "```")]
#![cfg_attr(not(feature = "nalgebra"), doc = "```ignore")]
//! use argmin::core::{Error, Executor, State};
//! use argmin::solver::newton::Newton;
//! use backsweep::adjoint;
//! use backsweep_optim::Objective;
//! use nalgebra::DVector;
//!
//! #[adjoint(second_order)]
//! fn bowl(x: &[f64]) -> f64 {
//!     x[0] * x[0] + x[0] * x[1] + 2.0 * x[1] * x[1] - x[0]
//! }
//!
//! # fn main() -> Result<(), Error> {
//! let problem = Objective::new(bowl, bowl::gradient)
//!     .with_hessian(bowl::hessian)
//!     .with_parameters::<DVector<f64>>();
//!
//! let result = Executor::new(problem, Newton::<f64>::new())
//!     .configure(|state| state.param(DVector::from_vec(vec![3.0, -5.0])).max_iters(1))
//!     .run()?;
//! let x = result.state().get_param().expect("the solver has run");
//! assert!((x - DVector::from_vec(vec![4.0 / 7.0, -1.0 / 7.0])).norm() < 1e-12);
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! A function that fails ends the solver with a [`Failure`] as its error, which displays and has the function's own:
//! `error.downcast_ref::<Failure>()`, and [`Failure::function`] of that. A value of infinity is passed on, so that line searches that need no
//! gradients step back from it; NaN, minus infinity and gradients that are not finite are failures. See [`Objective`].

use crate::{Failure, GradientFn, ListFn, Objective, Parameters, Residuals, ValueFn};
use ::argmin::core::{CostFunction, Error, Gradient, Hessian, Jacobian, Operator};

impl<V: ValueFn, G: GradientFn, H, P: Parameters> CostFunction for Objective<V, G, H, P> {
    type Param = P;
    type Output = f64;

    fn cost(&self, x: &P) -> Result<f64, Error> {
        Ok(self.value(&x.numbers())?)
    }
}

impl<V: ValueFn, G: GradientFn, H, P: Parameters> Gradient for Objective<V, G, H, P> {
    type Param = P;
    type Gradient = P;

    fn gradient(&self, x: &P) -> Result<P, Error> {
        Ok(P::from_numbers(self.gradient(&x.numbers())?))
    }
}

impl<V, G, H: ListFn, P: Parameters> Hessian for Objective<V, G, H, P> {
    type Param = P;
    type Hessian = P::Matrix;

    fn hessian(&self, x: &P) -> Result<P::Matrix, Error> {
        let x = x.numbers();
        Ok(P::matrix(x.len(), x.len(), self.hessian(&x)?))
    }
}

impl<R: ListFn, J, P: Parameters> Operator for Residuals<R, J, P> {
    type Param = P;
    type Output = P;

    fn apply(&self, x: &P) -> Result<P, Error> {
        Ok(P::from_numbers(self.residuals(&x.numbers())?))
    }
}

impl<R: ListFn, J: ListFn, P: Parameters> Jacobian for Residuals<R, J, P> {
    type Param = P;
    type Jacobian = P::Matrix;

    fn jacobian(&self, x: &P) -> Result<P::Matrix, Error> {
        let x = x.numbers();
        let jacobian = self.jacobian(&x)?;
        Ok(P::matrix(jacobian.len() / x.len().max(1), x.len(), jacobian))
    }
}

/// Half the sum of the squares.
impl<R: ListFn, J, P: Parameters> CostFunction for Residuals<R, J, P> {
    type Param = P;
    type Output = f64;

    fn cost(&self, x: &P) -> Result<f64, Error> {
        let residuals = self.residuals(&x.numbers())?;
        Ok(0.5 * residuals.iter().map(|residual| residual * residual).sum::<f64>())
    }
}

/// The product of the transposed Jacobian with the residuals.
impl<R: ListFn, J: ListFn, P: Parameters> Gradient for Residuals<R, J, P> {
    type Param = P;
    type Gradient = P;

    fn gradient(&self, x: &P) -> Result<P, Error> {
        let x = x.numbers();
        let (residuals, jacobian) = (self.residuals(&x)?, self.jacobian(&x)?);
        let mut gradient = vec![0.0; x.len()];
        for (residual, row) in residuals.iter().zip(jacobian.chunks(x.len().max(1))) {
            for (sum, derivative) in gradient.iter_mut().zip(row) {
                *sum += residual * derivative;
            }
        }
        Ok(P::from_numbers(gradient))
    }
}

/// argmin may run problems on several threads, and keeps errors that may be sent.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Objective<fn(&[f64]) -> f64, fn(&[f64]) -> (f64, Vec<f64>)>>();
    is_shared::<Residuals<fn(&[f64]) -> Vec<f64>, fn(&[f64]) -> Vec<f64>>>();
    is_shared::<Failure>();
};
