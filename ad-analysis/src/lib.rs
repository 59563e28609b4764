//! The compiler behind `backsweep`.
//!
//! A function is lowered to an [intermediate representation](ir), analysed, differentiated IR → IR
//! and emitted as ordinary Rust.

pub mod analyses;
pub mod dataflow;
pub mod diff;
pub mod effects;
pub mod flow;
pub mod index;
pub mod ir;
pub mod reify;
pub mod rules;
pub mod types;
