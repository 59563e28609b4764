//! What arrays lend, and other shapes: values are those of views to the last bit.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use crate::{STEP, matrix, vector};
use backsweep::adjoint;
use backsweep_packs::compare;
use ndarray::{Array1, Array2, Array3, Axis};

/// Rows, columns and diagonals, of arrays with derivatives and of others.
#[adjoint(independents(m, v))]
fn parts(m: &Array2<f64>, v: &Array1<f64>, data: &Array2<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..data.nrows() {
        let row = m.row(i);
        sum += row.dot(v) * data.row(i).dot(&m.column(i));
        sum += (data.column(i).to_owned() * v).sum() + m.column(i).sum();
    }
    let gram = m.t().dot(m);
    let back = m.dot(&data.t());
    sum + m.diag().dot(v) + gram.diag().sum() + (gram * back).sum() + m.view().flatten().sum()
}

/// Values that become others.
#[adjoint(independents(m))]
fn turned(m: Array2<f64>) -> f64 {
    let t = m.clone().reversed_axes();
    let upper = m.triu(1) + m.tril(-1) * 2.0;
    let d = Array2::from_diag(&m.clone().into_diag());
    let first = m.clone().index_axis_move(Axis(0), 0);
    let second = m.index_axis(Axis(1), 1).to_owned();
    let column = first.clone().insert_axis(Axis(1));
    let list = second.to_vec();
    let mut sum = 0.0;
    for k in 0..list.len() {
        sum += list[k] * list[0];
    }
    (t.dot(&upper) + d.dot(&column)).sum() + first.dot(&second) + sum
}

#[adjoint(independents(t))]
fn layers(t: &Array3<f64>, x: &Array1<f64>) -> f64 {
    let mut state: Array1<f64> = x * 1.0;
    for k in 0..2 {
        state = t.index_axis(Axis(0), k).dot(&state).tanh();
    }
    state.sum()
}

#[test]
fn parts_of_arrays() {
    let (v, data) = (vector(3, 1), matrix(3, 3, 3));
    for m in [matrix(3, 3, 1), matrix(3, 3, 2).reversed_axes()] {
        compare(
            &(m.clone(), v.clone()),
            |(m, v)| parts(m, v, &data),
            parts::gradient(&m, &v, &data),
            |(along_m, along_v)| parts::tangent(&m, along_m, &v, along_v, &data),
            STEP,
        );
    }
}

#[test]
fn other_shapes() {
    let m = matrix(3, 3, 1);
    compare(
        &m,
        |m| turned(m.clone()),
        turned::gradient(m.clone()),
        |along| turned::tangent(m.clone(), along.clone()),
        STEP,
    );
}

#[test]
fn parts_of_three_dimensions() {
    let t = Array3::from_shape_fn((2, 3, 3), |(i, j, k)| (i + 2 * j) as f64 * 0.3 - k as f64 * 0.2);
    let x = vector(3, 1);
    compare(
        &t,
        |t| layers(t, &x),
        layers::gradient(&t, &x),
        |along| layers::tangent(&t, along, &x),
        STEP,
    );
}
