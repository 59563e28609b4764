//! Other names of numbers, lists and tuples, as crates declare them to choose a precision in one place: `type Real = f64;`, also by conditions.
//! Gradients against central differences, values against the plain functions.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use math::{Mat, Real, V3};
use testkit::vectors::check_entries;

mod math {
    #[cfg(test)]
    pub type Real = f64;
    #[cfg(not(test))]
    pub type Real = f32;
    #[cfg(not(test))]
    pub type Single = f64;
    #[cfg(test)]
    pub type Single = f32;
    pub type Scalar = f64;
    pub type V3 = [Scalar; 3];
    pub type Mat = Vec<Vec<Real>>;
    pub type Pair = (Scalar, usize);
    pub const HALF: Real = 0.5;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Cauchy {
    c2: Real,
    scale: math::Scalar,
}

#[adjoint]
impl Cauchy {
    fn new(c: Real) -> Self {
        Cauchy { c2: c * c, scale: 1.0 }
    }
    fn loss(&self, d2: Real) -> Real {
        self.c2 * ((1.0 + d2 / self.c2).ln()) / 2.0 * self.scale
    }
    fn weight(&self, d2: math::Real) -> Real {
        let d = d2.sqrt();
        if d < self.c2 { d2 / 2.0 } else { self.c2 * (d - self.c2 / 2.0) }
    }
}

trait Model {
    fn energy(&self, r: Real) -> Real;
}
#[adjoint]
impl Model for Cauchy {
    fn energy(&self, r: Real) -> Real {
        let s: Real = 1.0 / Real::max(r, Real::EPSILON);
        s.powi(3) - self.c2 * s
    }
}

#[adjoint]
fn robust(x: &[Real]) -> Real {
    let kernel = Cauchy::new(x[0]);
    let mut sum = 0.0 as Real;
    for v in x {
        sum += kernel.loss(v * v) + kernel.weight(v * v) * math::HALF;
    }
    let worst = x.iter().map(|v: &Real| v * v).fold(0.0, Real::max);
    sum + worst + kernel.energy(1.5 + x[1])
}

#[adjoint]
fn lists(x: &[math::Scalar]) -> math::Scalar {
    let v: V3 = [x[0], x[1] * x[2], x[3]];
    let m: Mat = vec![vec![v[0], v[1]], vec![v[2], x[4]]];
    let mut column: Vec<Real> = vec![0.0 as Real; 2];
    for (i, row) in m.iter().enumerate() {
        for value in row {
            column[i] += value * value;
        }
    }
    let pair: math::Pair = (column[0] * column[1], 2);
    pair.0 * x[pair.1]
}

#[adjoint]
fn cross(a: V3, b: &V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[adjoint]
fn volume(x: &[f64]) -> f64 {
    let c = cross([x[0], x[1], x[2]], &[x[3], x[4], x[5]]);
    c.iter().map(|v| v * v).sum::<Real>().sqrt()
}

#[adjoint]
mod inside {
    use super::math::Real;
    pub fn cube(x: Real) -> Real {
        let square = |y: Real| y * y;
        square(x) * x
    }
    pub fn cubes(x: &[Real]) -> Real {
        x.iter().map(|&v| cube(v)).sum()
    }
}

#[adjoint]
fn narrow(x: math::Single, y: math::Single) -> math::Single {
    let factor: math::Single = 1.25;
    (x * factor).sin() * y + x as math::Single
}

#[test]
fn an_alias_by_conditions_is_the_one_that_rustc_chooses() {
    let (value, (x, y)) = narrow::gradient(0.5, 2.0);
    assert_eq!(value, narrow(0.5_f32, 2.0));
    assert!((x - (1.25 * 0.625_f32.cos() * 2.0 + 1.0)).abs() < 1e-6);
    assert!((y - 0.625_f32.sin()).abs() < 1e-6);
}

/// A parameter may hide the name.
#[adjoint]
fn hidden<Real: num_traits::Float>(x: Real) -> Real {
    let y: Real = x * x;
    y + Real::one() * x
}

#[test]
fn a_parameter_of_that_name_is_no_alias() {
    assert_eq!(hidden::gradient(0.75), (0.75 * 0.75 + 0.75, 2.5));
    assert_eq!(hidden::gradient(0.75_f32), (0.75 * 0.75 + 0.75, 2.5));
}

#[test]
fn numbers_and_lists_by_other_names() {
    let x = [0.7, -0.4, 1.1, 0.5, 1.3, -0.8];
    check_entries(&x, robust, robust::gradient, robust::tangent);
    check_entries(&x, lists, lists::gradient, lists::tangent);
    check_entries(&x, volume, volume::gradient, volume::tangent);
    check_entries(&x, inside::cubes, inside::cubes::gradient, inside::cubes::tangent);
}
