//! Arrays that are mapped, whose elements have the types of what they are made for; arrays in fields that are gone through by value.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};

#[adjoint]
fn products_of_rows(x: &[f64]) -> f64 {
    let m = [[x[0], x[1]], [x[2], x[3]]];
    let r = m.map(|row| row[0] * row[1]);
    r[0] * r[1]
}
#[adjoint]
fn sums_of_rows(x: &[f64]) -> f64 {
    let m = [[x[0], x[1]], [x[2], x[3]]];
    let r: [f64; 2] = m.map(|row| row.iter().sum());
    r[0] * r[1]
}
#[adjoint]
fn stated_sums(x: &[f64]) -> f64 {
    let m = [[x[0], x[1]], [x[2], x[3]]];
    let v = [x[0], 2.0];
    let r = m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>());
    r[0] * r[1]
}
#[adjoint]
fn rows_times_values(x: &[f64]) -> f64 {
    let m = [[x[0], x[1]], [x[2], x[3]]];
    let v = [x[0], 2.0];
    let r: [f64; 2] = m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum());
    r[0] * r[1]
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Matrix([[f64; 2]; 2]);
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vector([f64; 2]);
#[adjoint]
fn times(m: Matrix, v: Vector) -> Vector {
    Vector(m.0.map(|row| row.iter().zip(v.0).map(|(a, b)| a * b).sum()))
}
#[adjoint]
fn times_borrowed(m: Matrix, v: Vector) -> Vector {
    Vector(m.0.map(|row| row.iter().zip(&v.0).map(|(a, b)| a * b).sum::<f64>()))
}
#[adjoint]
fn of_structs(x: &[f64]) -> f64 {
    let r = times(Matrix([[x[0], x[1]], [x[2], x[3]]]), Vector([x[3], x[1]]));
    let s = times_borrowed(Matrix([[x[0], x[1]], [x[2], x[3]]]), r);
    r.0[0] * r.0[1] + s.0[0] * s.0[1]
}

#[test]
fn mapped_arrays() {
    const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];
    assert_derivatives!(AT, [0.3, -0.2, 0.5, 0.9]; products_of_rows sums_of_rows stated_sums rows_times_values of_structs);
}
