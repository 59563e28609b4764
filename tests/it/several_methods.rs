//! Tangents in several directions and sparse Jacobians of methods and of functions of types.

use backsweep::sparse::Compression;
use backsweep::{Differentiable, adjoint};

/// A curve through measurements, and what is left of them.
pub struct Fit {
    times: Vec<f64>,
    values: Vec<f64>,
    scale: f64,
}

#[adjoint]
impl Fit {
    #[adjoint(independents(x), dependents(out))]
    pub fn residuals(&self, x: &[f64], out: &mut [f64]) {
        for k in 0..self.times.len() {
            let decay = Self::decay(x[k % 2 + 1], self.times[k]);
            out[k] = self.scaled(x[0] * decay) - self.values[k];
        }
    }

    #[adjoint(independents(rate))]
    fn decay(rate: f64, time: f64) -> f64 {
        (-rate * time).exp()
    }

    #[adjoint(passive(self))]
    fn scaled(&self, value: f64) -> f64 {
        value * self.scale
    }

    #[adjoint(independents(x))]
    pub fn misfit(&self, x: &[f64]) -> f64 {
        let mut out = vec![0.0; self.times.len()];
        self.residuals(x, &mut out);
        out.iter().map(|r| r * r).sum()
    }
}

fn fit() -> Fit {
    Fit { times: vec![0.0, 0.5, 1.5, 4.0], values: vec![2.0, 1.2, 0.4, 0.1], scale: 1.25 }
}

const DIRECTIONS: [[f64; 4]; 3] =
    [[1.0, 0.0, 0.3, -0.0], [0.0, -2.0, 0.1, 1e300], [0.5, 0.0, 7.0, 0.0]];

fn column<const L: usize>(parts: &[[f64; 4]; L], k: usize) -> [f64; L] {
    parts.map(|part| part[k])
}

#[test]
fn each_direction_of_a_method_is_a_tangent() {
    let (fit, x) = (fit(), [2.1, 1.3, 0.7]);
    let (mut out, mut out_d) = ([0.0; 4], [[0.5; 4]; 4]);
    fit.residuals_tangents::<4>(&x, &DIRECTIONS, &mut out, &mut out_d);
    let (value, slopes) = fit.misfit_tangents::<4>(&x, &DIRECTIONS);
    for k in 0..4 {
        let along = column(&DIRECTIONS, k);
        let (mut one, mut one_d) = ([0.0; 4], [0.5; 4]);
        fit.residuals_tangent(&x, &along, &mut one, &mut one_d);
        assert_eq!(out.map(f64::to_bits), one.map(f64::to_bits));
        assert_eq!(column(&out_d, k).map(f64::to_bits), one_d.map(f64::to_bits));
        let (own, slope) = fit.misfit_tangent(&x, &along);
        assert_eq!((value.to_bits(), slopes[k].to_bits()), (own.to_bits(), slope.to_bits()));
    }
    let (_, slopes) = Fit::decay_tangents::<2>(0.5, [1.0, -2.0], 2.0);
    assert_eq!(slopes, [1.0, -2.0].map(|part| -2.0 * part * (-1.0_f64).exp()));
}

#[test]
fn the_sparse_jacobian_of_a_method_is_the_dense_one() {
    let (fit, x, mut out) = (fit(), [2.1, 1.3, 0.7], [9.0; 4]);
    let dense = fit.residuals_jacobian(&x, &mut out);
    let (rows, cols, values) = fit.residuals_jacobian_sparse(&x, &mut out);
    assert_eq!(out, [9.0; 4]);
    let by_places = rows.iter().zip(&cols).zip(&values);
    let mut sparse = vec![0.0; 12];
    by_places.for_each(|((row, col), value)| sparse[row * 3 + col] = *value);
    assert_eq!(sparse, dense);
    // Each residual depends on the amplitude and on one of the rates.
    assert_eq!((rows, cols), (vec![0, 0, 1, 1, 2, 2, 3, 3], vec![0, 1, 0, 2, 0, 1, 0, 2]));
    let compression = Compression::by_columns(fit.residuals_jacobian_pattern(&x, &mut out));
    assert_eq!(compression.colours(), 2);
    assert_eq!(fit.residuals_jacobian_values(&x, &mut out, &compression), values);
}

/// Calls by the receiver, by the path, of a trait's function and of a type with a constant.
#[adjoint(independents(x))]
fn by_all_ways(fit: &Fit, grid: &Grid<3>, x: &[f64]) -> [f64; 2] {
    let mut out = [0.0; 4];
    fit.residuals(x, &mut out);
    Fit::residuals(fit, x, &mut out);
    let rate: f64 = fit.bent(x[0] * out[1]);
    let mean = Grid::<3>::mean([x[0], out[2], x[1]]);
    [out[3] * rate, mean + grid.at(x[2])]
}

trait Bend {
    fn bent(&self, x: f64) -> f64;
}

#[adjoint]
impl Bend for Fit {
    #[adjoint(passive(self))]
    fn bent(&self, x: f64) -> f64 {
        (x * self.scale).sin()
    }
}

struct Grid<const N: usize> {
    shift: [f64; N],
}

#[adjoint]
impl<const N: usize> Grid<N> {
    #[adjoint]
    fn mean(x: [f64; N]) -> f64 {
        let mut sum = 0.0;
        for k in 0..N {
            sum += x[k] / N as f64;
        }
        sum
    }

    #[adjoint(passive(self))]
    fn at(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for k in 0..N {
            sum += (x - self.shift[k]) * x.sin();
        }
        sum
    }
}

#[test]
fn functions_have_several_directions_that_call_methods() {
    let (fit, grid, x) = (fit(), Grid { shift: [0.1, 0.2, 0.3] }, [2.1, 1.3, 0.7]);
    let (values, slopes) = by_all_ways::tangents::<4>(&fit, &grid, &x, &DIRECTIONS);
    for k in 0..4 {
        let (own, slope) = by_all_ways::tangent(&fit, &grid, &x, &column(&DIRECTIONS, k));
        assert_eq!(values.map(f64::to_bits), own.map(f64::to_bits));
        assert_eq!(column(&slopes, k).map(f64::to_bits), slope.map(f64::to_bits));
    }
    // The dense one is found by two adjoints, which round in another order.
    let dense = by_all_ways::jacobian(&fit, &grid, &x);
    let (rows, cols, values) = by_all_ways::jacobian_sparse(&fit, &grid, &x);
    assert_eq!((rows.as_slice(), cols.as_slice()), (&[0, 0, 1, 1, 1][..], &[0, 2, 0, 1, 2][..]));
    assert_eq!(dense[1], 0.0);
    for ((row, col), value) in rows.iter().zip(&cols).zip(&values) {
        assert!((dense[row * 3 + col] - value).abs() < 1e-15);
    }
}

/// What a method changes of itself is copied by those that look at derivatives only.
#[derive(Clone, Debug, PartialEq)]
struct Counter {
    runs: usize,
}

#[adjoint]
impl Counter {
    #[adjoint(passive(self), independents(x))]
    fn squares(&mut self, x: &[f64]) -> Vec<f64> {
        self.runs += 1;
        let mut found = Vec::new();
        for k in 0..x.len() {
            found.push(x[k] * x[k]);
        }
        found
    }

    #[adjoint]
    fn checked(x: f64) -> Result<[f64; 2], String> {
        if x < 0.0 { Err("negative".to_owned()) } else { Ok([x.sqrt(), 1.0]) }
    }
}

#[test]
fn a_method_that_changes_its_receiver_has_a_sparse_jacobian() {
    let mut counter = Counter { runs: 0 };
    let (rows, cols, values) = counter.squares_jacobian_sparse(&[1.0, 2.0]);
    assert_eq!((rows, cols, values), (vec![0, 1], vec![0, 1], vec![2.0, 4.0]));
    assert_eq!(counter, Counter { runs: 0 });
    let (values, slopes) = counter.squares_tangents::<1>(&[1.0, 2.0], &[[1.0], [0.5]]);
    assert_eq!((values, slopes), (vec![1.0, 4.0], vec![[2.0], [2.0]]));
    assert_eq!(counter, Counter { runs: 1 });
}

#[test]
fn functions_of_types_that_fail_have_sparse_jacobians() {
    let found = Counter::checked_jacobian_sparse(4.0);
    assert_eq!(found, Ok((vec![0], vec![0], vec![0.25])));
    assert_eq!(Counter::checked_jacobian_sparse(-4.0), Err("negative".to_owned()));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[adjoint]
impl std::ops::Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

#[adjoint]
impl Point {
    #[adjoint]
    fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    #[adjoint(independents(self))]
    fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }

    #[adjoint]
    fn list(x: f64) -> Vec<f64> {
        vec![x, x * x]
    }
}

#[adjoint]
fn total(x: &[f64]) -> f64 {
    x.iter().sum()
}

/// Values whose types the macro does not see, and that are no numbers: only their tangents in several directions are missed, and where
/// they are used.
#[adjoint]
fn through_points(x: f64, y: f64) -> f64 {
    let point = Point::new(x, y) + Point::new(y, 1.0);
    let told: Vec<f64> = Point::list(x);
    let list = Point::list(y);
    point.norm() * total(&told) + total(&list)
}

#[test]
fn what_is_not_seen_need_not_be_a_number_in_one_direction() {
    let value = |x: f64, y: f64| (x + y).hypot(y + 1.0) * (x + x * x) + y + y * y;
    let (found, slope) = through_points::tangent(0.5, 1.0, 2.0, 0.0);
    assert_eq!(found, value(0.5, 2.0));
    let difference = (value(0.5 + 1e-6, 2.0) - value(0.5 - 1e-6, 2.0)) / 2e-6;
    assert!((slope - difference).abs() < 1e-8);
}

#[adjoint]
fn first(x: f64) -> Option<Vec<f64>> {
    if x > 0.0 { Some(vec![x * x]) } else { None }
}

#[adjoint]
fn first_or(x: f64, y: Vec<f64>) -> f64 {
    let list: Vec<f64> = first(x).unwrap_or(y);
    list[0]
}

#[test]
fn lists_of_functions_that_fail_may_be_caught() {
    let slopes = |x| first_or::tangent(x, 1.0, vec![2.0], vec![5.0]).1;
    assert_eq!((slopes(3.0), slopes(-3.0)), (6.0, 5.0));
}

struct Repeated<const N: usize>;

impl<const N: usize> Repeated<N> {
    #[adjoint(passive(self))]
    fn square(&self, x: f64) -> f64 {
        x * x
    }
}

/// The attribute does not see what the parameters of the block are called.
#[test]
fn parameters_of_the_block_have_names_of_their_own() {
    assert_eq!(Repeated::<3>.square_tangents(3.0, [1.0, 2.0]), (9.0, [6.0, 12.0]));
}
