//! The angles of a robot's arm with which its hand is where it shall be, by damped least squares.
//!
//! `cargo run --release --example inverse_kinematics --features nalgebra`

use backsweep::adjoint;
use nalgebra::{SMatrix, SVector, Unit, UnitQuaternion, Vector3};

const JOINTS: usize = 6;

/// Links along the arm, and the axes about which they turn, in the frame of the link before.
struct Arm {
    links: [Vector3<f64>; JOINTS],
    axes: [Unit<Vector3<f64>>; JOINTS],
}

/// Where the hand is, times a weight: its gradient is a row of the Jacobian.
#[adjoint(independents(angles))]
fn along(angles: &[f64; JOINTS], arm: &Arm, direction: Vector3<f64>) -> f64 {
    let mut turned: UnitQuaternion<f64> = UnitQuaternion::identity();
    let mut hand: Vector3<f64> = Vector3::zeros();
    for (k, angle) in angles.iter().enumerate() {
        turned *= UnitQuaternion::from_axis_angle(&arm.axes[k], *angle);
        hand += turned * arm.links[k];
    }
    hand.dot(&direction)
}

fn main() {
    let arm = Arm {
        links: [0.3, 0.5, 0.1, 0.5, 0.1, 0.2].map(|length| Vector3::new(0.0, 0.0, length)),
        axes: [
            Vector3::z_axis(),
            Vector3::y_axis(),
            Vector3::y_axis(),
            Vector3::z_axis(),
            Vector3::y_axis(),
            Vector3::x_axis(),
        ],
    };
    let wanted = Vector3::new(0.6, 0.5, 0.7);
    let mut angles = [0.1, 0.4, 0.3, 0.2, 0.1, 0.0];
    println!("iteration   distance of the hand");
    let mut distance = f64::INFINITY;
    for iteration in 0..20 {
        let mut hand = Vector3::zeros();
        let mut jacobian = SMatrix::<f64, 3, JOINTS>::zeros();
        for (row, direction) in [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().enumerate() {
            let (value, gradient) = along::gradient(&angles, &arm, direction);
            hand[row] = value;
            jacobian.row_mut(row).copy_from(&SVector::<f64, JOINTS>::from(gradient).transpose());
        }
        let error = wanted - hand;
        distance = error.norm();
        println!("{iteration:9} {distance:22.3e}");
        if distance < 1e-10 {
            break;
        }
        let damped = jacobian * jacobian.transpose() + SMatrix::<f64, 3, 3>::identity() * 1e-6;
        let step =
            jacobian.transpose() * damped.try_inverse().expect("it is positive definite") * error;
        angles.iter_mut().zip(&step).for_each(|(angle, step)| *angle += step);
    }
    println!("angles: {angles:.4?}");
    assert!(distance < 1e-10, "the hand does not get there");
}
