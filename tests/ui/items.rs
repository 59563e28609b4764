//! The attribute on items that are no functions, modules or `impl` blocks: the items are still there.
use backsweep::adjoint;

#[adjoint]
mod physics {
    pub fn square(x: f64) -> f64 {
        *Box::new(x * x)
    }
}

#[adjoint]
struct Point(f64);

#[adjoint]
const HALF: f64 = 0.5;

#[adjoint]
use physics::square;

fn main() {
    square(1.0);
    Point(HALF);
}
