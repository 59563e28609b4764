//! What a loop finds by comparisons alone has a derivative that its statements do not tell.

use backsweep::adjoint;

#[adjoint]
fn bisected(a: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    0.5 * (lo + hi)
}

/// On one way out of it.
#[adjoint]
fn with_an_early_return(a: f64, b: f64) -> f64 {
    if a < 1.0 {
        return a * b;
    }
    let (mut lo, mut hi) = (0.0, 10.0);
    loop {
        let middle = 0.5 * (lo + hi);
        let residual = middle * middle - a;
        if residual.abs() < 1e-9 {
            return middle;
        }
        if residual > 0.0 {
            hi = middle;
        } else {
            lo = middle;
        }
    }
}

#[adjoint]
fn with_steps_that_halve(a: f64) -> f64 {
    let (mut x, mut step) = (0.0, 1.0);
    while step > 1e-9 {
        if (x + step) * (x + step) < a {
            x += step;
        }
        step *= 0.5;
    }
    x
}

fn main() {}
