//! The types of nalgebra.

mod dynamic;
mod functions;
mod geometry;
mod rules;
mod ui;
