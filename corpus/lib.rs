//! Functions as they are found in the wild. The files of `functions/` are not compiled as they are: the
//! build script makes modules of them. Here are the plain functions and those in dual numbers, at their samples: what
//! all variants are compared with.

/// What is not named outside is not compiled to machine code unless a case runs it.
mod generated {
    include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
}

pub use generated::{CASES, cases};
use generated::{dual, plain};
