//! Functions that are passed as values have no derivatives here.
use backsweep::adjoint;

#[adjoint(independents(x), passive(f))]
fn by_value(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    f(x) * x
}

#[adjoint(independents(x), passive(f))]
fn by_reference(x: &[f64], f: &dyn Fn(f64) -> f64) -> f64 {
    let mut s = 0.0;
    for t in x {
        s += f(*t);
    }
    s
}

#[adjoint(independents(x), passive(f))]
fn generic<F: Fn(f64) -> f64>(x: f64, f: F) -> f64 {
    let t = x * x;
    let y = f(t);
    y + x
}

#[adjoint]
fn not_said<F>(x: f64, f: F) -> f64
where
    F: Fn(f64) -> f64,
{
    f(x)
}

fn main() {
    by_value(1.0, f64::sin) + by_reference(&[1.0], &f64::sin) + generic(1.0, f64::sin);
    not_said(1.0, f64::sin);
}
