//! Annotated functions as another crate has them, one that allows nothing.
#![forbid(unsafe_code)]
#![deny(missing_docs, unused, dead_code, unreachable_pub)]

use backsweep::adjoint;

/// A weighted sum of squares.
#[adjoint(independents(x), dependents(return))]
pub fn energy(x: &[f64], weight: f64) -> f64 {
    let mut sum = 0.0;
    for &v in x {
        sum += weight * v * v;
    }
    sum
}

/// Squares in place, times a factor.
#[adjoint]
#[allow(clippy::needless_range_loop)] // numerical code is full of indices
pub fn square_all(x: f64, y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = y[i] * y[i] * x;
    }
}

/// Its derivatives carry another name.
#[adjoint(name = "cubic_wrt_x")]
pub fn cubic(x: f64, y: f64) -> f64 {
    x * x * x * y
}

/// A module of the same name as its function, the usual layout.
pub mod gamma {
    use backsweep::adjoint;

    /// Something that grows; its derivatives are free functions beside it.
    #[adjoint(name = "self")]
    pub fn gamma(x: f64) -> f64 {
        x.exp() * x
    }
}

pub use gamma::gamma;

/// A private function is differentiated as well.
#[adjoint]
fn helper(x: f64) -> f64 {
    x.sin() * x
}

/// One of the crate.
#[adjoint]
pub(crate) fn crate_helper(x: f64) -> f64 {
    helper(x) + 1.0
}

/// A public function that calls the others.
#[adjoint(callee(cubic = cubic_wrt_x))]
pub fn composed(x: f64) -> f64 {
    crate_helper(x) * cubic(x, 2.0)
}
