use backsweep::adjoint;

#[adjoint]
pub fn halved(x: f64) -> f64 {
    0.5 * x
}
