use backsweep::adjoint;
use ndarray::{Array1, Array2, Axis, s};

/// An index of a matrix has two parts.
#[adjoint(independents(m))]
fn mapped(m: &Array2<f64>) -> f64 {
    m.mapv(|x| x * x).sum()
}

#[adjoint(independents(x))]
fn sliced(x: &Array1<f64>) -> f64 {
    x.slice(s![1..]).sum()
}

#[adjoint(independents(m))]
fn rows(m: &Array2<f64>) -> f64 {
    let mut sum = 0.0;
    for row in m.rows() {
        sum += row.sum();
    }
    sum
}

#[adjoint(independents(x))]
fn reshaped(x: &Array1<f64>) -> f64 {
    x.clone().into_shape_with_order((2, 2)).unwrap().sum()
}

#[adjoint(independents(x))]
fn made_by_a_closure(x: &Array1<f64>) -> f64 {
    Array1::from_shape_fn(3, |i| x[i]).sum()
}

#[adjoint(independents(m))]
fn folded(m: &Array2<f64>) -> f64 {
    m.map_axis(Axis(0), |column| column.sum()).sum()
}

fn main() {}
