//! Functions that may fail.

use backsweep::adjoint;

/// The larger root of a quadratic equation.
#[adjoint]
pub fn larger_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 || a == 0.0 {
        return None;
    }
    Some((-b + discriminant.sqrt()) / (2.0 * a))
}

/// The logarithm of what must be positive.
#[adjoint]
pub fn log_of_positive(x: f64) -> Result<f64, String> {
    if x <= 0.0 {
        return Err("not positive".to_string());
    }
    Ok(x.ln())
}
