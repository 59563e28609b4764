//! What [ipopt](https://docs.rs/ipopt) takes, in its shapes.
//!
//! Ipopt is a library in C++ that has to be installed, so there is nothing of it here: its traits are implemented by hand, and each of their
//! functions is one line. It takes an objective, constraints and, for second derivatives, the Lagrangian. Here they are those of Hock and
//! Schittkowski's problem 71:
//!
//! ```
//! use backsweep::{adjoint, sparse::Compression};
//! use backsweep_optim::{Layout, Objective, Residuals};
//!
//! #[adjoint]
//! fn objective(x: &[f64]) -> f64 {
//!     x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
//! }
//!
//! #[adjoint]
//! fn constraints(x: &[f64]) -> [f64; 2] {
//!     let product = x[0] * x[1] * x[2] * x[3];
//!     [product, x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]]
//! }
//!
//! #[adjoint(independents(x), second_order)]
//! fn lagrangian(x: &[f64], factor: f64, multipliers: &[f64]) -> f64 {
//!     let product = x[0] * x[1] * x[2] * x[3];
//!     let squares = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
//!     let objective = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
//!     factor * objective + multipliers[0] * product + multipliers[1] * squares
//! }
//!
//! // Found once, at a point where no entry is missing.
//! let start = [1.0, 5.0, 5.0, 1.0];
//! let jacobian = Compression::by_columns(constraints::jacobian_pattern(&start));
//! let hessian = Compression::symmetric(lagrangian::hessian_pattern(&start, 1.0, &[1.0; 2]));
//! let (all, lower) = (Layout::new(jacobian.pattern()), Layout::lower(hessian.pattern()));
//! let objective = Objective::new(objective, objective::gradient);
//! let residuals = Residuals::new(constraints, constraints::jacobian);
//!
//! // `objective`, `objective_grad` and `constraint`.
//! let (mut value, mut gradient, mut values) = (0.0, [0.0; 4], [0.0; 2]);
//! assert!(objective.evaluate_into(&start, &mut value));
//! assert!(objective.gradient_into(&start, &mut gradient));
//! assert!(residuals.evaluate_into(&start, &mut values));
//! assert_eq!((value, gradient, values), (16.0, [12.0, 1.0, 2.0, 11.0], [25.0, 52.0]));
//!
//! // `num_constraint_jacobian_non_zeros`, `constraint_jacobian_indices` and `constraint_jacobian_values`.
//! assert_eq!(all.len(), 8);
//! let (mut rows, mut columns, mut entries) = ([0; 8], [0; 8], [0.0; 8]);
//! assert!(all.indices_into(&mut rows, &mut columns));
//! assert!(all.values_into(&constraints::jacobian_values(&start, &jacobian), &mut entries));
//! assert_eq!((rows[1], columns[1], entries[1]), (1, 0, 2.0));
//!
//! // `num_hessian_non_zeros`, `hessian_indices` and `hessian_values`: the triangle below the diagonal, and the diagonal.
//! assert_eq!(lower.len(), 10);
//! let (mut rows, mut columns, mut entries) = ([0; 10], [0; 10], [0.0; 10]);
//! assert!(lower.indices_into(&mut rows, &mut columns));
//! let second = lagrangian::hessian_values(&start, 1.0, &[0.0; 2], &hessian);
//! assert!(lower.values_into(&second, &mut entries));
//! assert_eq!((rows[3], columns[3], entries[3]), (3, 0, 12.0));
//! ```
//!
//! In a struct with these, the traits are the following. No test here compiles it, as it needs the library:
//!
//! ```ignore
//! impl BasicProblem for Problem {
//!     fn objective(&self, x: &[f64], _: bool, value: &mut f64) -> bool {
//!         self.objective.evaluate_into(x, value)
//!     }
//!
//!     fn objective_grad(&self, x: &[f64], _: bool, gradient: &mut [f64]) -> bool {
//!         self.objective.gradient_into(x, gradient)
//!     }
//!     // …
//! }
//!
//! impl ConstrainedProblem for Problem {
//!     fn num_constraint_jacobian_non_zeros(&self) -> usize {
//!         self.all.len()
//!     }
//!
//!     fn constraint(&self, x: &[f64], _: bool, values: &mut [f64]) -> bool {
//!         self.constraints.evaluate_into(x, values)
//!     }
//!
//!     fn constraint_jacobian_indices(&self, rows: &mut [i32], columns: &mut [i32]) -> bool {
//!         self.all.indices_into(rows, columns)
//!     }
//!
//!     fn constraint_jacobian_values(&self, x: &[f64], _: bool, values: &mut [f64]) -> bool {
//!         self.all.values_into(&constraints::jacobian_values(x, &self.jacobian), values)
//!     }
//!
//!     fn num_hessian_non_zeros(&self) -> usize {
//!         self.lower.len()
//!     }
//!
//!     fn hessian_indices(&self, rows: &mut [i32], columns: &mut [i32]) -> bool {
//!         self.lower.indices_into(rows, columns)
//!     }
//!
//!     fn hessian_values(&self, x: &[f64], _: bool, factor: f64, multipliers: &[f64], values: &mut [f64]) -> bool {
//!         self.lower.values_into(&lagrangian::hessian_values(x, factor, multipliers, &self.hessian), values)
//!     }
//!     // …
//! }
//! ```
//!
//! # Errors
//!
//! A function that fails returns `false`, as ipopt wants: it tries a shorter step. [`take_failure`](crate::Objective::take_failure) has the reason.
//!
//! # Panics
//!
//! `jacobian_values` and `hessian_values` panic where there are entries that the pattern does not have, see [`backsweep::sparse`].
