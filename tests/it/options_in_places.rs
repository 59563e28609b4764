//! `Option`s in fields, parameters and elements: looked at in all ways in which one is, made and assigned. Gradients against central
//! differences, tangents against gradients, values against the plain functions.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, Vector, adjoint};
use num_traits::Float;
use testkit::vectors::{check, close, direction};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// What a fit has made, if it has.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Fit {
    pub intercept: Option<f64>,
    pub weights: Option<Vec<f64>>,
    pub at: Option<Point>,
    pub scale: f64,
}

fn fits() -> Vec<Fit> {
    let full = Fit {
        intercept: Some(0.7),
        weights: Some(vec![1.5, -0.3, 0.8]),
        at: Some(Point { x: 0.4, y: -1.1 }),
        scale: 1.3,
    };
    let empty = Fit { intercept: None, weights: None, at: None, scale: 0.6 };
    vec![
        Fit { intercept: None, ..full.clone() },
        Fit { weights: None, at: None, ..full.clone() },
        full,
        empty,
    ]
}

/// Gradient, value and tangent of a function of a fit and a number.
macro_rules! checked {
    ($($function:ident),*) => {$(
        for fit in fits() {
            for x in [0.9, -0.4, 2.3] {
                let plain = |(fit, x): &(Fit, f64)| $function(fit, *x);
                let at = (fit.clone(), x);
                let (value, bars) = $function::gradient(&fit, x);
                assert_eq!(value, plain(&at), stringify!($function));
                check(plain, &at, &bars);
                let (fit_d, x_d) = direction(&at);
                let (same, slope) = $function::tangent(&fit, &fit_d, x, x_d);
                assert_eq!(same, value);
                close(slope, bars.inner(&(fit_d, x_d)));
            }
        }
    )*};
}

#[adjoint(independents(fit, x))]
fn unwrapped_or(fit: &Fit, x: f64) -> f64 {
    let shift = fit.intercept.unwrap_or(1.0);
    let lazy = fit.intercept.unwrap_or_else(|| fit.scale * x.sin());
    shift * x + lazy * fit.intercept.map_or(x, |b| b * b * x) + fit.intercept.unwrap_or_default()
}

#[adjoint(independents(fit, x))]
fn matched(fit: &Fit, x: f64) -> f64 {
    let first = match fit.intercept {
        Some(b) if b > x => b * x,
        Some(_) => x,
        None => 2.0 * x * x,
    };
    let second = match &fit.weights {
        Some(w) => w.iter().zip([1.0, x, x * x]).map(|(w, p)| w * p).sum::<f64>(),
        None => 0.5 * x,
    };
    let Some(point) = &fit.at else { return first * second };
    first * second + point.x * x + point.y
}

#[adjoint(independents(fit, x))]
fn in_loops(fit: &Fit, x: f64) -> f64 {
    let mut s = fit.scale;
    for n in 0..4 {
        if let Some(weights) = &fit.weights {
            for w in weights {
                s += w * x.powi(n);
            }
        }
        if let (Some(b), Some(p)) = (fit.intercept, &fit.at) {
            s = s * b + p.x * p.y;
        }
        while s.abs() > 4.0 {
            s *= 0.5;
        }
    }
    s
}

#[adjoint(independents(fit, x))]
fn tested(fit: &Fit, x: f64) -> f64 {
    let mut s = x;
    if fit.intercept.is_none_or(|b| b < x) {
        s *= fit.scale;
    }
    if fit.intercept.is_some_and(|b| b < x) && fit.at.is_some() {
        s += x * x;
    }
    if fit.weights.is_none() { s } else { s * s }
}

#[adjoint(independents(fit, x))]
fn by_references(fit: &Fit, x: f64) -> f64 {
    let b = fit.intercept;
    let weights = &fit.weights;
    let sum = weights.as_ref().map_or(x, |w| w.iter().sum::<f64>() * x);
    let first = fit.weights.as_deref().map(|w| w[0]).unwrap_or(x);
    let point = fit.at.as_ref().filter(|p| p.x > 0.0).map(|p| p.x * p.y);
    b.map_or(x, |b| b * sum) + first * x + point.or(b).unwrap_or(0.25) * x
}

#[test]
fn fields_are_looked_at() {
    checked!(unwrapped_or, matched, in_loops, tested, by_references);
}

/// An `Option` in a `for` loop that is assigned again and again.
#[adjoint(independents(fit, x))]
fn best_of(fit: &Fit, x: f64) -> f64 {
    let mut fit = fit.clone();
    let mut s = 0.0;
    for n in 0..5 {
        let y = x * n as f64;
        if fit.intercept.is_none_or(|b| b < y * y) {
            fit.intercept = Some(y * fit.scale);
        } else if n == 3 {
            fit.intercept = None;
        }
        s += fit.intercept.unwrap_or(y) * y;
        fit.at = if y > 1.0 { Some(Point { x: y, y: s }) } else { None };
        if let Some(p) = &fit.at {
            fit.scale += 0.1 * p.x * p.y;
        }
    }
    s * fit.scale
}

/// Payloads that are changed in place.
#[adjoint(independents(fit, x))]
fn in_place(fit: &Fit, x: f64) -> f64 {
    let mut fit = fit.clone();
    let scale = fit.scale;
    if let Some(b) = &mut fit.intercept {
        *b *= x;
    }
    if let Some(w) = fit.weights.as_mut() {
        for n in 0..w.len() {
            w[n] = w[n] * x + scale;
        }
    }
    if let Some(p) = &mut fit.at {
        p.x += p.y * x;
    }
    let sum = fit.weights.as_ref().map_or(1.0, |w| w.iter().product::<f64>());
    let at = fit.at.as_ref().map_or(0.0, |p| p.x * p.x);
    sum * fit.intercept.unwrap_or(2.0) + at
}

#[adjoint]
fn fitted(x: f64, keep: bool) -> Fit {
    let slope = if keep { Some(x.sin()) } else { None };
    let mut best: Option<f64> = None;
    for n in 1..4 {
        let y = x / n as f64;
        if best.is_none_or(|b| y.cos() > b) {
            best = Some(y.cos());
        }
    }
    Fit {
        intercept: best,
        weights: Some(vec![x, x * x]),
        at: slope.map(|s| Point { x: s, y: x }),
        scale: slope.unwrap_or(x),
    }
}

#[adjoint(independents(fit, x))]
fn made(fit: &Fit, x: f64) -> f64 {
    let other = fitted(x * fit.scale, fit.at.is_some());
    let shift = match (fit.intercept, other.intercept) {
        (Some(a), Some(b)) => a * b,
        (None, Some(b)) => b,
        (_, None) => 0.0,
    };
    shift + other.weights.as_ref().map_or(0.0, |w| w[0] * w[1]) + other.at.map_or(x, |p| p.x * p.y)
}

#[test]
fn fields_are_made_and_assigned() {
    checked!(best_of, in_place, made);
}

#[adjoint]
fn of_parameters(shift: Option<f64>, weights: Option<&[f64]>, x: &[f64]) -> f64 {
    let sum: f64 = match weights {
        Some(w) => x.iter().zip(w).map(|(x, w)| x * w).sum(),
        None => x.iter().sum(),
    };
    let norm = if let Some(w) = weights { w.iter().sum::<f64>() } else { x.len() as f64 };
    let shift = shift.filter(|s| *s > 0.0).unwrap_or(x[0]);
    sum / norm + shift * x[1]
}

/// The result of one function is the parameter of another one.
#[adjoint(independents(shift, point, x))]
fn passed_on(shift: Option<f64>, point: Option<&Point>, x: f64) -> f64 {
    let scale = match point {
        Some(p) => p.x * p.y * x,
        None => x,
    };
    of_parameters(shift, None, &[scale, x]) + of_parameters(Some(x), None, &[x, scale])
}

#[adjoint]
fn of_elements(list: &[Option<f64>], x: f64) -> f64 {
    let mut s = x;
    for value in list {
        if let Some(value) = value {
            s += value * x;
        }
    }
    for i in 0..list.len() {
        s *= list[i].unwrap_or(1.0 + 0.1 * x);
    }
    s
}

#[test]
fn parameters_and_elements_are_looked_at() {
    let x = vec![0.7, -1.2, 0.4];
    for shift in [None, Some(0.8), Some(-0.8)] {
        for weights in [None, Some(vec![1.0, 2.0, -0.5])] {
            type At = (Option<f64>, Option<Vec<f64>>, Vec<f64>);
            let plain = |(shift, weights, x): &At| of_parameters(*shift, weights.as_deref(), x);
            let at = (shift, weights.clone(), x.clone());
            let (value, bars) = of_parameters::gradient(shift, weights.as_deref(), &x);
            assert_eq!(value, plain(&at));
            check(plain, &at, &bars);
        }
        for point in [None, Some(Point { x: 0.3, y: 1.4 })] {
            type At = (Option<f64>, Option<Point>, f64);
            let plain = |(shift, point, x): &At| passed_on(*shift, point.as_ref(), *x);
            let at = (shift, point.clone(), 0.9);
            let (value, bars) = passed_on::gradient(shift, point.as_ref(), 0.9);
            assert_eq!(value, plain(&at));
            check(plain, &at, &bars);
        }
    }
    let list = vec![Some(0.3), None, Some(-1.4), None];
    let plain = |(list, x): &(Vec<Option<f64>>, f64)| of_elements(list, *x);
    let (value, bars) = of_elements::gradient(&list, 0.6);
    assert_eq!(value, of_elements(&list, 0.6));
    check(plain, &(list, 0.6), &bars);
}

/// An adaptive step size, as a struct with a type parameter has it.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Control<T> {
    pub first: Option<T>,
    pub factor: T,
}

#[adjoint]
impl Control<f64> {
    pub fn set(&mut self, x: f64) {
        self.first = Some(match self.first {
            Some(first) => first * x,
            None => x * self.factor,
        });
    }

    pub fn known(&self) -> Option<f64> {
        self.first
    }

    pub fn step(&self, x: f64) -> f64 {
        let step = self.first.unwrap_or_else(|| x * self.factor);
        step * self.known().map_or(1.0, |first| first + x)
    }
}

#[adjoint(independents(control, x))]
fn stepped(control: &Control<f64>, x: f64) -> f64 {
    let mut control = control.clone();
    let before = control.step(x);
    control.set(x * x);
    control.set(x);
    before + control.step(x)
}

#[test]
fn receivers_have_options() {
    for first in [None, Some(0.4)] {
        let at = (Control { first, factor: 0.7 }, 1.2);
        let plain = |(control, x): &(Control<f64>, f64)| stepped(control, *x);
        let (value, bars) = stepped::gradient(&at.0, at.1);
        assert_eq!(value, plain(&at));
        check(plain, &at, &bars);
    }
}

/// The same with a type parameter.
#[adjoint]
impl<T: Float> Control<T> {
    pub fn new(first: T, factor: T) -> Self {
        Self { first: Some(first), factor }
    }

    fn guess(&self, x: T) -> T {
        x.sin() * self.factor
    }

    pub fn started(&self, x: T) -> T {
        let h: T = self.first.unwrap_or_else(|| self.guess(x));
        let end = self.first;
        let mut at = x;
        let mut steps = T::zero();
        while end.is_none_or(|end| at < end + h) {
            at = at + h.abs() + T::from(0.5).unwrap();
            steps = steps + at * h;
            if at > T::from(3.0).unwrap() {
                break;
            }
        }
        steps
    }

    /// Fails where there is nothing yet.
    pub fn last(&self, x: T) -> Result<T, String> {
        match self.first {
            Some(first) => Ok(first * x),
            None => Err("not started".to_owned()),
        }
    }
}

#[adjoint(independents(control, x))]
fn run<T: Float>(control: &Control<T>, x: T) -> T {
    let again = Control::new(x * x, control.factor);
    let known = control.last(x).unwrap_or(x) + again.last(x).unwrap();
    let matched = match control.last(x * x) {
        Ok(last) => last,
        Err(_) => T::one(),
    };
    let at = if let Some(first) = control.first { first } else { x };
    control.started(x) + known * matched + at * again.started(x)
}

#[test]
fn type_parameters_are_in_options() {
    for first in [None, Some(0.4)] {
        let at = (Control { first, factor: 0.7 }, 1.2);
        let plain = |(control, x): &(Control<f64>, f64)| run(control, *x);
        let (value, bars) = run::gradient(&at.0, at.1);
        assert_eq!(value, plain(&at));
        check(plain, &at, &bars);
        let (control_d, x_d) = direction(&at);
        let (_, slope) = run::tangent(&at.0, &control_d, at.1, x_d);
        close(slope, bars.inner(&(control_d, x_d)));
    }
}

/// Behind a `&mut`, and beside variants of that name of other enums.
#[adjoint(independents(held, x), passive(mode))]
fn changed(held: &mut Option<f64>, mode: Mode, x: f64) -> f64 {
    let before = match held.take() {
        Some(value) => value * x,
        None => scaled(x, Mode::None),
    };
    if x > 0.0 {
        *held = Some(before * before);
    }
    before + scaled(x, mode)
}

#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    None,
    Twice,
}

#[adjoint(passive(mode))]
fn scaled(x: f64, mode: Mode) -> f64 {
    match mode {
        Mode::None => x,
        Mode::Twice => 2.0 * x,
    }
}

#[test]
fn what_is_behind_references_changes() {
    // Value, what is held, and their slopes along both.
    let run = |held: Option<f64>, x: f64| {
        let mut held = held;
        let value = changed(&mut held, Mode::Twice, x);
        3.0 * value + held.map_or(0.0, |held| 0.5 * held)
    };
    for (held, x) in [(None, 0.7), (Some(1.3), 0.7), (Some(1.3), -0.4), (None, -0.4)] {
        let mut left = held;
        let value = changed(&mut left, Mode::Twice, x);
        let (mut held_b, mut x_b) = (left.map(|_| 0.5), 0.0);
        let mut swept = held;
        let found = changed::adjoint(&mut swept, &mut held_b, Mode::Twice, x, &mut x_b, 3.0);
        assert_eq!((found, swept), (value, left));
        assert_eq!(held_b.is_some(), held.is_some());
        check(|(held, x): &(Option<f64>, f64)| run(*held, *x), &(held, x), &(held_b, x_b));
    }
}

/// An `Option` that is emptied and filled again, and changed where it is.
#[adjoint(independents(fit, x))]
fn refilled(fit: &Fit, x: f64) -> f64 {
    let mut fit = fit.clone();
    let mut s = 0.0;
    for k in 0..6 {
        let y = x + 0.3 * k as f64;
        if let Some(b) = fit.intercept.take() {
            s += 0.3 * b * b * y;
        }
        if k % 2 == 0 {
            fit.intercept = Some(y * s.cos());
        }
        if let Some(b) = &mut fit.intercept {
            *b = b.sin() + 0.3 * y;
        }
        if let Some(w) = &mut fit.weights {
            w[0] *= w[1] * y;
            s += w[0];
        }
        if k == 3 {
            fit.weights = None;
        }
    }
    s * fit.scale
}

#[test]
fn payloads_are_restored_where_there_is_nothing_any_more() {
    checked!(refilled);
}
