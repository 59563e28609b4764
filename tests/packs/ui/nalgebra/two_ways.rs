use backsweep::adjoint;
use nalgebra::{Isometry3, Point3, Quaternion};

/// They are one number, and generated code would take them for two.
#[adjoint]
fn point(x: f64) -> f64 {
    let mut p = Point3::<f64>::origin();
    p.x = x * x;
    p.coords.x
}

#[adjoint]
fn by_reference(x: f64) -> f64 {
    let mut p = Point3::<f64>::origin();
    let c = &mut p.coords;
    c.x = x * x;
    p.x
}

#[adjoint]
fn by_pattern(x: f64) -> f64 {
    let mut p = Point3::<f64>::origin();
    p.x = x * x;
    let Point3 { coords } = p;
    coords.x
}

#[adjoint(independents(q))]
fn quaternion(q: Quaternion<f64>) -> f64 {
    q.w + q.coords.w
}

#[adjoint(independents(pose))]
fn translation(pose: Isometry3<f64>) -> f64 {
    pose.translation.vector.x + pose.translation.x
}

fn main() {}
