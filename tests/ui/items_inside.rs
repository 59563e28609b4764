//! Items inside of an annotated function that have an identity of their own.
use backsweep::{Differentiable, adjoint};
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
    macro_rules! square {
        () => {
            x * x
        };
    }
    let x = x * Local(1.0).get();
    square!()
}

#[adjoint]
fn has_a_function_that_counts(x: f64) -> f64 {
    fn count() -> usize {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        CALLS.fetch_add(1, Ordering::Relaxed)
    }
    x * count() as f64
}

const RATE: f64 = 2.0;

#[adjoint]
fn constant_of_a_block(x: f64) -> f64 {
    let y = {
        const RATE: f64 = 3.0;
        x * RATE
    };
    y * RATE
}

#[adjoint]
fn two_constants(x: f64) -> f64 {
    let y = {
        const FACTOR: f64 = 3.0;
        x * FACTOR
    };
    let z = {
        const FACTOR: f64 = 4.0;
        y * FACTOR
    };
    y * z
}

#[adjoint]
fn all_names(x: f64) -> f64 {
    let y = {
        use std::f64::consts::*;
        x * PI
    };
    y * x
}

mod doubling {
    pub trait Twice: Sized {
        fn twice(self) -> f64;
    }

    impl Twice for f64 {
        fn twice(self) -> f64 {
            2.0 * self
        }
    }
}

#[adjoint]
fn trait_of_a_block(x: f64) -> f64 {
    let n = {
        use doubling::Twice;
        3.0_f64.twice() as usize
    };
    x * n as f64
}

#[adjoint]
fn nameless_trait_of_a_block(x: f64) -> f64 {
    let n = {
        use doubling::Twice as _;
        3.0_f64.twice() as usize
    };
    x * n as f64
}

#[adjoint]
fn constant_in_a_text(x: f64) -> f64 {
    let y = {
        const RATE: f64 = 3.0;
        x * RATE
    };
    y * format!("{RATE}").len() as f64
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

/// Items have a `self` of their own.
#[adjoint]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        struct Scale(f64);
        impl Scale {
            fn of(&self, x: f64) -> f64 {
                self.0 * x
            }
        }
        self.k * Scale(2.0).of(x) * x
    }
}

fn main() {
    trait_of_a_block(1.0) + nameless_trait_of_a_block(1.0) + constant_in_a_text(1.0);
    counts(1.0) + declares(1.0) + has_a_function_that_counts(1.0);
    constant_of_a_block(1.0) + two_constants(1.0) + all_names(1.0) + RATE;
}
