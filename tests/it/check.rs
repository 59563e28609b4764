//! Checks that users run: they find rules that are wrong, in functions that use them, and no fault in others.

use backsweep::check::{self, Place, Report, Verdict};
use backsweep::{Stack, adjoint};

/// Rules by hand: each as it should be, and with an error.
mod rules {
    use backsweep::adjoint;

    #[adjoint(partials(x: -x.sin()))]
    pub fn cosine(x: f64) -> f64 {
        x.cos()
    }

    #[adjoint(partials(x: x.sin()))]
    pub fn cosine_with_wrong_sign(x: f64) -> f64 {
        x.cos()
    }

    /// `a (x − b)²` for `x > b`, else 0.
    #[adjoint(partials(a: if x > b { (x - b).powi(2) } else { 0.0 }, x: if x > b { 2.0 * a * (x - b) } else { 0.0 }))]
    pub fn penalty(a: f64, x: f64, b: f64) -> f64 {
        if x > b { a * (x - b).powi(2) } else { 0.0 }
    }

    /// The partial in the branch `x > b` is that of `a (x − b)`.
    #[adjoint(partials(a: if x > b { (x - b).powi(2) } else { 0.0 }, x: if x > b { a } else { 0.0 }))]
    pub fn penalty_with_wrong_branch(a: f64, x: f64, b: f64) -> f64 {
        if x > b { a * (x - b).powi(2) } else { 0.0 }
    }

    #[adjoint(with = norm_adjoint)]
    pub fn norm(x: &[f64], shift: f64) -> f64 {
        x.iter().map(|x| (x + shift).powi(2)).sum::<f64>().sqrt()
    }

    fn norm_adjoint(x: &[f64], x_b: &mut [f64], shift: f64, shift_b: &mut f64, ret_b: f64) -> f64 {
        let value = norm(x, shift);
        for (x, x_b) in x.iter().zip(x_b) {
            *x_b += ret_b * (x + shift) / value;
            *shift_b += ret_b * (x + shift) / value;
        }
        value
    }

    #[adjoint(with = norm_without_shift)]
    pub fn norm_with_missing_term(x: &[f64], shift: f64) -> f64 {
        norm(x, shift)
    }

    fn norm_without_shift(x: &[f64], x_b: &mut [f64], shift: f64, _: &mut f64, ret_b: f64) -> f64 {
        norm::adjoint(x, x_b, shift, &mut 0.0, ret_b)
    }
}

/// The same function with right and with wrong rules.
macro_rules! model {
    ($name:ident, $($rule:ident)::+, $penalty:ident, $norm:ident) => {
        #[adjoint]
        fn $name(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() {
                let wave = $($rule)::+(x[i] * 1.5);
                sum += rules::$penalty(1.0 + wave * wave, x[i], 0.5);
            }
            sum + rules::$norm(x, x[0] * x[1])
        }
    };
}

model!(right, rules::cosine, penalty, norm);
model!(wrong_sign, rules::cosine_with_wrong_sign, penalty, norm);
model!(missing_term, rules::cosine, penalty, norm_with_missing_term);
model!(wrong_branch, rules::cosine, penalty_with_wrong_branch, norm);

/// On both sides of the branch, and on one of them.
const POINT: [f64; 4] = [0.3, 0.8, 1.7, -0.4];
const BELOW: [f64; 4] = [0.3, -0.8, 0.4, -0.4];

/// The coordinates in which a report finds an error.
fn wrong(report: &Report) -> Vec<usize> {
    let failures = report.failures().map(|failure| {
        assert_eq!(failure.verdict, Verdict::Disagrees, "{report}");
        match failure.place {
            Place::Coordinate(i) => i,
            place => panic!("{place}: {report}"),
        }
    });
    failures.collect()
}

#[test]
fn wrong_rules_are_found() {
    check::gradient(right, right::gradient, &POINT).assert_passed();
    check::gradient(right, right::gradient, &BELOW).assert_passed();
    // Below the branch the penalty, and with it the wave, has no derivative.
    assert_eq!(wrong(&check::gradient(wrong_sign, wrong_sign::gradient, &POINT)), [1, 2]);
    assert_eq!(wrong(&check::gradient(wrong_branch, wrong_branch::gradient, &POINT)), [1, 2]);
    check::gradient(wrong_branch, wrong_branch::gradient, &BELOW).assert_passed();
    assert_eq!(wrong(&check::gradient(missing_term, missing_term::gradient, &POINT)), [0, 1]);
    // At the kinks of the first derivative there is nothing that differences could not see.
    let at = [0.5, 0.8, 1.7, -0.4];
    check::gradient(right, right::gradient, &at).assert_passed();
}

#[test]
fn rules_are_checked_by_themselves() {
    check::derivative(rules::cosine, rules::cosine::gradient, 0.7).assert_passed();
    let report = check::derivative(
        rules::cosine_with_wrong_sign,
        rules::cosine_with_wrong_sign::gradient,
        0.7,
    );
    assert_eq!(wrong(&report), [0]);
    let norm = |x: &[f64]| rules::norm_with_missing_term(&x[1..], x[0]);
    let gradient = |x: &[f64]| {
        let (value, (by_x, by_shift)) = rules::norm_with_missing_term::gradient(&x[1..], x[0]);
        (value, [vec![by_shift], by_x].concat())
    };
    assert_eq!(wrong(&check::gradient(norm, gradient, &POINT)), [0]);
}

#[adjoint]
fn optimised(x: &[f64]) -> f64 {
    let mut state = 1.0;
    for i in 0..x.len() {
        let next = state * x[i].sin() + rules::cosine(state);
        state = if next > 0.5 { next } else { next.exp() * x[i] };
    }
    state
}

#[adjoint(no(all))]
fn plain(x: &[f64]) -> f64 {
    let mut state = 1.0;
    for i in 0..x.len() {
        let next = state * x[i].sin() + rules::cosine(state);
        state = if next > 0.5 { next } else { next.exp() * x[i] };
    }
    state
}

#[adjoint(no(all))]
fn plain_with_wrong_sign(x: &[f64]) -> f64 {
    let mut state = 1.0;
    for i in 0..x.len() {
        let next = state * x[i].sin() + rules::cosine_with_wrong_sign(state);
        state = if next > 0.5 { next } else { next.exp() * x[i] };
    }
    state
}

#[test]
fn optimisations_change_nothing() {
    check::gradient(optimised, optimised::gradient, &POINT).assert_passed();
    check::agreement(optimised::gradient, plain::gradient, &POINT).assert_passed();
    let report = check::agreement(optimised::gradient, plain_with_wrong_sign::gradient, &POINT);
    // The last coordinate is behind all cosines.
    assert_eq!(wrong(&report), [0, 1, 2]);
}

#[adjoint]
fn residual(x: &[f64; 3], out: &mut [f64; 3]) {
    out[0] = x[0] * x[1] - x[2].exp();
    out[1] = rules::cosine(x[1]) * 1e6;
    out[2] = x[2] * 1e-6 + x[0];
}

#[adjoint]
fn wrong_residual(x: &[f64; 3], out: &mut [f64; 3]) {
    out[0] = x[0] * x[1] - x[2].exp();
    out[1] = rules::cosine_with_wrong_sign(x[1]) * 1e6;
    out[2] = x[2] * 1e-6 + x[0];
}

#[test]
fn adjoints_are_compared_with_tangents() {
    let tangent = |x: &[f64; 3], d: &[f64; 3]| {
        [
            d[0] * x[1] + x[0] * d[1] - x[2].exp() * d[2],
            -x[1].sin() * d[1] * 1e6,
            d[2] * 1e-6 + d[0],
        ]
    };
    let x = [0.5, 1.2, -0.3];
    let right = |x: &[f64; 3], y_b: &[f64]| {
        let (mut x_b, mut out_b) = ([0.0; 3], [y_b[0], y_b[1], y_b[2]]);
        residual::adjoint(x, &mut x_b, &mut [0.0; 3], &mut out_b);
        x_b
    };
    check::dot_product(tangent, right, &x).assert_passed();
    let wrong = |x: &[f64; 3], y_b: &[f64]| {
        let (mut x_b, mut out_b) = ([0.0; 3], [y_b[0], y_b[1], y_b[2]]);
        wrong_residual::adjoint(x, &mut x_b, &mut [0.0; 3], &mut out_b);
        x_b
    };
    let report = check::dot_product(tangent, wrong, &x);
    let places: Vec<Place> = report.failures().map(|failure| failure.place).collect();
    assert!(places.contains(&Place::Coordinate(1)) && places.contains(&Place::Result(1)));
    assert!(!places.contains(&Place::Coordinate(0)) && !places.contains(&Place::Result(2)));
    // The tangent itself is right.
    let value = |x: &[f64; 3]| {
        let mut out = [0.0; 3];
        residual(x, &mut out);
        out
    };
    check::tangent(value, |x, d| (value(x), tangent(x, d)), &x, &[1.0, -0.5, 2.0]).assert_passed();
}

#[test]
fn sweeps_leave_the_stack_as_it_was() {
    let mut x_b = [0.0; 4];
    let forward = |stack: &mut Stack| optimised::forward(stack, &POINT);
    let report = check::balanced(forward, |stack, _| {
        optimised::backward(stack, &POINT, &mut x_b, 1.0);
    });
    report.assert_passed();
    assert_eq!(x_b.to_vec(), optimised::gradient(&POINT).1);
    let report = check::balanced(forward, |_, _| ());
    assert!(!report.passed());
    assert!(report.to_string().contains("bytes on the stack"), "{report}");
}
