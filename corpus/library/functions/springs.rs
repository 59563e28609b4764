//! Forces between two bodies.

use backsweep::adjoint;

/// The energy of a spring.
#[adjoint]
pub fn spring_energy(length: f64, stiffness: f64, rest: f64) -> f64 {
    let stretch = length - rest;
    0.5 * stiffness * stretch * stretch
}

/// A Lennard-Jones pair, from the square of the distance.
#[adjoint]
pub fn lennard_jones(square: f64, depth: f64, size: f64) -> f64 {
    let ratio = size * size / square;
    let sixth = ratio * ratio * ratio;
    4.0 * depth * (sixth * sixth - sixth)
}

/// Adds the attraction of two bodies to their accelerations.
#[adjoint]
pub fn attract(a: &[f64], b: &[f64], strength: f64, pull: &mut [f64]) {
    let mut square = 0.01;
    for k in 0..a.len() {
        let d = b[k] - a[k];
        square += d * d;
    }
    let factor = strength / (square * square.sqrt());
    for k in 0..a.len() {
        pull[k] += factor * (b[k] - a[k]);
    }
}
