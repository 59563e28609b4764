//! What holds no floats is a constant, unless it has a bar, which a macro does not see everywhere.

use backsweep::{Differentiable, adjoint};

#[adjoint]
mod functions {
    #[derive(Clone, Copy)]
    pub struct Knob {
        pub number: usize,
    }

    pub fn tuned(knob: Knob, x: f64) -> f64 {
        x * knob.number as f64
    }
}

impl Differentiable for functions::Knob {
    type Bar = [f64; 2];
    fn zero_bar(&self) -> [f64; 2] {
        [0.0; 2]
    }
}

fn main() {
    functions::tuned::gradient(functions::Knob { number: 1 }, 2.0);
}
