//! Methods that take functions: they are lowered in place of their calls, where the type of what they are called on is declared. The oracles
//! are closed forms, and differences of the functions themselves.

mod in_files;
mod rules;

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use rules::{GaussLegendre, Newton};

/// Means something else in the module of the rules.
#[allow(dead_code)]
const HALF: f64 = 0.25;

#[adjoint(independents(rule, p, a, b))]
fn by_its_name(rule: &GaussLegendre, p: f64, a: f64, b: f64) -> f64 {
    rule.integrate(a, b, |x| x * x * p)
}

#[adjoint(independents(rule, p, a, b))]
fn by_its_path(rule: &GaussLegendre, p: f64, a: f64, b: f64) -> f64 {
    GaussLegendre::integrate(rule, a, b, |x| x * x * p)
}

type Rule = GaussLegendre;

#[adjoint(independents(rule, p, a, b))]
fn by_an_alias(rule: &Rule, p: f64, a: f64, b: f64) -> f64 {
    let lent: &Rule = rule;
    (lent.integrate(a, b, |x| x * x * p) + Rule::integrate(rule, a, b, |x| x * x * p)) / 2.0
}

/// ∂/∂b of ∫ p x² is p b², ∂/∂p is (b³ - a³) / 3, and the scale is a factor.
#[test]
fn captures_bounds_and_fields() {
    let (p, a, b) = (3.0_f64, 0.5_f64, 2.0_f64);
    let rule = GaussLegendre::new();
    let area = p * (b.powi(3) - a.powi(3)) / 3.0;
    let runs = [by_its_name::gradient, by_its_path::gradient, by_an_alias::gradient];
    for run in runs {
        let (value, (rule_b, p_b, a_b, b_b)) = run(&rule, p, a, b);
        assert_relative_eq!(value, area, max_relative = 1e-12);
        assert_relative_eq!(p_b, area / p, max_relative = 1e-12);
        assert_relative_eq!(a_b, -p * a * a, max_relative = 1e-12);
        assert_relative_eq!(b_b, p * b * b, max_relative = 1e-12);
        assert_relative_eq!(rule_b.scale, area, max_relative = 1e-12);
        for ((node, weight), (node_b, weight_b)) in
            rule.node_weight_pairs.iter().zip(rule_b.node_weight_pairs)
        {
            let half = 0.5 * (b - a);
            let x = half * node + 0.5 * (b + a);
            assert_relative_eq!(weight_b, half * p * x * x, max_relative = 1e-12);
            assert_relative_eq!(node_b, half * weight * 2.0 * p * x * half, max_relative = 1e-12);
        }
    }
}

/// A variable with a declared type, and one with that of what the function returns.
#[adjoint]
fn of_variables(p: f64, b: f64) -> f64 {
    let first: GaussLegendre = GaussLegendre::new();
    let second = GaussLegendre::new();
    first.integrate(0.0, b, |x| x * p) + second.mean(0.0, b, |x| x * x * p)
}

#[adjoint]
fn of_a_function(p: f64) -> f64 {
    GaussLegendre::third_of_sum(&[p, 2.0 * p, 3.0], |x| x * x * p)
}

#[test]
fn variables_methods_that_hand_on_and_functions_of_types() {
    let (p, b) = (3.0, 2.0);
    let (value, (p_b, b_b)) = of_variables::gradient(p, b);
    assert_relative_eq!(value, p * b * b / 2.0 + p * b * b / 3.0, max_relative = 1e-12);
    assert_relative_eq!(p_b, value / p, max_relative = 1e-12);
    assert_relative_eq!(b_b, 2.0 * value / b, max_relative = 1e-12);
    let (value, gradient) = of_a_function::gradient(p);
    assert_relative_eq!(value, (5.0 * p.powi(3) + 9.0 * p) / 3.0, max_relative = 1e-12);
    assert_relative_eq!(gradient, (15.0 * p * p + 9.0) / 3.0, max_relative = 1e-12);
}

#[derive(Clone, Debug, Differentiable)]
struct Holder {
    rule: GaussLegendre,
    factor: f64,
}

#[adjoint]
impl Holder {
    /// On a field, with a closure that reads another one and changes what it captures.
    fn area(&self, p: f64, b: f64) -> f64 {
        let mut calls = 0.0;
        let area = self.rule.integrate(0.0, b, |x| {
            calls += p;
            x * x * p * self.factor
        });
        area + calls
    }

    #[allow(clippy::redundant_closure, reason = "a closure that calls what was handed in")]
    fn with(&self, f: impl Fn(f64) -> f64, b: f64) -> f64 {
        self.rule.integrate(0.0, b, |x| f(x)) * self.factor
    }

    fn with_others(&self, p: f64, b: f64) -> f64 {
        self.with(|x| x * p, b) + Self::with(self, f64::sqrt, b)
    }
}

impl Holder {
    /// Annotated alone.
    #[adjoint]
    fn alone(&self, p: f64, b: f64) -> f64 {
        self.with(|x| x * p, b) + Self::with(self, f64::sqrt, b)
    }
}

#[test]
fn methods_call_methods() {
    let holder = Holder { rule: GaussLegendre::new(), factor: 2.0 };
    let (p, b) = (3.0, 1.5);
    let (value, (holder_b, p_b, b_b)) = holder.area_gradient(p, b);
    let area = p * holder.factor * b * b * b / 3.0;
    assert_relative_eq!(value, area + 3.0 * p, max_relative = 1e-12);
    assert_relative_eq!(p_b, area / p + 3.0, max_relative = 1e-12);
    assert_relative_eq!(b_b, p * holder.factor * b * b, max_relative = 1e-12);
    assert_relative_eq!(holder_b.factor, area / holder.factor, max_relative = 1e-12);
    for (value, (holder_b, p_b, b_b)) in
        [holder.with_others_gradient(p, b), holder.alone_gradient(p, b)]
    {
        let step = 1e-5;
        let slope = |f: &dyn Fn(f64) -> f64| (f(step) - f(-step)) / (2.0 * step);
        assert_eq!(value, holder.with_others(p, b));
        assert_relative_eq!(p_b, slope(&|h| holder.alone(p + h, b)), max_relative = 1e-8);
        assert_relative_eq!(b_b, slope(&|h| holder.alone(p, b + h)), max_relative = 1e-8);
        assert_relative_eq!(holder_b.factor, value / holder.factor, max_relative = 1e-12);
        assert_relative_eq!(holder_b.rule.scale, value, max_relative = 1e-12);
    }
}

#[adjoint(second_order)]
fn square_root(a: f64) -> f64 {
    let newton = Newton { start: 1.0 + a * 0.01, tolerance: 1e-12 };
    newton.solve(|x| x * x - a, |x| 2.0 * x)
}

#[test]
fn a_solver_by_value() {
    let a = 2.0_f64;
    let (value, gradient) = square_root::gradient(a);
    assert_relative_eq!(value, a.sqrt(), max_relative = 1e-12);
    assert_relative_eq!(gradient, 0.5 / a.sqrt(), max_relative = 1e-9);
    let newton = Newton { start: 1.0, tolerance: 1e-12 };
    let (value, (newton_b, gradient)) = newton.root_gradient(a);
    assert_relative_eq!(value, a.sqrt() + a, max_relative = 1e-12);
    assert_relative_eq!(gradient, 0.5 / a.sqrt() + 1.0, max_relative = 1e-9);
    assert_relative_eq!(newton_b.start, 0.0, epsilon = 1e-9);
}

#[adjoint(independents(rule, p, b), dependents(rule, return))]
fn rescaled(rule: &mut GaussLegendre, p: f64, b: f64) -> f64 {
    rule.rescale(|scale| scale * scale * p);
    rule.rescale(|scale| scale + b);
    rule.integrate(0.0, b, |x| x)
}

#[test]
fn what_is_called_on_changes() {
    let (p, b) = (3.0_f64, 2.0_f64);
    let mut rule = GaussLegendre { scale: 0.5, ..GaussLegendre::new() };
    let mut rule_b = GaussLegendre { scale: 10.0, ..rule.clone() };
    rule_b.node_weight_pairs.iter_mut().for_each(|pair| *pair = (0.0, 0.0));
    let (mut p_b, mut b_b) = (0.0, 0.0);
    let value = rescaled::adjoint(&mut rule, &mut rule_b, p, &mut p_b, b, &mut b_b, 1.0);
    // scale = s² p + b, value = scale b² / 2
    let scale = 0.25 * p + b;
    assert_relative_eq!(value, scale * b * b / 2.0, max_relative = 1e-12);
    assert_relative_eq!(rule.scale, scale, max_relative = 1e-12);
    let of_scale = 10.0 + b * b / 2.0;
    assert_relative_eq!(rule_b.scale, of_scale * 2.0 * 0.5 * p, max_relative = 1e-12);
    assert_relative_eq!(p_b, of_scale * 0.25, max_relative = 1e-12);
    assert_relative_eq!(b_b, of_scale + scale * b, max_relative = 1e-12);
}

#[adjoint(independents(rules, p))]
fn of_elements(rules: &[GaussLegendre], p: f64) -> f64 {
    let mut sum = rules[0].integrate(0.0, p, |x| x);
    for rule in rules {
        sum += rule.integrate(0.0, 1.0, |x| x * p);
    }
    sum
}

#[test]
fn elements_of_lists() {
    let (p, rule) = (3.0, GaussLegendre::new());
    let (value, (rules_b, p_b)) = of_elements::gradient(&[rule.clone(), rule], p);
    assert_relative_eq!(value, p * p / 2.0 + p, max_relative = 1e-12);
    assert_relative_eq!(p_b, p + 1.0, max_relative = 1e-12);
    assert_relative_eq!(rules_b[0].scale, p * p / 2.0 + p / 2.0, max_relative = 1e-12);
    assert_relative_eq!(rules_b[1].scale, p / 2.0, max_relative = 1e-12);
}
