//! Methods of traits that come before the annotated method of the same name.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
struct Spring {
    k: f64,
}

#[adjoint]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        self.k * x
    }

    fn stretch(&mut self, x: f64) {
        self.k *= x;
    }

    fn total(self, x: f64) -> f64 {
        self.k + x
    }
}

/// By value comes before by reference.
trait Energetic: Sized {
    fn energy(self, x: f64) -> f64 {
        x * x
    }
}

impl Energetic for Spring {}

/// By `&` comes before by `&mut`.
trait Stretched {
    fn stretch(&self, _: f64) {}
}

impl Stretched for Spring {}

/// By `&` comes after by value.
trait Total {
    fn total(&self, x: f64) -> f64 {
        x
    }
}

impl Total for Spring {}

#[adjoint(independents(s, x))]
fn takes_the_value(s: Spring, x: f64) -> f64 {
    s.energy(x)
}

#[adjoint(independents(s, x), dependents(s))]
fn takes_a_reference(s: &mut Spring, x: f64) {
    s.k *= x;
    s.stretch(x);
}

#[adjoint(independents(s, x))]
fn says_which(s: Spring, x: f64) -> f64 {
    Spring::energy(&s, x) + s.total(x)
}

/// A function of the type itself comes before that of the trait, also if it is there for some parameters only.
#[derive(Clone, Copy, Differentiable)]
struct Measured<Unit> {
    value: f64,
    unit: std::marker::PhantomData<Unit>,
}

trait Cost {
    fn cost(&self) -> f64;
}

impl Measured<f32> {
    fn cost(&self) -> f64 {
        2.0 * self.value
    }
}

#[adjoint]
impl<Unit> Cost for Measured<Unit> {
    #[adjoint(independents(self))]
    fn cost(&self) -> f64 {
        self.value * self.value
    }
}

#[adjoint]
fn of_some_parameters(x: f64) -> f64 {
    let measured: Measured<f32> = Measured { value: x, unit: std::marker::PhantomData };
    measured.cost()
}

fn main() {
    let mut s = Spring { k: 1.0 };
    takes_a_reference(&mut s, 1.0);
    takes_the_value(s, 1.0) + says_which(s, 1.0);
}
