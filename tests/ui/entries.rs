//! Entries that there are none of.
use backsweep::adjoint;

#[adjoint(entries(slope, tangent))]
fn misspelt(x: f64) -> f64 {
    x * x
}

#[adjoint(entries(gradient))]
fn of_two_results(x: f64) -> (f64, f64) {
    (x * x, x)
}

#[adjoint(entries(hessian))]
fn of_first_order(x: f64) -> f64 {
    x * x
}

#[adjoint(entries)]
fn without_a_list(x: f64) -> f64 {
    x * x
}

#[derive(Clone, Copy, backsweep::Differentiable)]
struct Length(f64);

#[adjoint(entries(adjoint))]
impl std::ops::Neg for Length {
    type Output = Self;
    fn neg(self) -> Self {
        Length(-self.0)
    }
}

fn main() {}
