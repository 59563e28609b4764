//! A type of the user's that is called like that of the library.
use backsweep::adjoint;
use std::cell::Cell;
use std::ops::Deref;

struct Layer {
    weight: f64,
}

struct Box<T> {
    held: T,
    looks: Cell<usize>,
}

impl<T> Deref for Box<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.looks.set(self.looks.get() + 1);
        &self.held
    }
}

#[adjoint(independents(x), passive(layer))]
fn scaled(layer: &Box<Layer>, x: f64) -> f64 {
    (**layer).weight * x * x
}

fn main() {
    let layer = Box { held: Layer { weight: 1.0 }, looks: Cell::new(0) };
    scaled(&layer, 1.0);
}
