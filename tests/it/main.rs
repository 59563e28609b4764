//! The integration tests, in one binary.

mod architecture;
mod behaviour;
mod generics;
mod golden;
mod language;
mod lists;
mod names;
mod outcomes;
mod random_ir;
mod rules;
mod structs;
mod ui;
