//! A copy of a list has not the capacity of the list, and sweeps go by copies.
extern crate alloc;

use alloc::vec::Vec;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Map {
    border: f64,
    values: Vec<f64>,
}

#[adjoint]
impl Map {
    fn resized(self, size: usize) -> Self {
        if self.values.capacity() < size {
            Self { values: vec![0.0; size], ..self }
        } else {
            self
        }
    }
}

#[adjoint(independents(x))]
fn first(x: Vec<f64>, size: usize) -> f64 {
    let is_small = x.capacity() < size;
    if is_small { x[0] } else { 2.0 * x[0] }
}

fn main() {}
