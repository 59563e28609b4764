//! Functions of nalgebra's types, as anyone would write them.

use backsweep::adjoint;
use nalgebra::{DMatrix, Point3, UnitQuaternion, Vector2, Vector3};

/// `sum((A B C⁻¹) ∘ D)`
#[adjoint(independents(a, b, c, d))]
pub fn chain(a: &DMatrix<f64>, b: &DMatrix<f64>, c: &DMatrix<f64>, d: &DMatrix<f64>) -> f64 {
    let inverse = c.clone().try_inverse().expect("it is regular");
    let product = a * b * inverse;
    product.component_mul(d).sum()
}

/// A camera and its pose: focal length, centre, two numbers of distortion, turn, shift.
pub const PARAMETERS: usize = 11;

/// Where the camera sees points.
#[adjoint(independents(p))]
pub fn seen(p: &[f64; PARAMETERS], points: &[Point3<f64>]) -> Vec<f64> {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[5], p[6], p[7]));
    let shift = Vector3::new(p[8], p[9], p[10]);
    let mut pixels = Vec::with_capacity(2 * points.len());
    for point in points {
        let q = turn * point + shift;
        let ray = Vector2::new(q.x / q.z, q.y / q.z);
        let r2 = ray.norm_squared();
        let bent = ray * (1.0 + p[3] * r2 + p[4] * r2 * r2);
        pixels.push(p[0] * bent.x + p[1]);
        pixels.push(p[0] * bent.y + p[2]);
    }
    pixels
}
