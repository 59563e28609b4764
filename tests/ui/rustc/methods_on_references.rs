//! A method that takes the value comes behind those of traits that take a reference, where it is called on a reference.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
struct Spring {
    k: f64,
}

#[adjoint]
impl Spring {
    fn energy(self, x: f64) -> f64 {
        self.k * x
    }
}

trait Energetic {
    fn energy(&self, x: f64) -> f64;
}

impl Energetic for Spring {
    fn energy(&self, x: f64) -> f64 {
        7.0 * x
    }
}

#[adjoint(independents(s, x))]
fn parameter(s: &Spring, x: f64) -> f64 {
    s.energy(x)
}

#[adjoint(independents(springs, x))]
fn items(springs: &[Spring], x: f64) -> f64 {
    let mut sum = 0.0;
    for s in springs {
        sum += s.energy(x);
    }
    sum
}

#[adjoint(independents(s, x))]
fn changed(s: &mut Spring, x: f64) -> f64 {
    s.k *= x;
    s.energy(x)
}

/// These say which is meant.
#[adjoint(independents(s, x))]
fn said(s: &Spring, x: f64) -> f64 {
    Spring::energy(*s, x)
}

#[adjoint(independents(s, x))]
fn by_value(s: Spring, x: f64) -> f64 {
    s.energy(x)
}

fn main() {
    let mut s = Spring { k: 1.0 };
    parameter(&s, 1.0) + items(&[s], 1.0) + changed(&mut s, 1.0) + said(&s, 1.0) + by_value(s, 1.0);
}
