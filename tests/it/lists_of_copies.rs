//! `vec![p; n]`, `[p; 3]` and `array::from_fn` of structs with derivatives.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[adjoint]
impl Point {
    fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
    fn zero() -> Self {
        Point { x: 0.0, y: 0.0 }
    }
    fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Series {
    terms: Vec<f64>,
}

#[adjoint]
impl Series {
    fn new(x: f64) -> Self {
        Series { terms: vec![x, x * x] }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body {
    path: Vec<Point>,
    ends: [Point; 2],
}

#[adjoint]
impl Body {
    fn new(x: f64, n: usize) -> Self {
        Body { path: vec![Point::new(x, x * x); n], ends: [Point::new(x, 1.0); 2] }
    }
    fn value(&self) -> f64 {
        self.path[0].dot(self.path[1]) * self.ends[0].x + self.ends[1].y
    }
}

#[adjoint]
fn of_constants(x: &[f64]) -> f64 {
    let (mut list, mut array) = (vec![Point::zero(); 3], [Point::zero(); 3]);
    for k in 0..3 {
        list[k] = Point::new(x[k], x[0]);
        array[k] = Point::new(x[0], x[k]);
    }
    list[0].dot(array[2]) + list[1].x * array[1].y
}

#[adjoint]
fn of_calls(x: &[f64]) -> f64 {
    let mut list = vec![Point::new(x[0], x[1]); 3];
    list.push(Point::zero());
    let mut array = [Point::new(x[0], x[1]); 3];
    array[1].x *= x[2];
    list[0].dot(list[2]) + list[1].x * x[2] + array[0].dot(array[1])
}

#[adjoint]
fn of_variables(x: &[f64]) -> f64 {
    let start = Point::new(x[0], x[1]);
    let mut list = vec![start; x.len()];
    list[2].y *= x[2];
    let mut grid = vec![vec![start; 2]; 2];
    grid[1][0].y *= x[2];
    list[0].dot(list[2]) + grid[0][1].dot(grid[1][0])
}

#[adjoint]
fn of_lists(x: &[f64]) -> f64 {
    let mut all: Vec<Series> = vec![Series::new(x[0]); 2];
    all[1].terms.push(x[1]);
    all[0].terms[1] * all[1].terms[2] + all[1].terms[0]
}

#[adjoint]
fn of_fields(x: &[f64]) -> f64 {
    let mut body = Body::new(x[0] * x[1], 3);
    body.path[1].x *= x[2];
    body.value()
}

/// Each item is made in its turn.
#[adjoint]
fn of_functions(x: &[f64]) -> f64 {
    let start = Point::new(x[0] * x[1], x[2]);
    let same: [Point; 4] = std::array::from_fn(|_| start);
    let mut points: [Point; 3] = std::array::from_fn(|k| Point::new(x[k], x[k] * k as f64));
    points[1].x *= x[0];
    let mut sum = 0.0;
    let series: [Series; 3] = std::array::from_fn(|k| {
        sum += x[k];
        Series { terms: vec![sum, sum * x[0]] }
    });
    let mut total = sum;
    for point in &same {
        total += point.dot(points[2]);
    }
    total * points[1].dot(points[0]) + series[0].terms[1] * series[2].terms[0]
}

#[test]
fn copies_have_derivatives_of_their_own() {
    assert_derivatives!([1.2, 0.4, 0.7], [0.3, -0.2, 0.9]; of_constants of_calls of_variables of_lists of_fields of_functions);
}
