//! Dense linear systems and the Cholesky factor, on slices.
//!
//! Their adjoints and tangents are written by hand: what they cost is another solve, and nothing of the elimination is
//! stored. They are also examples of `#[adjoint(with = …, tangent = …)]`, by which any function of a library gets its
//! derivatives.
//!
//! ```
//! use backsweep::adjoint;
//! use backsweep::linear::solve;
//!
//! /// The energy of a loaded structure.
//! #[adjoint]
//! fn energy(stiffness: &[f64], load: &[f64]) -> f64 {
//!      let shift: Vec<f64> = solve(stiffness, load).unwrap();
//!     0.5 * shift.iter().zip(load).map(|(u, f)| u * f).sum::<f64>()
//! }
//!
//! let (value, (_, by_load)) = energy::gradient(&[4.0, 1.0, 1.0, 3.0], &[1.0, 2.0]);
//! assert!((value - 15.0 / 22.0).abs() < 1e-15);
//! assert!((by_load[0] - 1.0 / 11.0).abs() < 1e-15);
//! ```

use crate::adjoint;
use ad_runtime::linear::{cholesky_adjoint, cholesky_tangent, solve_adjoint, solve_tangent};

/// The solution `x` of `a x = b`, for a matrix stored by rows: Gaussian elimination with partial pivoting.
/// `None` if the matrix is singular.
///
/// The adjoint solves the transposed system: with `aᵀ λ = x̄`, `b̄ += λ` and `ā −= λ xᵀ`; the tangent solves
/// `a ẋ = ḃ − ȧ x` (Giles 2008).
///
/// # Panics
/// If `a` does not have as many elements as `b` squared.
#[adjoint(with = solve_adjoint, tangent = solve_tangent, repeatable, crate = crate)]
pub fn solve(a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    ad_runtime::linear::solve(a, b)
}

/// The lower triangular `l` with `l lᵀ = a`, for a symmetric matrix of `n` rows, stored by rows. `None` if it is not
/// positive definite.
///
/// Only the lower triangle of `a` is read, so that the bars above its diagonal stay what they are (Giles 2008,
/// Murray 2016).
///
/// # Panics
/// If `a` does not have `n * n` elements.
#[adjoint(with = cholesky_adjoint, tangent = cholesky_tangent, repeatable, crate = crate)]
pub fn cholesky(a: &[f64], n: usize) -> Option<Vec<f64>> {
    ad_runtime::linear::cholesky(a, n)
}
