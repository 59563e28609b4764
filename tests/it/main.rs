//! The integration tests, in one binary.

mod architecture;
mod behaviour;
mod golden;
mod language;
mod names;
mod random_ir;
mod rules;
mod structs;
mod ui;
