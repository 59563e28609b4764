//! The integration tests, in one binary.

mod architecture;
mod golden;
mod language;
mod random_ir;
mod rules;
mod smoke;
mod ui;
