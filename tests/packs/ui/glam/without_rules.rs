use backsweep::adjoint;
use glam::{DVec3, Vec3Swizzles, dvec3};

#[adjoint(independents(p))]
fn method(p: DVec3) -> f64 {
    p.clamp_length(0.5, 1.0).x
}

#[adjoint(independents(p))]
fn swizzle(p: DVec3) -> f64 {
    p.xy().x
}

#[adjoint]
fn function(x: f64) -> f64 {
    dvec3(x, 1.0, 2.0).length()
}

#[adjoint]
fn conversion(x: f64) -> f64 {
    DVec3::from([x, 1.0, 2.0]).length()
}

fn main() {}
