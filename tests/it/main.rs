//! The integration tests, in one binary.

mod language;
mod random_ir;
mod smoke;
mod ui;
