//! Functions of elements, sums and indices.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use crate::{STEP, matrix, vector};
use backsweep::adjoint;
use backsweep_packs::compare;
use ndarray::{Array1, Array2, Array3, Axis};

/// Functions of floats on arrays whose types are not written down.
#[adjoint(independents(x, y))]
fn chained(x: &Array1<f64>, y: &Array1<f64>, p: f64) -> f64 {
    let s = x.sin() * y.cos();
    let t = (&s + 2.0).sqrt().ln();
    let u = (t * y).tanh() - (1.0 - x).exp();
    let v = u.powi(2) + x.abs().powf(p) + y.hypot(p).cbrt();
    let w = v.clamp(0.1, 4.0).recip() + (2.0 / (3.0 + &s)).atan().asinh();
    let big: f64 = w.dot(&v);
    big.exp().ln_1p() + w.sum().sqrt()
}

/// Numbers on either side.
#[adjoint(independents(x, a))]
fn scalars(x: &Array2<f64>, a: f64) -> f64 {
    let mut y = a + x;
    y -= a;
    y *= x;
    y /= a;
    let z = a - &y * 2.0 + a * x - x / a - a / (x + 3.0) + x % 0.7;
    let scaled = -z * a;
    (scaled + y).product() + a
}

/// Sums and products of all kinds.
#[adjoint(independents(x))]
fn reduced(x: &Array2<f64>) -> f64 {
    let columns = x.sum_axis(Axis(0));
    let rows = x.product_axis(Axis(1));
    let products = x.cumprod(Axis(0)) + x.cumprod(Axis(1));
    let differences = x.diff(2, Axis(0)).powi(2).sum() + x.diff(1, Axis(1)).sum();
    let moments = x.var_axis(Axis(1), 1.0).sum() + x.std_axis(Axis(0), 0.0).sum() + x.var(0.5);
    columns.dot(&columns) * rows.sum() + products.sum() + differences + moments + x.product()
}

/// Elements that are read and written.
#[adjoint(independents(m, v))]
fn indexed(m: &Array2<f64>, v: &Array1<f64>) -> f64 {
    let n: usize = m.nrows();
    let mut a = Array2::zeros((n, n));
    let mut w: Array1<f64> = Array1::zeros(n);
    let mut lower: Array2<f64> = Array2::eye(3);
    for i in 0..n {
        for j in 0..m.ncols() {
            lower[[i, j]] = m[[i, j]] * v[j] + m[(j, i)];
            lower[(i, j)] *= 0.5;
            w[i] += lower[[j, i]] * v[i];
        }
        w[i] = w[i].sin() / (i + 1) as f64;
    }
    a += &lower;
    a.dot(&w).dot(v) + w[0] * lower[(1, 2)]
}

/// Three dimensions.
#[adjoint(independents(t))]
fn cube(t: &Array3<f64>) -> f64 {
    let mut s: Array3<f64> = t * 2.0 - 1.0;
    s[[0, 1, 1]] = t[[1, 0, 0]] * t[(1, 1, 1)];
    s *= t;
    s.sum_axis(Axis(2)).tanh().sum() + s.exp().sum()
}

/// Solvers make lists of them, and of numbers.
#[adjoint(independents(x))]
fn path(x: &[f64], h: f64) -> f64 {
    let mut state = Array1::from_vec(x.to_vec());
    let start = state.clone();
    let mut all = vec![state.clone()];
    let grid = Array1::linspace(x[0], x[1], 3);
    for k in 0..4 {
        let speed = &state * -h + Array1::<f64>::from_elem(3, x[0] * k as f64);
        state += &speed;
        state *= &grid;
        all.push(state.clone());
    }
    let mut sum = 0.0;
    for k in 0..all.len() {
        sum += all[k].dot(&start);
    }
    sum
}

/// Nothing depends on the root of 0.
#[adjoint(independents(x))]
fn masked(x: &Array1<f64>, mask: &Array1<f64>) -> f64 {
    (x.sqrt() * mask).sum()
}

#[adjoint(independents(x))]
fn single(x: &Array1<f32>, m: &Array2<f32>) -> f32 {
    let y = (m.dot(x) * 0.5 + 1.0).exp();
    2.0 * y.sum() - y.dot(&y)
}

#[test]
fn of_elements() {
    let (x, y) = (vector(5, 1), vector(5, 2));
    compare(
        &(x.clone(), y.clone()),
        |(x, y)| chained(x, y, 1.3),
        chained::gradient(&x, &y, 1.3),
        |(along_x, along_y)| chained::tangent(&x, along_x, &y, along_y, 1.3),
        STEP,
    );
}

#[test]
fn of_numbers_and_arrays() {
    for x in [matrix(2, 3, 1), matrix(3, 2, 1).reversed_axes()] {
        compare(
            &(x.clone(), 0.8),
            |(x, a)| scalars(x, *a),
            scalars::gradient(&x, 0.8),
            |(along_x, along_a)| scalars::tangent(&x, along_x, 0.8, *along_a),
            STEP,
        );
    }
}

#[test]
fn reductions() {
    for x in [matrix(4, 3, 2), matrix(3, 4, 1).reversed_axes()] {
        compare(&x, reduced, reduced::gradient(&x), |along| reduced::tangent(&x, along), STEP);
    }
    // One factor is 0.
    let mut x = matrix(4, 3, 2);
    x[[1, 1]] = 0.0;
    let at = x.clone();
    compare(&x, reduced, reduced::gradient(&x), |along| reduced::tangent(&at, along), STEP);
}

#[test]
fn indices() {
    let (m, v) = (matrix(3, 3, 1), vector(3, 2));
    compare(
        &(m.clone(), v.clone()),
        |(m, v)| indexed(m, v),
        indexed::gradient(&m, &v),
        |(along_m, along_v)| indexed::tangent(&m, along_m, &v, along_v),
        STEP,
    );
    let t = Array3::from_shape_fn((2, 2, 3), |(i, j, k)| (i + 2 * j) as f64 * 0.3 - k as f64 * 0.2);
    compare(&t, cube, cube::gradient(&t), |along| cube::tangent(&t, along), STEP);
}

#[test]
fn lists() {
    let x = vec![0.3, -0.7, 0.9];
    compare(
        &x,
        |x| path(x, 0.1),
        path::gradient(&x, 0.1),
        |along| path::tangent(&x, along, 0.1),
        STEP,
    );
}

#[test]
fn what_nothing_depends_on() {
    let (x, mask) = (Array1::from_vec(vec![0.0, 4.0]), Array1::from_vec(vec![0.0, 1.0]));
    assert_eq!(masked::gradient(&x, &mask), (2.0, Array1::from_vec(vec![0.0, 0.25])));
}

#[test]
fn single_precision() {
    let (x, m) = (vector(3, 1).mapv(|x| x as f32), matrix(2, 3, 1).mapv(|x| x as f32));
    let (value, gradient) = single::gradient(&x, &m);
    assert_eq!(value.to_bits(), single(&x, &m).to_bits());
    for k in 0..3 {
        let moved = |step: f32| {
            let mut x = x.clone();
            x[k] += step;
            single(&x, &m)
        };
        let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
        assert!((slope - gradient[k]).abs() < 1e-2, "{slope}, {}", gradient[k]);
    }
}

/// Elements, one after the other.
#[adjoint(independents(x, w))]
fn elements(x: &Array1<f64>, w: &Array1<f64>) -> f64 {
    let p = x.mapv(|x| 1.0 / (1.0 + (-x).exp()));
    let mut sum = 0.0;
    for (k, p) in p.iter().enumerate() {
        sum += (k + 1) as f64 * p.ln();
    }
    sum + x.iter().zip(w.iter()).map(|(x, w)| (x - w) * (x - w)).sum::<f64>() + p.sum()
}

#[test]
fn arrays_element_by_element() {
    let (x, w) = (vector(4, 1), vector(4, 2));
    compare(
        &(x.clone(), w.clone()),
        |(x, w)| elements(x, w),
        elements::gradient(&x, &w),
        |(along_x, along_w)| elements::tangent(&x, along_x, &w, along_w),
        STEP,
    );
}
