//! Entries that are not asked for are not there.
use backsweep::adjoint;

#[adjoint(entries())]
fn helper(x: f64) -> f64 {
    x * x
}

#[adjoint(entries(gradient))]
fn cubed(x: f64) -> f64 {
    helper(x) * x
}

fn main() {
    helper::gradient(1.0);
    cubed::gradient(1.0);
    cubed::adjoint_only(1.0, &mut 0.0, 1.0);
}
