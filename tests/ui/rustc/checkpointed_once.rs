//! A checkpointed loop whose body must not run again.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint]
fn weighted(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..9 {
        let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
        s *= w * x;
    }
    s
}

fn main() {
    weighted(1.0);
}
