//! Tangents in several directions at once, and sparse Jacobians.

use backsweep::adjoint;
use backsweep::sparse::{Compression, Pattern};

#[adjoint]
fn spring(r: f64, k: f64) -> f64 {
    let s = (1.0 + r * r).sqrt();
    if s > 2.0 { k * s } else { -k * s.sin() }
}

#[adjoint]
fn energy(x: &[f64], weights: &[f64], force: &mut [f64; 2]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += spring(x[i] * weights[i], 2.0 / weights[i]);
        force[0] -= x[i];
        force[1] = force[1].max(x[i] * sum);
    }
    sum.abs()
}

/// Each derivative is bit for bit that of one direction; a direction of 0 is none, also where a partial is infinite.
#[test]
fn each_direction_is_a_tangent() {
    let (x, weights, force) = ([0.3, -1.2, 2.5], [1.0, 0.5, 3.0], [0.1, 0.2]);
    let x_d = [[1.0, 0.0, 0.3, -0.0], [0.0, -2.0, 0.1, 1e300], [0.5, 0.0, 7.0, 0.0]];
    let weights_d = [[0.0, 0.1, 0.2, 0.0], [1.0; 4], [0.0, 0.0, -3.0, 1.0]];
    let mut many = (force, [[0.0, 0.5, 0.0, 2.0]; 2]);
    let (value, slopes) =
        energy::tangents::<4>(&x, &x_d, &weights, &weights_d, &mut many.0, &mut many.1);
    for k in 0..4 {
        let column = |parts: &[[f64; 4]; 3]| parts.map(|part| part[k]);
        let mut one = (force, [[0.0, 0.5, 0.0, 2.0][k]; 2]);
        let (own, slope) = energy::tangent(
            &x,
            &column(&x_d),
            &weights,
            &column(&weights_d),
            &mut one.0,
            &mut one.1,
        );
        assert_eq!((value.to_bits(), slopes[k].to_bits()), (own.to_bits(), slope.to_bits()));
        assert_eq!(many.0, one.0);
        assert_eq!(many.1.map(|parts| parts[k].to_bits()), one.1.map(f64::to_bits));
    }
}

#[adjoint]
fn root_and_more(x: f64, y: f64) -> f64 {
    x.sqrt() + y
}

#[test]
fn a_direction_of_zero_is_none_where_the_partial_is_infinite() {
    let (value, slopes) = root_and_more::tangents::<2>(0.0, [0.0, 1.0], 1.0, [1.0, 0.0]);
    assert_eq!((value, slopes), (1.0, [1.0, f64::INFINITY]));
}

#[adjoint]
fn rotated(points: &mut Vec<[f64; 2]>, angle: f64, (dx, dy): (f64, f64)) -> (f64, usize) {
    let (sin, cos) = angle.sin_cos();
    let mut moved = Vec::new();
    for p in points.iter() {
        moved.push([cos * p[0] - sin * p[1] + dx, sin * p[0] + cos * p[1] + dy]);
    }
    std::mem::swap(points, &mut moved);
    (points.iter().map(|p| p[0] * p[1]).sum(), moved.len())
}

#[test]
fn lists_of_arrays_and_tuples_have_directions_inside() {
    let mut points = vec![[1.0, 2.0], [-0.5, 0.3]];
    let mut points_d = vec![[[0.0; 2]; 2]; 2];
    let ((_, count), (slope, _)) = rotated::tangents::<2>(
        &mut points,
        &mut points_d,
        0.4,
        [1.0, 0.0],
        (0.1, 0.2),
        ([0.0, 1.0], [0.0; 2]),
    );
    assert_eq!(count, 2);
    // d(x y)/dθ = x² - y², with x and y about the shift; d/dx = y.
    let about = |p: [f64; 2]| [p[0] - 0.1, p[1] - 0.2];
    let by_angle: f64 = points.iter().map(|&p| p[0] * about(p)[0] - p[1] * about(p)[1]).sum();
    let by_shift: f64 = points.iter().map(|p| p[1]).sum();
    assert!((slope[0] - by_angle).abs() < 1e-14 && (slope[1] - by_shift).abs() < 1e-14);
    assert_eq!(points_d[0][0][1], 1.0);
}

#[adjoint]
fn single(x: f32, y: &[f32]) -> f32 {
    x.exp() * y[0] - y[1] / x
}

#[test]
fn directions_of_single_precision_are_of_double() {
    let (value, slopes) =
        single::tangents::<2>(0.5, [1.0, 0.0], &[2.0, 3.0], &[[0.0, 1.0], [0.0; 2]]);
    assert_eq!(value, single(0.5, &[2.0, 3.0]));
    assert!((slopes[0] - (2.0 * 0.5_f64.exp() + 12.0)).abs() < 1e-5);
    assert!((slopes[1] - 0.5_f64.exp()).abs() < 1e-6);
}

#[adjoint]
fn eight(x: (f64, f64, f64, f64, f64, f64, f64, f64)) -> [f64; 2] {
    [x.0, x.7 * x.7]
}

#[test]
fn long_tuples_have_jacobians() {
    let x = (0., 1., 2., 3., 4., 5., 6., 7.);
    assert_eq!(eight::jacobian_sparse(x), (vec![0, 1], vec![0, 7], vec![1.0, 14.0]));
    assert_eq!(eight::jacobian(x)[8..], [0., 0., 0., 0., 0., 0., 0., 14.]);
}

#[derive(Debug, PartialEq)]
struct Negative;

#[adjoint]
fn checked(x: f64) -> Result<f64, Negative> {
    if x < 0.0 { Err(Negative) } else { Ok(x.sqrt()) }
}

#[adjoint]
fn roots(x: &[f64]) -> Result<Vec<f64>, Negative> {
    let mut y = vec![checked(x[0]).unwrap_or(x[1])];
    for k in 1..x.len() {
        y.push(checked(x[k])? * x[0]);
    }
    Ok(y)
}

#[test]
fn functions_that_fail_have_tangents_in_several_directions() {
    assert_eq!(roots::tangents::<1>(&[1.0, -1.0], &[[1.0]; 2]), Err(Negative));
    assert_eq!(roots::jacobian_sparse(&[1.0, -1.0]), Err(Negative));
    let (_, slopes) = roots::tangents::<1>(&[-2.0, 4.0], &[[1.0]; 2]).unwrap();
    assert_eq!(slopes, [[1.0], [2.0 - 0.5]]);
    let (rows, cols, values) = roots::jacobian_sparse(&[-2.0, 4.0, 9.0]).unwrap();
    assert_eq!((rows, cols), (vec![0, 1, 1, 2, 2], vec![1, 0, 1, 0, 2]));
    assert_eq!(values, [1.0, 2.0, -0.5, 3.0, -2.0 / 6.0]);
}

#[adjoint]
fn residual(u: &[f64], load: f64) -> Vec<f64> {
    let n = u.len();
    let mut r = vec![0.0; n];
    for i in 1..n - 1 {
        r[i] = u[i - 1] - 2.0 * u[i] + u[i + 1] + load * u[i].exp();
    }
    r[0] = u[0];
    r[n - 1] = u[n - 1].powi(2);
    r
}

#[test]
fn the_pattern_has_a_column_for_each_independent() {
    let u = vec![0.5; 40];
    let pattern = residual::jacobian_pattern(&u, 2.0);
    let rows = (0..40_usize).map(|i| match i {
        0 | 39 => vec![i],
        _ => vec![i - 1, i, i + 1, 40],
    });
    assert_eq!(pattern, Pattern::from_rows(41, rows));
    let compression = Compression::by_columns(pattern);
    assert_eq!(compression.colours(), 4);
    let values = residual::jacobian_values(&u, 2.0, &compression);
    let (_, _, sparse) = residual::jacobian_sparse(&u, 2.0);
    assert_eq!(values, sparse);
    assert_eq!(values[1..5], [1.0, -2.0 + 2.0 * 0.5_f64.exp(), 1.0, 0.5_f64.exp()]);
}

#[adjoint]
fn quotients(x: &[f64], n: usize) -> f64 {
    (x[0] / n as f64).ln() + x[1] / x[2] + (x[2] * x[2]).recip() + x[2].acos()
}

/// A derivative is divided, and not weighted with the reciprocal.
#[test]
fn each_direction_of_a_quotient_is_a_tangent() {
    let (x, x_d) = ([2.3, 1.1, 0.7], [[0.3, 1.0, 0.0], [0.7, 0.0, 1.1], [0.1, 3.0, 0.9]]);
    let (_, slopes) = quotients::tangents::<3>(&x, &x_d, 7);
    for k in 0..3 {
        let (_, slope) = quotients::tangent(&x, &x_d.map(|parts| parts[k]), 7);
        assert_eq!(slopes[k].to_bits(), slope.to_bits());
    }
}

/// Where the first is positive the second counts.
#[adjoint]
fn branching(x: &[f64]) -> [f64; 2] {
    if x[0] > 0.0 { [x[0] * x[1], x[2]] } else { [x[0], x[2].sin()] }
}

#[test]
fn what_is_not_in_the_pattern_is_missed() {
    let narrow = Compression::by_columns(branching::jacobian_pattern(&[-1.0, 2.0, 3.0]));
    assert_eq!(branching::jacobian_values(&[-2.0, 2.0, 3.0], &narrow), [1.0, 3.0_f64.cos()]);
    let elsewhere = || branching::jacobian_values(&[1.0, 2.0, 3.0], &narrow);
    let panic = std::panic::catch_unwind(elsewhere).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(
        text.starts_with("row 0 of the Jacobian has entries that the pattern does not have"),
        "{text}"
    );
}

/// Where the first is positive, the derivative by the second is infinite at 0. The second row gives them colours of their
/// own.
#[adjoint]
fn rooted(x: &[f64]) -> [f64; 2] {
    if x[0] > 0.0 { [x[0] + x[1].sqrt(), x[0] * x[1]] } else { [x[0], x[0] * x[1]] }
}

#[test]
fn an_infinite_entry_that_is_not_in_the_pattern_is_missed() {
    let narrow = Compression::by_columns(rooted::jacobian_pattern(&[-1.0, 0.0]));
    assert_eq!(rooted::jacobian_values(&[-2.0, 0.0], &narrow), [1.0, 0.0, -2.0]);
    assert!(std::panic::catch_unwind(|| rooted::jacobian_values(&[1.0, 0.0], &narrow)).is_err());
    assert_eq!(rooted::jacobian_sparse(&[1.0, 0.0]).2, [1.0, f64::INFINITY, 0.0, 1.0]);
}

#[test]
fn an_entry_that_happens_to_be_zero_is_in_the_pattern() {
    let (rows, cols, values) = branching::jacobian_sparse(&[1.0, 0.0, 0.0]);
    assert_eq!((rows, cols, values), (vec![0, 0, 1], vec![0, 1, 2], vec![0.0, 1.0, 1.0]));
}
