//! The pages of the guide, so that the programs on them run as tests of this package: `cargo test -p backsweep-guide`. With the feature
//! `solvers` the pages about libraries that take long to compile are among them.

#![cfg(doctest)]

#[doc = include_str!("src/introduction.md")]
pub struct Introduction;

#[doc = include_str!("src/first-gradient.md")]
pub struct FirstGradient;

#[doc = include_str!("src/argmin.md")]
pub struct Argmin;

#[cfg(feature = "solvers")]
#[doc = include_str!("src/nuts.md")]
pub struct Nuts;

#[cfg(feature = "solvers")]
#[doc = include_str!("src/levenberg-marquardt.md")]
pub struct LevenbergMarquardt;

#[doc = include_str!("src/ode-solvers.md")]
pub struct OdeSolvers;

#[doc = include_str!("src/glam.md")]
pub struct Glam;

#[doc = include_str!("src/nalgebra.md")]
pub struct Nalgebra;

#[cfg(feature = "ndarray")]
#[doc = include_str!("src/ndarray.md")]
pub struct Ndarray;

#[doc = include_str!("src/libm.md")]
pub struct Libm;

#[doc = include_str!("src/other-crates.md")]
pub struct OtherCrates;

#[doc = include_str!("src/checkpointing.md")]
pub struct Checkpointing;

#[doc = include_str!("src/debugging.md")]
pub struct Debugging;

#[doc = include_str!("src/generated-code.md")]
pub struct GeneratedCode;

#[doc = include_str!("src/refused.md")]
pub struct Refused;
