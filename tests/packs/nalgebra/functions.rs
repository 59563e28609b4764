//! Functions on vectors and matrices of static size, as they are written.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use backsweep_packs::compare;
use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector2, Vector3, Vector4};

const STEP: f64 = 1e-6;

#[adjoint(independents(p, q))]
fn spring(p: Vector3<f64>, q: Vector3<f64>, stiffness: f64) -> f64 {
    let d = p - q;
    0.5 * stiffness * d.dot(&d) + d.norm()
}

/// Calls of another annotated function, and slices.
#[adjoint(independents(points))]
fn springs(points: &[Vector3<f64>], stiffness: f64) -> f64 {
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
    at: Vector3<f64>,
    velocity: Vector3<f64>,
    mass: f64,
}

/// Fields of structs, of vectors, indices, and assignments.
#[adjoint(independents(body))]
fn drifted(body: Body, h: f64) -> f64 {
    let mut p = body.at + body.velocity * h;
    p.x += 2.0 * p.y;
    p.z *= p.x;
    let mut q = p * body.mass - Vector3::new(p.x, 1.0, body.mass);
    q += Vector3::x();
    q -= p;
    q[1] += p[2];
    q *= 2.0;
    q /= body.mass;
    q.norm() * p[0] + body.velocity.dot(&Vector3::repeat(1.0))
}

/// Vectors and matrices made of numbers, and operators on values and references, with numbers on both sides.
#[adjoint]
fn made(x: f64, y: f64) -> f64 {
    let p = Vector3::new(x, y, 2.0);
    let mut q = Vector3::<f64>::zeros();
    q.x = 1.0;
    q.y = q.x + p.z * x;
    q[2] = x * y;
    let m = Matrix3::new(x, y, 1.0, 0.0, x * y, 2.0, y, 1.0, x);
    let c = Matrix3::from_columns(&[p, q, p.cross(&q)]);
    let r = m * p + m.transpose() * &q + &c * q;
    let s = 2.0 * (&p + &q) - &r / 3.0;
    p.dot(&q) * p.norm()
        + Vector3::dot(&r, &q)
        + s.cross(&r).x
        + m.determinant()
        + s.normalize().sum()
        + Matrix2::from_diagonal(&p.xy()).trace()
}

/// Elements by row and column, read.
#[adjoint(independents(m, v))]
fn quadratic(m: &Matrix3<f64>, v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        for j in 0..3 {
            sum += m[(i, j)] * v[i] * v[j] * m.m12;
        }
    }
    sum + m[7]
}

/// Elements by row and column, written.
#[adjoint(independents(v))]
fn filled(v: Vector2<f64>) -> f64 {
    let mut m: Matrix2<f64> = Matrix2::identity();
    let y: f64 = v.y;
    for k in 0..3 {
        m[(0, 0)] = v.x * m[(0, 0)];
        m[(1, 0)] = v.y * v.x + m[(0, k % 2)];
        m[(0, 1)] += y;
        m[(1, 1)] = m[(1, 1)] * y + m[(0, 1)];
    }
    let w: Vector2<f64> = m * v;
    w.norm_squared() + m.trace() + m.component_mul(&m).norm()
}

/// Loops over the elements.
#[adjoint(independents(v))]
fn elements(v: &SVector<f64, 5>, m: &SMatrix<f64, 5, 5>) -> f64 {
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i].sin() * i as f64;
    }
    let mut w: SVector<f64, 5> = m * v;
    for i in 0..5 {
        w[i] = w[i].tanh() * v[0];
        w[2] += w[i] * w[i];
    }
    s + w.max() - w.min() + w.amax() + v.lerp(&w, 0.3).mean()
}

/// Least squares: the normal equations, which are solved by a step of steepest descent.
#[adjoint(independents(p, a))]
fn fit(p: Vector2<f64>, a: &SMatrix<f64, 4, 2>, y: &SVector<f64, 4>) -> f64 {
    let r = a * p - y;
    let h = a.transpose() * a;
    let g = a.transpose() * r;
    let step: f64 = g.norm_squared() / g.dot(&(h * g));
    let better = a * (p - g * step) - y;
    r.norm_squared() + h.determinant().ln() + better.norm() + 0.5 * p.dot(&(h * p))
}

/// What is decided by values has no derivative of its own.
#[adjoint(independents(p, q))]
fn chosen(p: Vector3<f64>, q: Vector3<f64>) -> f64 {
    if p == q {
        0.0
    } else if p.x < q.x {
        p.x * q.y
    } else {
        let low: Vector3<f64> = p.inf(&q);
        low.abs().dot(&p) + p.angle(&q)
    }
}

/// Lists that change.
#[adjoint(independents(points, velocities))]
fn step(points: &mut [Vector3<f64>], velocities: &mut [Vector3<f64>], h: f64) {
    for i in 0..points.len() {
        let p = points[i];
        velocities[i] -= p * (h / p.norm());
        points[i] += velocities[i] * h;
        points[i].x += h * velocities[i].y;
    }
}

#[adjoint(independents(points))]
fn orbit(points: &[Vector3<f64>], h: f64) -> f64 {
    let mut at = points.to_vec();
    let mut velocities = points.to_vec();
    for _ in 0..3 {
        step(&mut at, &mut velocities, h);
    }
    at[0].dot(&velocities[1]) + at[1].x
}

/// Single precision.
#[adjoint(independents(p))]
fn single(p: Vector4<f32>) -> f32 {
    let q = Vector3::new(p.x, p.y, p.z * p.w);
    let mut r = p * 2.0;
    r.w += p.x * p.y;
    q.cross(&Vector3::x()).norm() + r.dot(&p) + p.x * r.w + Vector4::push(&(3.0 * p), p.y).norm()
}

fn points() -> Vec<Vector3<f64>> {
    let p = Vector3::new(1.0, 2.0, 0.5);
    vec![p, Vector3::new(-0.5, 0.3, 0.7), Vector3::new(0.2, -1.0, 0.4), p * 2.0]
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
        |points| orbit(points, 0.1),
        orbit::gradient(&points, 0.1),
        |along| orbit::tangent(&points, along, 0.1),
        STEP,
    );
}

#[test]
fn fields_and_indices() {
    let points = points();
    let body = Body { at: points[0], velocity: points[1], mass: 1.3 };
    compare(
        &body,
        |body| drifted(*body, 0.1),
        drifted::gradient(body, 0.1),
        |along| drifted::tangent(body, *along, 0.1),
        STEP,
    );
}

#[test]
fn values_made_of_numbers() {
    compare(
        &(0.3, 0.8),
        |(x, y)| made(*x, *y),
        made::gradient(0.3, 0.8),
        |(x, y)| made::tangent(0.3, *x, 0.8, *y),
        STEP,
    );
}

#[test]
fn rows_and_columns() {
    let m = Matrix3::from_fn(|i, j| (i * i + 2 * j) as f64 * 0.3 - 0.7);
    let v = vec![0.3, -0.2, 1.1];
    compare(
        &(m, v.clone()),
        |(m, v)| quadratic(m, v),
        quadratic::gradient(&m, &v),
        |(along_m, along_v)| quadratic::tangent(&m, along_m, &v, along_v),
        STEP,
    );
    let v = Vector2::new(0.7, -0.4);
    compare(&v, |v| filled(*v), filled::gradient(v), |along| filled::tangent(v, *along), STEP);
}

#[test]
fn elements_and_least_squares() {
    let v = SVector::<f64, 5>::from_fn(|i, _| 0.3 * i as f64 - 0.5);
    let m = SMatrix::<f64, 5, 5>::from_fn(|i, j| 0.1 * ((3 * i + 5 * j) % 7) as f64 - 0.2);
    compare(
        &v,
        |v| elements(v, &m),
        elements::gradient(&v, &m),
        |along| elements::tangent(&v, along, &m),
        STEP,
    );
    let p = Vector2::new(0.4, -0.3);
    let a = SMatrix::<f64, 4, 2>::from_fn(|i, j| 1.0 + (i * j) as f64 * 0.3 + i as f64 * 0.1);
    let y = SVector::<f64, 4>::from_fn(|i, _| 0.2 * i as f64);
    compare(
        &(p, a),
        |(p, a)| fit(*p, a, &y),
        fit::gradient(p, &a, &y),
        |(along_p, along_a)| fit::tangent(p, *along_p, &a, along_a, &y),
        STEP,
    );
}

#[test]
fn choices() {
    let points = points();
    for (p, q) in [(points[0], points[1]), (points[1], points[0]), (points[2], points[1])] {
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
fn single_precision() {
    let p = Vector4::new(0.5, 1.5, -0.75, 1.25);
    let (value, gradient) = single::gradient(p);
    let tangent = |along: &Vector4<f32>| {
        let (value, tangent) = single::tangent(p, *along);
        (f64::from(value), f64::from(tangent))
    };
    compare(&p, |p| f64::from(single(*p)), (f64::from(value), gradient), tangent, 1.0 / 64.0);
}

#[adjoint]
fn matrix(angle: f64) -> Matrix3<f64> {
    Matrix3::from_diagonal_element(angle)
}

#[adjoint]
fn thrown_away(angle: f64) -> f64 {
    let _unused = matrix(2.0 * angle);
    angle * angle
}

/// A result that nobody wants has a weight of zero.
#[test]
fn a_matrix_that_is_thrown_away() {
    assert_eq!(thrown_away::gradient(0.5), (0.25, 1.0));
}

#[adjoint(independents(a, b))]
fn quotient(a: Vector2<f64>, b: Vector2<f64>) -> f64 {
    a.component_div(&b).x
}

/// What does not depend on an element has no derivative by it, even if the partial is infinite.
#[test]
fn infinite_partials_of_what_is_not_used() {
    let (_, (of_a, of_b)) = quotient::gradient(Vector2::new(3.0, 1.0), Vector2::new(2.0, 0.0));
    assert_eq!((of_a, of_b), (Vector2::new(0.5, 0.0), Vector2::new(-0.75, 0.0)));
}
