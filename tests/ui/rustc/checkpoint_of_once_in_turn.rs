//! A joint call runs its callee twice, also what that calls by way of functions that call each other in turn.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint]
fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x * x, n - 1) }
}

#[adjoint]
fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { weight(x) } else { even(x.sin(), n - 1) }
}

#[adjoint]
fn weight(x: f64) -> f64 {
    let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
    w * x
}

#[adjoint]
fn joint(x: f64, n: usize) -> f64 {
    #[checkpoint]
    let y = even(x, n);
    y * y
}

fn main() {
    joint::gradient(1.0, 3);
}
