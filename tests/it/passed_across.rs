//! Functions that take functions, called from other modules: their bodies are lowered in place of the calls, with the names that they have
//! where they stand. The oracles are closed forms, and differences of the functions themselves.

mod aliased;
mod constants;
mod globs;
mod in_files;
mod named;
mod roots;
mod solve;

use aliased::secant;
use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use named::named;
use roots::{bisected, newton};
use solve::*;

/// Means something else in the module of `newton`.
const STEPS: usize = 1;
#[allow(dead_code)]
fn halved(x: f64) -> f64 {
    x
}

#[adjoint(second_order)]
fn square_root(a: f64) -> f64 {
    newton(|x| x * x - a, 1.0 + STEPS as f64)
}

#[test]
fn the_root_of_a_closure_with_captures() {
    let (value, gradient) = square_root::gradient(2.0);
    assert_relative_eq!(value, 2f64.sqrt(), max_relative = 1e-12);
    assert_relative_eq!(gradient, 0.5 / 2f64.sqrt(), max_relative = 1e-9);
    let (_, slope) = square_root::tangent(2.0, 3.0);
    assert_relative_eq!(slope, 1.5 / 2f64.sqrt(), max_relative = 1e-9);
}

/// Bisection: the iterates do not depend on what is captured, but for the bounds.
#[adjoint]
fn between(lo: f64, hi: f64) -> f64 {
    bisected(|x| x.exp() - 2.0, lo, hi)
}

#[test]
fn bisection_has_the_derivative_of_what_it_does() {
    let (value, (lo, hi)) = between::gradient(0.25, 1.5);
    assert_relative_eq!(value, 2f64.ln(), max_relative = 1e-2);
    // The midpoint is a combination of the bounds with weights that add up to 1.
    assert_relative_eq!(lo + hi, 1.0, max_relative = 1e-12);
    assert_relative_eq!(lo * 0.25 + hi * 1.5, value, max_relative = 1e-12);
}

#[adjoint]
fn power(x: f64, y: f64) -> f64 {
    x * x * y
}

/// The parameter has a type that an alias stands for; one call passes a function that is annotated, the other a closure.
#[adjoint]
fn by_secant(fixed: f64, target: f64) -> f64 {
    let second = |x: f64, y: f64| y * y * y * x;
    secant(power, fixed, target, aliased::FIRST) + secant(second, fixed, target, aliased::FIRST)
}

#[test]
fn functions_and_closures_for_a_function_type() {
    let (fixed, target) = (1.3_f64, 2.0_f64);
    let (value, (of_fixed, of_target)) = by_secant::gradient(fixed, target);
    let (first, second) = (target / fixed / fixed, (target / fixed).cbrt());
    assert_relative_eq!(value, first + second, max_relative = 1e-9);
    assert_relative_eq!(of_target, first / target + second / target / 3.0, max_relative = 1e-6);
    assert_relative_eq!(of_fixed, -2.0 * first / fixed - second / fixed / 3.0, max_relative = 1e-6);
}

/// From a module that is hidden and hands its items on; one of its functions calls another, and a constant of its own, and one of the standard library.
#[adjoint]
fn areas(a: f64, hi: f64) -> f64 {
    let mut calls = 0.0;
    let counted = integrate(
        |t| {
            calls += 1.0;
            (a * t).sin()
        },
        0.0,
        hi,
    );
    counted + over_circle(&|t| a * t.cos() * t.cos()) + 0.0 * calls
}

#[test]
fn quadrature_of_closures() {
    let (a, hi) = (1.2_f64, 2.0_f64);
    let (value, (of_a, of_hi)) = areas::gradient(a, hi);
    assert_eq!(value, areas(a, hi));
    let circle = std::f64::consts::PI;
    let expected = (1.0 - (a * hi).cos()) / a + a * circle;
    assert_relative_eq!(value, expected, max_relative = 1e-4);
    let slope = (hi * (a * hi).sin() - (1.0 - (a * hi).cos()) / a) / a + circle;
    assert_relative_eq!(of_a, slope, max_relative = 1e-4);
    assert_relative_eq!(of_hi, (a * hi).sin(), max_relative = 1e-3);
}

/// A function that is called as the module is in which it stands.
#[adjoint]
fn of_a_module(a: f64) -> f64 {
    named(|x| a * x * x, 3.0) + self::named::named(f64::sin, a)
}

#[test]
fn functions_that_are_called_as_their_modules() {
    let (value, gradient) = of_a_module::gradient(0.5);
    assert_relative_eq!(value, 2.0 * 0.5 * 9.0 + 2.0 * 0.5_f64.sin(), max_relative = 1e-12);
    assert_relative_eq!(gradient, 18.0 + 2.0 * 0.5_f64.cos(), max_relative = 1e-12);
}

#[derive(Clone, Copy, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[adjoint]
impl Spring {
    fn work(&self, x: f64) -> f64 {
        integrate(|t| self.stiffness * t, 0.0, x)
    }
}

impl Spring {
    /// Annotated alone.
    #[adjoint]
    fn work_alone(&self, x: f64) -> f64 {
        crate::passed_across::solve::integrate(|t| self.stiffness * t, 0.0, x)
    }
}

#[test]
fn methods_call_functions_that_take_functions() {
    let spring = Spring { stiffness: 3.0 };
    for run in [Spring::work_adjoint, Spring::work_alone_adjoint] {
        let (mut spring_b, mut x_b) = (Spring { stiffness: 0.0 }, 0.0);
        run(&spring, &mut spring_b, 2.0, &mut x_b, 1.0);
        assert_relative_eq!(spring_b.stiffness, 2.0, max_relative = 1e-9);
        assert_relative_eq!(x_b, 6.0, max_relative = 1e-9);
    }
}

/// What is private to the module of a function is there for the modules inside of it.
#[test]
fn from_inside_of_the_module() {
    let (value, gradient) = roots::inside::root::gradient(8.0);
    assert_relative_eq!(value, 4.0 * 2.0, max_relative = 1e-9);
    assert_relative_eq!(gradient, 4.0 * 2.0 / 3.0 / 8.0, max_relative = 1e-6);
}

/// Where no derivative passes through a call, the function is called as it is.
#[adjoint]
fn with_a_passive_call(a: f64, n: usize) -> f64 {
    let start = newton(|x: f64| x - n as f64, 3.0);
    a * start
}

#[test]
fn passive_calls_stay_calls() {
    let (value, gradient) = with_a_passive_call::gradient(2.0, 5);
    assert_relative_eq!(value, 10.0, max_relative = 1e-9);
    assert_relative_eq!(gradient, 5.0, max_relative = 1e-9);
}

#[test]
fn modules_that_import_all_names_of_each_other() {
    let (p, t) = (0.7_f64, 1.3_f64);
    let (value, (p_b, t_b)) = globs::regions::region::gradient(p, t, 4);
    assert_relative_eq!(value, p / t.sqrt(), max_relative = 1e-15);
    assert_relative_eq!(p_b, 1.0 / t.sqrt(), max_relative = 1e-14);
    assert_relative_eq!(t_b, -0.5 * p / t.powf(1.5), max_relative = 1e-14);
    let (_, (p_b, t_b)) = globs::regions::region::gradient(p, t, 0);
    assert_relative_eq!(p_b, p.cos() * t + 1.0, max_relative = 1e-15);
    assert_relative_eq!(t_b, p.sin() - 1.0, max_relative = 1e-15);
}
