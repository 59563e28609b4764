//! What is an error in the instance only: generated code of traits does not know who implements them. Each program that must not
//! compile stands beside one that asks for no derivative, and does.
//!
//! A type that implements an annotated trait without an adjoint:
//!
//! ```
//! use backsweep::adjoint;
//!
//! #[adjoint]
//! trait Model {
//!     fn energy(&self, x: f64) -> f64;
//! }
//! struct Spring;
//! impl Model for Spring {
//!     fn energy(&self, x: f64) -> f64 {
//!         3.0 * x
//!     }
//! }
//! #[adjoint(independents(x), passive(model))]
//! fn total<M: Model>(model: &M, x: f64) -> f64 {
//!     model.energy(x)
//! }
//! assert_eq!(total(&Spring, 2.0), 6.0);
//! ```
//! ```compile_fail,E0080
//! use backsweep::adjoint;
//!
//! #[adjoint]
//! trait Model {
//!     fn energy(&self, x: f64) -> f64;
//! }
//! struct Spring;
//! impl Model for Spring {
//!     fn energy(&self, x: f64) -> f64 {
//!         3.0 * x
//!     }
//! }
//! #[adjoint(independents(x), passive(model))]
//! fn total<M: Model>(model: &M, x: f64) -> f64 {
//!     model.energy(x)
//! }
//! assert_eq!(total::gradient(&Spring, 2.0).0, 6.0);
//! ```
//!
//! One whose method is another one than that with a body in the trait, which has an adjoint:
//!
//! ```
//! use backsweep::adjoint;
//!
//! #[adjoint]
//! trait Model {
//!     fn energy(&self, x: f64) -> f64 {
//!         x * x
//!     }
//! }
//! struct Spring;
//! impl Model for Spring {
//!     fn energy(&self, x: f64) -> f64 {
//!         3.0 * x
//!     }
//! }
//! #[adjoint(independents(x), passive(model))]
//! fn total<M: Model>(model: &M, x: f64) -> f64 {
//!     model.energy(x)
//! }
//! assert_eq!(total(&Spring, 2.0), 6.0);
//! ```
//! ```compile_fail,E0080
//! use backsweep::adjoint;
//!
//! #[adjoint]
//! trait Model {
//!     fn energy(&self, x: f64) -> f64 {
//!         x * x
//!     }
//! }
//! struct Spring;
//! impl Model for Spring {
//!     fn energy(&self, x: f64) -> f64 {
//!         3.0 * x
//!     }
//! }
//! #[adjoint(independents(x), passive(model))]
//! fn total<M: Model>(model: &M, x: f64) -> f64 {
//!     model.energy(x)
//! }
//! assert_eq!(total::gradient(&Spring, 2.0).0, 6.0);
//! ```
//!
//! A checkpointed loop that calls a method of a type parameter, which must not run twice:
//!
//! ```
//! use backsweep::{Differentiable, adjoint};
//!
//! #[adjoint]
//! trait Ode {
//!     fn slope(&self, x: f64) -> f64;
//! }
//! #[derive(Clone, Differentiable)]
//! struct Decay {
//!     rate: f64,
//! }
//! #[adjoint(of_trait(slope))]
//! impl Ode for Decay {
//!     fn slope(&self, x: f64) -> f64 {
//!         -self.rate * x
//!     }
//! }
//! #[adjoint(independents(x), passive(ode))]
//! fn run<O: Ode>(ode: &O, x: f64) -> f64 {
//!     let mut y: f64 = x;
//!     #[checkpoint(snapshots = 2)]
//!     for _ in 0..4 {
//!         let slope: f64 = ode.slope(y);
//!         y += 0.5 * slope;
//!     }
//!     y
//! }
//! assert_eq!(run::gradient(&Decay { rate: 1.0 }, 2.0), (0.125, 0.0625));
//! ```
//! ```compile_fail,E0080
//! use backsweep::{Differentiable, adjoint};
//!
//! #[adjoint]
//! trait Ode {
//!     fn slope(&self, x: f64) -> f64;
//! }
//! #[derive(Clone, Differentiable)]
//! struct Decay {
//!     rate: f64,
//! }
//! #[adjoint(of_trait(slope))]
//! impl Ode for Decay {
//!     fn slope(&self, x: f64) -> f64 {
//!         println!("once");
//!         -self.rate * x
//!     }
//! }
//! #[adjoint(independents(x), passive(ode))]
//! fn run<O: Ode>(ode: &O, x: f64) -> f64 {
//!     let mut y: f64 = x;
//!     #[checkpoint(snapshots = 2)]
//!     for _ in 0..4 {
//!         let slope: f64 = ode.slope(y);
//!         y += 0.5 * slope;
//!     }
//!     y
//! }
//! assert_eq!(run::gradient(&Decay { rate: 1.0 }, 2.0), (0.125, 0.0625));
//! ```
