//! References to texts and views inside of the types of parameters, in all that the attribute stands on and makes.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
fn g_adj(names: &[&str], x: f64, x_b: &mut f64, ret_b: f64) -> f64 {
    *x_b += ret_b * names.len() as f64;
    x * names.len() as f64
}
fn g_tan(names: &[&str], x: f64, x_d: f64) -> (f64, f64) {
    let n = names.len() as f64;
    (x * n, x_d * n)
}
#[adjoint(with = g_adj, tangent = g_tan)]
fn g(names: &[&str], x: f64) -> f64 {
    x * names.len() as f64
}
#[adjoint(partials(x: names.len() as f64))]
fn p(names: &[&str], x: f64) -> f64 {
    x * names.len() as f64
}
#[adjoint(second_order)]
fn s(names: &[&str], x: &[f64]) -> f64 {
    x[0] * x[0] * names.len() as f64
}
#[adjoint(test(names: &["a", "b"], x: 2.0))]
fn t(names: &[&str], x: f64) -> f64 {
    p(names, x) * g(names, x) + x
}
#[adjoint]
fn generic<T: num_traits::Float>(names: &[&str], rows: &[&[T]], x: T) -> T {
    rows[0][0] * x * T::from(names.len()).unwrap()
}
#[adjoint]
fn calls(names: &[&str], rows: &[&[f64]], x: f64) -> f64 {
    #[split]
    let a = generic(names, rows, x);
    #[checkpoint]
    let b = generic::<f64>(names, rows, x * 2.0);
    a * b + s(names, &[x])
}
#[adjoint]
fn fails(names: &[&str], x: f64) -> Option<f64> {
    if names.is_empty() { None } else { Some(x * x) }
}
#[adjoint]
fn rec(names: &[&str], n: usize, x: f64) -> f64 {
    if n == 0 { x } else { x.sin() * rec(names, n - 1, x) }
}
#[derive(Clone, Debug, Differentiable)]
struct M {
    a: f64,
}
#[adjoint]
impl M {
    fn new(names: &[&str], a: f64) -> Self {
        M { a: a * names.len() as f64 }
    }
    fn m(&self, names: &[&str], x: f64) -> f64 {
        self.a * x * names.len() as f64
    }
    fn set(&mut self, names: &[&str], x: f64) {
        self.a *= x * names.len() as f64;
    }
}
#[adjoint]
trait Tr: Differentiable {
    fn f(&self, names: &[&str], x: f64) -> f64;
    fn twice(&self, names: &[&str], x: f64) -> f64 {
        2.0 * self.f(names, x)
    }
}
#[adjoint]
impl Tr for M {
    fn f(&self, names: &[&str], x: f64) -> f64 {
        self.m(names, x)
    }
}
#[adjoint]
fn through<T: Tr + Differentiable>(t: &T, names: &[&str], x: f64) -> f64 {
    t.twice(names, x) * t.f(names, x)
}
#[adjoint]
mod inside {
    pub fn a(names: &[&str], x: f64) -> f64 {
        x * names.len() as f64
    }
    pub fn b(names: &[&str], rows: &[&[f64]], x: f64) -> f64 {
        a(names, x) * rows[0][0]
    }
}
#[adjoint(passive(f))]
fn borrowed(rows: &[&[f64]], f: &dyn Fn(&str) -> usize, x: f64) -> f64 {
    rows[0][0] * x * f("a") as f64
}
struct V<'a> {
    d: &'a [f64],
}
#[adjoint(independents(x), passive(v))]
fn with_view(v: &V, w: &[V<'_>], x: f64) -> f64 {
    v.d[0] * w[0].d[0] * x
}
#[test]
fn values() {
    let n = ["a", "b"];
    let rows: [&[f64]; 1] = [&[3.0, 2.0]];
    assert_eq!(g::gradient(&n, 2.0), (4.0, 2.0));
    assert_eq!(p::gradient(&n, 2.0), (4.0, 2.0));
    assert_eq!(s::gradient(&n, &[2.0]), (8.0, vec![8.0]));
    assert_eq!(s::hessian(&n, &[2.0]), vec![4.0]);
    assert_eq!(calls::gradient(&n, &rows, 1.0).0, 6.0 * 12.0 + 2.0);
    assert_eq!(calls::gradient(&n, &rows, 1.0).1.1, 144.0 + 4.0);
    assert_eq!(fails::gradient(&n, 2.0), Some((4.0, 4.0)));
    rec::gradient(&n, 3, 0.4);
    assert_eq!(M { a: 2.0 }.m_gradient(&n, 3.0).0, 12.0);
    let _ = (M::new(&n, 1.0), M { a: 1.0 }.set(&n, 1.0));
    let (v, (m, x)) = through::gradient(&M { a: 2.0 }, &n, 3.0);
    assert_eq!((v, m.a, x), (2.0 * 144.0, 288.0, 192.0));
    assert_eq!(inside::b::gradient(&n, &rows, 2.0).0, 12.0);
    let d = [2.0];
    assert_eq!(with_view::gradient(&V { d: &d }, &[V { d: &d }], 2.0), (8.0, 4.0));
    assert_eq!(t::gradient(&n, 2.0).0, 18.0);
    assert_eq!(
        borrowed::gradient(&rows, &|text: &str| text.len(), 2.0),
        (6.0, (vec![vec![2.0, 0.0]], 3.0))
    );
}
