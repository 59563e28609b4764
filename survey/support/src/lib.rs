//! What the drivers of surveyed functions call: [`Draw`] makes arguments, a [`Session`] runs one function at random points and compares
//! what its derivatives say.

mod draw;
mod oracle;
mod session;

pub use ad_runtime::{Differentiable, Vector};
pub use draw::{Draw, Sample};
pub use oracle::{Both, Case, Points, Tangent};
pub use session::Session;

/// A list of whatever a slice refers to, in crates without the standard library.
pub type List<T> = Vec<T>;

/// What a `&str` refers to.
pub type Text = String;

/// What a function without a tangent has.
pub const NO_TANGENT: Option<Tangent<'static>> = None;

/// The numbers of values, bars and directions.
pub type Numbers = Vec<f64>;
