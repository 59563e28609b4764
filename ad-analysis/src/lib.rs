//! The compiler behind `backsweep`.
//!
//! A function is lowered to an [intermediate representation](ir), analysed, differentiated IR → IR
//! and emitted as ordinary Rust.

pub mod analyses;
pub mod bits;
pub mod bodies;
pub mod context;
pub mod dataflow;
pub mod derive;
pub mod diag;
pub mod diff;
pub mod effects;
pub mod emit;
pub mod flow;
pub mod fuse;
pub mod getters;
pub mod index;
pub mod inline;
pub mod interface;
pub mod ir;
mod libm;
pub mod lower;
pub mod numbers;
pub mod options;
pub mod outline;
mod packs;
pub mod payloads;
pub mod pipeline;
pub mod prove;
pub mod read;
pub mod refusals;
pub mod reify;
pub mod rules;
pub mod signatures;
pub mod simplify;
pub mod stdlib;
pub mod types;
mod walk;
pub mod windows;

pub use derive::derive_differentiable;
pub use packs::expand_rules;
pub use pipeline::{differentiate, expand, expand_decided, expand_in, sweeps};
