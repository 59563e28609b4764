use backsweep::adjoint;
use ndarray::Array1;

/// Arrays have their methods by way of `Deref`, and all of these come before.
trait Grow {
    fn exp(&self) -> Array1<f64>;
    fn ln(&self) -> Array1<f64>;
    fn sin(self) -> Array1<f64>;
}

impl Grow for Array1<f64> {
    fn exp(&self) -> Array1<f64> {
        self * 2.0
    }
    fn ln(&self) -> Array1<f64> {
        self * 2.0
    }
    fn sin(self) -> Array1<f64> {
        self * 2.0
    }
}

trait Shrink {
    fn cos(&self) -> Array1<f64>;
}

impl Shrink for &Array1<f64> {
    fn cos(&self) -> Array1<f64> {
        *self * 0.5
    }
}

#[adjoint(independents(x))]
fn on_a_reference(x: &Array1<f64>) -> f64 {
    x.exp().sum()
}

#[adjoint(independents(x))]
fn on_a_value(x: Array1<f64>) -> f64 {
    x.ln().sum()
}

#[adjoint(independents(x))]
fn by_value(x: &Array1<f64>) -> f64 {
    let y = x + 1.0;
    y.sin().sum()
}

#[adjoint(independents(x))]
fn of_a_reference(x: &Array1<f64>) -> f64 {
    x.cos().sum()
}

fn main() {}
