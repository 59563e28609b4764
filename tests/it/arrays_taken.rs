//! Arrays that are taken out of lists: `first_chunk`, `try_from`, references to them.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::adjoint;
#[adjoint]
fn a(x: &[f64]) -> f64 {
    let &[a, b] = x.first_chunk::<2>().unwrap();
    let [c, d] = *x.last_chunk::<2>().expect("two");
    let p: &[f64; 3] = x[1..].try_into().unwrap();
    let [e, _, g] = <[f64; 3]>::try_from(&x[..3]).unwrap();
    let &[h, i, ..] = <&[f64; 4]>::try_from(x).expect("four");
    a * b + c * d * d + cost(p) * e * g + h / i
}
#[adjoint]
fn b(x: &[f64]) -> f64 {
    let q = x.first_chunk::<3>().unwrap();
    let r: [f64; 2] = x[2..].try_into().unwrap();
    let &[s, t] = x.first_chunk().unwrap();
    cost(q) * cost2(r) + s * t + cost(x.last_chunk::<3>().unwrap())
}
#[adjoint]
fn cost(p: &[f64; 3]) -> f64 {
    p[0] * p[1] - p[2] * p[2]
}
#[adjoint]
fn cost2(p: [f64; 2]) -> f64 {
    p[0] * p[1]
}
#[adjoint]
fn c(x: &[f64]) -> f64 {
    dims::<3>(x)
}
#[adjoint]
fn dims<const N: usize>(x: &[f64]) -> f64 {
    let head: [f64; N] = *x.first_chunk::<N>().unwrap();
    let tail = x.last_chunk::<N>().unwrap();
    let mut s = 0.0;
    for (h, t) in head.iter().zip(tail) {
        s += h * t * t;
    }
    s
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7, 1.1, 0.4], [0.1, 0.2, 0.3, -0.4]; a);
    assert_derivatives!([0.3, 0.7, 1.1, 0.4], [0.1, 0.2, 0.3, -0.4]; b);
    assert_derivatives!([0.3, 0.7, 1.1, 0.4], [0.1, 0.2, 0.3, -0.4]; c);
}
#[test]
#[should_panic]
fn short() {
    a::gradient(&[1.0, 2.0, 3.0]);
}
