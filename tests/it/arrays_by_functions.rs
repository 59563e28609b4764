//! `array::from_fn` where what follows says how long the array is, and lists that are made for a parameter.

use crate::differences::assert_gradient;
use backsweep::{Differentiable, adjoint};
use std::array::from_fn;

#[derive(Clone, Debug, Differentiable)]
struct Grid<const D: usize> {
    lower: [f64; D],
    spacing: [f64; D],
}

#[adjoint]
impl<const D: usize> Grid<D> {
    #[adjoint(independents(lower, upper), dependents(return))]
    fn uniform(lower: [f64; D], upper: [f64; D], points: [usize; D]) -> Self {
        let spacing = std::array::from_fn(|axis| {
            let intervals = (points[axis] - 1) as f64;
            (upper[axis] - lower[axis]) / intervals
        });
        Self { lower, spacing }
    }
    #[adjoint]
    fn point(&self, index: [usize; D]) -> [f64; D] {
        from_fn(|axis| self.lower[axis] + self.spacing[axis] * index[axis] as f64)
    }
}

#[adjoint]
fn of_field(x: &[f64]) -> f64 {
    let grid = Grid::uniform([x[0], x[1]], [x[1] * x[1], x[2] * x[0]], [3, 4]);
    let point = grid.point([1, 2]);
    point[0] * point[1]
}

#[adjoint]
fn squares(list: [f64; 3]) -> f64 {
    list.iter().map(|v| v * v).sum()
}

#[adjoint]
fn sum_of(list: Vec<f64>) -> f64 {
    list.iter().sum()
}

#[adjoint]
fn of_parameter(x: &[f64]) -> f64 {
    let list = from_fn(|k| x[k] * x[k]);
    squares(list) * squares(from_fn(|k| x[k] + x[0]))
}

#[adjoint]
fn of_list_parameter(x: &[f64]) -> f64 {
    let list = x.iter().map(|v| v * v).collect();
    sum_of(list) * sum_of(x.iter().map(|v| v.sin()).collect())
}

#[adjoint]
fn of_result(x: &[f64]) -> Result<[f64; 2], String> {
    if x[0] < 0.0 {
        return Err("negative".to_owned());
    }
    let roots = from_fn(|k| x[k].sqrt());
    Ok(roots)
}

#[adjoint]
fn changed(x: &[f64]) -> [f64; 3] {
    let mut list = from_fn(|k| x[k] * 2.0);
    for k in 0..3 {
        list[k] *= x[k];
    }
    list
}

const AT: [f64; 3] = [1.2, 0.4, 0.7];

#[test]
fn what_follows_says_how_long_an_array_is() {
    let (_, gradient) = of_field::gradient(&AT);
    assert_gradient(&gradient, &AT, of_field);
    let (_, gradient) = of_parameter::gradient(&AT);
    assert_gradient(&gradient, &AT, of_parameter);
    let jacobian = changed::jacobian(&AT);
    for (row, gradient) in jacobian.chunks(3).enumerate() {
        assert_gradient(gradient, &AT, |x| changed(x)[row]);
    }
    let jacobian = of_result::jacobian(&AT).expect("a value");
    for (row, gradient) in jacobian.chunks(3).enumerate() {
        assert_gradient(gradient, &AT, |x| of_result(x).expect("a value")[row]);
    }
}

#[test]
fn a_parameter_says_that_something_is_collected_into_a_list() {
    let (_, gradient) = of_list_parameter::gradient(&AT);
    assert_gradient(&gradient, &AT, of_list_parameter);
}
