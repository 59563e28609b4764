//! Traces by hand.

use super::super::trace::*;
use super::*;

/// Tells a value with its derivative, at the line at which it is called.
#[track_caller]
fn assign(value: f64, derivative: f64) {
    (&&Valued::with(&value, &derivative)).tell("", Location::caller());
}

/// Looks at a trace at 0.7, along 1.
fn look(trace: impl Fn(f64, f64)) -> Found {
    bisect(&[0.7], &[1.0], &[], &|x, x_d| trace(x[0], x_d[0]))
}

fn compared(found: Found) -> (usize, usize) {
    match found {
        Found::Nothing { compared, told } => (compared, told),
        Found::Statement(culprit) => panic!("{culprit}"),
    }
}

fn culprit(found: Found) -> Culprit {
    match found {
        Found::Statement(culprit) => culprit,
        Found::Nothing { .. } => panic!("{found}"),
    }
}

#[test]
fn what_is_right_is_not_found_wrong() {
    let found = look(|x, x_d| {
        assign(x.sin(), x.cos() * x_d);
        assign(x * x, 2.0 * x * x_d);
        assign(3.0, 0.0);
        (&&Valued::<f64, f64>::without(&2.0)).tell("", Location::caller());
    });
    assert_eq!(compared(found), (4, 4));
}

#[test]
fn the_first_that_is_wrong_is_found() {
    const LINE: u32 = line!() + 3;
    let trace = |x: f64, x_d: f64| {
        assign(x.sin(), x.cos() * x_d);
        assign(x * x, 2.001 * x * x_d);
        assign(x.sin() + x * x, (x.cos() + 2.001 * x) * x_d);
    };
    let found = culprit(look(trace));
    assert_eq!((found.ran.location.line(), found.position, found.passed_over), (LINE, 1, 0));
    assert_eq!((found.ran.time, found.ran.times), (1, 1));
    assert!((found.given - 1.4007).abs() < 1e-12, "{found}");
    assert!((found.measured - 1.4).abs() < 1e-9, "{found}");
}

#[test]
fn a_direction_that_is_missing_is_zero() {
    let found = look(|x, _| {
        (&&Valued::<[f64], [f64]>::without(&[1.0, x, x]))
            .tell("the value of `v`", Location::caller());
    });
    let found = culprit(found);
    assert_eq!((found.number, found.numbers, found.given), (1, 3, 0.0));
    let text = found.to_string();
    assert!(text.contains(", the value of `v`, at position 1 of 3: given 0.0"), "{text}");
}

#[test]
fn the_time_is_told() {
    let found = look(|x, x_d| {
        for k in 0..5 {
            let wrong = if k == 2 { 1.5 } else { 1.0 };
            assign(x * f64::from(k), wrong * f64::from(k) * x_d);
        }
    });
    let text = culprit(found).to_string();
    assert!(text.contains(", the 3rd of 5 times that it runs: given"), "{text}");
}

#[test]
fn numbers_that_tell_nothing_are_passed_over() {
    // A kink at the point, and a derivative that is hidden by noise.
    let noise = |x: f64| x.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) as f64 / 2_f64.powi(64);
    let found = look(|x, x_d| {
        assign((x - 0.7).abs(), x_d);
        assign(noise(x), 0.0);
        assign(if x > 0.7 { 1.0 } else { x }, 0.5 * x_d);
        assign(f64::NAN, x_d);
        assign(x, x_d);
    });
    assert_eq!(compared(found), (1, 5));
    let found = look(|x, x_d| {
        assign((x - 0.7).abs(), x_d);
        assign(x, 2.0 * x_d);
    });
    let text = culprit(found).to_string();
    assert!(text.ends_with("change; 1 of 1 assignments before it could not be compared"), "{text}");
}

#[test]
fn noise_is_no_disagreement() {
    // Digits are lost, as by cancellation.
    for lost in [1e3, 1e6, 1e9] {
        let found = look(|x, x_d| assign((x + lost) - lost, x_d));
        assert!(matches!(found, Found::Nothing { .. }), "{found}");
    }
    let found = look(|x, x_d| assign((x + 1e6) - 1e6, 1.1 * x_d));
    assert!(matches!(found, Found::Statement(_)), "{found}");
}

#[test]
fn a_kink_beside_the_point_is_none_at_the_point() {
    let found = look(|x, x_d| {
        assign((x - 0.71).abs(), -x_d);
        assign(x * x, 2.0 * x * x_d);
    });
    assert_eq!(compared(found), (2, 2));
    let found = look(|x, x_d| assign((x - 0.71).abs(), x_d));
    assert_eq!(culprit(found).given, 1.0);
}

#[test]
fn runs_that_go_another_way_are_left_out() {
    // Beside 0.7 ± 0.01 the branch is another, and the loop has other trips.
    let trace = |wrong: f64| {
        move |x: f64, x_d: f64| {
            assign(x, x_d);
            if (0.69..0.71).contains(&x) {
                assign(x * x, 2.0 * x * x_d);
            } else {
                assign(-x, -x_d);
            }
            for _ in 0..(100.0 * x + 0.5) as usize {
                assign(3.0 * x, 3.0 * x_d);
            }
            assign(x.exp(), wrong * x.exp() * x_d);
        }
    };
    assert_eq!(compared(look(trace(1.0))), (73, 73));
    assert_eq!(culprit(look(trace(1.001))).position, 72);
}

#[test]
fn nothing_is_said_of_what_only_runs_at_the_point() {
    let found = look(|x, x_d| {
        assign(x, x_d);
        if x == 0.7 {
            assign(x * x, 0.0);
        }
    });
    assert_eq!(compared(found), (1, 2));
}

#[test]
fn a_panic_beside_the_point_ends_a_run() {
    let found = look(|x, x_d| {
        assign(x, x_d);
        assert!(x < 0.75, "it is only defined there");
        assign(x * x, 3.0 * x * x_d);
    });
    assert_eq!(culprit(found).position, 1);
}

#[test]
fn long_traces_are_looked_at_in_windows() {
    let trace = |wrong: usize| {
        move |x: f64, x_d: f64| {
            let values = vec![x; WINDOW - 2];
            (&&Valued::with(&values, &vec![x_d; WINDOW - 2])).tell("", Location::caller());
            let mut derivatives = [2.0 * x_d; 5];
            if let Some(number) = derivatives.get_mut(wrong) {
                *number = 2.5 * x_d;
            }
            (&&Valued::with(&[2.0 * x; 5], &derivatives)).tell("", Location::caller());
            assign(x * x, 2.0 * x * x_d);
        }
    };
    assert_eq!(compared(look(trace(5))), (3, 3));
    for number in 0..5 {
        let found = culprit(look(trace(number)));
        assert_eq!((found.position, found.number), (1, number));
    }
}

#[test]
fn of_several_directions_the_earliest_statement_counts() {
    // The derivative by y is wrong first, by x later; along both they cancel.
    let trace = |x: &[f64], x_d: &[f64]| {
        assign(x[0] * x[1], x_d[0] * x[1] + x[0] * x_d[1]);
        assign(x[0] + x[1], x_d[0]);
        assign(x[0], 2.0 * x_d[0]);
    };
    let x = [0.5, 2.0];
    let value = |x: &[f64]| x[0] * x[1];
    let report = super::super::gradient(value, |x| (value(x), vec![0.0, 0.0]), &x);
    assert_eq!(culprit(bisect(&x, &[1.0, 0.0], &[], &trace)).position, 2);
    let found = culprit(bisect(&x, &[1.0, 0.0], &[report], &trace));
    assert_eq!((found.position, &*found.along), (1, "by coordinate 1"));
}

#[test]
fn directions_of_another_shape_are_not_looked_at() {
    let found = look(|x, _| {
        let (value, direction) = (vec![x, x], vec![0.0]);
        (&&Valued::with(&value, &direction)).tell("", Location::caller());
    });
    assert_eq!(compared(found), (1, 1));
}

#[test]
fn values_that_are_no_numbers_are_not_told() {
    struct Other;
    let found = look(|_, _| Valued::with(&Other, &Other).tell("", Location::caller()));
    assert_eq!(compared(found), (0, 0));
}

#[test]
fn nobody_listens_beside() {
    assign(1.0, 1.0);
    let seen = record(0..10, None, || assign(1.0, 2.0));
    assert_eq!((&*seen.values, &*seen.derivatives), (&[1.0][..], &[2.0][..]));
    // A run in a run is one of its own.
    let outer = record(0..10, None, || {
        record(0..10, None, || assign(1.0, 2.0));
        assign(3.0, 4.0);
    });
    assert_eq!(outer.values, [3.0]);
}

#[test]
fn ordinals_are_english() {
    let text = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111].map(|n| Ordinal(n).to_string());
    let expected = "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 111th";
    assert_eq!(text.join(" "), expected);
}
