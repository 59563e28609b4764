use backsweep::adjoint;
use nalgebra::{DVector, Quaternion, Vector3};

/// Rustc finds these before the methods of the type, which take a reference.
trait Other {
    fn iter(self) -> std::vec::IntoIter<f64>;
    fn map(self, function: fn(f64) -> f64) -> Self;
}

impl Other for Vector3<f64> {
    fn iter(self) -> std::vec::IntoIter<f64> {
        vec![10.0 * self.x].into_iter()
    }
    fn map(self, function: fn(f64) -> f64) -> Self {
        Vector3::new(2.0 * function(self.x), 0.0, 0.0)
    }
}

/// The types have no such methods.
trait More {
    fn windows(&self, size: usize) -> std::vec::IntoIter<[f64; 2]>;
}

impl More for DVector<f64> {
    fn windows(&self, size: usize) -> std::vec::IntoIter<[f64; 2]> {
        vec![[self[size], self[0]]].into_iter()
    }
}

trait Iterated {
    fn iter(&self) -> std::vec::IntoIter<f64>;
}

impl Iterated for Quaternion<f64> {
    fn iter(&self) -> std::vec::IntoIter<f64> {
        vec![self.i].into_iter()
    }
}

#[adjoint(independents(v))]
fn gone_through(v: Vector3<f64>) -> f64 {
    let mut sum = 0.0;
    for x in v.iter() {
        sum += x * 1.0;
    }
    sum
}

#[adjoint(independents(v))]
fn mapped(v: Vector3<f64>) -> f64 {
    let w = v.map(|x| x * x);
    w.norm()
}

#[adjoint(independents(v))]
fn what_is_returned(v: Vector3<f64>, h: f64) -> f64 {
    let w = v.scale(h);
    let mut sum = 0.0;
    for x in w.iter() {
        sum += x * 1.0;
    }
    sum
}

#[adjoint(independents(v))]
fn parts(v: &DVector<f64>) -> f64 {
    let mut sum = 0.0;
    for pair in v.windows(2) {
        sum += pair[0] * pair[1];
    }
    sum
}

#[adjoint(independents(q))]
fn quaternion(q: Quaternion<f64>) -> f64 {
    let mut sum = 0.0;
    for x in q.iter() {
        sum += x * 1.0;
    }
    sum
}

fn main() {}
