//! The evals of GradBench, and what they are measured with.

#![allow(clippy::needless_range_loop)] // numerical code is full of indices

pub mod evals;
pub mod inputs;
mod matrix;
pub mod protocol;
mod runs;
