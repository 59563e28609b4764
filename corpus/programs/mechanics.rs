//! Elements, bodies, fluxes.

use super::library::linear::thomas as solve_tridiagonal;
use super::library::springs::{lennard_jones, spring_energy};
use super::library::vectors::Vec3;
use backsweep::{Differentiable, adjoint};

/// The matrix of an element of a bar.
#[adjoint]
pub fn element(area: f64, modulus: f64, length: f64) -> [[f64; 2]; 2] {
    let k = area * modulus / length;
    [[k, -k], [-k, k]]
}

/// A bar that is fixed at one end, of elements with areas of their own: its end is displaced.
#[adjoint]
#[sample([1.0, 0.8, 0.5], 2.0, 0.7)]
pub fn bar(areas: &[f64], modulus: f64, load: f64) -> f64 {
    let n = areas.len();
    let mut lower = vec![0.0; n];
    let mut diagonal = vec![0.0; n];
    let mut upper = vec![0.0; n];
    let mut b = vec![0.0; n];
    for e in 0..n {
        let k = element(areas[e], modulus, 1.0 / n as f64);
        if e > 0 {
            diagonal[e - 1] += k[0][0];
            upper[e - 1] += k[0][1];
            lower[e] += k[1][0];
        }
        diagonal[e] += k[1][1];
    }
    b[n - 1] = load;
    solve_tridiagonal(&lower, &mut diagonal, &upper, &mut b);
    b[n - 1]
}

/// How far two joints are from each other.
#[adjoint]
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let mut square = 0.0;
    for k in 0..a.len() {
        square += (a[k] - b[k]) * (a[k] - b[k]);
    }
    square.sqrt()
}

/// The energy of a truss: a call in the argument of another.
#[adjoint]
#[sample([0.0, 0.0, 1.1, 0.1, 0.4, 0.9], [2.0, 3.0, 1.0], [0, 1, 1, 2, 2, 0])]
pub fn truss(x: &[f64], stiffness: &[f64], bars: &[usize]) -> f64 {
    let mut energy = 0.0;
    for e in 0..stiffness.len() {
        let (i, j) = (bars[2 * e], bars[2 * e + 1]);
        energy += spring_energy(distance(&x[2 * i..2 * i + 2], &x[2 * j..2 * j + 2]), stiffness[e], 1.0);
    }
    energy
}

/// The energy of some atoms, with a limit of distance.
#[adjoint]
#[sample([0.0, 0.0, 0.0, 1.2, 0.1, 0.0, 0.3, 1.1, 0.2], 0.8, 1.0, 4.0)]
#[sample([0.0, 0.0, 0.0, 1.2, 0.1, 0.0, 0.3, 1.1, 0.2], 0.8, 1.0, 1.4)]
pub fn atoms(x: &[f64], depth: f64, size: f64, limit: f64) -> f64 {
    let n = x.len() / 3;
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..i {
            let square = squared(&x[3 * i..3 * i + 3], &x[3 * j..3 * j + 3]);
            if square < limit {
                sum += lennard_jones(square, depth, size) - lennard_jones(limit, depth, size);
            }
        }
    }
    sum
}

/// A squared distance, defined after its caller.
#[adjoint]
pub fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter()).map(|(s, t)| (s - t).powi(2)).sum()
}

/// A point turned.
#[adjoint]
pub fn turned(p: (f64, f64), angle: f64) -> (f64, f64) {
    let (s, c) = angle.sin_cos();
    (c * p.0 - s * p.1, s * p.0 + c * p.1)
}

/// Where the hand of a robot is.
#[adjoint]
#[sample([0.3, -0.7, 1.1], [1.0, 0.8, 0.4])]
pub fn hand(angles: &[f64], lengths: &[f64]) -> (f64, f64) {
    let mut at = (0.0, 0.0);
    for k in (0..angles.len()).rev() {
        at = turned((at.0 + lengths[k], at.1), angles[k]);
    }
    at
}

/// A flux limiter.
#[adjoint]
pub fn minmod(a: f64, b: f64) -> f64 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}

/// The flux of Burgers between two states.
#[adjoint]
pub fn flux(left: f64, right: f64) -> f64 {
    let speed = left.abs().max(right.abs());
    0.25 * (left * left + right * right) - 0.5 * speed * (right - left)
}

/// One step of Burgers, from one list into another.
#[adjoint]
pub fn burgers_step(u: &[f64], ratio: f64, next: &mut [f64]) {
    let n = u.len();
    let slope = |i: usize| minmod(u[i] - u[(i + n - 1) % n], u[(i + 1) % n] - u[i]);
    let mut before = flux(u[n - 1] + 0.5 * slope(n - 1), u[0] - 0.5 * slope(0));
    for i in 0..n {
        let j = (i + 1) % n;
        let after = flux(u[i] + 0.5 * slope(i), u[j] - 0.5 * slope(j));
        next[i] = u[i] - ratio * (after - before);
        before = after;
    }
}

/// Burgers with two lists in turn.
#[adjoint]
#[sample([0.2, 0.9, 1.3, 0.7, 0.1], 0.3, 4)]
pub fn burgers(start: &[f64], ratio: f64, steps: usize) -> Vec<f64> {
    let mut u = start.to_vec();
    let mut next = vec![0.0; u.len()];
    for _ in 0..steps {
        burgers_step(&u, ratio, &mut next);
        std::mem::swap(&mut u, &mut next);
    }
    u
}

/// The volume of a tetrahedron: methods and operators of another crate.
#[adjoint]
#[sample([0.0, 0.1, 0.2, 1.0, 0.0, 0.1, 0.2, 1.1, 0.0, 0.1, 0.3, 0.9])]
pub fn tetrahedron(p: &[f64]) -> f64 {
    let a = Vec3::of(&p[..3]);
    let b: Vec3 = Vec3::of(&p[3..6]) - a;
    let c: Vec3 = Vec3::of(&p[6..9]) - a;
    let d: Vec3 = Vec3::of(&p[9..]) - a;
    b.dot(c.cross(d)) / 6.0
}

/// A damped body on a spring.
#[derive(Clone, Copy, Differentiable)]
pub struct Oscillator {
    pub at: f64,
    pub speed: f64,
    pub stiffness: f64,
}

#[adjoint]
impl Oscillator {
    fn energy(&self) -> f64 {
        spring_energy(self.at, self.stiffness, 0.0) + 0.5 * self.speed * self.speed
    }

    fn force(&self, damping: f64) -> f64 {
        -self.stiffness * self.at - damping * self.speed
    }

    fn step(&mut self, damping: f64, h: f64) {
        let half = self.speed + 0.5 * h * self.force(damping);
        self.at += h * half;
        self.speed = half;
        self.speed += 0.5 * h * self.force(damping);
    }

    fn run(&mut self, damping: f64, h: f64, steps: usize) -> f64 {
        let mut lost = self.energy();
        for _ in 0..steps {
            self.step(damping, h);
        }
        lost -= self.energy();
        lost
    }
}

/// The energy that an oscillator loses: a nest of methods that change their receiver.
#[adjoint]
#[sample(0.8, 2.5, 0.3, 4)]
pub fn oscillation(at: f64, stiffness: f64, damping: f64, steps: usize) -> f64 {
    let mut o = Oscillator { at, speed: 0.0, stiffness };
    let lost = Oscillator::run(&mut o, damping, 0.1, steps);
    lost * o.at + o.speed
}
