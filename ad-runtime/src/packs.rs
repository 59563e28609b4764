//! Rules for types of other crates, one module for each crate, behind a feature of its name.
//!
//! Generated code imports the traits by which methods are found from here, whatever there is.

#[cfg(feature = "glam")]
pub mod glam;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;

#[cfg(feature = "glam")]
pub use glam::Methods as _;
#[cfg(feature = "nalgebra")]
pub use nalgebra::{GeometryMethods as _, Indexed as _, Methods as _};
