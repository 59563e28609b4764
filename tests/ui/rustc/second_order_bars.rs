//! Directions are of the types of values, and so must bars be.

use backsweep::{Differentiable, Vector, adjoint};

struct Angle {
    degrees: f64,
}

struct AngleBar {
    degrees: f64,
}

impl Vector for AngleBar {
    fn set_zero(&mut self) {
        self.degrees = 0.0;
    }
    fn accumulate(&mut self, other: &Self) {
        self.degrees += other.degrees;
    }
    fn inner(&self, other: &Self) -> f64 {
        self.degrees * other.degrees
    }
    fn write_flat(&self, flat: &mut Vec<f64>) {
        flat.push(self.degrees);
    }
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        self.degrees = flat[0];
        &flat[1..]
    }
}

impl Differentiable for Angle {
    type Bar = AngleBar;
    fn zero_bar(&self) -> AngleBar {
        AngleBar { degrees: 0.0 }
    }
}

#[adjoint(second_order)]
fn sine(angle: &Angle) -> f64 {
    angle.degrees.to_radians().sin()
}

fn main() {}
