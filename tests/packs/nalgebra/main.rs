//! The types of nalgebra.

mod rules;
