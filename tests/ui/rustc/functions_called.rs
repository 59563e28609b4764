//! Calls of functions whose derivative is not to be had, or not as it is needed.
use backsweep::adjoint;
use std::sync::atomic::{AtomicU64, Ordering};

static COUNTER: AtomicU64 = AtomicU64::new(0);

#[adjoint(passive(weight))]
fn weighted(x: f64, weight: f64) -> f64 {
    x * weight
}

#[adjoint(independents(x), dependents(return))]
fn only_of_x(x: &[f64], shift: &mut [f64]) -> f64 {
    shift[0] += 1.0;
    x[0] * x[0]
}

#[adjoint]
fn needs_the_weight(x: f64) -> f64 {
    weighted(2.0, x)
}

#[adjoint]
fn needs_what_is_written(x: f64) -> f64 {
    let mut shift = [x, x];
    only_of_x(&[x], &mut shift) + shift[0]
}

mod inner {
    pub fn plain(x: f64) -> f64 {
        x * x
    }
}

#[adjoint]
fn by_a_path(x: f64) -> f64 {
    inner::plain(x) + self::inner::plain(2.0 * x)
}

#[adjoint]
fn counted(x: f64) -> f64 {
    let n = COUNTER.fetch_add(1, Ordering::Relaxed) as f64;
    n * x
}

#[adjoint(checkpoint(counted))]
fn twice(x: f64) -> f64 {
    counted(x)
}

#[adjoint(mode = "joint")]
fn twice_by_mode(x: f64) -> f64 {
    x * counted(x)
}

fn main() {
    needs_the_weight::gradient(1.0);
    needs_what_is_written::gradient(1.0);
    by_a_path::gradient(1.0);
    twice::gradient(1.0);
    twice_by_mode::gradient(1.0);
}
