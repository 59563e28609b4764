//! The integration tests, in one binary.

mod architecture;
mod behaviour;
mod golden;
mod language;
mod lists;
mod names;
mod random_ir;
mod rules;
mod ui;
