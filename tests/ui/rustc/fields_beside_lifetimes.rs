//! Fields without derivatives, and without copies, of a struct with lifetimes and type parameters.
use backsweep::Differentiable;

#[derive(Clone, Copy)]
pub enum Side {
    Left,
    Right,
}

#[derive(Differentiable)]
pub struct Fit<'a, F: Fn(f64) -> f64> {
    pub values: Vec<f64>,
    pub sides: Vec<Side>,
    #[passive]
    pub function: &'a F,
    #[passive]
    pub start: &'a mut [f64],
}

fn main() {
    let _ = [Side::Left, Side::Right];
}
