//! What holds no floats is a constant, unless it has a bar, which a macro does not see everywhere.

mod knobs {
    #[derive(Clone, Copy)]
    pub struct Knob {
        pub number: usize,
    }
}

mod bars {
    impl backsweep::Differentiable for super::knobs::Knob {
        type Bar = [f64; 2];
        fn zero_bar(&self) -> [f64; 2] {
            [0.0; 2]
        }
    }
}

mod functions {
    use super::knobs::Knob;
    use backsweep::adjoint;

    #[adjoint]
    pub fn tuned(knob: Knob, x: f64) -> f64 {
        x * knob.number as f64
    }
}

fn main() {
    functions::tuned::gradient(knobs::Knob { number: 1 }, 2.0);
}
