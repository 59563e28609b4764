//! Sparse Jacobians and Hessians from few sweeps.
//!
//! Columns of a Jacobian that have no row in common are had from a single tangent, along the sum of their directions.
//! So are rows that have no column in common from a single adjoint. Who knows where the entries are, a [`Pattern`],
//! needs as many sweeps as there are colours in a [`Colouring`] of the columns or rows, and what comes of the sweeps is
//! the Jacobian, [compressed](Compression).
//!
//! ```
//! use backsweep::sparse::{Compression, Pattern};
//!
//! /// Differences of second order: each result depends on a point and its neighbours.
//! fn tangents<const N: usize>(x: &[f64], x_d: &[[f64; N]]) -> Vec<[f64; N]> {
//!     let mut y_d = vec![[0.0; N]; x.len()];
//!     for i in 0..x.len() {
//!         for k in 0..N {
//!             y_d[i][k] = 2.0 * x[i] * x_d[i][k];
//!             if i > 0 {
//!                 y_d[i][k] -= x_d[i - 1][k];
//!             }
//!             if i + 1 < x.len() {
//!                 y_d[i][k] -= x_d[i + 1][k];
//!             }
//!         }
//!     }
//!     y_d
//! }
//!
//! let n = 1000;
//! let rows = (0..n).map(|i: usize| i.saturating_sub(1)..(i + 2).min(n));
//! let compression = Compression::by_columns(Pattern::from_rows(n, rows));
//! assert_eq!(compression.colours(), 3);
//!
//! // Four directions at once: one sweep for all columns.
//! let x = vec![0.5; n];
//! let mut values = compression.zeros();
//! for sweep in 0..compression.sweeps::<4>() {
//!     let y_d = tangents(&x, &compression.directions::<4>(sweep));
//!     compression.recover(sweep, &y_d, &mut values);
//! }
//! let (rows, cols) = compression.pattern().triplets();
//! let first: Vec<_> = (0..2).map(|k| (rows[k], cols[k], values[k])).collect();
//! assert_eq!(first, [(0, 0, 1.0), (0, 1, -1.0)]);
//! ```
//!
//! The algorithms are greedy: each vertex, in a certain [`Order`], gets the first colour that it may have. See A. Gebremedhin,
//! F. Manne, A. Pothen, *What color is your Jacobian? Graph coloring for computing derivatives*, SIAM Review 47, 2005; that columns may share a
//! sweep is from A. Curtis, M. Powell, J. Reid, *On the estimation of sparse Jacobian matrices*, 1974.

mod colouring;
mod compression;
mod order;
mod pattern;
mod symmetric;
#[cfg(test)]
mod tests;
mod values;

pub use colouring::Colouring;
pub use compression::Compression;
pub use order::Order;
pub use pattern::Pattern;
pub use symmetric::SymmetricValues;
pub use values::CompressedValues;
