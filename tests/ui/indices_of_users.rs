//! Indices that are functions of the user's types, of what has a derivative.
use backsweep::{Differentiable, adjoint};
use std::ops::{Index, IndexMut};

#[derive(Clone, Differentiable)]
struct Matrix {
    data: Vec<f64>,
    columns: usize,
}

impl Index<[usize; 2]> for Matrix {
    type Output = f64;

    fn index(&self, [row, column]: [usize; 2]) -> &f64 {
        &self.data[row * self.columns + column]
    }
}

impl IndexMut<[usize; 2]> for Matrix {
    fn index_mut(&mut self, [row, column]: [usize; 2]) -> &mut f64 {
        &mut self.data[row * self.columns + column]
    }
}

#[adjoint(independents(m, x))]
fn read(m: &Matrix, x: f64) -> f64 {
    x * m[[1, 0]]
}

#[adjoint]
fn written(x: f64) -> f64 {
    let mut m = Matrix { data: vec![0.0; 4], columns: 2 };
    m[[0, 1]] = x;
    m.data[1] * x
}

#[adjoint(independents(m, x))]
fn added(m: &mut Matrix, x: f64) {
    m[[0, 1]] += x;
}

fn main() {
    let mut m = Matrix { data: vec![0.0; 4], columns: 2 };
    read(&m, 1.0) + written(1.0);
    added(&mut m, 1.0);
}
