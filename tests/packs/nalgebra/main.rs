//! The types of nalgebra.

mod functions;
mod geometry;
mod rules;
mod ui;
