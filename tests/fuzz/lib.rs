//! Random Rust functions. What the macro makes of them must never be a panic; those that it accepts must
//! compile, and have the derivatives of dual numbers.
#![allow(clippy::wildcard_enum_match_arm, reason = "syn's enums may grow")]

pub mod expansion;
pub mod generate;
pub mod harness;
pub mod interpret;
pub mod mutate;
pub mod program;
pub mod relatives;
pub mod shrink;
pub mod sites;
