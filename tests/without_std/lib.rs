//! Functions that are differentiated where `::std` and `::core` mean nothing.

#![no_std]
#![deny(missing_docs, unused)]

extern crate alloc;
extern crate backsweep;

use alloc::vec::Vec;
use backsweep::{adjoint, Differentiable};

/// A weight and what it is for.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Term {
    /// The factor.
    pub weight: f64,
    /// The roots.
    pub roots: Vec<f64>,
}

/// Lists, loops, `matches!`, a `Result`.
#[adjoint(independents(terms, x), dependents(return))]
pub fn evaluated(terms: &[Term], x: f64) -> Result<f64, usize> {
    let mut values = Vec::new();
    for term in terms {
        let mut value = term.weight;
        for k in 0..term.roots.len() {
            value *= x - term.roots[k];
        }
        values.push(value);
    }
    if matches!(values.len(), 0 | 1) {
        return Err(values.len());
    }
    let mut sorted: Vec<f64> = values.iter().map(|value| value * x).collect();
    sorted.swap(0, 1);
    #[cfg(not(any()))]
    sorted.fill(x);
    Ok(sorted.iter().sum::<f64>() + values.iter().fold(0.0, |sum, value| sum + value * value))
}

/// Several outputs, so that there is a Jacobian, and checkpoints.
#[adjoint]
pub fn orbit(x: f64, steps: usize, out: &mut [f64]) {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for _ in 0..steps {
        y = 1.1 * y * (1.0 - y);
    }
    out[0] = y;
    out[1] = y * y;
}
