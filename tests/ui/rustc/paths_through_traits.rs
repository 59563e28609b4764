//! Functions of traits that are called through the trait: they are of whatever type that is found for.
use backsweep::adjoint;

trait Half: Sized {
    fn half(self) -> Self;
}

impl Half for f64 {
    fn half(self) -> f64 {
        0.5 * self
    }
}

mod inside {
    pub trait Size {
        fn size(&self) -> f64;
    }

    impl Size for f64 {
        fn size(&self) -> f64 {
            self.abs()
        }
    }
}

#[adjoint]
fn by_its_name(x: f64) -> f64 {
    Half::half(x) * x
}

#[adjoint]
fn by_its_path(x: f64) -> f64 {
    x * inside::Size::size(&x)
}

#[adjoint]
fn tested_only(x: f64) -> f64 {
    if inside::Size::size(&x) > 1.0 { x * x } else { x }
}

fn main() {}
