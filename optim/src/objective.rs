//! A function that is minimised.

use crate::failure::Kept;
use crate::memo::Memo;
use crate::{Failure, GradientFn, List, ListFn, Outcome, ValueFn};
use std::fmt;
use std::marker::PhantomData;

/// A function that is minimised, with its gradient, in the forms in which solvers take them.
///
/// It is made of two closures, the function and its entry `gradient`, which have the data:
///
/// ```
/// use backsweep::adjoint;
/// use backsweep_optim::Objective;
///
/// /// The sum of squares of what a line leaves over of points.
/// #[adjoint(independents(line), dependents(return))]
/// fn misfit(line: &[f64], points: &[(f64, f64)]) -> f64 {
///     let mut sum = 0.0;
///     for &(x, y) in points {
///         let left = line[0] + line[1] * x - y;
///         sum += left * left;
///     }
///     sum
/// }
///
/// let points = [(0.0, 1.0), (1.0, 3.0)];
/// let objective = Objective::new(|x| misfit(x, &points), |x| misfit::gradient(x, &points));
///
/// assert_eq!(objective.value(&[1.0, 1.0]).expect("a value"), 1.0);
/// assert_eq!(objective.gradient(&[1.0, 1.0]).expect("a gradient"), [-2.0, -2.0]);
/// ```
///
/// Both may fail, with an `Option` or a `Result`, and the gradient may be anything that is [`Numbers`](crate::Numbers).
///
/// | for | |
/// | --- | --- |
/// | argmin | the objective itself, with the feature `argmin` |
/// | solvers that take closures, nlopt, slsqp, cobyla | [`evaluate`](Self::evaluate) |
/// | solvers that want to be told whether it worked, ipopt | [`evaluate_into`](Self::evaluate_into), [`gradient_into`](Self::gradient_into) |
///
/// # What is evaluated
///
/// Solvers ask for the value and for the gradient by themselves, often of one point. `gradient` has both, and what is known of the last point
/// is kept, so:
///
/// * the gradient is evaluated once for a point, and the value with it;
/// * where the value is asked for first, it is evaluated with the gradient if that of the point before was asked for, too, or if there was no
///   point before, and by itself otherwise. A solver that wants both of each point evaluates each once; one that never wants gradients has one in
///   all.
///
/// Points are the same if all of their bits are. Clones know of no point. The closures are functions of the point alone: where data change
/// between calls, what is kept is that of the old data, and a new objective is needed.
///
/// In debug builds both closures are evaluated at the first point, and it is a [`Failure::Different`] if their values differ by more than
/// rounding.
///
/// # Values
///
/// A value of infinity is one that is greater than all others, outside of the domain of a function for example: it is passed on. NaN and
/// minus infinity are a [`Failure::Value`], for solvers go on with them as if nothing were.
/// In gradients and Hessians all that is not finite is a [`Failure::NotFinite`].
pub struct Objective<V, G, H = NoHessian, P = Vec<f64>> {
    value: V,
    gradient: G,
    hessian: H,
    memo: Memo<Known>,
    kept: Kept,
    parameters: PhantomData<fn() -> P>,
}

/// In place of the Hessian of an [`Objective`] that has none.
#[derive(Clone, Copy, Debug)]
pub struct NoHessian;

/// What is known of a point.
struct Known {
    value: f64,
    gradient: Option<Vec<f64>>,
    is_gradient_asked: bool,
}

/// Whether the gradient is what a point is evaluated for.
#[derive(Clone, Copy)]
enum For {
    Value,
    Gradient,
}

impl<V, G> Objective<V, G> {
    /// An objective from a function and its gradient: `Objective::new(|x| f(x, &data), |x| f::gradient(x, &data))`.
    ///
    /// The value that comes with the gradient has to be that of the function, as it is in the entries of `#[adjoint]`:
    ///
    /// ```
    /// use backsweep_optim::{Failure, Objective};
    ///
    /// // To maximise, both have to change their sign.
    /// let objective = Objective::new(|x| -x[0] * x[0], |x| (x[0] * x[0], [2.0 * x[0]]));
    /// # if cfg!(debug_assertions) {
    /// let failure = objective.gradient(&[3.0]).expect_err("a sign is missing");
    /// assert_eq!(failure.to_string(), "the value is -9, and with the gradient 9");
    /// # }
    /// ```
    pub const fn new<A, B, D>(value: V, gradient: G) -> Self
    where
        V: Fn(&[f64]) -> A,
        A: Outcome<Value = f64>,
        G: Fn(&[f64]) -> B,
        B: Outcome<Value = (f64, D)>,
    {
        Self {
            value,
            gradient,
            hessian: NoHessian,
            memo: Memo::new(),
            kept: Kept::new(),
            parameters: PhantomData,
        }
    }
}

impl<V, G, H, P> Objective<V, G, H, P> {
    /// The objective with second derivatives: `.with_hessian(|x| f::hessian(x, &data))`, of a function with `second_order`.
    ///
    /// The Hessian is a list of its rows, one after another.
    ///
    /// ```
    /// use backsweep::adjoint;
    /// use backsweep_optim::Objective;
    ///
    /// #[adjoint(second_order)]
    /// fn bowl(x: &[f64]) -> f64 {
    ///     x[0] * x[0] + 3.0 * x[0] * x[1] + 5.0 * x[1] * x[1]
    /// }
    ///
    /// let objective = Objective::new(bowl, bowl::gradient).with_hessian(bowl::hessian);
    /// assert_eq!(objective.hessian(&[1.0, 2.0]).expect("a Hessian"), [2.0, 3.0, 3.0, 10.0]);
    /// ```
    pub fn with_hessian<F, R>(self, hessian: F) -> Objective<V, G, F, P>
    where
        F: Fn(&[f64]) -> R,
        R: Outcome,
    {
        let Self { value, gradient, hessian: _, memo, kept, parameters } = self;
        Objective { value, gradient, hessian, memo, kept, parameters }
    }

    /// The objective of parameters of another type, for solvers that care: [`Parameters`](crate::Parameters) of ndarray or nalgebra.
    pub fn with_parameters<Q>(self) -> Objective<V, G, H, Q> {
        let Self { value, gradient, hessian, memo, kept, parameters: _ } = self;
        Objective { value, gradient, hessian, memo, kept, parameters: PhantomData }
    }

    /// Takes the first failure that [`evaluate`](Self::evaluate), [`evaluate_into`](Self::evaluate_into) and
    /// [`gradient_into`](Self::gradient_into) have met since this was last called.
    pub fn take_failure(&self) -> Option<Failure> {
        self.kept.take()
    }
}

impl<V: ValueFn, G: GradientFn, H, P> Objective<V, G, H, P> {
    /// The value at a point; infinity is one.
    ///
    /// # Errors
    /// If the function fails, or if the value is NaN or minus infinity.
    pub fn value(&self, x: &[f64]) -> Result<f64, Failure> {
        let value = match self.memo.at(x, |known| Some(known.value)) {
            Some(value) => value,
            None if self.memo.last(|known| known.is_gradient_asked).unwrap_or(true) => {
                self.evaluate_both(x, For::Value)?.0
            }
            None => {
                let value = self.value.value(x)?;
                self.memo.keep(x, Known { value, gradient: None, is_gradient_asked: false });
                value
            }
        };
        checked(value)
    }

    /// The gradient at a point.
    ///
    /// # Errors
    /// If the function fails, if the value is NaN or minus infinity, if a number of the gradient is not finite, or if it has not as many as the
    /// point.
    pub fn gradient(&self, x: &[f64]) -> Result<Vec<f64>, Failure> {
        Ok(self.value_and_gradient(x)?.1)
    }

    /// The value and the gradient at a point.
    ///
    /// # Errors
    /// As [`gradient`](Self::gradient).
    pub fn value_and_gradient(&self, x: &[f64]) -> Result<(f64, Vec<f64>), Failure> {
        let known = self.memo.at(x, |known| {
            known.is_gradient_asked = true;
            known.gradient.clone().map(|gradient| (known.value, gradient))
        });
        let (value, gradient) = match known {
            Some(known) => known,
            None => self.evaluate_both(x, For::Gradient)?,
        };
        Ok((checked(value)?, List::Gradient.checked(gradient, x.len())?))
    }

    fn evaluate_both(&self, x: &[f64], purpose: For) -> Result<(f64, Vec<f64>), Failure> {
        let (value, gradient) = self.gradient.gradient(x)?;
        if cfg!(debug_assertions) && self.memo.is_empty() {
            let (value, with_gradient) = (self.value.value(x)?, value);
            if is_different(value, with_gradient) {
                return Err(Failure::Different { value, with_gradient });
            }
        }
        let is_gradient_asked = matches!(purpose, For::Gradient);
        self.memo.keep(x, Known { value, gradient: Some(gradient.clone()), is_gradient_asked });
        Ok((value, gradient))
    }

    /// The value at a point; where a slice is given, the gradient is written to it. For solvers that take closures
    /// `Fn(&[f64], Option<&mut [f64]>) -> f64`, most of them with a third argument for data.
    ///
    /// Where the function fails, the value and all of the gradient are NaN, and the failure is kept for
    /// [`take_failure`](Self::take_failure): such solvers have no way to be told.
    /// What they do with NaN differs; look for a failure when they are done.
    ///
    /// ```
    /// use backsweep::adjoint;
    /// use backsweep_optim::Objective;
    ///
    /// #[adjoint]
    /// fn rosenbrock(x: &[f64]) -> f64 {
    ///     let (along, across) = (1.0 - x[0], x[1] - x[0] * x[0]);
    ///     along * along + 100.0 * across * across
    /// }
    ///
    /// let objective = Objective::new(rosenbrock, rosenbrock::gradient);
    /// let (start, bounds) = ([-1.2, 1.0], [(-2.0, 2.0); 2]);
    /// let none: &[fn(&[f64], Option<&mut [f64]>, &mut ()) -> f64] = &[];
    /// let closure = |x: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| objective.evaluate(x, gradient);
    /// let until = slsqp::StopTols { ftol_rel: 1e-9, ..Default::default() };
    /// let found = slsqp::minimize(closure, &start, &bounds, none, (), 200, Some(until));
    ///
    /// let (_, x, _) = found.expect("a minimum");
    /// assert!((x[0] - 1.0).abs() < 1e-4 && (x[1] - 1.0).abs() < 1e-4);
    /// assert!(objective.take_failure().is_none());
    /// ```
    ///
    /// The same with nlopt, which no test here compiles as it is a library in C:
    ///
    /// ```ignore
    /// let closure = |x: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| objective.evaluate(x, gradient);
    /// let mut solver = Nlopt::new(Algorithm::Lbfgs, 2, closure, Target::Minimize, ());
    /// solver.optimize(&mut x)?;
    /// ```
    ///
    /// # Panics
    /// If the slice has not as many numbers as the point.
    pub fn evaluate(&self, x: &[f64], gradient: Option<&mut [f64]>) -> f64 {
        let Some(gradient) = gradient else {
            return self.or_keep(self.value(x)).unwrap_or(f64::NAN);
        };
        match self.or_keep(self.value_and_gradient(x)) {
            Some((value, found)) => {
                gradient.copy_from_slice(&found);
                value
            }
            None => {
                gradient.fill(f64::NAN);
                f64::NAN
            }
        }
    }

    /// Writes the value at a point, and returns whether there is one, as ipopt's `objective` is to do.
    ///
    /// Where there is none nothing is written, and the failure is kept for [`take_failure`](Self::take_failure).
    /// The value of infinity is none here.
    ///
    /// ```
    /// use backsweep_optim::Objective;
    ///
    /// let objective = Objective::new(|x| x[0].ln(), |x| (x[0].ln(), [1.0 / x[0]]));
    /// let mut value = 7.0;
    /// assert!(objective.evaluate_into(&[1.0], &mut value));
    /// assert_eq!(value, 0.0);
    /// assert!(!objective.evaluate_into(&[-1.0], &mut value));
    /// assert!(objective.take_failure().is_some());
    /// ```
    pub fn evaluate_into(&self, x: &[f64], value: &mut f64) -> bool {
        let found = self.value(x).and_then(|found| {
            if found.is_finite() { Ok(found) } else { Err(Failure::Value(found)) }
        });
        self.or_keep(found).map(|found| *value = found).is_some()
    }

    /// Writes the gradient at a point, and returns whether there is one, as ipopt's `objective_grad` is to do.
    ///
    /// Where there is none nothing is written, and the failure is kept for [`take_failure`](Self::take_failure).
    ///
    /// ```
    /// use backsweep_optim::Objective;
    ///
    /// let objective = Objective::new(|x| x[0].ln(), |x| (x[0].ln(), [1.0 / x[0]]));
    /// let mut gradient = [7.0];
    /// assert!(objective.gradient_into(&[2.0], &mut gradient));
    /// assert_eq!(gradient, [0.5]);
    /// ```
    ///
    /// # Panics
    /// If the slice has not as many numbers as the point.
    pub fn gradient_into(&self, x: &[f64], gradient: &mut [f64]) -> bool {
        let found = self.or_keep(self.gradient(x));
        found.map(|found| gradient.copy_from_slice(&found)).is_some()
    }

    /// What was found, or the failure is kept.
    fn or_keep<T>(&self, found: Result<T, Failure>) -> Option<T> {
        found.map_err(|failure| self.kept.keep(failure)).ok()
    }
}

impl<V, G, H: ListFn, P> Objective<V, G, H, P> {
    /// The Hessian at a point, row by row.
    ///
    /// # Errors
    /// If the function fails, if a number is not finite, or if there are not as many as the square of those of the point.
    pub fn hessian(&self, x: &[f64]) -> Result<Vec<f64>, Failure> {
        List::Hessian.checked(self.hessian.list(x)?, x.len() * x.len())
    }
}

/// The value, if a solver can go on with it.
fn checked(value: f64) -> Result<f64, Failure> {
    if value > f64::NEG_INFINITY { Ok(value) } else { Err(Failure::Value(value)) }
}

/// Whether two values are of different functions, and not only rounded in different ways.
fn is_different(a: f64, b: f64) -> bool {
    a.is_finite() && b.is_finite() && (a - b).abs() > 1e-6 * (a.abs() + b.abs())
}

impl<V: Clone, G: Clone, H: Clone, P> Clone for Objective<V, G, H, P> {
    fn clone(&self) -> Self {
        Self {
            value: self.value.clone(),
            gradient: self.gradient.clone(),
            hessian: self.hessian.clone(),
            memo: Memo::new(),
            kept: Kept::new(),
            parameters: PhantomData,
        }
    }
}

impl<V, G, H, P> fmt::Debug for Objective<V, G, H, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objective").field("kept", &self.kept).finish_non_exhaustive()
    }
}
