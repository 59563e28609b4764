//! Places that cannot be assigned to in active code.
use backsweep::adjoint;

#[adjoint]
fn one(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    *v.last_mut().unwrap() = x[0] * x[0];
    *v.first_mut().unwrap() *= 2.0;
    v[0]
}

#[adjoint]
fn one_of_two(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    (s, *v.last_mut().unwrap()) = (x[0], x[0] * x[0]);
    s * v[0]
}

fn main() {
    one(&[1.0]) + one_of_two(&[1.0]);
}
