//! References for the tests: an interpreter of the IR over any scalar, random programs, checks.

pub mod campaign;
pub mod check;
pub mod corpus;
pub mod distribution;
pub mod doubled;
pub mod dual;
pub mod interpreter;
pub mod program;
pub mod random;
pub mod reference;
pub mod relatives;
pub mod scalar;
pub mod shrink;
pub mod storage;
pub mod value;
pub mod vectors;
