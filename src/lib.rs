#![doc = include_str!("../README.md")]

#[cfg(feature = "libm")]
#[doc(hidden)]
pub mod libm;
pub mod linear;

pub use ad_macros::{Differentiable, adjoint};
pub use ad_runtime::{
    Convergence, Differentiable, Pullback, Report, Stack, Traffic, Vector, check, schedule, sparse,
};

/// What generated code calls: not for use by hand, and not stable.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "libm")]
    pub use crate::libm;
    pub use ad_macros::Conditions;
    pub use ad_runtime::*;
    pub use {::core, ::std};
}

/// The examples there run as tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/checking.md")]
pub struct Checking;

/// The examples there run as tests.
#[cfg(all(doctest, feature = "seeds"))]
#[doc = include_str!("../docs/jacobians.md")]
pub struct Jacobians;
