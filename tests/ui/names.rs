//! Names that are not those of parameters with derivatives: all are reported at once.
use backsweep::adjoint;

#[adjoint(independents(x, z, x), dependents(return, w))]
fn unknown_and_twice(x: f64) -> f64 {
    x * x
}

#[adjoint(independents(n, k), dependents(return))]
fn integers(x: f64, n: usize, k: &[i32]) -> f64 {
    x * n as f64 + k[0] as f64
}

#[adjoint(independents(x), dependents(y, c))]
fn never_written(x: &[f64], y: &[f64], c: f64) -> f64 {
    x[0] * y[0] + c
}

#[adjoint(independents(x), passive(x))]
fn passive_too(x: f64) -> f64 {
    x * x
}

#[adjoint(independents(), dependents())]
fn nothing_named(x: f64) -> f64 {
    x * x
}

#[adjoint(independents(x), dependents(return))]
fn returns_nothing(x: &mut f64) {
    *x *= 2.0;
}

#[adjoint(independents(x), dependents(return))]
fn returns_no_float(x: f64) -> bool {
    x > 0.0
}

#[adjoint(independents(p.k), dependents(return.0))]
fn parts(p: (f64, f64)) -> (f64, f64) {
    p
}

#[adjoint]
fn no_result(x: f64) {
    println!("{x}");
}

#[adjoint]
fn no_floats(n: usize) -> usize {
    n + 1
}

fn main() {
    unknown_and_twice(1.0) + integers(1.0, 2, &[3]) + never_written(&[1.0], &[2.0], 3.0);
    passive_too(1.0) + nothing_named(1.0);
    returns_nothing(&mut 1.0);
    returns_no_float(1.0);
    parts((1.0, 2.0));
    no_floats(1);
    no_result(1.0);
}
