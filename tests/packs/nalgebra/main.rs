//! The types of nalgebra.

mod dynamic;
mod factorizations;
mod functions;
mod geometry;
mod rules;
mod ui;
