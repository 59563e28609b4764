//! Jacobians against closed forms. That they are right on ordinary functions the corpus shows.

use backsweep::{Differentiable, adjoint};
use num_traits::Float;
use std::cell::Cell;

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{found:?} {expected:?}");
    }
}

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is compared: a check may run again, whatever it does.
struct Probe;

impl PartialEq for Probe {
    fn eq(&self, _: &Self) -> bool {
        RUNS.set(RUNS.get() + 1);
        true
    }
}

fn counted<R>(function: impl FnOnce() -> R) -> (R, usize) {
    RUNS.set(0);
    let result = function();
    (result, RUNS.get())
}

/// The sum of `k x²`, and the product.
#[adjoint(independents(x, k), dependents(return))]
fn wide(x: &[f64], k: f64, probe: &Probe) -> [f64; 2] {
    assert!(*probe == Probe, "as it should");
    let (mut sum, mut product) = (0.0, 1.0);
    for v in x {
        sum += k * v * v;
        product *= v;
    }
    [sum, product]
}

/// `a exp(b i)` and how it begins.
#[adjoint(independents(a, b), dependents(return))]
fn tall(a: f64, b: f64, n: usize, probe: &Probe) -> (Vec<f64>, f64) {
    assert!(*probe == Probe, "as it should");
    let mut list = vec![0.0; n];
    for i in 0..n {
        list[i] = a * (b * i as f64).exp();
    }
    (list, a * b)
}

#[test]
fn whichever_are_fewer_columns_or_rows() {
    let x = [2.0, 3.0, 5.0, 7.0];
    let (found, runs) = counted(|| wide::jacobian(&x, 0.5, &Probe));
    let expected = [2.0, 3.0, 5.0, 7.0, 87.0, 105.0, 70.0, 42.0, 30.0, 0.0];
    assert_near(&found, &expected);
    // Four columns to count, and all rows.
    assert_eq!(runs, 2);

    let (found, runs) = counted(|| tall::jacobian(2.0, 0.3, 5, &Probe));
    let rows = (0..5).flat_map(|i| {
        let (i, exp) = (f64::from(i), (0.3 * f64::from(i)).exp());
        [exp, 2.0 * i * exp]
    });
    assert_near(&found, &rows.chain([0.3, 2.0]).collect::<Vec<_>>());
    assert_eq!(runs, 1);

    assert_eq!(wide::jacobian(&[], 0.5, &Probe), [0.0, 0.0]);
    assert_eq!(tall::jacobian(2.0, 0.3, 0, &Probe), [0.3, 2.0]);
}

#[adjoint]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v).collect()
}

#[test]
fn square_and_empty() {
    assert_eq!(squares::jacobian(&[1.0, 2.0]), [2.0, 0.0, 0.0, 4.0]);
    assert_eq!(squares::jacobian(&[3.0]), [6.0]);
    assert!(squares::jacobian(&[]).is_empty());
}

#[adjoint]
fn cartesian(polar: (f64, f64)) -> (f64, f64) {
    let (radius, angle) = polar;
    (radius * angle.cos(), radius * angle.sin())
}

#[test]
fn tuples_to_tuples() {
    let (sin, cos) = 0.4_f64.sin_cos();
    assert_near(&cartesian::jacobian((2.0, 0.4)), &[cos, -2.0 * sin, sin, 2.0 * cos]);
}

/// What `&mut` parameters hold comes before the result.
#[adjoint]
fn turned(point: &mut [f64; 2], angle: f64, last: &mut [f64]) -> f64 {
    let [x, y] = *point;
    *point = [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()];
    last[0] *= x;
    point[0] * point[1]
}

#[test]
fn mutable_parameters_keep_what_they_hold() {
    let (mut point, mut last) = ([3.0, 4.0], [5.0]);
    let found = turned::jacobian(&mut point, 0.5, &mut last);
    assert_eq!((point, last), ([3.0, 4.0], [5.0]));
    let (s, c) = 0.5_f64.sin_cos();
    let (x, y) = (3.0 * c - 4.0 * s, 3.0 * s + 4.0 * c);
    let rows = [
        [c, -s, -y, 0.0],
        [s, c, x, 0.0],
        [5.0, 0.0, 0.0, 3.0],
        [c * y + s * x, -s * y + c * x, x * x - y * y, 0.0],
    ];
    assert_near(&found, rows.as_flattened());
}

#[adjoint]
fn grown(list: &mut Vec<f64>, x: f64, count: &mut usize) {
    *count += 1;
    let last = list.pop().unwrap_or(0.0);
    list.push(last * x);
    list.push(x * x);
    list.push(3.0 * x);
}

#[test]
fn lists_may_change_their_lengths() {
    let (mut list, mut count) = (vec![7.0, 2.0], 0);
    let found = grown::jacobian(&mut list, 5.0, &mut count);
    assert_eq!((&list[..], count), (&[7.0, 2.0][..], 0));
    let rows = [[1.0, 0.0, 0.0], [0.0, 5.0, 2.0], [0.0, 0.0, 10.0], [0.0, 0.0, 3.0]];
    assert_near(&found, rows.as_flattened());
    let many = grown::jacobian(&mut vec![1.0; 8], 5.0, &mut count);
    assert_eq!(many.len(), 9 * 10);
    assert_near(&many[7 * 9..8 * 9], &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 1.0]);
}

#[adjoint(independents(x), dependents(y))]
fn into_other(x: &[f64], y: &mut [f64], factor: f64) {
    for (x, y) in x.iter().zip(y) {
        *y = factor * x * *y;
    }
}

#[adjoint(independents(work, x), dependents(return))]
fn by_way_of(work: &mut [f64; 2], x: f64) -> [f64; 2] {
    work[0] *= x;
    let first = work[0];
    work[1] += x * x;
    *work = [work[1], 0.0];
    [first, work[0]]
}

#[test]
fn what_is_no_independent_has_no_column_and_what_is_no_dependent_no_row() {
    let mut y = [5.0, 7.0];
    assert_eq!(into_other::jacobian(&[1.0, 2.0], &mut y, 3.0), [15.0, 0.0, 0.0, 21.0]);
    assert_eq!(y, [5.0, 7.0]);
    let mut work = [2.0, 3.0];
    assert_eq!(by_way_of::jacobian(&mut work, 4.0), [4.0, 0.0, 2.0, 0.0, 1.0, 8.0]);
    assert_eq!(work, [2.0, 3.0]);
}

#[adjoint]
fn quotients(x: &[f64], divisor: f64) -> Result<Vec<f64>, String> {
    if divisor == 0.0 {
        return Err(format!("{} numbers over nothing", x.len()));
    }
    Ok(x.iter().map(|v| v / divisor).collect())
}

#[adjoint]
fn roots(list: &mut [f64]) -> Option<f64> {
    let mut sum = 0.0;
    for v in list {
        if *v < 0.0 {
            return None;
        }
        *v = v.sqrt();
        sum += *v;
    }
    Some(sum)
}

#[adjoint]
fn halved(list: &mut [f64]) -> Result<(), usize> {
    for i in 0..list.len() {
        if list[i] > 100.0 {
            return Err(i);
        }
        list[i] *= 0.5;
    }
    Ok(())
}

#[test]
fn functions_may_fail() {
    let rows = [[0.25, 0.0, -0.125], [0.0, 0.25, -0.5]];
    let found = quotients::jacobian(&[2.0, 8.0], 4.0);
    assert_near(&found.expect("the divisor is not 0"), rows.as_flattened());
    assert_eq!(quotients::jacobian(&[2.0, 8.0], 0.0), Err("2 numbers over nothing".to_owned()));
    let mut list = [4.0, 16.0];
    assert_eq!(roots::jacobian(&mut list), Some(vec![0.25, 0.0, 0.0, 0.125, 0.25, 0.125]));
    assert_eq!(list, [4.0, 16.0]);
    assert_eq!(roots::jacobian(&mut [4.0, -1.0]), None);
    assert_eq!(halved::jacobian(&mut [4.0, 6.0]), Ok(vec![0.5, 0.0, 0.0, 0.5]));
    assert_eq!(halved::jacobian(&mut [4.0, 600.0]), Err(1));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body {
    position: [f64; 2],
    number: usize,
    mass: f64,
}

#[adjoint(independents(body, force))]
fn pushed(body: &Body, force: [f64; 2]) -> Body {
    let mut moved = body.clone();
    moved.position[0] += force[0] / body.mass;
    moved.position[1] += force[1] * body.position[0];
    moved
}

#[adjoint]
impl Body {
    fn momentum(&self, velocity: &[f64]) -> Vec<f64> {
        velocity.iter().map(|v| v * self.mass).collect()
    }

    fn drift(&mut self, time: f64) -> f64 {
        self.position[0] += time * self.mass;
        self.position[1] *= time;
        time * time
    }

    fn scaled(factor: f64, by: (f64, f64)) -> [f64; 2] {
        [factor * by.0, factor * by.1]
    }
}

fn body() -> Body {
    Body { position: [2.0, 3.0], number: 7, mass: 4.0 }
}

/// Bars that are written by hand, of a type of their own.
#[derive(Clone, Copy)]
struct Celsius;

impl Differentiable for Celsius {
    type Bar = [f64; 1];
    fn zero_bar(&self) -> [f64; 1] {
        [0.0]
    }
}

#[adjoint(independents(t, x), dependents(return))]
fn beside(t: Celsius, x: f64) -> [f64; 2] {
    let _ = t;
    [x, x * x]
}

#[adjoint(independents(body), dependents(body, return))]
fn stretched(body: &mut Body, by: &[f64], probe: &Probe) -> Vec<Body> {
    assert!(*probe == Probe, "as it should");
    body.mass *= by[0];
    let list = vec![body.clone(), body.clone()];
    list
}

#[test]
fn structs_have_columns() {
    let (found, runs) = counted(|| stretched::jacobian(&mut body(), &[2.0], &Probe));
    let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]].as_flattened().repeat(3);
    assert_near(&found, &rows);
    assert_eq!(runs, 3);
}

#[test]
fn bars_by_hand() {
    assert_eq!(beside::jacobian(Celsius, 5.0), [0.0, 1.0, 0.0, 10.0]);
}

#[test]
fn structs_and_methods() {
    let rows =
        [[1.0, 0.0, -5.0 / 16.0, 0.25, 0.0], [6.0, 1.0, 0.0, 0.0, 2.0], [0.0, 0.0, 1.0, 0.0, 0.0]];
    assert_near(&pushed::jacobian(&body(), [5.0, 6.0]), rows.as_flattened());
    let rows = [[0.0, 0.0, 0.5, 4.0, 0.0], [0.0, 0.0, 0.6, 0.0, 4.0]];
    assert_near(&body().momentum_jacobian(&[0.5, 0.6]), rows.as_flattened());
    let mut moving = body();
    let rows =
        [[1.0, 0.0, 0.5, 4.0], [0.0, 0.5, 0.0, 3.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    assert_near(&moving.drift_jacobian(0.5), rows.as_flattened());
    assert_eq!(moving, body());
    let found = Body::scaled_jacobian(2.0, (3.0, 4.0));
    assert_near(&found, &[3.0, 2.0, 0.0, 4.0, 0.0, 2.0]);
}

#[adjoint]
fn single(x: &[f32], y: f64) -> Vec<f32> {
    x.iter().map(|v| v * y as f32).collect()
}

#[adjoint]
fn generic<T: Float>(x: T, y: &[T]) -> (T, T) {
    let mut sum = T::zero();
    for v in y {
        sum = sum + *v * x;
    }
    (sum, x * x)
}

#[test]
fn floats_of_each_width() {
    assert_eq!(single::jacobian(&[1.5, 2.0], 3.0), [3.0, 0.0, 1.5, 0.0, 3.0, 2.0]);
    assert_eq!(generic::jacobian(3.0, &[1.0, 2.0]), [3.0, 3.0, 3.0, 6.0, 0.0, 0.0]);
    assert_eq!(generic::jacobian(3.0_f32, &[1.0, 2.0]), [3.0, 3.0, 3.0, 6.0, 0.0, 0.0]);
}

/// The derivative is by hand, so there is no tangent.
#[adjoint(with = doubled_adjoint)]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| 2.0 * v).collect()
}

fn doubled_adjoint(x: &[f64], x_b: &mut [f64], ret_b: Vec<f64>) -> Vec<f64> {
    for (bar, seed) in x_b.iter_mut().zip(ret_b) {
        *bar += 2.0 * seed;
    }
    doubled(x)
}

#[test]
fn rows_alone_where_there_is_no_tangent() {
    assert_eq!(doubled::jacobian(&[1.0, 5.0]), [2.0, 0.0, 0.0, 2.0]);
}

#[adjoint(independents(start), dependents(return))]
fn marched(start: &[f64], steps: usize) -> Vec<f64> {
    let mut u = start.to_vec();
    #[checkpoint(snapshots = 2)]
    for _ in 0..steps {
        u[0] *= u[1];
    }
    u
}

#[test]
fn checkpointed_loops() {
    // u v³, v
    assert_eq!(marched::jacobian(&[5.0, 2.0], 3), [8.0, 60.0, 0.0, 1.0]);
}

/// What has no `Clone` is no obstacle to functions whose Jacobian nobody asks for.
struct Log(String);

trait Sink {
    fn note(&mut self, text: &str) -> usize;
}

impl Sink for Log {
    fn note(&mut self, text: &str) -> usize {
        self.0.push_str(text);
        self.0.len()
    }
}

#[adjoint(independents(x), dependents(return))]
fn logged(x: &[f64], log: &mut Log, sink: &mut dyn Sink) -> Vec<f64> {
    #[passive]
    let lengths = log.note("a") + sink.note("b");
    x.iter().map(|v| v * lengths as f64).collect()
}

#[test]
fn what_cannot_be_copied_may_be_passed_to_the_others() {
    let (mut log, mut sink, mut x_b) = (Log(String::new()), Log(String::new()), [0.0]);
    let value = logged::adjoint(&[3.0], &mut x_b, &mut log, &mut sink, vec![1.0]);
    assert_eq!((value, x_b), (vec![6.0], [2.0]));
    assert_eq!(log.0 + &sink.0, "ab");
}

#[adjoint(independents(x), passive(weight))]
fn weighted(x: &[f64], weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut list = x.to_vec();
    for k in 0..x.len() {
        let w = weight(k);
        list[k] = w * x[k];
    }
    list
}

#[test]
fn functions_may_be_passed() {
    assert_eq!(weighted::jacobian(&[1.0, 2.0], |k| k as f64 + 1.0), [1.0, 0.0, 0.0, 2.0]);
}

/// Names that the entry would take for itself.
#[adjoint]
fn named(jacobian: f64, stack: f64, kept: &mut f64, result: f64, seed: f64) -> [f64; 2] {
    *kept *= jacobian;
    [result * seed, stack]
}

#[test]
fn parameters_may_have_any_names() {
    let rows = [[3.0, 0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 7.0, 5.0], [0.0, 1.0, 0.0, 0.0, 0.0]];
    assert_near(&named::jacobian(2.0, 9.0, &mut 3.0, 5.0, 7.0), rows.as_flattened());
}

#[adjoint]
mod module {
    pub fn helper(x: f64) -> f64 {
        x * x
    }

    pub fn pair(x: f64, r#type: f64) -> [f64; 2] {
        [helper(x), x * r#type]
    }
}

#[test]
fn in_modules() {
    assert_eq!(module::pair::jacobian(3.0, 5.0), [6.0, 0.0, 5.0, 3.0]);
}

#[adjoint]
fn product(r#type: f64, type_g: f64) -> f64 {
    r#type * type_g
}

#[test]
fn parameters_may_be_keywords() {
    assert_eq!(product::gradient(3.0, 5.0), (15.0, (5.0, 3.0)));
    assert_eq!(product::tangent(3.0, 1.0, 5.0, 0.0), (15.0, 5.0));
}

/// It has derivatives for one direction and one seed only.
#[adjoint]
fn cube_of_any<F: num_traits::Float>(x: F) -> F {
    x * x * x
}

#[adjoint]
fn cubes(x: f64, y: f64) -> [f64; 3] {
    [cube_of_any(x), cube_of_any(x * y), y]
}

#[adjoint]
fn cube_of_product(x: &[f64; 3], scale: f64) -> [f64; 1] {
    [cube_of_any(scale * x[0] * x[1] * x[2])]
}

/// Which of its callees have derivatives for several is seen where code is generated: they are not asked for.
#[test]
fn callees_need_no_derivatives_for_several() {
    assert_near(&cubes::jacobian(2.0, 3.0), &[12.0, 0.0, 324.0, 216.0, 0.0, 1.0]);
    assert_near(&cube_of_product::jacobian(&[1.0, 2.0, 3.0], 1.0), &[648.0, 324.0, 216.0, 648.0]);
}
