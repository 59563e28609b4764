//! Fields whose types are those of structs, and methods that return such: what the declarations beside the function say need not be
//! written again.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Body {
    at: Vector,
    velocity: Vector,
    mass: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Matrix {
    left: Vector,
    right: Vector,
}

#[adjoint]
impl Vector {
    fn dot(self, other: Vector) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// It has the name of a method of floats.
    fn abs(self) -> Vector {
        Vector { x: self.x.abs(), y: self.y.abs() }
    }

    fn max(self, other: Self) -> Self {
        Self { x: self.x.max(other.x), y: self.y.max(other.y) }
    }

    fn min(self, other: Self) -> Self {
        Self { x: self.x.min(other.x), y: self.y.min(other.y) }
    }

    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
}

#[adjoint]
impl Add for Vector {
    type Output = Vector;

    fn add(self, other: Vector) -> Vector {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }
}

#[adjoint]
impl Sub for Vector {
    type Output = Vector;

    fn sub(self, other: Vector) -> Vector {
        Vector { x: self.x - other.x, y: self.y - other.y }
    }
}

#[adjoint]
impl Mul<f64> for Vector {
    type Output = Vector;

    fn mul(self, factor: f64) -> Vector {
        Vector { x: self.x * factor, y: self.y * factor }
    }
}

#[adjoint]
impl Neg for Vector {
    type Output = Vector;

    fn neg(self) -> Vector {
        Vector { x: -self.x, y: -self.y }
    }
}

#[adjoint]
impl Mul<Vector> for Matrix {
    type Output = Vector;

    fn mul(self, vector: Vector) -> Vector {
        self.left * vector.x + self.right * vector.y
    }
}

#[adjoint]
impl Matrix {
    fn abs(&self) -> Self {
        Self { left: self.left.abs(), right: -self.right }
    }

    fn turn(&mut self, by: f64) {
        let old = self.left;
        self.left = self.right * by;
        self.right = old * -by;
    }
}

#[adjoint(independents(p, q), dependents(return))]
fn energy(p: &Body, q: &Body) -> f64 {
    let apart = p.at - q.at;
    let faster = p.velocity + q.velocity * 0.5;
    p.mass * faster.dot(faster) - p.mass * q.mass / apart.dot(apart).sqrt()
}

#[adjoint(independents(bodies), dependents(return))]
fn of_all(bodies: &[Body]) -> f64 {
    let mut sum = 0.0;
    for i in 0..bodies.len() {
        for j in 0..i {
            let apart = bodies[i].at - bodies[j].at;
            sum -= bodies[i].mass * bodies[j].mass / apart.dot(apart).sqrt();
        }
    }
    sum
}

#[adjoint(independents(matrix, vector, by), dependents(return))]
fn bilinear(matrix: Matrix, vector: Vector, by: f64) -> f64 {
    let mut turned: Matrix = matrix.abs();
    turned.left = turned.left * by;
    let image = turned * vector;
    vector.dot(image) + matrix.left.abs().dot(turned.right)
}

#[adjoint(independents(at, low, high), dependents(return))]
fn clamped(at: Vector, low: Vector, high: Vector) -> f64 {
    let inside = at.clamp(low, high);
    let twice = inside.abs() * 2.0 - inside.max(low).min(high);
    twice.dot(inside).max(0.5)
}

fn hidden(x: f64) -> f64 {
    #[derive(Differentiable)]
    struct Body {
        at: f64,
    }

    /// The struct is another one of that name.
    #[adjoint(independents(body), dependents(return))]
    fn square(body: &Body) -> f64 {
        body.at * body.at
    }

    square::gradient(&Body { at: x }).1.at
}

fn bodies() -> (Body, Body) {
    let p = Body { at: Vector { x: 1.0, y: 0.5 }, velocity: Vector { x: 0.3, y: -0.2 }, mass: 2.0 };
    let q =
        Body { at: Vector { x: -0.3, y: 0.9 }, velocity: Vector { x: -0.7, y: 1.2 }, mass: 3.0 };
    (p, q)
}

/// The derivative of a function of one number, by differences.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x - 2.0 * h) - 8.0 * f(x - h) + 8.0 * f(x + h) - f(x + 2.0 * h)) / (12.0 * h)
}

#[test]
fn operators_on_fields() {
    let (p, q) = bodies();
    let (value, (of_p, of_q)) = energy::gradient(&p, &q);
    assert_eq!(value, energy(&p, &q));
    let by_at = slope(|x| energy(&Body { at: Vector { x, ..p.at }, ..p }, &q), p.at.x);
    assert_relative_eq!(of_p.at.x, by_at, max_relative = 1e-9);
    let by_speed =
        slope(|y| energy(&p, &Body { velocity: Vector { y, ..q.velocity }, ..q }), q.velocity.y);
    assert_relative_eq!(of_q.velocity.y, by_speed, max_relative = 1e-9);
    assert_relative_eq!(
        of_q.mass,
        slope(|mass| energy(&p, &Body { mass, ..q }), q.mass),
        max_relative = 1e-9
    );
}

#[test]
fn operators_on_fields_of_elements() {
    let (p, q) = bodies();
    let third = Body { at: Vector { x: 0.2, y: 2.0 }, ..p };
    let (value, of_bodies) = of_all::gradient(&[p, q, third]);
    assert_eq!(value, of_all(&[p, q, third]));
    let by_y = slope(|y| of_all(&[p, Body { at: Vector { y, ..q.at }, ..q }, third]), q.at.y);
    assert_relative_eq!(of_bodies[1].at.y, by_y, max_relative = 1e-9);
}

#[test]
fn methods_of_fields() {
    let (p, q) = bodies();
    let matrix = Matrix { left: p.at, right: q.at };
    let (vector, by) = (q.velocity, 1.7);
    let (value, (of_matrix, of_vector, of_by)) = bilinear::gradient(matrix, vector, by);
    let of = |left, right, x, by| {
        bilinear(
            Matrix { left: Vector { x: left, ..p.at }, right: Vector { x: right, ..q.at } },
            Vector { x, ..vector },
            by,
        )
    };
    let (left, right, x) = (p.at.x, q.at.x, vector.x);
    assert_eq!(value, of(left, right, x, by));
    assert_relative_eq!(
        of_matrix.left.x,
        slope(|l| of(l, right, x, by), left),
        max_relative = 1e-9
    );
    assert_relative_eq!(
        of_matrix.right.x,
        slope(|r| of(left, r, x, by), right),
        max_relative = 1e-9
    );
    assert_relative_eq!(of_vector.x, slope(|x| of(left, right, x, by), x), max_relative = 1e-9);
    assert_relative_eq!(of_by, slope(|by| of(left, right, x, by), by), max_relative = 1e-9);
}

#[test]
fn fields_that_are_written() {
    let (p, q) = bodies();
    let (mut matrix, mut bar, mut of_by) =
        (Matrix { left: p.at, right: q.at }, Matrix { left: q.velocity, right: p.velocity }, 0.0);
    matrix.turn_adjoint(&mut bar, 1.5, &mut of_by);
    assert_eq!(matrix, Matrix { left: q.at * 1.5, right: p.at * -1.5 });
    assert_eq!(bar, Matrix { left: p.velocity * -1.5, right: q.velocity * 1.5 });
    assert_relative_eq!(of_by, q.velocity.dot(q.at) - p.velocity.dot(p.at));
}

#[test]
fn results_of_methods() {
    let (at, low, high) =
        (Vector { x: 2.0, y: -0.7 }, Vector { x: 0.0, y: -1.0 }, Vector { x: 1.5, y: 1.0 });
    let (value, (of_at, of_low, of_high)) = clamped::gradient(at, low, high);
    assert_eq!(value, clamped(at, low, high));
    assert_eq!((of_at.x, of_low.x, of_low.y, of_high.y), (0.0, 0.0, 0.0, 0.0));
    let by_y = slope(|y| clamped(Vector { y, ..at }, low, high), at.y);
    assert_relative_eq!(of_at.y, by_y, max_relative = 1e-9);
    let by_x = slope(|x| clamped(at, low, Vector { x, ..high }), high.x);
    assert_relative_eq!(of_high.x, by_x, max_relative = 1e-9);
}

#[test]
fn another_type_of_the_name() {
    assert_eq!(hidden(3.0), 6.0);
}
