//! Traits, and their `impl` blocks, that are not differentiated.
use backsweep::adjoint;

trait Unannotated {
    fn half(self) -> f64;
}

#[adjoint]
impl Unannotated for f64 {
    fn half(self) -> f64 {
        self / 2.0
    }
}

#[adjoint]
trait Doubled {
    fn doubled(self) -> f64;

    #[adjoint(skip)]
    fn tripled(self) -> f64;
}

#[adjoint(of_trait(doubled))]
impl<T: Into<f64>> Doubled for T {
    fn doubled(self) -> f64 {
        2.0 * self.into()
    }

    fn tripled(self) -> f64 {
        3.0 * self.into()
    }
}

struct Unit;

#[adjoint(of_trait(doubled_first))]
impl<T: Copy + Into<f64>> DoubledFirst<Vec<T>> for Unit {
    fn doubled_first(&self, of: &Vec<T>) -> f64 {
        2.0 * of[0].into()
    }
}

#[adjoint]
trait DoubledFirst<V> {
    #[adjoint(independents(of), dependents(return))]
    fn doubled_first(&self, of: &V) -> f64;
}

#[adjoint]
trait Tripled {
    #[adjoint]
    fn tripled(self) -> f64;

    fn named(self) -> f64;
}

#[adjoint(of_trait(tripled))]
impl Tripled for f64 {
    fn tripled(self) -> f64 {
        3.0 * self
    }

    fn named(self) -> f64 {
        self
    }
}

#[adjoint]
trait WithoutFloats {
    fn size(n: usize) -> usize;
}

#[adjoint(passive(x))]
trait WithOptions {
    fn value(x: f64) -> f64;
}

fn main() {}
