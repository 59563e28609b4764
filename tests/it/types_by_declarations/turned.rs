//! Conditions choose between two modules, of which the type, and what belongs to it, is the same from outside.

use super::geometry::Vector;
use backsweep::adjoint;

#[cfg(not(any()))]
mod numbers;
#[cfg(any())]
mod registers;

#[cfg(not(any()))]
use numbers::*;
#[cfg(any())]
use registers::*;

pub use turn::{Turn, turn};

#[adjoint(independents(by, vector), dependents(return))]
pub fn turned_by(by: Turn, vector: Vector) -> f64 {
    let twice = by * (by * vector);
    (by * vector - twice).abs().max(vector).dot(twice) * by.size().max(0.5)
}
