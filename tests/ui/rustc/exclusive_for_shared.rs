//! A `&mut` that is passed on to a function that only reads it.
use backsweep::adjoint;

#[adjoint]
fn sum_of_squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
    }
    sum
}

#[adjoint]
fn normalize(x: &mut [f64]) {
    let norm = sum_of_squares(x).sqrt();
    for i in 0..x.len() {
        x[i] /= norm;
    }
}

#[adjoint]
fn blend(a: &mut [f64], b: &[f64]) {
    for i in 0..a.len() {
        a[i] = a[i] * b[i];
    }
}

#[adjoint]
fn halves(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (left, right) = v.split_at_mut(2);
    blend(left, right);
    v[0]
}

fn main() {
    halves(&[1.0; 4]);
    normalize(&mut [3.0, 4.0]);
}
