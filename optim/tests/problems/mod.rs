//! What several tests minimise, and how often they do.

#![allow(dead_code, reason = "each test has its own part")]

use backsweep::adjoint;
use std::sync::atomic::{AtomicUsize, Ordering};

#[adjoint]
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let (along, across) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
        sum += along * along + 100.0 * across * across;
    }
    sum
}

/// An error of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside(pub f64);

impl std::fmt::Display for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is outside", self.0)
    }
}

impl std::error::Error for Outside {}

#[adjoint(independents(x), dependents(return))]
pub fn barrier(x: &[f64]) -> Result<f64, Outside> {
    if x[0] <= 0.0 {
        return Err(Outside(x[0]));
    }
    Ok(x[0] - x[0].ln())
}

/// What debug builds evaluate to compare it.
pub const AT_FIRST: usize = cfg!(debug_assertions) as usize;

/// Counts calls, on whatever threads.
#[derive(Default)]
pub struct Calls(AtomicUsize);

impl Calls {
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// A function whose calls are counted.
    pub fn of<'c, R>(
        &'c self,
        function: impl Fn(&[f64]) -> R + Clone + 'c,
    ) -> impl Fn(&[f64]) -> R + Clone + 'c {
        move |x| {
            self.count();
            function(x)
        }
    }

    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// The number of calls, which are forgotten.
    pub fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}
