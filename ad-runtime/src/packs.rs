//! Rules for types of other crates, one module for each crate, behind a feature of its name.
//!
//! Generated code imports the traits by which methods are found from [`methods`], whatever there is.

#[cfg(feature = "glam")]
pub mod glam;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;

/// What generated code imports. The modules of the packs have the names of crates, which mean those in what users wrote.
pub mod methods {
    #[cfg(feature = "glam")]
    pub use super::glam::Methods as _;
    #[cfg(feature = "nalgebra")]
    pub use super::nalgebra::{
        FactorizationMethods as _, GeometryMethods as _, Indexed as _, Methods as _,
    };
    #[cfg(feature = "ndarray")]
    pub use super::ndarray::{Elements as _, Indexed as _, Methods as _, OfNumbers as _};
}
