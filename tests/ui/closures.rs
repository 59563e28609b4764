//! Closures over active values.
use backsweep::adjoint;

fn apply(f: &mut dyn FnMut(f64)) {
    f(1.0);
}

fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

#[adjoint]
fn called_here(x: f64) -> f64 {
    let square = |t: f64| t * t * x;
    square(x) + square(2.0)
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
fn writes_its_capture(x: f64) -> f64 {
    let mut s = 0.0;
    let mut add = |v: f64| s += v * x;
    add(1.0);
    add(x);
    s
}

#[adjoint]
fn moves_its_capture(x: f64) -> f64 {
    let mut c = 0.0;
    let mut f = move |t: f64| {
        c += t;
        c * t
    };
    let a = f(x);
    let b = f(x);
    a + b + c
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

fn main() {
    called_here(1.0) + passed_on(1.0) + passed_by_value(1.0) + writes_its_capture(1.0);
    moves_its_capture(1.0) + stored(1.0) + boxed(1.0);
}
