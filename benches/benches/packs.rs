//! Functions of nalgebra's types: a chain of matrices, and the Jacobian of a camera beside one by hand and one by dual numbers.
//! `cargo bench -p backsweep-benches --bench packs [-- name]`.

use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::{
    DMatrix, Matrix3, Point3, RealField, SMatrix, SVector, UnitQuaternion, Vector2, Vector3,
};
use num_dual::{DualNum, DualSVec64};
use std::hint::black_box;

#[path = "../programs/matrices.rs"]
mod matrices;
use matrices::{PARAMETERS, chain, seen};

fn matrix(size: usize, seed: u64) -> DMatrix<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut matrix = DMatrix::from_fn(size, size, |_, _| random.f64() - 0.5);
    for at in 0..size {
        matrix[(at, at)] += size as f64 / 10.0;
    }
    matrix
}

fn chains(criterion: &mut Criterion) {
    for size in [50, 200] {
        let [a, b, c, d] = [1, 2, 3, 4].map(|seed| matrix(size, seed));
        let zero = || DMatrix::zeros(size, size);
        let (mut a_b, mut b_b, mut c_b, mut d_b) = (zero(), zero(), zero(), zero());
        side_by_side(
            criterion,
            &format!("chain {size}"),
            &mut [
                ("primal", &mut || {
                    black_box(chain(black_box(&a), &b, &c, &d));
                }),
                ("adjoint", &mut || {
                    let (a, b, c, d) = (black_box(&a), &b, &c, &d);
                    black_box(chain::adjoint(
                        a, &mut a_b, b, &mut b_b, c, &mut c_b, d, &mut d_b, 1.0,
                    ));
                }),
            ],
        );
    }
}

/// The same, for numbers of any kind.
fn seen_by_any<D: DualNum<Primitive = f64> + RealField + Copy>(
    p: &[D; PARAMETERS],
    points: &[Point3<f64>],
) -> Vec<D> {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[5], p[6], p[7]));
    let shift = Vector3::new(p[8], p[9], p[10]);
    let mut pixels = Vec::with_capacity(2 * points.len());
    for point in points {
        let q = turn * point.map(D::from) + shift;
        let ray = Vector2::new(q.x / q.z, q.y / q.z);
        let r2 = ray.norm_squared();
        let bent = ray * (p[3] * r2 + p[4] * r2 * r2 + D::one());
        pixels.push(p[0] * bent.x + p[1]);
        pixels.push(p[0] * bent.y + p[2]);
    }
    pixels
}

/// Row by row.
fn by_dual_numbers(p: &[f64; PARAMETERS], points: &[Point3<f64>]) -> Vec<f64> {
    let p: [DualSVec64<PARAMETERS>; PARAMETERS] = std::array::from_fn(|k| {
        let mut unit = SVector::zeros();
        unit[k] = 1.0;
        DualSVec64::new(p[k], num_dual::Derivative::some(unit))
    });
    let rows = seen_by_any(&p, points).into_iter();
    let zero = SVector::<f64, PARAMETERS>::zeros;
    rows.flat_map(|row| row.eps.0.unwrap_or_else(zero).data.0[0]).collect()
}

/// Row by row, by formulas.
fn by_hand(p: &[f64; PARAMETERS], points: &[Point3<f64>]) -> Vec<f64> {
    let axis = Vector3::new(p[5], p[6], p[7]);
    let turn = UnitQuaternion::from_scaled_axis(axis).to_rotation_matrix();
    let (skew, angle) = (axis.cross_matrix(), axis.norm());
    // The derivative of the exponential, from the right.
    let right = Matrix3::identity() - skew * ((1.0 - angle.cos()) / angle.powi(2))
        + skew * skew * ((angle - angle.sin()) / angle.powi(3));
    let mut rows = Vec::with_capacity(2 * PARAMETERS * points.len());
    for point in points {
        let turned = turn * point;
        let q = turned + Vector3::new(p[8], p[9], p[10]);
        let of_turn = -(turn.matrix() * point.coords.cross_matrix() * right);
        let ray = Vector2::new(q.x / q.z, q.y / q.z);
        let r2 = ray.norm_squared();
        let (bend, slope) = (1.0 + p[3] * r2 + p[4] * r2 * r2, p[3] + 2.0 * p[4] * r2);
        let of_point =
            SMatrix::<f64, 2, 3>::new(1.0 / q.z, 0.0, -ray.x / q.z, 0.0, 1.0 / q.z, -ray.y / q.z);
        let of_ray =
            SMatrix::<f64, 2, 2>::identity() * bend + ray * ray.transpose() * (2.0 * slope);
        let of_shift = of_ray * of_point * p[0];
        let of_turn = of_shift * of_turn;
        for (axis, centre) in [(0, [1.0, 0.0]), (1, [0.0, 1.0])] {
            let (x, turns, shifts) = (ray[axis], of_turn.row(axis), of_shift.row(axis));
            rows.extend([x * bend, centre[0], centre[1], p[0] * x * r2, p[0] * x * r2 * r2]);
            rows.extend([turns[0], turns[1], turns[2], shifts[0], shifts[1], shifts[2]]);
        }
    }
    rows
}

fn cameras(criterion: &mut Criterion) {
    let p = [800.0, 320.0, 240.0, -0.2, 0.05, 0.1, -0.3, 0.2, -0.1, 0.05, 0.7];
    let points: Vec<_> = (0..200)
        .map(|k| {
            Point3::new(
                0.03 * (k % 20) as f64 - 0.3,
                0.03 * (k / 20) as f64 - 0.15,
                0.002 * k as f64,
            )
        })
        .collect();
    let ours = seen::jacobian(&p, &points);
    for other in [by_hand(&p, &points), by_dual_numbers(&p, &points)] {
        assert_eq!(ours.len(), other.len());
        for (a, b) in ours.iter().zip(&other) {
            assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "{a} {b}");
        }
    }
    side_by_side(
        criterion,
        "camera",
        &mut [
            ("primal", &mut || {
                black_box(seen(black_box(&p), &points));
            }),
            ("jacobian", &mut || {
                black_box(seen::jacobian(black_box(&p), &points));
            }),
            ("dual numbers", &mut || {
                black_box(by_dual_numbers(black_box(&p), &points));
            }),
            ("by hand", &mut || {
                black_box(by_hand(black_box(&p), &points));
            }),
        ],
    );
}

criterion_group!(benches, chains, cameras);
criterion_main!(benches);
