//! Functions on points, rotations and isometries, as they are written.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use backsweep_packs::compare;
use nalgebra::{
    Isometry2, Isometry3, Point2, Point3, Quaternion, Rotation2, Rotation3, Translation3, Unit,
    UnitQuaternion, Vector2, Vector3,
};

const STEP: f64 = 1e-6;

/// Inverse kinematics: how far the end of an arm is from where it should be.
#[adjoint(independents(angles, lengths))]
fn reach(angles: &[f64], lengths: &[f64], target: &Point3<f64>) -> f64 {
    let mut pose: Isometry3<f64> = Isometry3::identity();
    for k in 0..angles.len() {
        let axis = if k % 2 == 0 { Vector3::z_axis() } else { Vector3::y_axis() };
        let turn = UnitQuaternion::from_axis_angle(&axis, angles[k]);
        let shift = Translation3::new(lengths[k], 0.0, 0.1 * angles[k]);
        pose = pose * Isometry3::from_parts(shift, turn);
    }
    let tip = pose * Point3::new(0.1, 0.2, 0.3);
    (tip - target).norm_squared()
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Camera {
    pose: Isometry3<f64>,
    focal: f64,
    centre: Vector2<f64>,
    distortion: [f64; 2],
}

/// Where a camera sees a point.
#[adjoint(independents(camera, point))]
fn project(camera: &Camera, point: &Point3<f64>) -> Vector2<f64> {
    let local = camera.pose.inverse_transform_point(point);
    let image = Vector2::new(local.x / local.z, local.y / local.z);
    let r2: f64 = image.norm_squared();
    let factor = 1.0 + camera.distortion[0] * r2 + camera.distortion[1] * r2 * r2;
    image * (camera.focal * factor) + camera.centre
}

/// How far off the points are in the picture.
#[adjoint(independents(camera, points))]
fn reprojection(camera: &Camera, points: &[Point3<f64>], seen: &[Vector2<f64>]) -> f64 {
    let mut error = 0.0;
    for (point, pixel) in points.iter().zip(seen) {
        let off = project(camera, point) - pixel;
        error += off.norm_squared();
    }
    error
}

/// Quaternions turn vectors.
#[adjoint(independents(q, v))]
fn turned(q: UnitQuaternion<f64>, v: Vector3<f64>) -> f64 {
    let w = q * v;
    let r = q.to_rotation_matrix() * v;
    let m = Rotation3::from_euler_angles(v.x, v.y, 0.3);
    let s = m.inverse() * w;
    let u = Unit::new_normalize(s);
    let p = Point3::new(v.x, v.y, w.z);
    let half = q.nlerp(&UnitQuaternion::identity(), 0.5);
    w.dot(&r)
        + q.angle()
        + u.into_inner().dot(&v)
        + (m * p).x
        + q.inverse_transform_vector(&v).z
        + (half.inverse() * q * w).y
}

/// Rotations made of numbers.
#[adjoint]
fn made(x: f64, y: f64) -> f64 {
    let axis = Unit::new_normalize(Vector3::new(x, y, 1.0));
    let a = UnitQuaternion::from_axis_angle(&axis, x);
    let b = UnitQuaternion::from_euler_angles(x, y, x * y);
    let c = UnitQuaternion::from_scaled_axis(Vector3::new(x, 0.0, y));
    let d = Rotation3::from_axis_angle(&axis, y);
    let e = Rotation3::new(Vector3::new(y, x, 0.5));
    let v = a * b * c * (d * e * Vector3::new(1.0, x, y));
    let plane = Rotation2::new(x) * Vector2::new(x, y);
    let shift = Isometry2::new(plane, y) * Point2::new(1.0, x);
    v.x + v.y * v.z + plane.x + shift.y + a.angle_to(&b) + Rotation2::new(x * y).angle()
}

/// Fields of quaternions, also written.
#[adjoint(independents(q))]
fn fields(q: Quaternion<f64>) -> f64 {
    let mut r = q * q.conjugate() + Quaternion::new(q.w, 1.0, q.i, 2.0) * 0.5;
    r.i += q.j * q.k;
    r *= 2.0;
    q.w * q.i + q.norm() + r.norm() + r[1] * r.j
}

#[test]
fn inverse_kinematics() {
    let (angles, lengths) = (vec![0.3, -0.2, 0.5, 0.9], vec![1.0, 0.7, 0.4, 0.3]);
    let target = Point3::new(1.0, 0.5, 0.2);
    compare(
        &(angles.clone(), lengths.clone()),
        |(angles, lengths)| reach(angles, lengths, &target),
        reach::gradient(&angles, &lengths, &target),
        |(along_a, along_l)| reach::tangent(&angles, along_a, &lengths, along_l, &target),
        STEP,
    );
}

/// Gradients with respect to rotations are those by their four numbers, as differences are taken.
#[test]
fn reprojections() {
    let camera = Camera {
        pose: Isometry3::new(Vector3::new(0.1, 0.2, -3.0), Vector3::new(0.1, 0.2, 0.3)),
        focal: 1.5,
        centre: Vector2::new(0.3, 0.4),
        distortion: [0.1, -0.02],
    };
    let points =
        vec![Point3::new(0.1, 0.2, 0.3), Point3::new(-0.4, 0.3, 0.1), Point3::new(0.2, -0.5, 1.0)];
    let seen = [Vector2::new(0.5, 0.1), Vector2::new(0.2, -0.1), Vector2::new(0.4, 0.3)];
    compare(
        &(camera, points.clone()),
        |(camera, points)| reprojection(camera, points, &seen),
        reprojection::gradient(&camera, &points, &seen),
        |(along_c, along_p)| reprojection::tangent(&camera, along_c, &points, along_p, &seen),
        STEP,
    );
}

#[test]
fn rotations() {
    let (q, v) = (UnitQuaternion::from_euler_angles(0.1, 0.7, 0.3), Vector3::new(0.1, 0.2, 0.3));
    compare(
        &(q, v),
        |(q, v)| turned(*q, *v),
        turned::gradient(q, v),
        |(along_q, along_v)| turned::tangent(q, *along_q, v, *along_v),
        STEP,
    );
    compare(
        &(0.4, 0.7),
        |(x, y)| made(*x, *y),
        made::gradient(0.4, 0.7),
        |(x, y)| made::tangent(0.4, *x, 0.7, *y),
        STEP,
    );
}

#[test]
fn quaternions() {
    let q = Quaternion::new(1.0, -0.5, 0.3, 0.7);
    compare(&q, |q| fields(*q), fields::gradient(q), |along| fields::tangent(q, *along), STEP);
}

#[adjoint]
fn about_nothing(x: f64) -> f64 {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(x, 0.0, 0.0));
    let same = Rotation3::from_scaled_axis(Vector3::new(x, 0.0, 0.0));
    (turn * Vector3::y()).z + (same * Vector3::y()).z
}

/// Where there is no axis, values are those of no rotation; derivatives are those that they have there.
#[test]
fn no_rotation() {
    assert_eq!(about_nothing::gradient(0.0), (0.0, 2.0));
    assert_eq!(about_nothing::tangent(0.0, 1.0), (0.0, 2.0));
}
