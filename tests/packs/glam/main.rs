//! The types of glam.

mod documented;
mod functions;
mod rules;
mod ui;
