//! The spin with which a tumbling body has to be let go so that it has a given attitude some time later.
//!
//! Euler's equations and the quaternion of the attitude, by Heun's method with fixed steps. The gradient of the error in the end is the
//! adjoint of all steps: with `#[checkpoint(snapshots = …)]` it keeps the states of a few of them and runs the others again.
//!
//! `cargo run --release --example rigid_body --features glam`

use backsweep::adjoint;
use glam::{DQuat, DVec3};

const STEP: f64 = 0.01;
const HALF: f64 = 0.5 * STEP;
const STEPS: usize = 400;
const INERTIA: DVec3 = DVec3::new(1.0, 2.0, 3.5);

/// The rate at which the spin changes, in the frame of the body.
#[adjoint(independents(spin))]
fn angular_acceleration(spin: DVec3) -> DVec3 {
    (INERTIA * spin).cross(spin) / INERTIA
}

/// The rate at which the attitude changes.
#[adjoint(independents(attitude, spin))]
fn turning(attitude: DQuat, spin: DVec3) -> DQuat {
    attitude * DQuat::from_xyzw(0.5 * spin.x, 0.5 * spin.y, 0.5 * spin.z, 0.0)
}

/// How far the attitude in the end is from what it shall be: half of the squared distance of the axes.
#[adjoint(independents(spin))]
fn miss(spin: DVec3, wanted: DQuat) -> f64 {
    let mut attitude: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0);
    let mut rate: DVec3 = spin;
    #[checkpoint(snapshots = 8)]
    for _ in 0..STEPS {
        let first = angular_acceleration(rate);
        let ahead: DVec3 = rate + first * STEP;
        let second = angular_acceleration(ahead);
        let half: DVec3 = rate + first * HALF;
        let middle: DQuat = attitude + turning(attitude, rate) * HALF;
        let next: DQuat = attitude + turning(middle, half) * STEP;
        attitude = next.normalize();
        rate += (first + second) * HALF;
    }
    let x: DVec3 = attitude * DVec3::X - wanted * DVec3::X;
    let y: DVec3 = attitude * DVec3::Y - wanted * DVec3::Y;
    0.5 * (x.length_squared() + y.length_squared())
}

fn main() {
    let wanted = DQuat::from_axis_angle(DVec3::new(1.0, 1.0, 0.2).normalize(), 2.0);
    let mut spin = DVec3::new(0.3, 0.3, 0.1);
    println!("  iteration      miss   length of the gradient   spin");
    let mut step = 0.05;
    let (mut value, mut gradient) = miss::gradient(spin, wanted);
    for iteration in 0..60 {
        if iteration % 5 == 0 {
            println!("{iteration:11} {value:9.2e} {:24.2e}   {spin:.4}", gradient.length());
        }
        let next = spin - gradient * step;
        let (next_value, next_gradient) = miss::gradient(next, wanted);
        if next_value < value {
            (spin, value, gradient) = (next, next_value, next_gradient);
            step *= 1.2;
        } else {
            step *= 0.3;
        }
    }
    println!("let go with {spin:.6}, it misses by {value:.1e}");
    assert!(value < 1e-6, "the search has not found the spin");
}
