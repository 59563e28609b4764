//! On a function of a type, the attribute cannot see that it is inside of an `impl` block.
use backsweep::adjoint;

struct Model;

impl Model {
    #[adjoint]
    fn square(x: f64) -> f64 {
        x * x
    }
}

fn main() {
    Model::square(1.0);
}
