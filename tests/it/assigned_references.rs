//! A `&mut` that is assigned again: which part of a list it refers to is in variables.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use testkit::vectors::check;

#[derive(Clone, Debug, Differentiable)]
struct Cell {
    value: f64,
    next: usize,
}

/// Along the links of a list, and back to where it began.
#[adjoint(independents(cells, x), dependents(cells))]
fn walk(cells: &mut [Cell], x: f64) {
    let mut at = 0;
    let mut cell = &mut cells[at];
    for i in 1..6 {
        cell.value += x * i as f64;
        cell.value *= 0.5 * cell.value;
        at = cell.next;
        cell = &mut cells[at];
    }
    cell.value -= x * x;
}

#[adjoint]
fn through(v: &mut [f64], x: f64) -> f64 {
    let mut r = &mut v[0];
    let mut sum = 0.0;
    for i in 1..4 {
        *r = *r * x + sum;
        sum += *r * *r;
        r = &mut v[i % 3];
    }
    *r += sum;
    sum
}

#[adjoint]
fn scale(v: &mut [f64], x: f64) {
    for t in v.iter_mut() {
        *t *= x;
    }
}

#[adjoint]
fn of_rows(rows: &mut [Vec<f64>], x: f64) -> f64 {
    let mut row = &mut rows[0];
    row[0] *= x;
    row = &mut rows[1];
    row[1] *= x;
    scale(row, x);
    row.push(x);
    row = &mut rows[0];
    row[1] += x;
    rows.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

fn squares(v: &[f64]) -> f64 {
    v.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v).sum()
}

#[test]
fn cells_and_elements() {
    let cells: Vec<Cell> =
        [(0.7, 2), (-0.4, 0), (1.3, 1)].map(|(value, next)| Cell { value, next }).to_vec();
    let plain = |(cells, x): &(Vec<Cell>, f64)| {
        let mut cells = cells.clone();
        walk(&mut cells, *x);
        squares(&cells.iter().map(|cell| cell.value).collect::<Vec<_>>())
    };
    let (mut values, mut x_b) = (cells.clone(), 0.0);
    let mut bars = cells.clone();
    bars.iter_mut().enumerate().for_each(|(i, bar)| bar.value = (i + 1) as f64);
    walk::adjoint(&mut values, &mut bars, 0.6, &mut x_b);
    check(plain, &(cells, 0.6), &(bars, x_b));

    let plain = |(v, x): &(Vec<f64>, f64)| {
        let mut v = v.clone();
        through(&mut v, *x) + squares(&v)
    };
    let (v, mut x_b) = (vec![0.3, -1.2, 0.8], 0.0);
    let (mut values, mut bars) = (v.clone(), vec![1.0, 2.0, 3.0]);
    through::adjoint(&mut values, &mut bars, 0.9, &mut x_b, 1.0);
    check(plain, &(v, 0.9), &(bars, x_b));
}

#[test]
fn rows_that_grow() {
    let plain = |(rows, x): &(Vec<Vec<f64>>, f64)| of_rows(&mut rows.clone(), *x);
    let (rows, mut x_b) = (vec![vec![0.3, 1.2], vec![0.8, -0.5]], 0.0);
    let mut values = rows.clone();
    let mut bars = vec![vec![0.0; 2], vec![0.0; 3]];
    let value = of_rows::adjoint(&mut values, &mut bars, 0.9, &mut x_b, 1.0);
    assert_eq!(value, plain(&(rows.clone(), 0.9)));
    check(plain, &(rows, 0.9), &(bars, x_b));
}
