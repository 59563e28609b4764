//! Functions of the shapes in which derivatives have gone wrong silently. Here they are made and expanded; those that compile them
//! need minutes of rustc, so they run by name: `cargo test -p backsweep-fuzz --test relatives -- --ignored --nocapture`.

use fuzz::expansion::{Expansion, of_module};
use fuzz::harness::{Fault, examine_relatives, folder};
use fuzz::relatives::{Class, Relative, plain};
use testkit::relatives::{Bars, Case, Context, compare, tick};

const FUNCTIONS: u64 = 100;

/// Seeds, choices and files stand for the same function.
#[test]
fn functions_are_made_again() {
    for class in Class::ALL {
        for seed in 0..FUNCTIONS {
            let relative = class.of_seed(seed);
            assert_eq!(relative.text(), class.of_seed(seed).text());
            assert_eq!(relative.text(), class.of_choices(&relative.choices).text());
            let read = Relative::of_file(&relative.file("wrong: something")).expect("it is a file");
            assert_eq!(relative.text(), read.text());
            assert!(!plain(&relative.text()).contains("adjoint("), "an attribute is left");
            assert!(plain(&relative.text()).len() < relative.text().len());
        }
    }
}

/// The macro ends, without a panic, and refuses few. Why: `cargo run -p backsweep-fuzz -- refused kept`.
#[test]
fn functions_are_expanded_or_refused() {
    for class in Class::ALL {
        let (mut refused, mut faults) = (0, Vec::new());
        for seed in 0..FUNCTIONS {
            let relative = class.of_seed(seed);
            match of_module(&relative.text()) {
                Expansion::Accepted => {}
                Expansion::Refused(_) => refused += 1,
                Expansion::Panic(what) => faults.push(relative.file(&what)),
                Expansion::Hang => faults.push(relative.file("no end")),
            }
        }
        // Panics are kept quiet here.
        println!("{}: {refused} of {FUNCTIONS} refused\n{}", class.name(), faults.join("\n"));
        assert!(faults.is_empty(), "the macro panics, or does not end");
        assert!(10 * refused <= 3 * FUNCTIONS, "{}: {refused} refused", class.name());
    }
}

/// What is accepted does what it does without the attribute, and has the derivatives of differences.
#[test]
#[ignore = "compiles some hundred functions"]
fn functions_do_what_they_do_without_the_attribute() {
    for class in Class::ALL {
        let relatives = (0..40).map(|seed| class.of_seed(seed)).collect();
        let tally = examine_relatives(relatives, &folder().join(class.name()));
        println!("{}: {}\n{}", class.name(), tally.summary(), tally.reasons());
        for finding in &tally.findings {
            let what = format!("{:?}: {}", finding.fault, finding.what);
            println!("{}", finding.relative.file(&what));
        }
        for fault in [Fault::Wrong, Fault::Hang, Fault::Panic] {
            assert_eq!(tally.count(fault), 0, "{}", class.name());
        }
        assert!(tally.invalid.is_empty(), "rustc refuses what is generated");
        assert!(tally.right >= 20, "{}: too few functions have been compared", class.name());
    }
}

fn square(x: &[f64], n: usize, _: &Context) -> f64 {
    tick(1);
    tick(2);
    x[0] * x[0] * n as f64 + x[1]
}

fn gradient(x: &[f64], n: usize) -> Vec<f64> {
    vec![2.0 * x[0] * n as f64, 1.0, 0.0, 0.0]
}

/// All of it by hand, and right.
const RIGHT: Case = Case {
    bars: Bars::Defined,
    plain: square,
    own: square,
    gradient: |x, n, c| (square(x, n, c), gradient(x, n)),
    tangent: |x, x_d, n, c| {
        let slope = gradient(x, n).iter().zip(x_d).map(|(a, b)| a * b).sum();
        (square(x, n, c), slope)
    },
    adjoint: |x, bar, n, c| {
        bar.copy_from_slice(&gradient(x, n));
        square(x, n, c)
    },
    forward: |_, x, n, c| square(x, n, c),
    backward: |_, x, bar, n, _| bar.copy_from_slice(&gradient(x, n)),
};

fn verdict(case: &Case) -> Result<usize, String> {
    compare(case, &|| ())
}

#[test]
fn what_is_right_is_accepted() {
    assert_eq!(verdict(&RIGHT), Ok(12));
}

/// Has a kink where the first of the samples is.
fn kinked(x: &[f64], _: usize, _: &Context) -> f64 {
    x[0].max(0.31) + x[1] * x[1]
}

#[test]
fn differences_tell_nothing_at_a_kink() {
    let case = Case {
        bars: Bars::Defined,
        plain: kinked,
        own: kinked,
        gradient: |x, n, c| (kinked(x, n, c), vec![1.0, 2.0 * x[1], 0.0, 0.0]),
        tangent: |x, x_d, n, c| (kinked(x, n, c), x_d[0] + 2.0 * x[1] * x_d[1]),
        adjoint: |x, bar, n, c| {
            bar.copy_from_slice(&[1.0, 2.0 * x[1], 0.0, 0.0]);
            kinked(x, n, c)
        },
        forward: |_, x, n, c| kinked(x, n, c),
        backward: |_, x, bar, _, _| bar.copy_from_slice(&[1.0, 2.0 * x[1], 0.0, 0.0]),
    };
    assert_eq!(verdict(&case), Ok(11));
}

#[test]
fn bars_that_may_be_undefined_are_right_or_none() {
    const NONE: [f64; 4] = [f64::NAN, 1.0, 0.0, 0.0];
    let none = Case {
        gradient: |x, n, c| (square(x, n, c), NONE.to_vec()),
        adjoint: |x, bar, n, c| {
            bar.copy_from_slice(&NONE);
            square(x, n, c)
        },
        backward: |_, _, bar, _, _| bar.copy_from_slice(&NONE),
        ..RIGHT
    };
    assert!(verdict(&none).is_err());
    assert_eq!(verdict(&Case { bars: Bars::MayBeUndefined, ..none }), Ok(9));
    let wrong = Case {
        bars: Bars::MayBeUndefined,
        gradient: |x, n, c| (square(x, n, c), vec![f64::NAN, 2.0, 0.0, 0.0]),
        adjoint: |x, bar, n, c| {
            bar.copy_from_slice(&[f64::NAN, 2.0, 0.0, 0.0]);
            square(x, n, c)
        },
        backward: |_, _, bar, _, _| bar.copy_from_slice(&[f64::NAN, 2.0, 0.0, 0.0]),
        ..RIGHT
    };
    assert!(verdict(&wrong).is_err());
}

#[test]
fn each_fault_is_found() {
    let value = Case { own: |x, n, c| square(x, n, c) + 1e-15, ..RIGHT };
    let order = Case {
        own: |x, n, _| {
            tick(2);
            tick(1);
            x[0] * x[0] * n as f64 + x[1]
        },
        ..RIGHT
    };
    let twice = Case {
        backward: |_, x, bar, n, c| {
            square(x, n, c);
            bar.copy_from_slice(&gradient(x, n));
        },
        ..RIGHT
    };
    let state = Case {
        own: |x, n, c| {
            c.count.set(7);
            square(x, n, c)
        },
        ..RIGHT
    };
    let slope = Case { tangent: |x, _, n, c| (square(x, n, c), 0.25), ..RIGHT };
    let both = Case {
        gradient: |x, n, c| (square(x, n, c), vec![0.0; 4]),
        adjoint: |x, _, n, c| square(x, n, c),
        tangent: |x, _, n, c| (square(x, n, c), 0.0),
        backward: |_, _, _, _, _| (),
        ..RIGHT
    };
    let panic = Case { own: |_, _, _| panic!("no value"), ..RIGHT };
    let faults = [
        (value, "value of the function itself"),
        (order, "effects of the function itself"),
        (twice, "effects of forward and backward"),
        (state, "state after the function itself"),
        (slope, "tangent"),
        (both, "derivative by x[0]"),
        (panic, "value of the function itself"),
    ];
    for (case, words) in faults {
        let found = verdict(&case).expect_err(words);
        assert!(found.starts_with(words), "{found}");
    }
}
