use backsweep::adjoint;

#[adjoint]
pub fn thirded(x: f64) -> f64 {
    x / 3.0
}

#[adjoint]
pub fn thirded_twice(x: f64) -> f64 {
    thirded(super::thirded::thirded(x))
}
