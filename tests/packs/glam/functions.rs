//! Functions as they are written: gradients against central differences, and tangents against gradients.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use backsweep_packs::compare;
use glam::{DMat3, DQuat, DVec2, DVec3, Vec3, Vec4};

#[adjoint(independents(p, q))]
fn spring(p: DVec3, q: DVec3, stiffness: f64) -> f64 {
    let d = p - q;
    0.5 * stiffness * d.dot(d) + d.length()
}

/// Calls of another annotated function, and slices.
#[adjoint(independents(points))]
fn springs(points: &[DVec3], stiffness: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..points.len() {
        for j in 0..i {
            sum += spring(points[i], points[j], stiffness);
        }
    }
    sum
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Body {
    at: DVec3,
    velocity: DVec3,
    mass: f64,
}

/// Fields of structs, of vectors, indices, and assignments.
#[adjoint(independents(body))]
fn drifted(body: Body, h: f64) -> f64 {
    let mut p = body.at + body.velocity * h;
    p.x += 2.0 * p.y;
    p.z *= p.x;
    let mut q = p * body.mass - DVec3::new(p.x, 1.0, body.mass);
    q += DVec3::X;
    q -= p;
    q[1] += p[2];
    q *= 2.0;
    q /= body.mass;
    let DVec3 { x, y, .. } = q;
    q.length() * p[0] + body.velocity.dot(DVec3::ONE) + x * y
}

/// Iterators over slices.
#[adjoint(independents(points))]
fn path(points: &[DVec3]) -> f64 {
    let mut sum = DVec3::ZERO;
    let mut length = 0.0;
    for p in points {
        sum += *p;
        length += sum.length();
    }
    for (p, q) in points.iter().zip(points.iter().skip(1)) {
        let d = *p - *q;
        length += (d.dot(d) + 1.0).sqrt();
    }
    length
        + points.iter().map(|p| p.length_squared()).sum::<f64>()
        + points.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum::<f64>()
}

/// Lists that change.
#[adjoint(independents(points, velocities))]
fn step(points: &mut [DVec3], velocities: &mut [DVec3], h: f64) {
    for i in 0..points.len() {
        let p = points[i];
        velocities[i] -= p * (h / p.length());
        points[i] += velocities[i] * h;
        points[i].x += h * velocities[i].y;
    }
}

#[adjoint(independents(points))]
fn orbit(points: &[DVec3], h: f64) -> f64 {
    let mut at = points.to_vec();
    let mut velocities = points.to_vec();
    for _ in 0..3 {
        step(&mut at, &mut velocities, h);
    }
    at[0].dot(velocities[1]) + at[1].x
}

/// Vectors made of numbers.
#[adjoint]
fn made(x: f64, y: f64) -> f64 {
    let p = DVec3::new(x, y, 2.0);
    let mut q = DVec3 { x: 1.0, y: x * y, z: y };
    q.y = q.x + p.z * x;
    let r = DVec3::from_array([x, 1.0, y]);
    let on_left = 2.0 / (1.0 - y * r);
    p.dot(q) * p.length() + DVec3::dot(r, q) + on_left.element_sum() + (&p + &q).dot(r)
}

/// Rotations.
#[adjoint(independents(p))]
fn turned(p: DVec3, angle: f64) -> DVec3 {
    let m = DMat3::from_rotation_x(p.x + angle);
    let axis: DVec3 = p.normalize();
    let q = DQuat::from_axis_angle(axis, p.y);
    let half = DQuat::IDENTITY.slerp(q, 0.3);
    q * (m * p)
        + half.mul_vec3(m.mul_vec3(p))
        + m.transpose() * p
        + m.inverse().col(1) * m.determinant()
}

#[adjoint(independents(p, q))]
fn turns(p: DVec3, q: DVec3) -> f64 {
    let t = turned(p, 0.3);
    t.dot(q) + t.cross(p).x
}

/// What is decided by values has no derivative of its own.
#[adjoint(independents(p, q))]
fn chosen(p: DVec3, q: DVec3) -> f64 {
    if p == q {
        0.0
    } else if p.cmplt(q).all() {
        p.x * q.y
    } else {
        let low: DVec3 = p.min(q);
        low.abs().dot(p) + p.project_onto(q).length()
    }
}

/// Single precision; the fields of `Vec4` are found by way of `Deref`.
#[adjoint(independents(p))]
fn single(p: Vec4) -> f32 {
    let q = Vec3::new(p.x, p.y, p.z * p.w);
    let mut r = p * 2.0;
    r.w += p.x * p.y;
    q.cross(Vec3::X).length() + r.dot(p) + p.x * r.w
}

/// Complex numbers.
#[adjoint(independents(z))]
fn escaping(z: DVec2, c: DVec2) -> f64 {
    let mut w = z;
    for _ in 0..3 {
        w = w.rotate(w) + c;
    }
    w.length_squared()
}

const P: DVec3 = DVec3::new(1.0, 2.0, 0.5);
const Q: DVec3 = DVec3::new(-0.5, 0.3, 0.7);
const STEP: f64 = 1e-6;

fn points() -> Vec<DVec3> {
    vec![P, Q, DVec3::new(0.2, -1.0, 0.4), P * 2.0]
}

#[test]
fn a_function_of_two_vectors() {
    compare(
        &(P, Q),
        |(p, q)| spring(*p, *q, 1.5),
        spring::gradient(P, Q, 1.5),
        |(p, q)| spring::tangent(P, *p, Q, *q, 1.5),
        STEP,
    );
}

#[test]
fn slices_and_calls() {
    let points = points();
    compare(
        &points,
        |points| springs(points, 1.5),
        springs::gradient(&points, 1.5),
        |along| springs::tangent(&points, along, 1.5),
        STEP,
    );
    compare(
        &points,
        |points| path(points),
        path::gradient(&points),
        |along| path::tangent(&points, along),
        STEP,
    );
    compare(
        &points,
        |points| orbit(points, 0.1),
        orbit::gradient(&points, 0.1),
        |along| orbit::tangent(&points, along, 0.1),
        STEP,
    );
}

#[test]
fn fields_and_indices() {
    let body = Body { at: P, velocity: Q, mass: 1.3 };
    compare(
        &body,
        |body| drifted(*body, 0.1),
        drifted::gradient(body, 0.1),
        |along| drifted::tangent(body, *along, 0.1),
        STEP,
    );
}

#[test]
fn vectors_made_of_numbers() {
    compare(
        &(0.3, 0.8),
        |(x, y)| made(*x, *y),
        made::gradient(0.3, 0.8),
        |(x, y)| made::tangent(0.3, *x, 0.8, *y),
        STEP,
    );
}

#[test]
fn rotations_and_matrices() {
    compare(
        &(P, Q),
        |(p, q)| turns(*p, *q),
        turns::gradient(P, Q),
        |(p, q)| turns::tangent(P, *p, Q, *q),
        STEP,
    );
}

#[test]
fn choices() {
    for (p, q) in [(P, Q), (Q, P), (Q, Q + DVec3::ONE)] {
        compare(
            &(p, q),
            |(p, q)| chosen(*p, *q),
            chosen::gradient(p, q),
            |(along_p, along_q)| chosen::tangent(p, *along_p, q, *along_q),
            STEP,
        );
    }
}

#[test]
fn complex_numbers() {
    let (z, c) = (DVec2::new(0.3, 0.4), DVec2::new(-0.2, 0.6));
    compare(
        &z,
        |z| escaping(*z, c),
        escaping::gradient(z, c),
        |along| escaping::tangent(z, *along, c),
        STEP,
    );
}

#[test]
fn single_precision() {
    let p = Vec4::new(0.5, 1.5, -0.75, 1.25);
    let (value, gradient) = single::gradient(p);
    let tangent = |along: &Vec4| {
        let (value, tangent) = single::tangent(p, *along);
        (f64::from(value), f64::from(tangent))
    };
    compare(&p, |p| f64::from(single(*p)), (f64::from(value), gradient), tangent, 1.0 / 64.0);
}

#[adjoint]
fn matrix(angle: f64) -> DMat3 {
    DMat3::from_rotation_x(angle)
}

#[adjoint]
fn thrown_away(angle: f64) -> f64 {
    let _unused = matrix(2.0 * angle);
    angle * angle
}

/// A result that nobody wants has a weight of zero, though the default of a matrix is the identity.
#[test]
fn a_matrix_that_is_thrown_away() {
    assert_eq!(thrown_away::gradient(0.5), (0.25, 1.0));
}

/// What has no direction goes another way.
#[adjoint(independents(p))]
fn mapped(p: DVec3) -> f64 {
    let roots = p.map(|x| x.abs().sqrt() * x);
    match roots.try_normalize() {
        Some(unit) => unit.x + roots.y,
        None => p.z,
    }
}

#[test]
fn elements_and_directions() {
    for p in [DVec3::new(0.5, -0.7, 1.2), DVec3::ZERO] {
        let (value, gradient) = mapped::gradient(p);
        assert_eq!(value.to_bits(), mapped(p).to_bits());
        match p == DVec3::ZERO {
            true => assert_eq!(gradient, DVec3::Z),
            false => compare(
                &p,
                |p| mapped(*p),
                (value, gradient),
                |along| mapped::tangent(p, *along),
                1e-6,
            ),
        }
    }
}
