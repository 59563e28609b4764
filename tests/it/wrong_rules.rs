//! Checks name the rules by hand that are wrong, with the line of the rule, wherever they are used; and no other rules.

use backsweep::check::{self, Report, WrongRule};
use backsweep::linear::{cholesky, solve};
use backsweep::{Stack, adjoint};

/// Each rule is in the line below the constant that tells it.
mod rules {
    use backsweep::adjoint;

    pub const SIGN: u32 = line!() + 1;
    #[adjoint(partials(x: x.sin()))]
    pub fn cosine(x: f64) -> f64 {
        x.cos()
    }

    pub const TERM: u32 = line!() + 3;
    #[adjoint(partials(
        a: b * (a * b).cos(),
        b: a * (a * b).cos(),
    ))]
    pub fn wave(a: f64, b: f64) -> f64 {
        (a * b).sin() + b * b
    }

    pub const BRANCH: u32 = line!() + 3;
    #[adjoint(
        partials(
            x: if x.abs() < delta { x } else { x.signum() },
        )
    )]
    pub fn huber(x: f64, delta: f64) -> f64 {
        if x.abs() < delta { 0.5 * x * x } else { delta * (x.abs() - 0.5 * delta) }
    }

    #[adjoint(partials(x: if x.abs() < delta { x } else { delta * x.signum() }))]
    pub fn right_huber(x: f64, delta: f64) -> f64 {
        if x.abs() < delta { 0.5 * x * x } else { delta * (x.abs() - 0.5 * delta) }
    }

    #[adjoint(partials(x: x.iter().map(|x| if *x > 0.0 { 1.0 } else { 0.0 }).collect::<Vec<f64>>()))]
    pub fn positive(x: &[f64]) -> f64 {
        x.iter().map(|x| x.max(0.0)).sum()
    }
}

/// Adjoints by hand, with the same errors.
mod adjoints {
    use backsweep::adjoint;

    pub const SIGN: u32 = line!() + 1;
    #[adjoint(with = rotated_adjoint)]
    pub fn rotated(x: &[f64; 2], angle: f64) -> [f64; 2] {
        let (sin, cos) = angle.sin_cos();
        [cos * x[0] - sin * x[1], sin * x[0] + cos * x[1]]
    }

    fn rotated_adjoint(
        x: &[f64; 2],
        x_b: &mut [f64; 2],
        angle: f64,
        angle_b: &mut f64,
        ret_b: [f64; 2],
    ) -> [f64; 2] {
        let y = rotated(x, angle);
        let (sin, cos) = angle.sin_cos();
        x_b[0] += cos * ret_b[0] - sin * ret_b[1];
        x_b[1] += cos * ret_b[1] - sin * ret_b[0];
        *angle_b += ret_b[1] * y[0] - ret_b[0] * y[1];
        y
    }

    pub const TERM: u32 = line!() + 3;
    #[adjoint(
        independents(scale, x, y),
        with = axpy_adjoint
    )]
    pub fn axpy(scale: f64, x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for (x, y) in x.iter().zip(y) {
            *y += scale * x;
            sum += *y * *y;
        }
        sum
    }

    /// What goes by way of the sum is missing in the bar of the scale.
    fn axpy_adjoint(
        scale: f64,
        scale_b: &mut f64,
        x: &[f64],
        x_b: &mut [f64],
        y: &mut [f64],
        y_b: &mut [f64],
        ret_b: f64,
    ) -> f64 {
        let value = axpy(scale, x, y);
        for i in 0..x.len() {
            *scale_b += y_b[i] * x[i];
            y_b[i] += ret_b * 2.0 * y[i];
            x_b[i] += y_b[i] * scale;
        }
        value
    }

    pub const BRANCH: u32 = line!() + 1;
    #[adjoint(with = self::root_adjoint)]
    pub fn root(x: f64) -> Option<f64> {
        (x > 0.0).then(|| if x > 1.0 { x.sqrt() } else { x.powi(3) })
    }

    fn root_adjoint(x: f64, x_b: &mut f64, ret_b: f64) -> Option<f64> {
        let value = root(x)?;
        *x_b += ret_b * if x > 1.0 { 0.5 * value } else { 3.0 * x * x };
        Some(value)
    }
}

/// What a report says of rules: function, parameter, line, wrong uses and checked ones.
fn blamed(report: &Report) -> Vec<(&str, &str, u32, usize, usize)> {
    let blamed = report.wrong_rules().map(|rule| {
        assert_eq!(rule.file, file!(), "{report}");
        let named = format!(
            "`{}` by `{}` given at {}:{}",
            rule.function,
            rule.parameter,
            file!(),
            rule.line
        );
        assert!(report.to_string().contains(&named), "{report}");
        (rule.function, rule.parameter, rule.line, rule.wrong, rule.checked)
    });
    blamed.collect()
}

/// The function under check does not call the rules itself.
#[adjoint]
fn sum_of_waves(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += damped(x[i], 0.5) * rules::right_huber(x[i], 0.7);
    }
    sum
}

#[adjoint]
fn damped(x: f64, by: f64) -> f64 {
    (-by * x).exp() * shifted(x + by)
}

#[adjoint]
fn shifted(x: f64) -> f64 {
    rules::cosine(2.0 * x) + 1.0
}

const POINT: [f64; 4] = [0.3, 0.8, 1.7, -0.4];

#[test]
fn a_wrong_sign_is_found_several_calls_deep() {
    let report = check::gradient(sum_of_waves, sum_of_waves::gradient, &POINT);
    assert_eq!(blamed(&report), [("cosine", "x", rules::SIGN, 4, 4)]);
    assert!(!report.passed());
    let rule: &WrongRule = report.wrong_rules().next().expect("a rule");
    let x: f64 = 2.0 * (POINT[0] + 0.5);
    assert_eq!(rule.arguments, format!("x = {x:?}"));
    assert_eq!(rule.given, x.sin());
    assert!((rule.measured + x.sin()).abs() <= rule.tolerance && rule.tolerance < 1e-8, "{report}");
}

#[adjoint]
fn with_missing_term(x: &[f64; 2]) -> f64 {
    rules::wave(x[0], x[1]) + rules::right_huber(x[0], 0.1)
}

#[test]
fn a_missing_term_is_found_in_the_partial_that_misses_it() {
    let report = check::gradient(with_missing_term, with_missing_term::gradient, &[0.3, 0.8]);
    assert_eq!(blamed(&report), [("wave", "b", rules::TERM, 1, 1)]);
}

#[adjoint]
fn with_branch(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += rules::huber(x[i] - 0.1, 0.5);
    }
    sum
}

#[test]
fn a_wrong_branch_is_found_where_it_is_taken() {
    let report = check::gradient(with_branch, with_branch::gradient, &POINT);
    assert_eq!(blamed(&report), [("huber", "x", rules::BRANCH, 3, 4)]);
    check::gradient(with_branch, with_branch::gradient, &[0.3, -0.2]).assert_passed();
}

#[adjoint]
fn with_given_adjoints(x: &[f64; 4]) -> f64 {
    let turned = adjoints::rotated(&[x[0], x[1]], x[2]);
    let mut y = [x[3], 1.0];
    let sum = adjoints::axpy(x[3] * 0.5, &turned, &mut y);
    sum + y[0] * y[1] + adjoints::root(x[1]).unwrap_or(0.0)
}

#[test]
fn given_adjoints_are_blamed_by_parameter() {
    let expected = [
        ("rotated", "x", adjoints::SIGN, 1, 1),
        ("axpy", "scale", adjoints::TERM, 1, 1),
        ("root", "x", adjoints::BRANCH, 1, 1),
    ];
    let point = [0.3, 1.8, 0.7, -0.4];
    let mut found = check::gradient(with_given_adjoints, with_given_adjoints::gradient, &point);
    let mut blamed_rules = blamed(&found);
    // They run in the backward sweep.
    blamed_rules.reverse();
    blamed_rules.sort_by_key(|(.., line, _, _)| *line);
    let mut sorted = expected.to_vec();
    sorted.sort_by_key(|(.., line, _, _)| *line);
    assert_eq!(blamed_rules, sorted);
    // Where the root is the power of three, and where it fails.
    for at in [0.8, -0.8] {
        found = check::gradient(
            with_given_adjoints,
            with_given_adjoints::gradient,
            &[0.3, at, 0.7, -0.4],
        );
        assert!(found.wrong_rules().all(|rule| rule.function != "root"), "{found}");
    }
    // The adjoint that is given is the entry.
    let root = |x: f64| adjoints::root(x).expect("it is positive");
    let gradient = |x: f64| adjoints::root::gradient(x).expect("it is positive");
    let report = check::derivative(root, gradient, 2.5);
    assert_eq!(blamed(&report), [("root", "x", adjoints::BRANCH, 1, 1)]);
    check::derivative(root, gradient, 0.5).assert_passed();
}

/// Rules in a module that is annotated as a whole.
#[adjoint]
mod physics {
    pub const GRAVITY: u32 = line!() + 1;
    #[adjoint(partials(r: m / (r * r), m: -1.0 / r))]
    pub fn potential(r: f64, m: f64) -> f64 {
        -m / r
    }

    pub const DRAG: u32 = line!() + 1;
    #[adjoint(with = drag_adjoint)]
    pub fn drag(v: f64) -> f64 {
        v * v.abs()
    }

    fn drag_adjoint(v: f64, v_b: &mut f64, ret_b: f64) -> f64 {
        *v_b += ret_b * 2.0 * v;
        drag(v)
    }

    #[adjoint]
    fn energy(r: f64, v: f64) -> f64 {
        0.5 * v * v + potential(r, 2.0) + 0.1 * drag(v)
    }

    #[adjoint]
    pub fn total(x: &[f64]) -> f64 {
        energy(x[0], x[1]) + energy(x[1] * 2.0, -x[0])
    }
}

#[test]
fn rules_in_modules_have_their_lines() {
    let report = check::gradient(physics::total, physics::total::gradient, &[0.8, 1.7]);
    // Right with respect to the distance and where the velocity is positive.
    assert_eq!(blamed(&report), [("drag", "v", physics::DRAG, 1, 2)]);
    assert_ne!(physics::GRAVITY, physics::DRAG);
}

struct Spring {
    stiffness: f64,
}

const METHOD: u32 = line!() + 4;
/// The partial is that of a spring of stiffness 1.
#[adjoint]
impl Spring {
    #[adjoint(partials(x: x))]
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

#[adjoint(passive(spring))]
fn springs(spring: &Spring, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += spring.energy(x[i]);
    }
    sum
}

#[test]
fn rules_of_methods_are_checked() {
    let spring = Spring { stiffness: 3.0 };
    let report =
        check::gradient(|x: &[f64]| springs(&spring, x), |x| springs::gradient(&spring, x), &POINT);
    assert_eq!(blamed(&report), [("energy", "x", METHOD, 4, 4)]);
    let spring = Spring { stiffness: 1.0 };
    check::gradient(|x: &[f64]| springs(&spring, x), |x| springs::gradient(&spring, x), &POINT)
        .assert_passed();
}

#[test]
fn nothing_is_said_at_a_kink_or_where_a_function_is_not_defined() {
    let report = check::gradient(rules::positive, rules::positive::gradient, &[0.0, 1.0, -2.0]);
    assert_eq!(blamed(&report), []);
    assert!(!report.passed(), "{report}");
    check::gradient(rules::positive, rules::positive::gradient, &[0.5, 1.0, -2.0]).assert_passed();
    // Multiplied by 0 the kink is none, and whatever the rule says there does no harm.
    let product = |x: &[f64]| x[0] * rules::positive(&x[1..]);
    let gradient = |x: &[f64]| {
        let (value, by_x) = rules::positive::gradient(&x[1..]);
        (x[0] * value, [value, x[0] * by_x[0]])
    };
    let report = check::gradient(product, gradient, &[0.0, 0.0]);
    assert_eq!(blamed(&report), []);
    report.assert_passed();
}

/// Both values and partials refuse what differences with large steps would ask for.
#[adjoint(partials(x: 1.0 / x))]
fn logarithm(x: f64) -> f64 {
    assert!(x > 0.0, "it is positive");
    x.ln()
}

#[adjoint]
fn log_of_exp(x: f64) -> f64 {
    logarithm((10.0 * x).exp() * 1e-3)
}

#[test]
fn a_function_may_panic_beside_the_point() {
    check::derivative(log_of_exp, log_of_exp::gradient, 0.3).assert_passed();
}

/// The partial by the exponent is not a number for a base of 0, where nobody wants it.
#[adjoint(partials(x: y * x.powf(y - 1.0), y: x.powf(y) * x.ln()))]
fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[adjoint(independents(x))]
fn squares(x: &[f64; 2], wrong: f64) -> f64 {
    power(x[0] * x[0], 1.5 + 0.5) + x[1] * wrong
}

#[test]
fn what_is_no_number_is_blamed_if_something_is_wrong() {
    let at = [0.0, 0.3];
    check::gradient(|x| squares(x, 1.0), |x| squares::gradient(x, 1.0), &at).assert_passed();
    let report = check::gradient(|x| squares(x, 1.0), |x| squares::gradient(x, 2.0), &at);
    assert!(!report.passed());
}

#[test]
fn all_checks_watch() {
    let blamed_by =
        |report: Report| blamed(&report).iter().map(|rule| rule.0.to_owned()).collect::<Vec<_>>();
    let gradient = |x: &[f64; 2]| with_missing_term::gradient(x);
    let x = [0.3, 0.8];
    // Both sides have the same error.
    let agreement = check::agreement(gradient, gradient, &x);
    assert!(agreement.failures().next().is_none() && !agreement.passed());
    let text = agreement.to_string();
    assert!(text.starts_with("agreement failed: of 3 comparisons 0 disagree"), "{text}");
    assert_eq!(blamed(&agreement), [("wave", "b", rules::TERM, 2, 2)]);
    let product = check::dot_product(
        |x: &[f64; 2], d: &[f64; 2]| with_missing_term::tangent(x, d).1,
        |x: &[f64; 2], b: &[f64]| {
            let mut x_b = [0.0; 2];
            with_missing_term::adjoint(x, &mut x_b, b[0]);
            x_b
        },
        &x,
    );
    assert_eq!(blamed(&product), [("wave", "b", rules::TERM, 2, 2)]);
    let tangent =
        check::tangent(with_missing_term, |x, d| with_missing_term::tangent(x, d), &x, &[1.0, 0.0]);
    assert!(tangent.failures().next().is_none());
    assert_eq!(blamed_by(tangent), ["wave"]);
    let mut x_b = [0.0; 2];
    let balanced = check::balanced(
        |stack: &mut Stack| with_missing_term::forward(stack, &x),
        |stack, _| with_missing_term::backward(stack, &x, &mut x_b, 1.0),
    );
    assert_eq!(blamed_by(balanced), ["wave"]);
}

/// A right rule of each kind at points where branches meet, and those of the library.
#[adjoint]
fn with_right_rules(x: &[f64; 4]) -> f64 {
    let solution = solve(x, &[0.3, x[0]]).unwrap();
    let factor = cholesky(&[1.0 + x[0] * x[0], 0.1 * x[1], 0.1 * x[1], 1.0 + x[2]], 2).unwrap();
    let mut sum = rules::right_huber(x[3], 0.7) + rules::right_huber(-x[3], 0.7);
    for i in 0..4 {
        sum += factor[i] * x[i];
    }
    sum + solution[0] * solution[1]
}

#[test]
fn right_rules_are_not_blamed() {
    check::gradient(with_right_rules, with_right_rules::gradient, &[0.3, 0.8, 1.7, 0.7])
        .assert_passed();
    check::gradient(with_right_rules, with_right_rules::gradient, &[-1e-4, 8.0, 1.7, 70.0])
        .assert_passed();
}

/// Nothing of what is watched is seen outside: the derivatives are the same to the last bit.
#[test]
fn watching_changes_nothing() {
    let alone = with_given_adjoints::gradient(&[0.3, 1.8, 0.7, -0.4]);
    let watched = std::cell::Cell::new(None);
    let report = check::gradient(
        with_given_adjoints,
        |x| {
            let found = with_given_adjoints::gradient(x);
            watched.set(Some(found));
            found
        },
        &[0.3, 1.8, 0.7, -0.4],
    );
    assert_eq!(watched.get(), Some(alone));
    assert_eq!(report.wrong_rules().count(), 3);
}

#[adjoint]
fn long(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += rules::huber(x[i], 0.5) + rules::cosine(x[i]);
    }
    sum
}

#[test]
fn of_many_uses_some_are_checked() {
    let x: Vec<f64> = (0..1000).map(|k| 0.3 + f64::from(k) * 1e-3).collect();
    // Differences of the whole would take longer.
    let report = check::agreement(long::gradient, |x: &[f64]| (0.0, vec![0.0; x.len()]), &x);
    for (function, _, line, wrong, of) in blamed(&report) {
        assert!((200..350).contains(&of), "{of}");
        match function {
            "cosine" => assert_eq!((line, wrong), (rules::SIGN, of)),
            _ => assert!(line == rules::BRANCH && wrong > 80 && wrong < of, "{wrong} of {of}"),
        }
    }
    assert_eq!(report.wrong_rules().count(), 2);
}

/// An error in one element of a long list, in a function with several results and a number that is not differentiated.
#[adjoint(with = scaled_adjoint)]
fn scaled(x: &[f64], by: f64, exponent: i32) -> Vec<f64> {
    x.iter().map(|x| x * by.powi(exponent)).collect()
}

const SCALED: u32 = line!() - 5;

fn scaled_adjoint(
    x: &[f64],
    x_b: &mut [f64],
    by: f64,
    by_b: &mut f64,
    exponent: i32,
    ret_b: Vec<f64>,
) -> Vec<f64> {
    for i in 0..x.len() {
        x_b[i] += ret_b[i] * if i == 17 { by } else { by.powi(exponent) };
        *by_b += ret_b[i] * x[i] * f64::from(exponent) * by.powi(exponent - 1);
    }
    scaled(x, by, exponent)
}

#[adjoint]
fn sum_of_scaled(x: &[f64]) -> f64 {
    let scaled = scaled(x, 1.0 + x[0], 3);
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += scaled[i] * scaled[i];
    }
    sum
}

#[test]
fn one_wrong_element_of_a_list_is_found() {
    let x: Vec<f64> = (0..30).map(|k| (0.3 + f64::from(k)).sin()).collect();
    let report = check::gradient(sum_of_scaled, sum_of_scaled::gradient, &x);
    assert_eq!(blamed(&report), [("scaled", "x", SCALED, 1, 1)]);
    check::gradient(sum_of_scaled, sum_of_scaled::gradient, &x[..17]).assert_passed();
}
