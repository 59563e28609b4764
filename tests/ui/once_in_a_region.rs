//! Code that the backward sweep would have to run again.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint]
fn weight(x: f64) -> f64 {
    let w = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
    w * x
}

#[adjoint]
fn around_a_loop(x: f64) -> f64 {
    let mut s = 0.0;
    #[checkpoint]
    for _ in 0..3 {
        s += weight(x) * s;
        println!("{s}");
    }
    s
}

fn main() {
    around_a_loop(1.0);
}
