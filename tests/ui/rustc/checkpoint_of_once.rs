//! A joint call runs its callee twice, which this one does not stand.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint]
fn weight(x: f64) -> f64 {
    let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
    w * x
}

#[adjoint]
fn joint(x: f64) -> f64 {
    #[checkpoint]
    let y = weight(x);
    y * y
}

fn main() {
    joint::gradient(1.0);
}
