//! The integration tests, in one binary.

mod architecture;
mod language;
mod random_ir;
mod rules;
mod smoke;
mod ui;
