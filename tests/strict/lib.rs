//! Annotated functions as another crate has them, one that allows nothing.
#![forbid(unsafe_code)]
#![deny(missing_docs, unused, dead_code, unreachable_pub)]

use backsweep::{Differentiable, adjoint};

pub mod instances;

/// A weighted sum of squares.
#[adjoint(independents(x), dependents(return))]
pub fn energy(x: &[f64], weight: f64) -> f64 {
    let mut sum = 0.0;
    for &v in x {
        sum += weight * v * v;
    }
    sum
}

/// Squares in place, times a factor.
#[adjoint]
#[allow(clippy::needless_range_loop)] // numerical code is full of indices
pub fn square_all(x: f64, y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = y[i] * y[i] * x;
    }
}

/// Its derivatives carry another name.
#[adjoint(name = "cubic_wrt_x")]
pub fn cubic(x: f64, y: f64) -> f64 {
    x * x * x * y
}

#[derive(Clone, Copy)]
enum Region {
    Inner,
    Outer { number: u32, is_far: bool },
}

fn region(x: f64) -> Region {
    if x.abs() < 1.0 { Region::Inner } else { Region::Outer { number: 2, is_far: x > 10.0 } }
}

#[adjoint]
fn in_regions(x: f64, regions: &[Region; 2]) -> f64 {
    match regions[0] {
        Region::Inner => x * x,
        Region::Outer { number, is_far: false } => x * f64::from(number),
        Region::Outer { .. } => 0.5 * x,
    }
}

/// What it finds out about its numbers is a private enum without floats.
#[adjoint]
pub fn by_regions(x: f64, steps: usize) -> f64 {
    let (mut a, mut regions) = (x, [Region::Inner; 2]);
    for _ in 0..steps {
        let found = region(a);
        regions = [regions[1], found];
        a = in_regions(a, &regions) + 0.1;
    }
    a
}

/// A module of the same name as its function, the usual layout.
pub mod gamma {
    use backsweep::adjoint;

    /// Something that grows; its derivatives are free functions beside it.
    #[adjoint(name = "self")]
    pub fn gamma(x: f64) -> f64 {
        x.exp() * x
    }
}

pub use gamma::gamma;

/// A private function is differentiated as well.
#[adjoint]
fn helper(x: f64) -> f64 {
    x.sin() * x
}

/// One of the crate.
#[adjoint]
pub(crate) fn crate_helper(x: f64) -> f64 {
    helper(x) + 1.0
}

/// A public function that calls the others.
#[adjoint(callee(cubic = cubic_wrt_x))]
pub fn composed(x: f64) -> f64 {
    crate_helper(x) * cubic(x, 2.0)
}

/// A point of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
}

#[adjoint]
impl std::ops::Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self::Output {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

#[adjoint]
impl std::ops::MulAssign<f64> for Point {
    fn mul_assign(&mut self, factor: f64) {
        self.x *= factor;
        self.y *= factor;
    }
}

#[adjoint]
impl Point {
    /// Another point.
    pub fn at(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The distance from the origin.
    pub fn norm(&self) -> f64 {
        self.x.hypot(self.y)
    }

    fn grow(&mut self, by: f64) {
        *self *= 1.0 + by;
    }
}

/// The stiffness of a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring(f64);

#[adjoint]
impl Spring {
    /// The forces at some lengths.
    #[adjoint(independents(lengths))]
    pub fn forces(&self, lengths: &[f64]) -> Vec<f64> {
        lengths.iter().map(|length| self.force(*length) - self.0 * length).collect()
    }

    #[adjoint(passive(self))]
    fn force(&self, length: f64) -> f64 {
        let squared = Self::squared(length);
        self.0 * squared - squared
    }

    #[adjoint]
    fn squared(length: f64) -> f64 {
        length * length
    }
}

/// The distance of a point from the origin, after some growth.
#[adjoint]
pub fn grown(x: f64, by: f64) -> f64 {
    let mut point = Point::at(x, 1.0) + Point::at(by, x * x);
    point.grow(by);
    point.norm()
}

/// A filter: the bar of the gain asks for all states, that of the signal for none.
#[adjoint]
pub fn filtered(x: &[f64], gain: f64) -> f64 {
    let mut state = 0.0;
    let mut sum = 0.0;
    for &v in x {
        state = gain * state + v;
        sum += state;
    }
    sum
}

/// The same, made for those who have no bar of the gain.
#[adjoint(passive(gain))]
pub fn filtered_signal(x: &[f64], gain: f64) -> f64 {
    let mut state = 0.0;
    let mut sum = 0.0;
    for &v in x {
        state = gain * state + v;
        sum += state;
    }
    sum
}

/// The same, made for those who have no bar of the signal, and with what the backward sweep needs instead of the partial.
#[adjoint(passive(x), no(preaccumulate))]
pub fn filtered_gain(x: &[f64], gain: f64) -> f64 {
    let mut state = 0.0;
    let mut sum = 0.0;
    for &v in x {
        state = gain * state + v;
        sum += state;
    }
    sum
}

/// A function that keeps values of its own, some for the bar of the signal and some for that of the gain.
#[adjoint]
pub fn stretched(x: &[f64], gain: f64) -> f64 {
    let near = (x[0] * 0.5).exp();
    let stiff = gain.exp();
    let root = stiff.sqrt();
    near + stiff * root
}

/// The same, made for those who have no bar of the gain.
#[adjoint(passive(gain))]
pub fn stretched_signal(x: &[f64], gain: f64) -> f64 {
    let near = (x[0] * 0.5).exp();
    let stiff = gain.exp();
    let root = stiff.sqrt();
    near + stiff * root
}

/// The same, made for those who have no bar of the signal, and with what the backward sweep needs instead of the partial.
#[adjoint(passive(x), no(preaccumulate))]
pub fn stretched_gain(x: &[f64], gain: f64) -> f64 {
    let near = (x[0] * 0.5).exp();
    let stiff = gain.exp();
    let root = stiff.sqrt();
    near + stiff * root
}

/// A function that never returns: its derivatives do not either.
#[adjoint]
pub fn endless(x: f64) -> f64 {
    let mut y = x;
    loop {
        y *= 0.5;
        assert!(y > 1e-9, "it is too small by now");
    }
}

/// One that only panics.
#[adjoint]
pub fn without_a_formula(_x: f64, _y: &mut [f64]) -> f64 {
    panic!("no formula is known")
}

/// Its partials are given.
#[adjoint(partials(x: 2.0 * x * y, y: x * x))]
pub fn scaled_square(x: f64, y: f64) -> f64 {
    x * x * y
}

/// Its adjoint is given.
#[adjoint(with = doubled_adjoint)]
pub fn doubled(x: &[f64], y: &mut [f64], times: usize) -> Option<f64> {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = 2.0 * x);
    y.get(times).copied()
}

fn doubled_adjoint(
    x: &[f64],
    x_b: &mut [f64],
    y: &mut [f64],
    y_b: &mut [f64],
    times: usize,
    ret_b: f64,
) -> Option<f64> {
    let value = doubled(x, y, times)?;
    y_b[times] += ret_b;
    for (x_b, y_b) in x_b.iter_mut().zip(y_b) {
        *x_b += 2.0 * *y_b;
        *y_b = 0.0;
    }
    Some(value)
}

/// Of a private function nothing but the Hessian is asked.
pub fn curvature(x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    (bowl::hessian(x, 2), bowl::hessian_sparse(x, 2).2)
}

#[adjoint(second_order)]
fn bowl(x: &[f64], power: i32) -> f64 {
    let mut sum = 0.0;
    let mut before = vec![0.0; x.len()];
    for (i, &x) in x.iter().enumerate() {
        before[i] = x.powi(power);
        sum += before[i] * before[i / 2];
    }
    sum
}

/// The same of one that calls another, and may fail.
pub fn curvature_through_calls(x: f64, y: f64) -> Option<Vec<f64>> {
    ratio::hessian_diagonal(x, y)
}

#[adjoint(second_order)]
fn ratio(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 {
        return None;
    }
    Some(squared(x) / y)
}

#[adjoint(second_order)]
fn squared(x: f64) -> f64 {
    x * x
}

/// With methods.
pub struct Potential {
    /// Of each spring.
    pub stiffness: Vec<f64>,
}

#[adjoint(second_order)]
impl Potential {
    /// The energy of springs.
    #[adjoint(independents(x), dependents(return))]
    pub fn energy(&self, x: &[f64]) -> f64 {
        let mut energy = 0.0;
        for i in 0..self.stiffness.len() {
            energy += self.of_one(x[i + 1] - x[i], i);
        }
        energy
    }

    #[adjoint(independents(d), dependents(return))]
    fn of_one(&self, d: f64, i: usize) -> f64 {
        0.5 * self.stiffness[i] * d * d
    }
}

/// Its partials are given: it has no second derivatives in several directions.
#[adjoint(partials(x: 2.0 * x), second_order)]
pub fn parabola(x: f64) -> f64 {
    x * x
}

/// Its sparse Hessian would be an error, and nobody asks for it.
#[adjoint(second_order)]
pub fn scaled_parabola(x: f64) -> f64 {
    let height: f64 = parabola(x);
    height * x
}
