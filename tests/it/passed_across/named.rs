use backsweep::adjoint;

#[adjoint]
pub fn named(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    2.0 * f(x)
}
