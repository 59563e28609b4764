//! Residuals that are fitted.

use crate::failure::Kept;
use crate::memo::Memo;
use crate::{Failure, List, ListFn, Outcome};
use std::fmt;
use std::marker::PhantomData;

/// Residuals with their Jacobian, or an equation `r(x) = 0`, or constraints, in the forms in which solvers take them.
///
/// It is made of two closures, the function and its entry `jacobian`, which have the data:
///
/// ```
/// use backsweep::adjoint;
/// use backsweep_optim::Residuals;
///
/// #[adjoint(independents(line), dependents(return))]
/// fn left(line: &[f64], points: &[(f64, f64)]) -> Vec<f64> {
///     points.iter().map(|&(x, y)| line[0] + line[1] * x - y).collect()
/// }
///
/// let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)];
/// let residuals = Residuals::new(|x| left(x, &points), |x| left::jacobian(x, &points));
/// assert_eq!(residuals.residuals(&[1.0, 1.0]).expect("residuals"), [0.0, -1.0, -2.0]);
/// let jacobian = residuals.jacobian(&[1.0, 1.0]).expect("a Jacobian");
/// assert_eq!(jacobian, [1.0, 0.0, 1.0, 1.0, 1.0, 2.0]);
/// ```
///
/// Both may fail, with an `Option` or a `Result`. A function that writes its results to a slice is called in the closure:
///
/// ```
/// use backsweep::adjoint;
/// use backsweep_optim::Residuals;
///
/// #[adjoint(independents(x), dependents(out))]
/// fn circle(x: &[f64], out: &mut [f64]) {
///     out[0] = x[0] * x[0] + x[1] * x[1] - 2.0;
///     out[1] = x[0] - x[1];
/// }
///
/// let value = |x: &[f64]| {
///     let mut out = [0.0; 2];
///     circle(x, &mut out);
///     out
/// };
/// let residuals = Residuals::new(value, |x| circle::jacobian(x, &mut [0.0; 2]));
/// assert_eq!(residuals.jacobian(&[1.0, 1.0]).expect("a Jacobian"), [2.0, 2.0, 1.0, -1.0]);
/// ```
///
/// | for | |
/// | --- | --- |
/// | argmin's Gauss–Newton | the residuals themselves, with the feature `argmin` |
/// | levenberg-marquardt | `starting_at(x)`, with the feature `levenberg-marquardt` |
/// | constraints of solvers that take closures, nlopt | [`evaluate`](Self::evaluate) |
/// | solvers that want to be told whether it worked, ipopt | [`evaluate_into`](Self::evaluate_into) |
///
/// The residuals of the last point are kept, and not evaluated again where they are asked for again. Clones know of no point. The closures are
/// functions of the point alone: where data change between calls, new residuals are needed.
pub struct Residuals<R, J, P = Vec<f64>> {
    residuals: R,
    jacobian: J,
    memo: Memo<Vec<f64>>,
    kept: Kept,
    parameters: PhantomData<fn() -> P>,
}

impl<R, J> Residuals<R, J> {
    /// Residuals from a function and its Jacobian: `Residuals::new(|x| r(x, &data), |x| r::jacobian(x, &data))`.
    ///
    /// The Jacobian is a list of its rows, one after another: that of the first residual is first.
    pub const fn new<A, B>(residuals: R, jacobian: J) -> Self
    where
        R: Fn(&[f64]) -> A,
        A: Outcome,
        J: Fn(&[f64]) -> B,
        B: Outcome,
    {
        Self { residuals, jacobian, memo: Memo::new(), kept: Kept::new(), parameters: PhantomData }
    }
}

impl<R, J, P> Residuals<R, J, P> {
    /// The residuals of parameters of another type, for solvers that care: [`Parameters`](crate::Parameters) of ndarray or nalgebra.
    pub fn with_parameters<Q>(self) -> Residuals<R, J, Q> {
        let Self { residuals, jacobian, memo, kept, parameters: _ } = self;
        Residuals { residuals, jacobian, memo, kept, parameters: PhantomData }
    }

    /// Takes the first failure that [`evaluate`](Self::evaluate) and [`evaluate_into`](Self::evaluate_into) have met since this was last
    /// called.
    pub fn take_failure(&self) -> Option<Failure> {
        self.kept.take()
    }

    /// What was found, or the failure is kept.
    pub(crate) fn or_keep<T>(&self, found: Result<T, Failure>) -> Option<T> {
        found.map_err(|failure| self.kept.keep(failure)).ok()
    }
}

impl<R: ListFn, J, P> Residuals<R, J, P> {
    /// The residuals at a point.
    ///
    /// # Errors
    /// If the function fails, or if a residual is not finite.
    pub fn residuals(&self, x: &[f64]) -> Result<Vec<f64>, Failure> {
        if let Some(known) = self.memo.at(x, |known| Some(known.clone())) {
            return Ok(known);
        }
        let found = self.residuals.list(x)?;
        List::Residuals.check(&found, found.len())?;
        self.memo.keep(x, found.clone());
        Ok(found)
    }

    /// Writes the residuals at a point, and returns whether there are some, as ipopt's `constraint` is to do.
    ///
    /// Where there are none nothing is written, and the failure is kept for [`take_failure`](Self::take_failure).
    ///
    /// ```
    /// use backsweep_optim::Residuals;
    ///
    /// let constraints = Residuals::new(|x| [x[0] * x[1]], |x| [x[1], x[0]]);
    /// let mut values = [0.0];
    /// assert!(constraints.evaluate_into(&[2.0, 3.0], &mut values));
    /// assert_eq!(values, [6.0]);
    /// ```
    ///
    /// # Panics
    /// If there are not as many residuals as there is room for.
    pub fn evaluate_into(&self, x: &[f64], residuals: &mut [f64]) -> bool {
        let found = self.or_keep(self.residuals(x));
        found.map(|found| residuals.copy_from_slice(&found)).is_some()
    }
}

impl<R: ListFn, J: ListFn, P> Residuals<R, J, P> {
    /// The Jacobian at a point, row by row.
    ///
    /// # Errors
    /// If the function fails, if a number is not finite, or if there are not as many as one for each residual of the point and each parameter.
    pub fn jacobian(&self, x: &[f64]) -> Result<Vec<f64>, Failure> {
        let found = self.jacobian.list(x)?;
        // Where the residuals of the point are not known, there is a whole number of rows at least.
        let rows = match self.memo.at(x, |known| Some(known.len())) {
            Some(rows) => rows,
            None => found.len() / x.len().max(1),
        };
        List::Jacobian.checked(found, rows * x.len())
    }

    /// Writes the residuals at a point, and where a slice is given, the Jacobian row by row. For solvers that take closures
    /// `Fn(&mut [f64], &[f64], Option<&mut [f64]>)`, as nlopt does for several constraints, with a fourth argument for data.
    ///
    /// Where the function fails all of both is NaN, and the failure is kept for [`take_failure`](Self::take_failure): such solvers have
    /// no way to be told. Look for a failure when they are done.
    ///
    /// ```
    /// use backsweep_optim::Residuals;
    ///
    /// let constraints = Residuals::new(|x| [x[0] * x[1], x[0]], |x| [[x[1], x[0]], [1.0, 0.0]]);
    /// let (mut values, mut jacobian) = ([0.0; 2], [0.0; 4]);
    /// constraints.evaluate(&mut values, &[2.0, 3.0], Some(&mut jacobian));
    /// assert_eq!(values, [6.0, 2.0]);
    /// assert_eq!(jacobian, [3.0, 2.0, 1.0, 0.0]);
    /// ```
    ///
    /// With nlopt, which no test here compiles as it is a library in C:
    ///
    /// ```ignore
    /// let closure = |values: &mut [f64], x: &[f64], jacobian: Option<&mut [f64]>, _: &mut ()| {
    ///     constraints.evaluate(values, x, jacobian)
    /// };
    /// solver.add_inequality_mconstraint(2, closure, (), &[1e-8; 2])?;
    /// ```
    ///
    /// # Panics
    /// If there are not as many residuals, or numbers of the Jacobian, as there is room for.
    pub fn evaluate(&self, residuals: &mut [f64], x: &[f64], jacobian: Option<&mut [f64]>) {
        match self.or_keep(self.residuals(x)) {
            Some(found) => residuals.copy_from_slice(&found),
            None => residuals.fill(f64::NAN),
        }
        let Some(jacobian) = jacobian else { return };
        match self.or_keep(self.jacobian(x)) {
            Some(found) => jacobian.copy_from_slice(&found),
            None => jacobian.fill(f64::NAN),
        }
    }
}

impl<R: Clone, J: Clone, P> Clone for Residuals<R, J, P> {
    fn clone(&self) -> Self {
        let (residuals, jacobian) = (self.residuals.clone(), self.jacobian.clone());
        let (memo, kept) = (Memo::new(), Kept::new());
        Self { residuals, jacobian, memo, kept, parameters: PhantomData }
    }
}

impl<R, J, P> fmt::Debug for Residuals<R, J, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residuals").field("kept", &self.kept).finish_non_exhaustive()
    }
}
