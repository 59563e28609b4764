//! A method that a trait gives floats, and that has no adjoint.
use backsweep::adjoint;

trait Twice {
    fn twice(self) -> f64;
}

impl Twice for f64 {
    fn twice(self) -> f64 {
        2.0 * self
    }
}

#[adjoint]
fn unknown(x: f64) -> f64 {
    x.twice()
}

fn main() {
    unknown::gradient(1.0);
}
