//! The attribute on items that are no functions: the items are still there.
use backsweep::adjoint;

struct Model {
    k: f64,
}

#[adjoint]
impl Model {
    fn energy(&self, x: f64) -> f64 {
        self.k * x
    }
}

impl Model {
    #[adjoint(independents(x))]
    fn force(&self, x: f64) -> f64 {
        self.k * x
    }
}

#[adjoint]
trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[adjoint]
mod physics {
    pub fn square(x: f64) -> f64 {
        x * x
    }
}

#[adjoint]
struct Point(f64);

#[adjoint]
const HALF: f64 = 0.5;

#[adjoint]
use physics::square;

fn main() {
    let model = Model { k: 1.0 };
    model.energy(1.0) + model.force(1.0) + square(1.0);
    Point(HALF);
}
