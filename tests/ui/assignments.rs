//! Places that cannot be assigned to in active code.
use backsweep::adjoint;

#[adjoint]
fn one(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    *v.split_last_mut().unwrap().0 = x[0] * x[0];
    *v.split_first_mut().unwrap().0 *= 2.0;
    v[0]
}

#[adjoint]
fn one_of_two(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    (s, *v.split_last_mut().unwrap().0) = (x[0], x[0] * x[0]);
    s * v[0]
}

#[adjoint]
fn why(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    *v.split_last_mut().unwrap().0 = 2.0 * (#[split] x[0] * x[0]);
    v[0]
}

fn main() {
    one(&[1.0]) + one_of_two(&[1.0]) + why(&[1.0]);
}
