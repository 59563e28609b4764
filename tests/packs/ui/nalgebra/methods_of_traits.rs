use backsweep::adjoint;
use nalgebra::Vector3;

/// It comes before the method of the type, which takes a reference.
trait Length {
    fn norm(self) -> f64;
}

impl Length for Vector3<f64> {
    fn norm(self) -> f64 {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}

#[adjoint(independents(p))]
fn value(p: Vector3<f64>) -> f64 {
    p.norm()
}

/// And this one where it is called on a reference.
trait Size {
    fn norm_squared(&self) -> f64;
}

impl Size for &Vector3<f64> {
    fn norm_squared(&self) -> f64 {
        self.x
    }
}

#[adjoint(independents(p))]
fn reference(p: &Vector3<f64>) -> f64 {
    p.norm_squared()
}

fn main() {}
