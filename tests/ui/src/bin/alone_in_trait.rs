//! A method of a trait that is annotated without its block.
use backsweep::adjoint;

struct Line {
    slope: f64,
}

trait Curve {
    fn at(&self, x: f64) -> f64;
}

impl Curve for Line {
    #[adjoint(independents(x))]
    fn at(&self, x: f64) -> f64 {
        self.slope * x
    }
}

fn main() {
    Line { slope: 1.0 }.at(1.0);
}
