//! Functions that take functions, with type parameters that may stand for any type, are lowered in place of their calls. Gradients against central
//! differences.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use num_traits::Float;
#[adjoint]
fn map3<T, U>(array: [T; 3], mut map: impl FnMut(T) -> U) -> [U; 3] {
    let [a, b, c] = array;
    [map(a), map(b), map(c)]
}
#[adjoint]
fn pairs<A: Copy, B, F>(x: &[A], f: F) -> Vec<B>
where
    F: Fn(A, A) -> B,
{
    let mut out = Vec::new();
    for k in 1..x.len() {
        out.push(f(x[k - 1], x[k]));
    }
    out
}
#[adjoint]
fn twice<S: Clone>(s: S, step: impl Fn(S) -> S) -> S {
    step(step(s))
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct P {
    x: f64,
    v: f64,
}
#[adjoint]
fn concrete(x: &[f64]) -> f64 {
    let scaled = map3([x[0], x[1], x[2]], |c| c * x[3]);
    let d: Vec<f64> = pairs(x, |a, b| (b - a).sin());
    let end = twice(P { x: x[4], v: x[5] }, |p| P { x: p.x + 0.1 * p.v, v: p.v - 0.1 * p.x });
    scaled[0] * scaled[1] + scaled[2].exp() + d.iter().map(|v| v * v).sum::<f64>() + end.x * end.v
}
#[adjoint]
fn generic<T: Float>(x: &[T]) -> T {
    let [a, b, c] = map3([x[0], x[1], x[2]], |c| c.sin());
    a * b + c
}
#[test]
fn parameters_may_stand_for_any_type() {
    use testkit::vectors::check;

    let x = vec![0.7, -0.4, 1.1, 0.5, 1.3, -0.8];
    let (v, g) = concrete::gradient(&x);
    assert_eq!(v, concrete(&x));
    check(|x: &Vec<f64>| concrete(x), &x, &g);
    let (v, g) = generic::gradient(&x[..]);
    assert_eq!(v, generic(&x));
    check(|x: &Vec<f64>| generic(x), &x, &g);
}
