//! Makes tests of Rust files with annotated functions: each file becomes a module of plain functions, one
//! in dual numbers, and one for each variant of the options of `#[adjoint(…)]`; and each function with
//! samples becomes a case that tests can run by its position.
#![allow(clippy::wildcard_enum_match_arm, reason = "syn's enums may grow")]

pub mod cases;
pub mod dual;
pub mod files;
pub mod generated;
pub mod jacobian;
pub mod second;
pub mod seeds;
pub mod several;
pub mod source;
pub mod variants;
