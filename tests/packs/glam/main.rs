//! The types of glam.

mod functions;
mod rules;
mod ui;
