//! Closures over active values.
use backsweep::adjoint;

fn apply(f: &mut dyn FnMut(f64)) {
    f(1.0);
}

fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[adjoint]
fn passed_on(x: f64) -> f64 {
    let mut s = 0.0;
    apply(&mut |v| s += v * x);
    s
}

#[adjoint]
fn passed_by_value(x: f64) -> f64 {
    twice(|t| t * x, x)
}

#[adjoint]
fn passed_by_name(x: f64) -> f64 {
    let scale = |t: f64| t * x;
    twice(scale, x)
}

#[adjoint]
fn counts_elsewhere_too(x: &[f64]) -> f64 {
    let mut n = 0;
    let mut count = |t: f64| {
        n += 1;
        t > 0.0
    };
    let first = count(x[0]);
    let last = x.iter().rposition(|t| count(*t));
    if first && last.is_some() { x[0] * n as f64 } else { x[1] }
}

#[adjoint]
fn moves_what_changes(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    v[1] = x * x;
    let f = move |t: f64| v[1] * t;
    v = vec![x];
    f(x) + v[0]
}

#[adjoint]
fn returned(x: f64) -> f64 {
    let scaled = |a: f64| move |t: f64| a * t;
    scaled(x)(2.0)
}

#[adjoint]
fn chosen(x: f64, c: bool) -> f64 {
    let f: &dyn Fn(f64) -> f64 = if c { &|t| t * x } else { &|t| t + x };
    f(x)
}

struct Keeper<F: Fn(f64) -> f64> {
    f: F,
}

#[adjoint]
fn stored(x: f64) -> f64 {
    let keeper = Keeper { f: move |t| t * x };
    (keeper.f)(x)
}

#[adjoint]
fn boxed(x: f64) -> f64 {
    let f: Box<dyn Fn(f64) -> f64> = Box::new(move |t| t * x);
    f(x)
}

fn main() {}
