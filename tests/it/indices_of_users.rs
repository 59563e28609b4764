//! Indices that are functions of the user's types, where no derivative passes through them.

use approx::assert_relative_eq;
use backsweep::adjoint;
use std::ops::{Index, IndexMut};

struct Table {
    data: Vec<f64>,
    columns: usize,
    found: usize,
}

impl Table {
    fn new(rows: usize, columns: usize) -> Self {
        Self { data: vec![0.5; rows * columns], columns, found: 0 }
    }
}

impl Index<(usize, usize)> for Table {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.data[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Table {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        self.found += 1;
        &mut self.data[row * self.columns + column]
    }
}

/// From the other corner.
impl Index<[usize; 2]> for Table {
    type Output = f64;

    fn index(&self, [row, column]: [usize; 2]) -> &f64 {
        &self.data[self.data.len() - 1 - (row * self.columns + column)]
    }
}

#[adjoint]
fn of_a_table(x: f64, n: usize) -> f64 {
    let mut table = Table::new(2, 3);
    table[(0, 1)] = n as f64;
    table[(1, 2)] += 0.25;
    let weight: f64 = table[(0, 1)];
    let mut s = x * weight;
    for k in 0..3 {
        let weight: f64 = table[[0, k]];
        s += weight * x * x;
    }
    s
}

#[adjoint(independents(x), passive(table))]
fn counted(x: f64, table: &mut Table) -> f64 {
    table[(0, 0)] = 3.0;
    let weight: f64 = table[(0, 0)];
    weight * x * x
}

#[test]
fn they_are_constants_and_found_once() {
    let (value, gradient) = of_a_table::gradient(1.5, 4);
    assert_eq!(value, of_a_table(1.5, 4));
    // The weights are 4, and 0.75, 0.5, 0.5 from the end on.
    assert_relative_eq!(value, 4.0 * 1.5 + 1.75 * 2.25);
    assert_relative_eq!(gradient, 4.0 + 1.75 * 3.0);
    let mut table = Table::new(1, 1);
    let (value, gradient) = counted::gradient(2.0, &mut table);
    assert_eq!((value, gradient), (12.0, 12.0));
    assert_eq!(table.found, 1);
}
