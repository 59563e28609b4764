//! Of what there are no second derivatives.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Point {
    x: f64,
}

#[adjoint(second_order)]
fn of_any_float<F: num_traits::Float>(x: F) -> F {
    x * x
}

fn given_adjoint(x: f64, x_b: &mut f64, ret_b: f64) -> f64 {
    *x_b += ret_b;
    x
}

#[adjoint(with = given_adjoint, second_order)]
fn given(x: f64) -> f64 {
    x
}

#[adjoint(partials(x: vec![x[0]].leak().to_vec()), second_order)]
fn partials_that_are_not_differentiated(x: &[f64]) -> f64 {
    x[0] * x[0] / 2.0
}

#[adjoint(dependents(x), second_order)]
fn returns_a_norm(x: &mut [f64]) -> f64 {
    x[0] *= 2.0;
    x[0]
}

#[adjoint(second_order)]
fn fixed_point(x: f64) -> f64 {
    let mut y = x;
    #[fixed_point(tol = 1e-9)]
    loop {
        let next = y.cos() * x;
        if (next - y).abs() < 1e-9 {
            break;
        }
        y = next;
    }
    y
}

#[adjoint(second_order(x))]
fn takes_nothing(x: f64) -> f64 {
    x
}

#[adjoint(second_order)]
fn exchanges_rows(rows: &mut [Vec<f64>]) {
    let (a, b) = rows.split_at_mut(1);
    std::mem::swap(&mut a[0], &mut b[0]);
    a[0][0] *= 2.0;
}

struct Model {
    k: f64,
}

#[adjoint(second_order)]
impl Model {
    #[adjoint(partials(x: 2.0 * x * self.k), passive(self))]
    fn partials_of_a_method(&self, x: f64) -> f64 {
        x * x * self.k
    }
}

#[adjoint(second_order)]
impl std::ops::Mul<f64> for Point {
    type Output = Point;
    #[adjoint(passive(by))]
    fn mul(self, by: f64) -> Point {
        Point { x: self.x * by }
    }
}

#[adjoint(second_order)]
fn calls_a_derivative(x: f64) -> f64 {
    let (value, slope) = numbers::gradient(x);
    value * slope
}

#[adjoint(second_order)]
fn numbers(x: f64) -> f64 {
    x.sin()
}

fn main() {}
