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

fn main() {
    normalize(&mut [3.0, 4.0]);
}
