//! References that verbatim code returns, and that are written through: not a gradient of 0.
use backsweep::adjoint;

#[adjoint]
fn last(x: f64) -> f64 {
    let mut v = vec![0.0; 2];
    let r = v.split_last_mut().unwrap().0;
    *r = x * x;
    v[1]
}

#[adjoint]
fn split(x: f64) -> f64 {
    let mut v = vec![0.0; 2];
    let (l, _) = v.split_at_mut_checked(1).unwrap();
    l[0] = x * x;
    v[0]
}

#[adjoint]
fn field(x: f64) -> f64 {
    let mut v = vec![0.0; 2];
    let parts = v.split_at_mut(1);
    parts.0[0] = x * x;
    v[0]
}

#[adjoint]
fn converted(x: f64) -> f64 {
    let mut v = [0.0; 2];
    let r = v.as_mut();
    r[0] = x * x;
    v[0]
}

fn main() {
    last(1.0) + split(1.0) + field(1.0);
    converted(1.0);
}
