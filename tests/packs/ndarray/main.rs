//! The arrays of ndarray.

mod broadcast;
mod functions;
mod models;
mod rules;
mod shapes;
mod ui;

use ndarray::{Array1, Array2};

/// How far apart points are whose values are compared.
const STEP: f64 = 1e-6;

fn matrix(rows: usize, columns: usize, seed: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        ((i * 7 + j * 3 + seed * 5) % 11) as f64 * 0.1 - 0.45
    })
}

fn vector(len: usize, seed: usize) -> Array1<f64> {
    Array1::from_shape_fn(len, |i| ((i * 5 + seed * 3) % 7) as f64 * 0.15 - 0.4)
}
