//! Tangents that are given beside adjoints, `with = …, tangent = …`: in the entries of the function, in callers, and in what is
//! made of tangents.

use backsweep::linear::{cholesky, solve};
use backsweep::{Differentiable, adjoint, check};

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{found} {expected}");
}

/// A matrix with a large diagonal, symmetric or not, and a right-hand side.
fn system(n: usize) -> (Vec<f64>, Vec<f64>) {
    let element = |k: usize| if k.is_multiple_of(n + 1) { 4.0 } else { ((7 * k + 1) as f64).sin() };
    ((0..n * n).map(element).collect(), (0..n).map(|k| 1.0 + (k as f64).cos()).collect())
}

fn direction(n: usize) -> Vec<f64> {
    (0..n).map(|k| ((3 * k + 2) as f64).cos()).collect()
}

#[adjoint]
fn energy(a: &[f64], b: &[f64]) -> f64 {
    let x = solve(a, b).unwrap();
    let y = solve(a, &x).unwrap();
    x.iter().zip(&y).map(|(s, t)| s * t).sum::<f64>() + y[0].sin()
}

#[adjoint]
fn log_likelihood(a: &[f64], n: usize) -> f64 {
    let l = cholesky(a, n).unwrap();
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..=i {
            sum += l[i * n + j] * (1.0 + j as f64) + l[i * n + i].ln();
        }
    }
    sum
}

#[test]
fn tangents_of_solves_agree_with_their_adjoints() {
    let (a, b) = system(4);
    let (a_d, b_d) = (direction(16), direction(4));
    let (value, slope) = energy::tangent(&a, &a_d, &b, &b_d);
    let (same, (by_a, by_b)) = energy::gradient(&a, &b);
    let product = |g: &[f64], d: &[f64]| g.iter().zip(d).map(|(g, d)| g * d).sum::<f64>();
    assert_eq!((value, value), (energy(&a, &b), same));
    close(slope, product(&by_a, &a_d) + product(&by_b, &b_d));
    let (value, slope) = log_likelihood::tangent(&a, &a_d, 4);
    let (same, by_a) = log_likelihood::gradient(&a, 4);
    assert_eq!(value, same);
    close(slope, product(&by_a, &a_d));
}

/// More rows than columns: the Jacobian is found by tangents.
#[adjoint(independents(b), dependents(return))]
fn twice(a: &[f64], b: &[f64]) -> Vec<f64> {
    let x: Vec<f64> = solve(a, b).unwrap();
    let mut all: Vec<f64> = x.to_vec();
    for value in x.iter() {
        all.push(value * value);
    }
    all
}

#[test]
fn jacobians_by_columns() {
    let (a, b) = system(3);
    let jacobian = twice::jacobian(&a, &b);
    for column in 0..3 {
        let mut unit = [0.0; 3];
        unit[column] = 1.0;
        let (x, x_d) = (solve(&a, &b).unwrap(), solve(&a, &unit).unwrap());
        for row in 0..3 {
            close(jacobian[row * 3 + column], x_d[row]);
            close(jacobian[(row + 3) * 3 + column], 2.0 * x[row] * x_d[row]);
        }
    }
    // Of the function itself, by its own tangent.
    let square = [2.0, 1.0, 0.0, 4.0];
    let (_, slopes) = solve::tangent(&square, &[0.0; 4], &[3.0, 8.0], &[1.0, 0.0]).unwrap();
    assert_eq!(slopes, [0.5, 0.0]);
    assert_eq!(solve::tangent(&[0.0], &[1.0], &[1.0], &[1.0]), None);
    // A system without unknowns.
    assert_eq!(solve::tangent(&[], &[], &[], &[]), Some((vec![], vec![])));
    assert_eq!(solve::adjoint(&[], &mut [], &[], &mut [], vec![]), Some(vec![]));
}

/// What a library does to a state in place: a rotation, and the length of the state before it.
#[adjoint(
    independents(state, angle),
    dependents(state, return),
    with = turn_adjoint,
    tangent = turn_tangent,
    repeatable,
    test(state: &mut [3.0, 4.0], angle: 0.3, times: 2)
)]
fn turn(state: &mut [f64], angle: f64, times: usize) -> f64 {
    let (sin, cos) = (angle * times as f64).sin_cos();
    let (x, y) = (state[0], state[1]);
    (state[0], state[1]) = (cos * x - sin * y, sin * x + cos * y);
    x.hypot(y)
}

fn turn_adjoint(
    state: &mut [f64],
    state_b: &mut [f64],
    angle: f64,
    angle_b: &mut f64,
    times: usize,
    ret_b: f64,
) -> f64 {
    let (x, y) = (state[0], state[1]);
    let length = turn(state, angle, times);
    let (sin, cos) = (angle * times as f64).sin_cos();
    let (u, v) = (state_b[0], state_b[1]);
    *angle_b += times as f64 * (v * state[0] - u * state[1]);
    state_b[0] = cos * u + sin * v + ret_b * x / length;
    state_b[1] = cos * v - sin * u + ret_b * y / length;
    length
}

fn turn_tangent(
    state: &mut [f64],
    state_d: &mut [f64],
    angle: f64,
    angle_d: f64,
    times: usize,
) -> (f64, f64) {
    let (x, y) = (state[0], state[1]);
    let length = turn(state, angle, times);
    let (sin, cos) = (angle * times as f64).sin_cos();
    let (u, v, turned) = (state_d[0], state_d[1], angle_d * times as f64);
    state_d[0] = cos * u - sin * v - turned * state[1];
    state_d[1] = sin * u + cos * v + turned * state[0];
    (length, (x * u + y * v) / length)
}

#[test]
fn what_is_changed_in_place_has_its_direction_changed_in_place() {
    let (mut state, mut state_d) = ([3.0, 4.0], [1.0, 0.0]);
    let (length, slope) = turn::tangent(&mut state, &mut state_d, 0.0, 1.0, 1);
    assert_eq!((length, slope), (5.0, 0.6));
    assert_eq!(state_d, [1.0 - 4.0, 3.0]);
}

/// The state has a derivative here, and the angle has none; in the other one it is the other way round.
#[adjoint(independents(x), dependents(return))]
fn turned_state(x: f64, angle: f64) -> f64 {
    let mut state = [x, 2.0 * x];
    let length = turn(&mut state, angle, 3);
    state[0] * length
}

#[adjoint(independents(angle), dependents(return))]
fn turned_angle(x: f64, angle: f64) -> f64 {
    let mut state = [x, 2.0 * x];
    let length = turn(&mut state, angle, 3);
    state[0] * length
}

#[test]
fn directions_that_are_not_passed_are_zero() {
    let (_, by_x) = turned_state::gradient(0.7, 0.4);
    close(turned_state::tangent(0.7, 1.0, 0.4).1, by_x);
    let (_, by_angle) = turned_angle::gradient(0.7, 0.4);
    close(turned_angle::tangent(0.7, 0.4, 1.0).1, by_angle);
    let step = 1e-6;
    let difference = (turned_angle(0.7, 0.4 + step) - turned_angle(0.7, 0.4 - step)) / (2.0 * step);
    assert!((difference - by_angle).abs() < 1e-8);
}

/// A spring of a simulation, by value, and a function that may fail.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Spring {
    rest: f64,
    stiffness: f64,
}

#[adjoint(independents(spring, ends), with = force_adjoint, tangent = force_tangent)]
fn force<const N: usize>(spring: Spring, ends: &[f64; N]) -> Result<f64, String> {
    let stretched = ends[N - 1] - ends[0] - spring.rest;
    if stretched > 0.0 { Ok(spring.stiffness * stretched) } else { Err("slack".into()) }
}

fn force_adjoint<const N: usize>(
    spring: Spring,
    spring_b: &mut Spring,
    ends: &[f64; N],
    ends_b: &mut [f64; N],
    ret_b: f64,
) -> Result<f64, String> {
    let value = force(spring, ends)?;
    spring_b.stiffness += ret_b * value / spring.stiffness;
    spring_b.rest -= ret_b * spring.stiffness;
    ends_b[N - 1] += ret_b * spring.stiffness;
    ends_b[0] -= ret_b * spring.stiffness;
    Ok(value)
}

fn force_tangent<const N: usize>(
    spring: Spring,
    spring_d: Spring,
    ends: &[f64; N],
    ends_d: &[f64; N],
) -> Result<(f64, f64), String> {
    let value = force(spring, ends)?;
    let stretched = ends_d[N - 1] - ends_d[0] - spring_d.rest;
    Ok((value, spring_d.stiffness * value / spring.stiffness + spring.stiffness * stretched))
}

#[adjoint(independents(spring, by))]
fn pulled(spring: Spring, by: f64) -> f64 {
    let ends = [0.1 * by, 0.0, by];
    match force(spring, &ends) {
        Ok(force) => force * by,
        Err(_) => 0.0,
    }
}

#[test]
fn structs_by_value_and_failures() {
    let spring = Spring { rest: 0.5, stiffness: 3.0 };
    let spring_d = Spring { rest: 0.2, stiffness: -1.0 };
    let (value, slope) = pulled::tangent(spring, spring_d, 2.0, 0.5);
    let (same, (by_spring, by_length)) = pulled::gradient(spring, 2.0);
    assert_eq!(value, same);
    close(slope, 0.2 * by_spring.rest - by_spring.stiffness + 0.5 * by_length);
    assert_eq!(pulled::tangent(spring, spring_d, 0.1, 0.5), (0.0, 0.0));
    let slack = force::tangent(spring, spring_d, &[1.0, 0.0], &[0.0; 2]);
    assert_eq!(slack, Err("slack".to_owned()));
}

#[adjoint(with = cubed_adjoint, tangent = wrong_tangent)]
fn cubed(x: f64) -> f64 {
    x * x * x
}

fn cubed_adjoint(x: f64, x_b: &mut f64, ret_b: f64) -> f64 {
    *x_b += 3.0 * x * x * ret_b;
    cubed(x)
}

fn wrong_tangent(x: f64, x_d: f64) -> (f64, f64) {
    (cubed(x), -3.0 * x * x * x_d)
}

#[adjoint]
fn of_cubes(x: f64) -> f64 {
    cubed(x.sin()) + x
}

#[test]
fn a_wrong_tangent_is_found() {
    let report = check::tangent(
        |x: &[f64; 1]| of_cubes(x[0]),
        |x: &[f64; 1], x_d: &[f64; 1]| of_cubes::tangent(x[0], x_d[0]),
        &[0.7],
        &[1.0],
    );
    assert!(!report.passed(), "{report}");
    let (_, slope) = of_cubes::gradient(0.7);
    check::derivative(of_cubes, of_cubes::gradient, 0.7).assert_passed();
    close(slope, 3.0 * 0.7_f64.sin().powi(2) * 0.7_f64.cos() + 1.0);
}
