//! Items inside of an annotated function that have an identity of their own.
use backsweep::adjoint;
use std::sync::atomic::{AtomicUsize, Ordering};

#[adjoint]
fn counts(x: f64) -> f64 {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed);
    x * x
}

#[adjoint]
fn declares(x: f64) -> f64 {
    struct Local(f64);
    impl Local {
        fn get(&self) -> f64 {
            self.0
        }
    }
    macro_rules! two {
        () => {
            2.0
        };
    }
    x * Local(1.0).get() * two!()
}

#[adjoint]
fn has_a_function_that_counts(x: f64) -> f64 {
    fn count() -> usize {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        CALLS.fetch_add(1, Ordering::Relaxed)
    }
    x * count() as f64
}

fn main() {
    counts(1.0) + declares(1.0) + has_a_function_that_counts(1.0);
}
