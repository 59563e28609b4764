//! `entries(…)`: what is asked for is there, with all that it needs, and is right.

use backsweep::{Differentiable, adjoint};

/// Only called by others.
#[adjoint(entries())]
fn squared_length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

#[adjoint(independents(v), entries(gradient_into, validity))]
fn potential(v: &[f64], strength: f64) -> f64 {
    -strength / squared_length(v).sqrt()
}

#[adjoint(entries(jacobian))]
fn polar(p: [f64; 2]) -> (f64, f64) {
    (squared_length(&p).sqrt(), p[1].atan2(p[0]))
}

#[adjoint(independents(v), entries(hessian), second_order)]
fn fourth_power(v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in v {
        sum += x * x;
    }
    sum * sum
}

#[adjoint(independents(x), entries(), first_nonfinite)]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[derive(Clone, Copy, Differentiable)]
struct Spring {
    stiffness: f64,
    length: f64,
}

#[adjoint]
impl Spring {
    #[adjoint(entries())]
    fn stretch(&self, x: f64) -> f64 {
        x - self.length
    }

    #[adjoint(entries(gradient))]
    fn energy(&self, x: f64) -> f64 {
        let stretch = self.stretch(x);
        0.5 * self.stiffness * stretch * stretch
    }
}

#[adjoint(entries())]
mod chained {
    #[adjoint]
    fn inner(x: f64) -> f64 {
        x.sin()
    }

    #[adjoint(entries(adjoint))]
    pub fn outer(x: f64) -> f64 {
        inner(x) * inner(x)
    }
}

#[test]
fn those_asked_for_are_right() {
    let mut gradient = [f64::NAN; 2];
    let value = potential::gradient_into(&[3.0, 4.0], &mut gradient, 10.0);
    assert_eq!(value, potential(&[3.0, 4.0], 10.0));
    approx::assert_relative_eq!(gradient[..], [10.0 * 3.0 / 125.0, 10.0 * 4.0 / 125.0]);
    let (low, high) = potential::validity(&[3.0, 4.0], &[1.0, 0.0], 10.0);
    assert_eq!((low, high), (f64::NEG_INFINITY, f64::INFINITY));

    let jacobian = polar::jacobian([3.0, 4.0]);
    approx::assert_relative_eq!(jacobian[..], [0.6, 0.8, -4.0 / 25.0, 3.0 / 25.0]);
}

#[test]
fn those_that_other_options_ask_for_are_there() {
    assert_eq!(fourth_power::hessian(&[1.0, 2.0]), [28.0, 16.0, 16.0, 52.0]);
    assert!(root::first_nonfinite(0.0).is_some());
}

#[test]
fn methods_and_modules_have_them() {
    let spring = Spring { stiffness: 3.0, length: 1.0 };
    let (value, gradient) = spring.energy_gradient(3.0);
    assert_eq!(value, 6.0);
    assert_eq!((gradient.0.stiffness, gradient.0.length, gradient.1), (2.0, -6.0, 6.0));

    let mut x_b = 0.0;
    chained::outer::adjoint(0.5, &mut x_b, 1.0);
    approx::assert_relative_eq!(x_b, 1.0_f64.sin());
}
