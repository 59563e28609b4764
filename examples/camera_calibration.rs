//! Calibration of a camera: the focal lengths, the centre and the distortion of its lens, from pictures of a board, by
//! the method of Levenberg and Marquardt on the Jacobian of all reprojections.
//!
//! `cargo run --release --example camera_calibration --features nalgebra`

use backsweep::adjoint;
use nalgebra::{DMatrix, DVector, Point3, UnitQuaternion, Vector2, Vector3};

/// The numbers of the camera: two focal lengths, the centre, two of distortion. Those of the poses of the board follow,
/// six for each picture: a turn and a shift.
const CAMERA: usize = 6;
const POSE: usize = 6;

/// Where the camera sees the points of the board, in pixels.
#[adjoint(independents(p))]
fn seen(p: &[f64], board: &[Point3<f64>], pictures: usize) -> Vec<f64> {
    let (fx, fy, cx, cy, k1, k2) = (p[0], p[1], p[2], p[3], p[4], p[5]);
    let mut pixels = Vec::with_capacity(2 * board.len() * pictures);
    for picture in 0..pictures {
        let pose = &p[CAMERA + picture * POSE..];
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(pose[0], pose[1], pose[2]));
        let shift = Vector3::new(pose[3], pose[4], pose[5]);
        for point in board {
            let q = turn * point + shift;
            let ray = Vector2::new(q.x / q.z, q.y / q.z);
            let r2 = ray.norm_squared();
            let bent = ray * (1.0 + k1 * r2 + k2 * r2 * r2);
            pixels.push(fx * bent.x + cx);
            pixels.push(fy * bent.y + cy);
        }
    }
    pixels
}

fn rms(residuals: &DVector<f64>) -> f64 {
    (residuals.norm_squared() / residuals.len() as f64).sqrt()
}

fn main() {
    let pictures = 5;
    let board: Vec<Point3<f64>> =
        (0..48).map(|k| Point3::new(0.04 * (k % 8) as f64, 0.04 * (k / 8) as f64, 0.0)).collect();
    let camera = [812.0, 809.0, 322.0, 238.0, -0.21, 0.07];
    let poses = [
        [0.1, -0.2, 0.05, -0.14, -0.10, 0.62],
        [-0.4, 0.1, 0.3, -0.10, -0.12, 0.55],
        [0.3, 0.5, -0.1, -0.16, -0.08, 0.70],
        [0.5, -0.4, 0.2, -0.12, -0.09, 0.58],
        [-0.2, -0.6, -0.3, -0.13, -0.05, 0.65],
    ];
    let truth: Vec<f64> = camera.into_iter().chain(poses.into_iter().flatten()).collect();
    // A tenth of a pixel of noise, the same in each run.
    let noise = |k: usize| 0.1 * (k as f64 * 12.9898).sin() * 2.0_f64.sqrt();
    let measured = seen(&truth, &board, pictures);
    let measured = DVector::from_iterator(
        measured.len(),
        measured.iter().enumerate().map(|(k, x)| x + noise(k)),
    );

    let mut p: Vec<f64> = truth.iter().map(|x| x + 0.02).collect();
    p[..CAMERA].copy_from_slice(&[700.0, 700.0, 300.0, 220.0, 0.0, 0.0]);
    let residuals = |p: &[f64]| DVector::from_vec(seen(p, &board, pictures)) - &measured;
    let mut r = residuals(&p);
    let mut damping = 1e-3;
    println!("step   reprojection error (pixels)");
    println!("{:4} {:15.6}", 0, rms(&r));
    for step in 1..=30 {
        let jacobian = seen::jacobian(&p, &board, pictures);
        let jacobian = DMatrix::from_row_slice(r.len(), p.len(), &jacobian);
        let (normal, slope) = (jacobian.tr_mul(&jacobian), jacobian.tr_mul(&r));
        let before = rms(&r);
        loop {
            let damped = &normal + DMatrix::from_diagonal(&(normal.diagonal() * damping));
            let change = damped.cholesky().expect("it is positive definite").solve(&slope);
            let next: Vec<f64> = p.iter().zip(&change).map(|(p, change)| p - change).collect();
            let of_next = residuals(&next);
            if of_next.norm() <= r.norm() {
                (p, r, damping) = (next, of_next, damping / 10.0);
                break;
            }
            damping *= 10.0;
            if damping > 1e12 {
                break;
            }
        }
        println!("{step:4} {:15.6}", rms(&r));
        if before - rms(&r) < 1e-9 {
            break;
        }
    }
    println!("         fx       fy       cx       cy       k1       k2");
    println!("found {:8.3?}\nright {:8.3?}", &p[..CAMERA], &truth[..CAMERA]);
    assert!(rms(&r) < 0.11, "the error is more than the noise");
    let far = |k: usize| (p[k] - truth[k]).abs();
    assert!((0..4).all(|k| far(k) < 2.0) && far(4) < 0.02, "it is another camera");
}
