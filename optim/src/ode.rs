//! The right side of a differential equation.

use crate::failure::Kept;
use crate::{Failure, Outcome};
use std::fmt;

/// The right side of `dy/dt = f(y, p, t)`, in the forms in which [diffsol](https://docs.rs/diffsol) takes it: closures for products with its
/// derivatives.
///
/// It is made of a function `f(y, p, t, dy)` that writes the rates to `dy`, of which `y` and `p` are the independents, and its entries `tangent` and
/// `adjoint`. Functions with other parameters are called in closures.
///
/// ```
/// use backsweep::adjoint;
/// use backsweep_optim::RightSide;
///
/// #[adjoint(independents(y, p), dependents(dy))]
/// fn growth(y: &[f64], p: &[f64], t: f64, dy: &mut [f64]) {
///     dy[0] = p[0] * y[0] * (1.0 - y[0] / p[1]) + t;
/// }
///
/// let right_side = RightSide::new(growth, growth::tangent, growth::adjoint);
/// let (y, p, mut out) = ([2.0], [3.0, 4.0], [0.0]);
/// right_side.rates()(&y, &p, 1.0, &mut out);
/// assert_eq!(out, [4.0]);
/// // 3 - 2 · 3 · 2 / 4 = 0 by y.
/// right_side.jacobian()(&y, &p, 1.0, &[1.0], &mut out);
/// assert_eq!(out, [0.0]);
/// right_side.by_parameters()(&y, &p, 1.0, &[1.0, 0.0], &mut out);
/// assert_eq!(out, [1.0]);
/// let mut by_parameters = [0.0; 2];
/// right_side.minus_adjoint_by_parameters()(&y, &p, 1.0, &[1.0], &mut by_parameters);
/// assert_eq!(by_parameters, [-1.0, -0.75]);
/// ```
///
/// With diffsol, which no test here compiles as that takes minutes:
///
/// ```ignore
/// // An implicit method.
/// let builder = OdeBuilder::<M>::new().p([3.0, 4.0]);
/// let problem = builder.rhs_implicit(right_side.rates(), right_side.jacobian()).init(start, 1).build()?;
///
/// // Sensitivities forwards: `rhs_sens_implicit` takes `by_parameters()` as well.
///
/// // Adjoint sensitivities.
/// let builder = OdeBuilder::<M>::new().p([3.0, 4.0]).rhs_adjoint_implicit(
///     right_side.rates(),
///     right_side.jacobian(),
///     right_side.minus_adjoint(),
///     right_side.minus_adjoint_by_parameters(),
/// );
/// ```
///
/// Functions of results (`out_implicit` and the like) are of the same form; `dy` is what they write.
///
/// What is written is overwritten; nothing is added to. `dy` is zero before the function is called.
///
/// # Errors
///
/// The function and its entries may return a `Result<(), E>` or an `Option`. diffsol's closures cannot fail: of a failure, all that is written is
/// NaN, and the failure is kept for [`take_failure`](Self::take_failure). With NaN, implicit methods reduce the step until they give up, and
/// explicit ones go on with states that are NaN. Look for a failure when they are done: a step that was tried and reduced with success may have
/// left one, too.
pub struct RightSide<F, T, A> {
    function: F,
    tangent: T,
    adjoint: A,
    kept: Kept,
}

impl<F, T, A> RightSide<F, T, A> {
    /// A right side from a function and two of its entries: `RightSide::new(f, f::tangent, f::adjoint)`.
    pub const fn new<R, S, Q>(function: F, tangent: T, adjoint: A) -> Self
    where
        F: Fn(&[f64], &[f64], f64, &mut [f64]) -> R,
        R: Outcome,
        T: Fn(&[f64], &[f64], &[f64], &[f64], f64, &mut [f64], &mut [f64]) -> S,
        S: Outcome,
        A: Fn(&[f64], &mut [f64], &[f64], &mut [f64], f64, &mut [f64], &mut [f64]) -> Q,
        Q: Outcome,
    {
        Self { function, tangent, adjoint, kept: Kept::new() }
    }

    /// Takes the first failure since this was last called.
    pub fn take_failure(&self) -> Option<Failure> {
        self.kept.take()
    }

    /// Leaves what is written, if there was no failure.
    fn finish(&self, outcome: Result<(), Failure>, out: &mut [f64]) {
        if let Err(failure) = outcome {
            self.kept.keep(failure);
            out.fill(f64::NAN);
        }
    }

    /// The function itself, as a closure `(y, p, t, dy)`.
    pub fn rates<R>(&self) -> impl Fn(&[f64], &[f64], f64, &mut [f64])
    where
        F: Fn(&[f64], &[f64], f64, &mut [f64]) -> R,
        R: Outcome,
    {
        |y, p, t, dy| {
            dy.fill(0.0);
            self.finish((self.function)(y, p, t, dy).outcome().map(drop), dy);
        }
    }

    /// The product of the Jacobian by `y` with a vector, as a closure `(y, p, t, v, out)`.
    pub fn jacobian<R>(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64])
    where
        T: Fn(&[f64], &[f64], &[f64], &[f64], f64, &mut [f64], &mut [f64]) -> R,
        R: Outcome,
    {
        |y, p, t, v, out| self.product(Point { y, p, t }, v, &vec![0.0; p.len()], out)
    }

    /// The product of the Jacobian by `p` with a vector, as a closure `(y, p, t, v, out)`.
    pub fn by_parameters<R>(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64])
    where
        T: Fn(&[f64], &[f64], &[f64], &[f64], f64, &mut [f64], &mut [f64]) -> R,
        R: Outcome,
    {
        |y, p, t, v, out| self.product(Point { y, p, t }, &vec![0.0; y.len()], v, out)
    }

    /// Minus the product of the transposed Jacobian by `y` with a vector, as a closure `(y, p, t, v, out)`.
    ///
    /// The sign is the one that diffsol takes: the adjoint equation is `dλ/dt = -Jᵀ λ`.
    pub fn minus_adjoint<R>(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64])
    where
        A: Fn(&[f64], &mut [f64], &[f64], &mut [f64], f64, &mut [f64], &mut [f64]) -> R,
        R: Outcome,
    {
        |y, p, t, v, out| {
            let mut p_b = vec![0.0; p.len()];
            out.fill(0.0);
            let outcome = self.minus_products(Point { y, p, t }, v, out, &mut p_b);
            self.finish(outcome, out);
        }
    }

    /// Minus the product of the transposed Jacobian by `p` with a vector, as a closure `(y, p, t, v, out)`.
    pub fn minus_adjoint_by_parameters<R>(&self) -> impl Fn(&[f64], &[f64], f64, &[f64], &mut [f64])
    where
        A: Fn(&[f64], &mut [f64], &[f64], &mut [f64], f64, &mut [f64], &mut [f64]) -> R,
        R: Outcome,
    {
        |y, p, t, v, out| {
            let mut y_b = vec![0.0; y.len()];
            out.fill(0.0);
            let outcome = self.minus_products(Point { y, p, t }, v, &mut y_b, out);
            self.finish(outcome, out);
        }
    }

    /// Writes the derivative in a direction.
    fn product<R>(&self, at: Point, y_d: &[f64], p_d: &[f64], out: &mut [f64])
    where
        T: Fn(&[f64], &[f64], &[f64], &[f64], f64, &mut [f64], &mut [f64]) -> R,
        R: Outcome,
    {
        let Point { y, p, t } = at;
        let mut dy = vec![0.0; out.len()];
        out.fill(0.0);
        let outcome = (self.tangent)(y, y_d, p, p_d, t, &mut dy, out).outcome();
        self.finish(outcome.map(drop), out);
    }

    /// Writes minus the derivatives of the weighted sum of the rates to bars, which are zero.
    fn minus_products<R>(
        &self,
        at: Point,
        weights: &[f64],
        y_b: &mut [f64],
        p_b: &mut [f64],
    ) -> Result<(), Failure>
    where
        A: Fn(&[f64], &mut [f64], &[f64], &mut [f64], f64, &mut [f64], &mut [f64]) -> R,
        R: Outcome,
    {
        let Point { y, p, t } = at;
        let mut dy = vec![0.0; weights.len()];
        let mut dy_b: Vec<f64> = weights.iter().map(|weight| -weight).collect();
        (self.adjoint)(y, y_b, p, p_b, t, &mut dy, &mut dy_b).outcome().map(drop)
    }
}

/// Where the right side is looked at.
#[derive(Clone, Copy)]
struct Point<'a> {
    y: &'a [f64],
    p: &'a [f64],
    t: f64,
}

impl<F, T, A> fmt::Debug for RightSide<F, T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RightSide").field("kept", &self.kept).finish_non_exhaustive()
    }
}
