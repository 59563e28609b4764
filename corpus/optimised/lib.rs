//! Half of the functions of the corpus with all optimisations, compiled once for all tests that run them.

use backsweep_corpus::cases;

/// What is not named outside is not compiled to machine code unless a test runs it.
mod generated {
    include!(concat!(env!("OUT_DIR"), "/optimised.rs"));
}

pub use generated::{ALL, JACOBIANS, SEEDS, SEVERAL};
use generated::{all, runs_several};
