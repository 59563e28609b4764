//! The integration tests, in one binary.

mod random_ir;
mod smoke;
mod ui;
