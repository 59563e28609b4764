//! What becomes of a function that fails.

use std::error::Error;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Why there is no value, or no derivative, at a point.
///
/// An error of the function's own is kept as it is: it is displayed by its own words, and [`Failure::function`] gives it back.
///
/// ```
/// use backsweep_optim::{Failure, Objective};
///
/// let root = |x: &[f64]| if x[0] < 0.0 { Err("no root") } else { Ok(x[0].sqrt()) };
/// let slope = |x: &[f64]| root(x).map(|value| (value, [0.5 / value]));
/// let objective = Objective::new(root, slope);
/// assert_eq!(objective.value(&[4.0]).expect("a value"), 2.0);
/// assert_eq!(objective.value(&[-4.0]).expect_err("no value").to_string(), "no root");
///
/// // At zero there is a value, and no derivative.
/// assert_eq!(objective.value(&[0.0]).expect("a value"), 0.0);
/// let failure = objective.gradient(&[0.0]).expect_err("no derivative");
/// assert_eq!(failure.to_string(), "number 0 of the gradient is inf");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The function returned this error.
    Function(Box<dyn Error + Send + Sync>),
    /// The function returned `None`.
    Nothing,
    /// The value of an objective or a density is no number that a solver could go on with.
    Value(f64),
    /// The value that comes with the gradient is not that of the function: the two closures are not of one function with the same data. Debug
    /// builds look, at the first point.
    Different {
        /// The value of the function.
        value: f64,
        /// The value that comes with the gradient.
        with_gradient: f64,
    },
    /// A number of a list is not finite.
    NotFinite {
        /// The list.
        of: List,
        /// The place of the number in it.
        index: usize,
        /// The number.
        number: f64,
    },
    /// A list has another length than the point asks for.
    Length {
        /// The list.
        of: List,
        /// How long it should be.
        expected: usize,
        /// How long it is.
        found: usize,
    },
}

/// The lists of numbers that a solver asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum List {
    /// The gradient: as many numbers as there are parameters.
    Gradient,
    /// The Hessian, row by row.
    Hessian,
    /// The residuals.
    Residuals,
    /// The Jacobian of the residuals, row by row.
    Jacobian,
}

impl Failure {
    /// The error that the function returned, if it is of this type.
    ///
    /// ```
    /// use backsweep_optim::Failure;
    /// use std::num::ParseIntError;
    ///
    /// let error = "many".parse::<i32>().expect_err("no number");
    /// let failure = Failure::Function(error.clone().into());
    /// assert_eq!(failure.function::<ParseIntError>(), Some(&error));
    /// assert!(failure.function::<std::fmt::Error>().is_none());
    /// ```
    pub fn function<E: Error + 'static>(&self) -> Option<&E> {
        match self {
            Self::Function(error) => error.downcast_ref(),
            Self::Nothing
            | Self::Value(_)
            | Self::Different { .. }
            | Self::NotFinite { .. }
            | Self::Length { .. } => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(error) => error.fmt(f),
            Self::Nothing => f.write_str("the function has no value"),
            Self::Value(value) => write!(f, "the value is {value}"),
            Self::Different { value, with_gradient } => {
                write!(f, "the value is {value}, and with the gradient {with_gradient}")
            }
            Self::NotFinite { of, index, number } => {
                write!(f, "number {index} of the {of} is {number}")
            }
            Self::Length { of, expected, found } => {
                write!(f, "the {of} has {found} numbers in place of {expected}")
            }
        }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // What is displayed is the error itself.
            Self::Function(error) => error.source(),
            Self::Nothing
            | Self::Value(_)
            | Self::Different { .. }
            | Self::NotFinite { .. }
            | Self::Length { .. } => None,
        }
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gradient => "gradient",
            Self::Hessian => "Hessian",
            Self::Residuals => "residuals",
            Self::Jacobian => "Jacobian",
        })
    }
}

impl List {
    /// The numbers, if there are as many as there should be and all are finite.
    pub(crate) fn checked(self, numbers: Vec<f64>, expected: usize) -> Result<Vec<f64>, Failure> {
        self.check(&numbers, expected)?;
        Ok(numbers)
    }

    /// Whether there are as many numbers as there should be, and all are finite.
    pub(crate) fn check(self, numbers: &[f64], expected: usize) -> Result<(), Failure> {
        let found = numbers.len();
        if found != expected {
            return Err(Failure::Length { of: self, expected, found });
        }
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(index) => Err(Failure::NotFinite { of: self, index, number: numbers[index] }),
            None => Ok(()),
        }
    }
}

/// The first failure, where a solver has no way to be told of it.
#[derive(Debug)]
pub(crate) struct Kept(Mutex<Option<Failure>>);

impl Kept {
    /// There is none yet.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Keeps a failure, unless there is one already.
    pub(crate) fn keep(&self, failure: Failure) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    /// Takes the failure.
    pub(crate) fn take(&self) -> Option<Failure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
