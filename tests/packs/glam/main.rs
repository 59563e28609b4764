//! The types of glam.

mod rules;
