//! A fixed-point loop and an independent loop whose bodies must not run again.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint]
fn root(a: f64) -> f64 {
    let mut y = a;
    #[fixed_point(tol = 1e-12)]
    while (y * y - a).abs() > 1e-12 {
        let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
        y = 0.5 * (y + a / y) + 0.0 * w;
    }
    y
}

#[adjoint]
fn weighted(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[independent]
    for i in 0..x.len() {
        let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
        s += w * x[i];
    }
    s
}

fn main() {
    root(1.0) + weighted(&[]);
}
