//! What a trait has by the name of no elementary function, by its path, and what is lent to be changed.

use backsweep::adjoint;

trait Functions: Sized {
    fn gamma(self) -> Self;
    fn exp(&mut self) -> Self;
}

impl Functions for f64 {
    fn gamma(self) -> f64 {
        self
    }
    fn exp(&mut self) -> f64 {
        f64::exp(*self)
    }
}

#[adjoint]
fn of_another_name(x: f64) -> f64 {
    Functions::gamma(x) * x
}

#[adjoint]
fn of_a_changed_number(mut x: f64) -> f64 {
    Functions::exp(&mut x) * x
}

fn main() {}
