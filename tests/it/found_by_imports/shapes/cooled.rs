use backsweep::adjoint;

#[adjoint]
pub fn cooled(x: f64) -> f64 {
    (-x).exp()
}
