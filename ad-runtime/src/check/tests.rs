use super::*;

/// A function of one number, its derivative, and where it is compared.
type Case = (&'static str, fn(f64) -> f64, fn(f64) -> f64, &'static [f64]);

/// Smooth, or smooth at these points.
const SMOOTH: &[Case] = &[
    ("exp", |x| x.exp(), |x| x.exp(), &[-30.0, -0.3, 0.0, 1e-8, 2.0, 50.0, 300.0]),
    ("ln", |x| x.ln(), |x| 1.0 / x, &[1e-300, 1e-8, 0.9999, 1.0, 7.0, 1e8, 1e300]),
    ("sqrt", |x| x.sqrt(), |x| 0.5 / x.sqrt(), &[1e-8, 1.0, 1e8]),
    ("sin", |x| x.sin(), |x| x.cos(), &[0.0, 0.7, 1.5, 3.0, 1e4]),
    ("constant", |_| 3.7, |_| 0.0, &[0.0, 1.0, -1e8]),
    ("linear", |x| 3.0 * x, |_| 3.0, &[0.0, 1e-8, 1.0, 1e8]),
    ("power", |x| x.powi(7), |x| 7.0 * x.powi(6), &[-2.0, 0.0, 1e-8, 0.3, 1e8]),
    ("square at its minimum", |x| x * x, |x| 2.0 * x, &[0.0, 1e-9]),
    ("another minimum", |x| 4.0 + (x - 3.0).powi(2), |x| 2.0 * (x - 3.0), &[3.0]),
    ("inverse", |x| 1.0 / x, |x| -1.0 / (x * x), &[-1e-8, 0.4, 1e8]),
    ("tanh", |x| x.tanh(), |x| 1.0 - x.tanh().powi(2), &[0.0, 0.5, -3.0]),
    ("steep", |x| (1e8 * x).sin(), |x| 1e8 * (1e8 * x).cos(), &[0.0, 1e-8, 3e-9]),
    ("flat", |x| (1e-8 * x).sin(), |x| 1e-8 * (1e-8 * x).cos(), &[0.0, 1.0, 1e8]),
    ("large", |x| 1e8 * x.cos(), |x| -1e8 * x.sin(), &[0.3, 1.0]),
    ("small", |x| 1e-8 * x.cos(), |x| -1e-8 * x.sin(), &[0.3, 1.0]),
    ("cancelling", |x| ((1e8 + x.sin()) - 1e8) * 3.0, |x| 3.0 * x.cos(), &[0.3, 0.7, 2.0]),
    (
        "difference of exponentials",
        |x| (20.0 + x).exp() - 20.0_f64.exp(),
        |x| (20.0 + x).exp(),
        &[1e-3, 0.5],
    ),
    (
        "relative",
        |x| (1.0 - x.cos()) / (x * x),
        |x| x.sin() / (x * x) - 2.0 * (1.0 - x.cos()) / x.powi(3),
        &[1e-2, 0.5],
    ),
    ("absolute", |x| x.abs(), |x| x.signum(), &[-1e-8, 1e-5, 1.0, 1e8]),
    ("near a kink", |x| (x - 1.0).abs(), |x| (x - 1.0).signum(), &[1.000001, 0.9999, 1.01]),
    ("near a jump", |x| x.floor() + x * x, |x| 2.0 * x, &[1.00001, 0.99, 1.5]),
    (
        "narrow",
        |x| (-((x - 1.0) / 1e-3).powi(2)).exp(),
        |x| -2e6 * (x - 1.0) * (-((x - 1.0) / 1e-3).powi(2)).exp(),
        &[1.0007, 0.9985, 1.0],
    ),
    (
        "fast and slow",
        |x| x + 1e-3 * (3e3 * x).sin(),
        |x| 1.0 + 3.0 * (3e3 * x).cos(),
        &[0.1, 1.0, 1.7],
    ),
    (
        "long sum",
        |x| (1..2000).map(|k| (x * f64::from(k)).sin() / f64::from(k)).sum(),
        |x| (1..2000).map(|k| (x * f64::from(k)).cos()).sum(),
        &[0.4, 2.0],
    ),
];

#[test]
fn right_derivatives_pass_and_wrong_ones_do_not() {
    for (name, f, slope, points) in SMOOTH {
        for &x in *points {
            let report = derivative(f, |x| (f(x), slope(x)), x);
            assert!(report.passed(), "{name} at {x}: {report}");
            let mut wrong = vec![("sign", -slope(x)), ("factor", 1.01 * slope(x))];
            wrong.push(("nothing", 0.0));
            wrong.push(("not a number", f64::NAN));
            if slope(x) == 0.0 {
                wrong = vec![("something", 1e-3), ("infinite", f64::INFINITY)];
            }
            for (kind, wrong) in wrong {
                let report = derivative(f, |x| (f(x), wrong), x);
                let failures: Vec<_> = report.failures().map(|failure| failure.verdict).collect();
                assert_eq!(failures, [Verdict::Disagrees], "{name}, {kind} at {x}: {report}");
            }
        }
    }
}

#[test]
fn most_derivatives_are_known_to_many_digits() {
    let (mut all, mut sharp) = (0, 0);
    for (name, f, slope, points) in SMOOTH {
        for &x in *points {
            let report = derivative(f, |x| (f(x), slope(x)), x);
            let comparison = &report.comparisons()[1];
            all += 1;
            let digits = comparison.tolerance / slope(x).abs();
            sharp += usize::from(digits < 1e-8 || slope(x) == 0.0);
            println!("{name:>28} {x:>10.3e} {digits:.1e} {:?}", comparison.step);
        }
    }
    assert!(10 * sharp > 8 * all, "{sharp} of {all}");
    // The size of a small coordinate need not be that of the steps.
    let report = derivative(f64::exp, |x| (x.exp(), x.exp()), 1e-8);
    assert!(report.comparisons()[1].tolerance < 1e-10, "{report}");
}

/// What a check of one derivative says.
fn verdict(f: impl Fn(f64) -> f64, slope: f64, x: f64) -> Verdict {
    let report = derivative(&f, |x| (f(x), slope), x);
    report.comparisons()[1].verdict
}

#[test]
fn nothing_passes_at_a_kink() {
    for slope in [-1.0, 0.0, 0.5, 1.0] {
        let kink = Verdict::NotCompared(Reason::Kink { left: -1.0, right: 1.0 });
        assert_eq!(verdict(f64::abs, slope, 0.0), kink);
        let shifted = verdict(|x| 1e-3 * x + 2.0 * (x - 0.7).max(0.0), slope, 0.7);
        assert!(matches!(shifted, Verdict::NotCompared(Reason::Kink { .. })), "{shifted:?}");
        let curved = verdict(|x| x.exp() + (x - 3.0).abs(), slope + 20.0, 3.0);
        assert!(matches!(curved, Verdict::NotCompared(Reason::Kink { .. })), "{curved:?}");
        let root = verdict(|x| x.abs().sqrt(), slope, 0.0);
        assert!(matches!(root, Verdict::NotCompared(Reason::Kink { .. })), "{root:?}");
        let jump = verdict(|x| x.floor() + slope * x, slope, 2.0);
        assert!(matches!(jump, Verdict::NotCompared(_)), "{jump:?}");
    }
    // One coordinate of many, in a long function.
    let total = |x: &[f64]| x.iter().map(|x| x.abs()).sum::<f64>();
    let signs = |x: &[f64]| (total(x), x.iter().map(|x| x.signum()).collect::<Vec<f64>>());
    let mut x: Vec<f64> = (0..1000).map(|k| f64::from(k) - 500.5).collect();
    gradient(total, signs, &x).assert_passed();
    x[17] = 0.0;
    assert!(!gradient(total, signs, &x).passed());
}

#[test]
fn nothing_passes_that_cannot_be_seen() {
    let not_finite = Verdict::NotCompared(Reason::NotFinite);
    assert_eq!(verdict(f64::ln, 1.0, -1.0), not_finite);
    assert_eq!(verdict(f64::sqrt, f64::INFINITY, 0.0), not_finite);
    assert_eq!(verdict(|x| 1.0 / x, f64::NEG_INFINITY, 0.0), not_finite);
    // Rounding hides 1e-8 beside 1e8, whether it is in the derivative or not.
    let hidden = |x: f64| 1e8_f64.sqrt() * 1e4 + 1e-8 * x;
    let unseen = Verdict::NotCompared(Reason::Hidden);
    assert_eq!(verdict(hidden, 1e-8, 0.3), unseen);
    // Jumps everywhere.
    let chaotic = |x: f64| (x * 1e12).sin();
    assert!(!matches!(verdict(chaotic, 0.0, 0.3), Verdict::Agrees));
    let steps = |x: f64| (x * 1e5).round() / 1e5;
    assert!(!matches!(verdict(steps, 1.0, 0.3), Verdict::Agrees));
}

#[test]
fn values_and_lengths_are_compared() {
    let f = |x: &[f64]| x[0] * x[1];
    let of = |found: f64, parts: Vec<f64>| {
        gradient(f, move |_: &[f64]| (found, parts.clone()), &[0.3, 0.7])
    };
    let value = 0.3 * 0.7;
    of(value, vec![0.7, 0.3]).assert_passed();
    let other = of(f64::from_bits(value.to_bits() + 1), vec![0.7, 0.3]);
    assert_eq!(other.failures().map(|failure| failure.place).collect::<Vec<_>>(), [Place::Value]);
    for parts in [vec![], vec![0.7], vec![0.7, 0.3, 0.0]] {
        let report = of(value, parts);
        assert_eq!(report.failures().next().map(|failure| failure.place), Some(Place::Length));
    }
}

#[test]
fn coordinates_of_all_sizes_are_compared() {
    let x = [1e-8, 1e8, 1.0, -1e-3, 0.0];
    let f = |x: &[f64; 5]| (1e8 * x[0]).sin() * 1e-8 + (1e-8 * x[1]).exp() + x[2] * x[3] + x[4];
    let slopes = |x: &[f64; 5]| {
        let by = [(1e8 * x[0]).cos(), 1e-8 * (1e-8 * x[1]).exp(), x[3], x[2], 1.0];
        (f(x), by)
    };
    gradient(f, slopes, &x).assert_passed();
    for wrong in 0..5 {
        let report = gradient(
            f,
            |x: &[f64; 5]| {
                let (value, mut by) = slopes(x);
                by[wrong] *= 1.001;
                (value, by)
            },
            &x,
        );
        let failures: Vec<Place> = report.failures().map(|failure| failure.place).collect();
        assert_eq!(failures, [Place::Coordinate(wrong)], "{report}");
    }
}

#[test]
fn long_functions_are_compared_along_directions() {
    let n = 5000;
    let f = |x: &[f64]| x.windows(2).map(|pair| pair[0] * pair[1].sin()).sum::<f64>();
    let slopes = |x: &[f64]| {
        let mut by = vec![0.0; x.len()];
        for i in 1..x.len() {
            by[i - 1] += x[i].sin();
            by[i] += x[i - 1] * x[i].cos();
        }
        (f(x), by)
    };
    let x: Vec<f64> = (0..n).map(|k| f64::from(k).sin()).collect();
    let report = gradient(f, slopes, &x);
    report.assert_passed();
    assert_eq!(report.comparisons().len(), 1 + 50 + 16);
    assert!(report.to_string().contains("50 of 5000 coordinates"), "{report}");
    // A coordinate that is not among those that are compared.
    let wrong = |x: &[f64]| {
        let (value, mut by) = slopes(x);
        by[1234] *= 1.01;
        (value, by)
    };
    let report = gradient(f, wrong, &x);
    assert!(report.failures().all(|failure| matches!(failure.place, Place::Direction(_))));
    assert_eq!(report.failures().count(), 16, "{report}");
    let text = report.to_string();
    assert!(text.contains("… and 57 more, 51 of which agree"), "{text}");
}

#[test]
fn checks_of_nothing_do_not_pass() {
    let none = |_: &[f64]| (1.0, Vec::new());
    let nothing = Some(Verdict::NotCompared(Reason::Nothing));
    let gradient = gradient(|_: &[f64]| 1.0, none, &[]);
    assert_eq!(gradient.failures().next().map(|failure| failure.verdict), nothing);
    let agreement = agreement(none, none, &[1.0]);
    assert_eq!(agreement.failures().next().map(|failure| failure.verdict), nothing);
}

#[test]
fn a_coordinate_takes_few_evaluations() {
    for (x, most) in [(1.3, 80), (-1e5, 120), (1e-7, 120), (0.0, 80)] {
        let count = std::cell::Cell::new(0);
        let f = |x: f64| {
            count.set(count.get() + 1);
            x.exp_m1()
        };
        derivative(f, |x| (x.exp_m1(), x.exp()), x).passed();
        assert!(count.get() <= most, "{} at {x}", count.get());
    }
}

/// A function of random shape with its derivative, at a point of random size.
fn random(next: &mut impl FnMut() -> f64) -> (Vec<[f64; 4]>, f64) {
    let terms = (0..4).map(|_| [next(), 3.0 * next(), next(), 1e3_f64.powf(next())]).collect();
    (terms, next() * 1e6_f64.powf(next()))
}

#[test]
fn random_functions_raise_no_false_alarm() {
    const ROUNDS: usize = 60_000;
    let mut directions = Directions::new();
    let mut next = || directions.weights([1.0])[0] * 0.6;
    let mut passed = 0;
    for round in 0..ROUNDS {
        let (terms, x) = random(&mut next);
        // The argument is taken as the size of the point asks, so that there are no fast oscillations.
        let size = scale(x);
        let f = |x: f64| {
            let term = |[a, b, c, d]: &[f64; 4]| {
                let t = x / size;
                d * (a * t + b).sin() * (c * t).exp() + a * b * t * t
            };
            terms.iter().map(term).sum::<f64>()
        };
        let slope = |x: f64| {
            let term = |[a, b, c, d]: &[f64; 4]| {
                let t = x / size;
                let along = a * (a * t + b).cos() + c * (a * t + b).sin();
                (d * along * (c * t).exp() + 2.0 * a * b * t) / size
            };
            terms.iter().map(term).sum::<f64>()
        };
        let report = derivative(f, |x| (f(x), slope(x)), x);
        assert!(report.passed(), "{round}: {report}");
        let report = derivative(f, |x| (f(x), slope(x) * 0.99), x);
        assert!(!report.passed(), "{round}: {report}");
        let close = derivative(f, |x| (f(x), slope(x) * (1.0 + 1e-6)), x);
        passed += usize::from(close.passed());
    }
    assert!(200 * passed < ROUNDS, "{passed} of {ROUNDS} errors of 1e-6 are not found");
}

fn product_of(x: &[f64]) -> Vec<f64> {
    vec![1e8 * x[0] * x[1], 1e-8 * x[1].sin(), x[2]]
}

fn product_tangent(x: &[f64], d: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let along = vec![1e8 * (d[0] * x[1] + x[0] * d[1]), 1e-8 * x[1].cos() * d[1], d[2]];
    (product_of(x), along)
}

fn product_adjoint(x: &[f64], b: &[f64]) -> Vec<f64> {
    vec![1e8 * b[0] * x[1], 1e8 * b[0] * x[0] + 1e-8 * x[1].cos() * b[1], b[2]]
}

#[test]
fn tangents_are_compared_result_by_result() {
    let (x, x_d) = ([2.0, 0.3, -1.0], [0.3, 1.0, -2.0]);
    tangent(product_of, product_tangent, &x, &x_d).assert_passed();
    for wrong in 0..3 {
        let other = |x: &[f64], x_d: &[f64]| {
            let (value, mut along) = product_tangent(x, x_d);
            along[wrong] *= 1.0 + 1e-6;
            (value, along)
        };
        let report = tangent(product_of, other, &x, &x_d);
        let failures: Vec<Place> = report.failures().map(|failure| failure.place).collect();
        assert_eq!(failures, [Place::Result(wrong)], "{report}");
        let other = |x: &[f64], x_d: &[f64]| {
            let (mut value, along) = product_tangent(x, x_d);
            value[wrong] *= 1.0 + 1e-12;
            (value, along)
        };
        let report = tangent(product_of, other, &x, &x_d);
        let failures: Vec<Place> = report.failures().map(|failure| failure.place).collect();
        assert_eq!(failures, [Place::ValueOf(wrong)], "{report}");
    }
    let none = tangent(product_of, product_tangent, &x, &[0.0; 3]);
    assert!(!none.passed(), "nothing can be seen along no direction");
    let short = |x: &[f64], _: &[f64]| (product_of(x), vec![0.0]);
    assert!(!tangent(product_of, short, &x, &x_d).passed());
}

#[test]
fn products_tell_which_coordinates_and_results_are_wrong() {
    let along = |x: &[f64], d: &[f64]| product_tangent(x, d).1;
    let x = [2.0, 0.3, -1e-6];
    dot_product(along, product_adjoint, &x).assert_passed();
    for wrong in 0..3 {
        let other = |x: &[f64], b: &[f64]| {
            let mut by = product_adjoint(x, b);
            by[wrong] *= 1.0 + 1e-6;
            by
        };
        let report = dot_product(along, other, &x);
        assert!(!report.passed());
        let coordinates = report.failures().filter_map(|failure| match failure.place {
            Place::Coordinate(i) => Some(i),
            _ => None,
        });
        assert_eq!(coordinates.collect::<Vec<_>>(), [wrong], "{report}");
        // The same of a tangent.
        let other = |x: &[f64], d: &[f64]| {
            let mut by = product_tangent(x, d).1;
            by[wrong] *= -1.0;
            by
        };
        let report = dot_product(other, product_adjoint, &x);
        let results = report.failures().filter_map(|failure| match failure.place {
            Place::Result(i) => Some(i),
            _ => None,
        });
        assert_eq!(results.collect::<Vec<_>>(), [wrong], "{report}");
    }
    // A small term in a coordinate of other terms.
    let missing = |x: &[f64], b: &[f64]| vec![1e8 * b[0] * x[1], 1e8 * b[0] * x[0], b[2]];
    let report = dot_product(along, missing, &x);
    assert!(report.failures().any(|failure| failure.place == Place::Result(1)), "{report}");
    let nothing = |_: &[f64], _: &[f64]| Vec::new();
    assert!(!dot_product(nothing, nothing, &[]).passed());
    let short = |_: &[f64], b: &[f64]| b[..1].to_vec();
    assert!(!dot_product(along, short, &x).passed());
    let nan = |x: &[f64], _: &[f64]| vec![f64::NAN; x.len()];
    assert!(!dot_product(along, nan, &x).passed());
    assert!(!dot_product(nan, nan, &x).passed());
}

#[test]
fn sizes_count_the_same_in_each_direction() {
    let directions = |report: Report| {
        let failures = report.failures().map(|failure| failure.place);
        failures.filter(|place| matches!(place, Place::Direction(_))).count()
    };
    // Of coordinates: the derivative by a large one is small.
    let x = [2e8, 3e-8];
    let along = |x: &[f64], d: &[f64]| d[0] / x[0] + d[1] / x[1];
    let back = |x: &[f64], b: &[f64]| vec![b[0] / x[0], b[0] / x[1]];
    dot_product(along, back, &x).assert_passed();
    let wrong = |x: &[f64], b: &[f64]| vec![1.001 * b[0] / x[0], b[0] / x[1]];
    assert_eq!(directions(dot_product(along, wrong, &x)), 4);
    // Of results.
    let x = [0.7, 0.3];
    let along = |_: &[f64], d: &[f64]| vec![1e8 * d[0], 1e-8 * d[1]];
    let back = |_: &[f64], b: &[f64]| vec![1e8 * b[0], 1e-8 * b[1]];
    dot_product(along, back, &x).assert_passed();
    let wrong = |_: &[f64], b: &[f64]| vec![1e8 * b[0], 1.001e-8 * b[1]];
    assert_eq!(directions(dot_product(along, wrong, &x)), 4);
    // Terms that overflow hide all others.
    let huge = |_: &[f64], d: &[f64]| vec![1e300 * d[0], 1e300 * d[1]];
    let report = dot_product(huge, huge, &[1e200, 1e200]);
    assert!(!report.passed(), "{report}");
    let comparison = Comparison::within(Place::Value, 1.0, 2.0, f64::INFINITY);
    assert_eq!(comparison.verdict, Verdict::NotCompared(Reason::NotFinite));
}

#[test]
fn gradients_agree_coordinate_by_coordinate() {
    let one = |x: &[f64]| (x[0], vec![1e8, 1e-8, 0.0]);
    agreement(one, one, &[1.0]).assert_passed();
    for (wrong, by) in [[1e8 * (1.0 + 1e-11), 1e-8, 0.0], [1e8, 1.1e-8, 0.0], [1e8, 1e-8, 1e-300]]
        .into_iter()
        .enumerate()
    {
        let report = agreement(one, |x: &[f64]| (x[0], by), &[1.0]);
        let failures: Vec<Place> = report.failures().map(|failure| failure.place).collect();
        assert_eq!(failures, [Place::Coordinate(wrong)]);
    }
    assert!(!agreement(one, |x: &[f64]| (-x[0], one(x).1), &[0.0]).passed());
    assert!(!agreement(one, |x: &[f64]| (x[0], vec![1e8]), &[1.0]).passed());
    let nan = |x: &[f64]| (x[0], vec![f64::NAN]);
    assert!(!agreement(nan, nan, &[1.0]).passed());
}

#[test]
fn stacks_are_level_afterwards() {
    let push = |stack: &mut crate::Stack| stack.push(1.5);
    balanced(push, |stack, ()| assert_eq!(stack.pop::<f64>(), 1.5)).assert_passed();
    assert!(!balanced(push, |_, ()| ()).passed());
    assert!(!balanced(|stack| stack.push(true), |_, ()| ()).passed());
    assert!(!balanced(|stack| stack.push(Vec::<f64>::new()), |_, ()| ()).passed());
    let more = balanced(|_| (), |stack, ()| assert!(stack.pop::<u64>() > 0));
    assert!(!more.passed(), "{more}");
    let other = balanced(
        |_| (),
        |stack, ()| {
            stack.pop::<u64>();
            stack.push(7_u64);
        },
    );
    assert!(!other.passed(), "{other}");
}

#[test]
#[should_panic(expected = "gradient failed: of 2 comparisons 1 disagree, 0 could not be made")]
fn a_failed_check_panics_with_its_report() {
    derivative(f64::sin, |x| (x.sin(), -x.cos()), 0.7).assert_passed();
}

#[test]
#[should_panic(expected = "the function takes 2 numbers, the point has 3")]
fn arrays_have_their_length() {
    let _ = gradient(|x: &[f64; 2]| x[0], |x: &[f64; 2]| (x[0], [1.0, 0.0]), &[1.0; 3]);
}
