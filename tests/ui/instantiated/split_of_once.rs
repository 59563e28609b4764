//! The same callee, called in the other mode.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint]
fn weight(x: f64) -> f64 {
    let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
    w * x
}

#[adjoint]
fn split(x: f64) -> f64 {
    #[split]
    let y = weight(x);
    y * y + weight(x)
}

fn main() {
    split(1.0);
    let (value, gradient) = split::gradient(1.0);
    assert_eq!((value, gradient), (2.0 * 2.0 + 3.0, 2.0 * 2.0 * 2.0 + 3.0));
    assert_eq!(COUNTER.load(Ordering::Relaxed), 4);
}
