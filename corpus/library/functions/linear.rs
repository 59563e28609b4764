//! Linear algebra on slices.

use backsweep::adjoint;

pub use self::products::{dot, norm as euclidean_norm};

/// Products of lists.
pub mod products {
    use backsweep::adjoint;

    /// The square root of the sum of squares.
    #[adjoint]
    pub fn norm(a: &[f64]) -> f64 {
        dot(a, a).sqrt()
    }

    /// The inner product.
    #[adjoint]
    pub fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }
}

/// `y += factor x`.
#[adjoint]
pub fn axpy(factor: f64, x: &[f64], y: &mut [f64]) {
    for (target, value) in y.iter_mut().zip(x) {
        *target += factor * value;
    }
}

/// The lower triangle of a Cholesky factorisation, in place; the logarithm of the determinant.
#[adjoint]
pub fn cholesky(a: &mut [f64], n: usize) -> f64 {
    let mut log_det = 0.0;
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
        }
        let d = a[j * n + j].sqrt();
        log_det += 2.0 * d.ln();
        for i in j..n {
            a[i * n + j] /= d;
        }
    }
    log_det
}

/// Solves with a lower triangle, in place.
#[adjoint]
pub fn solve_lower(l: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let done = dot(&l[i * n..i * n + i], &b[..i]);
        b[i] = (b[i] - done) / l[i * n + i];
    }
}

/// A tridiagonal system, by Thomas; both lists are destroyed.
#[adjoint]
pub fn thomas(lower: &[f64], diagonal: &mut [f64], upper: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 1..n {
        let w = lower[i] / diagonal[i - 1];
        diagonal[i] -= w * upper[i - 1];
        b[i] -= w * b[i - 1];
    }
    b[n - 1] /= diagonal[n - 1];
    for i in (0..n - 1).rev() {
        b[i] = (b[i] - upper[i] * b[i + 1]) / diagonal[i];
    }
}
