use backsweep::adjoint;

#[adjoint]
pub fn cubed(x: f64) -> f64 {
    x * squared(x)
}

#[adjoint]
fn squared(x: f64) -> f64 {
    x * x
}
