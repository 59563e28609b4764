//! What an annotated index has to be.
use backsweep::{Differentiable, adjoint};
use std::ops::{Index, IndexMut};

#[derive(Clone, Differentiable)]
struct Matrix {
    data: Vec<f64>,
    columns: usize,
    found: usize,
}

#[adjoint]
impl Index<usize> for Matrix {
    type Output = [f64];

    fn index(&self, row: usize) -> &[f64] {
        &self.data[row * self.columns..][..self.columns]
    }
}

#[adjoint]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        let at = |row: usize| row * self.columns + column;
        &self.data[at(row)]
    }
}

#[adjoint]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        self.found += 1;
        let data = &mut self.data;
        &mut data[row * self.columns + column]
    }
}

macro_rules! element {
    ($data:expr, $at:expr) => {
        &$data[$at]
    };
}

#[adjoint]
impl Index<u8> for Matrix {
    type Output = f64;

    fn index(&self, at: u8) -> &f64 {
        element!(self.data, usize::from(at))
    }
}

fn main() {}
