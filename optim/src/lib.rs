#![doc = include_str!("../README.md")]

#[cfg(feature = "argmin")]
pub mod argmin;
mod entries;
mod failure;
pub mod ipopt;
#[cfg(feature = "levenberg-marquardt")]
pub mod levenberg_marquardt;
mod memo;
#[cfg(feature = "nuts-rs")]
pub mod nuts_rs;
mod objective;
mod ode;
mod outcome;
mod parameters;
mod residuals;
mod sparse;

pub use entries::{GradientFn, ListFn, ValueFn};
pub use failure::{Failure, List};
#[cfg(feature = "levenberg-marquardt")]
pub use levenberg_marquardt::LeastSquares;
#[cfg(feature = "nuts-rs")]
pub use nuts_rs::Density;
pub use objective::{NoHessian, Objective};
pub use ode::RightSide;
pub use outcome::{Numbers, Outcome};
pub use parameters::Parameters;
pub use residuals::Residuals;
pub use sparse::{Csc, Layout};
