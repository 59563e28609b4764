//! The density of [nuts-rs](https://docs.rs/nuts-rs), with the feature `nuts-rs`.
//!
//! ```
//! use backsweep::adjoint;
//! use backsweep_optim::Density;
//! use nuts_rs::rand::{SeedableRng, rngs::SmallRng};
//! use nuts_rs::{Chain, CpuMath, DiagNutsSettings, Settings};
//!
//! /// A normal distribution around the mean.
//! #[adjoint(independents(x), dependents(return))]
//! fn log_density(x: &[f64], mean: &[f64]) -> f64 {
//!     x.iter().zip(mean).map(|(x, mean)| -0.5 * (x - mean) * (x - mean)).sum()
//! }
//!
//! let mean = vec![1.0, -2.0];
//! let density = Density::new(2, |x, gradient| log_density::gradient_into(x, gradient, &mean));
//!
//! let settings = DiagNutsSettings { num_tune: 200, ..DiagNutsSettings::default() };
//! let mut rng = SmallRng::seed_from_u64(1);
//! let mut chain = settings.new_chain(0, CpuMath::new(density), &mut rng).expect("settings");
//! chain.set_position(&[0.0, 0.0]).expect("the density is finite at the start");
//! let draws: Vec<_> = (0..700).map(|_| chain.draw().expect("a draw").0).collect();
//! let average = draws[200..].iter().map(|x| x[0]).sum::<f64>() / 500.0;
//! assert!((average - 1.0).abs() < 0.3);
//! ```

use crate::{Failure, List, Outcome};
use ::nuts_rs::rand::Rng;
use ::nuts_rs::{CpuLogpFunc, CpuMathError, HasDims, LogpError};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;

/// The logarithm of a density, up to a constant, with its gradient: a `CpuLogpFunc`.
///
/// The closure overwrites all of the sampler's slice with the gradient, as the entry `gradient_into` does; what it does not write is NaN.
/// Nothing is kept: the sampler asks for both of each position once.
///
/// # Errors
///
/// The closure may return an `Option` or a `Result` of the value. An error of it ends sampling, unless
/// [`going_on_after`](Self::going_on_after) says otherwise; `None`, values that are not finite, minus infinity among them, and gradients that are
/// not finite are divergences, after which the sampler goes on.
#[derive(Clone, Copy, Debug)]
pub struct Density<F> {
    dimensions: usize,
    function: F,
    goes_on: fn(&Failure) -> bool,
}

/// Why there is no density at a position.
#[derive(Debug)]
pub struct DensityFailure {
    failure: Failure,
    goes_on: bool,
}

impl<F> Density<F> {
    /// A density of so many dimensions: `Density::new(n, |x, gradient| f::gradient_into(x, gradient, &data))`.
    pub const fn new<R>(dimensions: usize, function: F) -> Self
    where
        F: FnMut(&[f64], &mut [f64]) -> R,
        R: Outcome<Value = f64>,
    {
        Self { dimensions, function, goes_on: is_outside }
    }

    /// The density with another choice of failures after which the sampler goes on, as after a divergence.
    ///
    /// ```
    /// use backsweep_optim::Density;
    /// use nuts_rs::{CpuLogpFunc, LogpError};
    ///
    /// let mut density = Density::new(1, |x: &[f64], gradient: &mut [f64]| {
    ///     gradient[0] = 1.0 / x[0];
    ///     if x[0] > 0.0 { Ok(x[0].ln()) } else { Err("outside") }
    /// });
    /// let failure = density.logp(&[-1.0], &mut [0.0]).expect_err("no density");
    /// assert_eq!((failure.to_string(), failure.is_recoverable()), ("outside".to_owned(), false));
    ///
    /// let mut density = density.going_on_after(|_| true);
    /// let failure = density.logp(&[-1.0], &mut [0.0]).expect_err("no density");
    /// assert!(failure.is_recoverable());
    /// ```
    pub fn going_on_after(self, goes_on: fn(&Failure) -> bool) -> Self {
        Self { goes_on, ..self }
    }
}

/// Whether a position is one at which there is no density, and the function itself has not failed.
fn is_outside(failure: &Failure) -> bool {
    match failure {
        Failure::Nothing | Failure::Value(_) | Failure::NotFinite { .. } => true,
        Failure::Function(_) | Failure::Different { .. } | Failure::Length { .. } => false,
    }
}

impl<F, R> CpuLogpFunc for Density<F>
where
    F: FnMut(&[f64], &mut [f64]) -> R,
    R: Outcome<Value = f64>,
{
    type LogpError = DensityFailure;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.dimensions
    }

    fn logp(&mut self, position: &[f64], gradient: &mut [f64]) -> Result<f64, DensityFailure> {
        // What is not written is no gradient.
        gradient.fill(f64::NAN);
        let found = (self.function)(position, gradient).outcome().and_then(|value| {
            if !value.is_finite() {
                return Err(Failure::Value(value));
            }
            List::Gradient.check(gradient, position.len())?;
            Ok(value)
        });
        found.map_err(|failure| DensityFailure { goes_on: (self.goes_on)(&failure), failure })
    }

    fn expand_vector<G>(&mut self, _: &mut G, position: &[f64]) -> Result<Vec<f64>, CpuMathError>
    where
        G: Rng + ?Sized,
    {
        Ok(position.to_vec())
    }
}

/// What the dimension of positions is called in the sampler's records.
const DIMENSION: &str = "unconstrained_parameter";

impl<F> HasDims for Density<F> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        HashMap::from([(DIMENSION.to_owned(), self.dimensions as u64)])
    }
}

impl DensityFailure {
    /// What has failed.
    pub fn failure(&self) -> &Failure {
        &self.failure
    }
}

impl fmt::Display for DensityFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl Error for DensityFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.failure.source()
    }
}

impl LogpError for DensityFailure {
    fn is_recoverable(&self) -> bool {
        self.goes_on
    }
}
