//! A sweep: partials of the rule table are right to a few units in the last place, over the whole range of their
//! arguments, compared with numbers of twice the precision.

use ad_analysis::rules::{self, RULES};
use backsweep::adjoint;
use fastrand::Rng;
use std::collections::BTreeSet;
use testkit::doubled::{Doubled, LN_2, LN_10, PI};

/// How many points are tried, over all cases.
const POINTS: usize = 1_000_000;

/// A partial, where it is tried, what it is in twice the precision, and how many units it may be off: half a unit for
/// each operation and each constant, one for each function of the standard library, rounded up.
struct Case {
    name: &'static str,
    arg: usize,
    sample: fn(&mut Rng) -> Vec<f64>,
    oracle: fn(&[Doubled]) -> Doubled,
    units: f64,
}

/// A number of any size between powers of ten, evenly in its exponent.
fn sized(rng: &mut Rng, low: f64, high: f64) -> f64 {
    10.0_f64.powf(low + (high - low) * rng.f64())
}

/// The same, of either sign.
fn signed(rng: &mut Rng, low: f64, high: f64) -> f64 {
    let size = sized(rng, low, high);
    if rng.bool() { size } else { -size }
}

/// A number between -1 and 1, often close to one of these.
fn inside(rng: &mut Rng) -> f64 {
    let size = if rng.bool() { 1.0 - sized(rng, -15.0, 0.0) } else { sized(rng, -200.0, 0.0) };
    if rng.bool() { size } else { -size }
}

/// A number at least 1, often close to it.
fn above_one(rng: &mut Rng) -> f64 {
    if rng.bool() { 1.0 + sized(rng, -15.0, 0.0) } else { sized(rng, 0.0, 140.0) }
}

/// A number up to a limit, evenly, or of any size.
fn up_to(rng: &mut Rng, limit: f64) -> f64 {
    if rng.bool() { limit * (2.0 * rng.f64() - 1.0) } else { signed(rng, -140.0, limit.log10()) }
}

fn one() -> Doubled {
    1.0.into()
}

fn squared(x: Doubled) -> Doubled {
    x * x
}

fn tenth_power(rng: &mut Rng) -> Vec<f64> {
    vec![signed(rng, -40.0, 40.0), f64::from(rng.i32(-6..=6))]
}

/// A base and an exponent whose power is no number of extreme size.
fn power(rng: &mut Rng) -> Vec<f64> {
    let x = sized(rng, -150.0, 150.0);
    vec![x, up_to(rng, 130.0 / x.log10().abs().max(1.0))]
}

/// What the remainder of a division has taken away, in units of the divisor.
fn quotient(x: &[Doubled]) -> Doubled {
    (x[0] - (x[0].high % x[1].high).into()) / x[1]
}

fn quotient_downwards(x: &[Doubled]) -> Doubled {
    let below = x[0].high % x[1].high < 0.0;
    quotient(x) - if below { x[1].high.signum() } else { 0.0 }.into()
}

fn divided(rng: &mut Rng) -> Vec<f64> {
    let divisor = signed(rng, -100.0, 100.0);
    // Often a multiple of the divisor, but for rounding.
    let times = if rng.bool() { f64::from(rng.i32(-1000..1000)) } else { signed(rng, -5.0, 14.0) };
    vec![divisor * times, divisor]
}

const CASES: [Case; 38] = [
    Case {
        name: "div",
        arg: 0,
        sample: |r| vec![signed(r, -100.0, 100.0), signed(r, -280.0, 280.0)],
        oracle: |x| one() / x[1],
        units: 1.0,
    },
    Case {
        name: "div",
        arg: 1,
        sample: |r| vec![signed(r, -90.0, 90.0), signed(r, -90.0, 90.0)],
        oracle: |x| -(x[0] / squared(x[1])),
        units: 2.0,
    },
    Case { name: "rem", arg: 1, sample: divided, oracle: |x| -quotient(x), units: 2.0 },
    Case {
        name: "rem_euclid",
        arg: 1,
        sample: divided,
        oracle: |x| -quotient_downwards(x),
        units: 2.0,
    },
    Case {
        name: "sqrt",
        arg: 0,
        sample: |r| vec![sized(r, -280.0, 280.0)],
        oracle: |x| one() / (x[0].sqrt() + x[0].sqrt()),
        units: 2.0,
    },
    Case {
        name: "cbrt",
        arg: 0,
        sample: |r| vec![sized(r, -280.0, 280.0)],
        oracle: |x| x[0].pow(Doubled::from(-2.0) / 3.0.into()) / 3.0.into(),
        units: 4.0,
    },
    Case {
        name: "recip",
        arg: 0,
        sample: |r| vec![signed(r, -140.0, 140.0)],
        oracle: |x| -(one() / squared(x[0])),
        units: 2.0,
    },
    Case {
        name: "hypot",
        arg: 0,
        sample: |r| vec![signed(r, -70.0, 70.0), signed(r, -70.0, 70.0)],
        oracle: |x| x[0] / (squared(x[0]) + squared(x[1])).sqrt(),
        units: 2.0,
    },
    Case {
        name: "hypot",
        arg: 1,
        sample: |r| vec![signed(r, -2.0, 2.0), signed(r, -2.0, 2.0)],
        oracle: |x| x[1] / (squared(x[0]) + squared(x[1])).sqrt(),
        units: 2.0,
    },
    Case { name: "powi", arg: 0, sample: tenth_power, oracle: power_by_products, units: 6.0 },
    Case {
        name: "powf",
        arg: 0,
        sample: power,
        oracle: |x| x[1] * x[0].pow(x[1] - one()),
        units: 3.0,
    },
    Case {
        name: "powf",
        arg: 1,
        sample: power,
        oracle: |x| x[0].pow(x[1]) * x[0].ln(),
        units: 3.0,
    },
    Case {
        name: "exp",
        arg: 0,
        sample: |r| vec![up_to(r, 660.0)],
        oracle: |x| x[0].exp(),
        units: 1.0,
    },
    Case {
        name: "exp2",
        arg: 0,
        sample: |r| vec![up_to(r, 960.0)],
        oracle: |x| (x[0] * LN_2).exp() * LN_2,
        units: 2.5,
    },
    Case {
        name: "exp_m1",
        arg: 0,
        sample: |r| vec![up_to(r, 660.0)],
        oracle: |x| x[0].exp(),
        units: 1.0,
    },
    Case {
        name: "ln",
        arg: 0,
        sample: |r| vec![sized(r, -280.0, 280.0)],
        oracle: |x| one() / x[0],
        units: 1.0,
    },
    Case {
        name: "ln_1p",
        arg: 0,
        sample: |r| vec![if r.bool() { inside(r) } else { sized(r, 0.0, 280.0) }],
        oracle: |x| one() / (one() + x[0]),
        units: 1.5,
    },
    Case {
        name: "log2",
        arg: 0,
        sample: |r| vec![sized(r, -280.0, 280.0)],
        oracle: |x| one() / (x[0] * LN_2),
        units: 2.0,
    },
    Case {
        name: "log10",
        arg: 0,
        sample: |r| vec![sized(r, -280.0, 280.0)],
        oracle: |x| one() / (x[0] * LN_10),
        units: 2.0,
    },
    Case {
        name: "log",
        arg: 0,
        sample: |r| vec![sized(r, -100.0, 100.0), sized(r, -100.0, 100.0)],
        oracle: |x| one() / (x[0] * x[1].ln()),
        units: 3.0,
    },
    Case {
        name: "log",
        arg: 1,
        sample: |r| vec![sized(r, -100.0, 100.0), sized(r, -100.0, 100.0)],
        oracle: |x| -(x[0].ln() / (x[1] * squared(x[1].ln()))),
        units: 6.0,
    },
    Case {
        name: "sin",
        arg: 0,
        sample: |r| vec![up_to(r, 1e5)],
        oracle: |x| x[0].sin_cos().1,
        units: 1.0,
    },
    Case {
        name: "cos",
        arg: 0,
        sample: |r| vec![up_to(r, 1e5)],
        oracle: |x| -x[0].sin_cos().0,
        units: 1.0,
    },
    Case {
        name: "tan",
        arg: 0,
        sample: |r| vec![up_to(r, 1e5)],
        oracle: |x| one() / squared(x[0].sin_cos().1),
        units: 4.0,
    },
    Case {
        name: "asin",
        arg: 0,
        sample: |r| vec![inside(r)],
        oracle: |x| one() / ((one() - x[0]) * (one() + x[0])).sqrt(),
        units: 2.0,
    },
    Case {
        name: "acos",
        arg: 0,
        sample: |r| vec![inside(r)],
        oracle: |x| -(one() / ((one() - x[0]) * (one() + x[0])).sqrt()),
        units: 2.0,
    },
    Case {
        name: "atan",
        arg: 0,
        sample: |r| vec![signed(r, -140.0, 140.0)],
        oracle: |x| one() / (one() + squared(x[0])),
        units: 2.0,
    },
    Case {
        name: "atan2",
        arg: 0,
        sample: |r| vec![signed(r, -60.0, 60.0), signed(r, -60.0, 60.0)],
        oracle: |x| x[1] / (squared(x[0]) + squared(x[1])),
        units: 4.0,
    },
    Case {
        name: "atan2",
        arg: 1,
        sample: |r| vec![signed(r, -2.0, 2.0), signed(r, -2.0, 2.0)],
        oracle: |x| -(x[0] / (squared(x[0]) + squared(x[1]))),
        units: 4.0,
    },
    Case {
        name: "to_degrees",
        arg: 0,
        sample: |r| vec![signed(r, -9.0, 9.0)],
        oracle: |_| Doubled::from(180.0) / PI,
        units: 1.0,
    },
    Case {
        name: "to_radians",
        arg: 0,
        sample: |r| vec![signed(r, -9.0, 9.0)],
        oracle: |_| PI / 180.0.into(),
        units: 1.0,
    },
    Case {
        name: "sinh",
        arg: 0,
        sample: |r| vec![up_to(r, 660.0)],
        oracle: |x| x[0].cosh(),
        units: 2.0,
    },
    Case {
        name: "cosh",
        arg: 0,
        sample: |r| vec![up_to(r, 660.0)],
        oracle: |x| x[0].sinh(),
        units: 2.0,
    },
    Case {
        name: "tanh",
        arg: 0,
        sample: |r| vec![up_to(r, 330.0)],
        oracle: |x| one() / squared(x[0].cosh()),
        units: 5.0,
    },
    Case {
        name: "asinh",
        arg: 0,
        sample: |r| vec![signed(r, -140.0, 140.0)],
        oracle: |x| one() / (squared(x[0]) + one()).sqrt(),
        units: 2.0,
    },
    Case {
        name: "acosh",
        arg: 0,
        sample: |r| vec![above_one(r)],
        oracle: |x| one() / ((x[0] - one()) * (x[0] + one())).sqrt(),
        units: 3.0,
    },
    Case {
        name: "atanh",
        arg: 0,
        sample: |r| vec![inside(r)],
        oracle: |x| one() / ((one() - x[0]) * (one() + x[0])),
        units: 2.0,
    },
    Case {
        name: "strong",
        arg: 0,
        sample: |r| vec![signed(r, -9.0, 9.0), signed(r, -9.0, 9.0)],
        oracle: |x| x[1],
        units: 0.0,
    },
];

fn power_by_products(x: &[Doubled]) -> Doubled {
    let n = x[1].high as i32;
    let power = (1..(n - 1).unsigned_abs().max(1)).fold(x[0], |power, _| power * x[0]);
    let power = match n - 1 {
        0 => one(),
        1.. => power,
        _ => one() / power,
    };
    power * f64::from(n).into()
}

/// Whether numbers of that size have all their digits.
fn is_ordinary(x: f64) -> bool {
    x == 0.0 || (1e-290..1e300).contains(&x.abs())
}

#[test]
fn partials_are_right_to_a_few_units_in_the_last_place() {
    let mut rng = Rng::with_seed(24);
    let mut tried = 0;
    let mut wrong = Vec::new();
    for case in &CASES {
        let rule = rules::find(case.name).expect("a rule");
        let partial = rule.args[case.arg].name;
        let position = rule.partials.iter().position(|one| one.arg == partial).expect("a partial");
        let mut worst = (0.0, Vec::new());
        for _ in 0..POINTS / CASES.len() {
            let point = (case.sample)(&mut rng);
            let (value, partials) = (rule.evaluate)(&point);
            let doubled: Vec<Doubled> = point.iter().map(|&x| x.into()).collect();
            let expected = (case.oracle)(&doubled);
            if !is_ordinary(value) || !is_ordinary(expected.high) {
                continue;
            }
            tried += 1;
            let found = partials[position];
            let off = match (expected.high == 0.0, found == 0.0) {
                (true, true) => 0.0,
                (true, false) => f64::INFINITY,
                (false, _) => expected.units_off(found),
            };
            if off.is_nan() || off > worst.0 {
                worst = (off, point);
            }
        }
        if worst.0.is_nan() || worst.0 > case.units {
            wrong
                .push(format!("∂{}/∂{partial} at {:?}: {} units off", case.name, worst.1, worst.0));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried > POINTS * 9 / 10, "only {tried} points");
}

/// Every partial is in the sweep, or a constant or an operand.
#[test]
fn the_sweep_has_every_partial() {
    let swept: BTreeSet<(&str, &str)> = CASES
        .iter()
        .map(|case| (case.name, rules::find(case.name).expect("a rule").args[case.arg].name))
        .collect();
    let is_plain = |text: &str| {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_'));
        let mut operations =
            words.filter(|word| word.contains('.') && word.parse::<f64>().is_err());
        operations.all(|word| word.ends_with("is_nan") || word.contains("is_sign_negative"))
            && !text.contains(['*', '/', '+'])
    };
    for rule in RULES {
        for partial in rule.partials {
            let is_swept = swept.contains(&(rule.name, partial.arg));
            assert!(
                is_swept || is_plain(partial.text),
                "∂{}/∂{}: {}",
                rule.name,
                partial.arg,
                partial.text
            );
        }
    }
}

/// What is not listed as lost makes the result infinite or NaN, and so does a partial that is infinite or NaN and
/// not singular: no bar is tested there.
#[test]
fn what_is_not_finite_is_passed_on() {
    const NUMBERS: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -3.0,
        2.0,
        1e-310,
        1e200,
        -1e200,
        1e308,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    for rule in RULES {
        let mut points = vec![Vec::new()];
        for argument in rule.args {
            let numbers: &[f64] =
                if argument.is_int { &[-2.0, -1.0, 1.0, 2.0, 3.0] } else { &NUMBERS };
            let longer = points.iter().flat_map(|point: &Vec<f64>| {
                numbers.iter().map(move |&number| [point.as_slice(), &[number]].concat())
            });
            points = longer.collect();
        }
        // Bounds in the wrong order panic.
        let is_defined = |point: &&Vec<f64>| rule.name != "clamp" || point[1] <= point[2];
        for point in points.iter().filter(is_defined) {
            let (value, partials) = (rule.evaluate)(point);
            for (argument, x) in rule.args.iter().zip(point) {
                let has_partial = rule.partials.iter().any(|partial| partial.arg == argument.name);
                let is_lost = rule.loses.contains(&argument.name) || !has_partial;
                assert!(
                    is_lost || x.is_finite() || !value.is_finite(),
                    "{} of {point:?} = {value}",
                    rule.name
                );
            }
            for (partial, factor) in rule.partials.iter().zip(&partials) {
                assert!(
                    partial.singular || factor.is_finite() || !value.is_finite(),
                    "∂{}/∂{} at {point:?} = {factor}, where the value is {value}",
                    rule.name,
                    partial.arg,
                );
            }
        }
    }
}

/// Functions of `f32`, and what their derivatives are in `f64`.
macro_rules! narrow {
    ($($name:ident($x:ident in $low:literal..$high:literal) $value:expr, $derivative:expr;)*) => {
        $(
            #[adjoint]
            fn $name($x: f32) -> f32 {
                $value
            }
        )*

        #[test]
        fn derivatives_of_narrow_floats_are_right_to_a_few_units_in_the_last_place() {
            let mut rng = Rng::with_seed(7);
            $(
                for _ in 0..2000 {
                    let x: f32 = $low + ($high - $low) * rng.f32();
                    let found = f64::from($name::gradient(x).1);
                    let $x = f64::from(x);
                    let expected: f64 = $derivative;
                    let off = ((found - expected) / (expected * f64::from(f32::EPSILON))).abs();
                    assert!(off <= 6.0, "{} at {x}: {found}, not {expected}: {off} units", stringify!($name));
                }
            )*
        }
    };
}

narrow! {
    narrow_tanh(x in -40.0..40.0) x.tanh(), x.cosh().powi(-2);
    narrow_exp_m1(x in -80.0..80.0) x.exp_m1(), x.exp();
    narrow_ln_1p(x in -0.99..80.0) x.ln_1p(), 1.0 / (1.0 + x);
    narrow_powf(x in 1e-6..80.0) x.powf(2.3), 2.3_f32 as f64 * x.powf(2.3_f32 as f64 - 1.0);
    narrow_rem(x in 0.01..1.0) 10.0 % x, -((10.0 - 10.0 % x) / x).round();
    narrow_powi(x in 0.01..9.0) x.powi(-3), -3.0 * x.powi(-4);
}

/// There is no exponent below the least.
#[test]
fn the_least_exponent() {
    #[adjoint]
    fn f(x: f64, n: i32) -> f64 {
        x.powi(n)
    }
    let x = 1.0 + 1e-9;
    let (value, x_b) = f::gradient(x, i32::MIN);
    assert!((x_b / (f64::from(i32::MIN) * value / x) - 1.0).abs() < 1e-12, "{x_b:e}");
    assert_eq!(f::gradient(-1.0, i32::MIN), (1.0, -f64::from(i32::MIN)));
    assert_eq!(f::gradient(1.0, i32::MAX), (1.0, f64::from(i32::MAX)));
}

/// The partial of the quotient by the divisor, `-1 / v²`, is too small for a float; the derivative is not.
#[test]
fn partials_that_underflow_are_no_zeros() {
    #[adjoint]
    fn f(t: f64) -> f64 {
        let v = 1e190 * t;
        let d = 1.0 / v;
        d * 1e190
    }
    let t = 0.7;
    let expected = -1.0 / (t * t);
    let (value, t_b) = f::gradient(t);
    assert!((value * t - 1.0).abs() < 1e-14);
    assert!((t_b / expected - 1.0).abs() < 1e-14, "{t_b:e}");
    let (_, t_d) = f::tangent(t, 1.0);
    assert!((t_d / expected - 1.0).abs() < 1e-14, "{t_d:e}");
}

/// The inverse of a tiny radius is too large for a float; the partials of the radius are not.
#[test]
fn a_radius_below_the_normal_numbers() {
    #[adjoint]
    fn f(a: f64, b: f64) -> f64 {
        a.hypot(b)
    }
    let (radius, (a_b, b_b)) = f::gradient(3e-310, 4e-310);
    assert!(radius > 0.0);
    assert!((a_b - 0.6).abs() < 1e-12 && (b_b - 0.8).abs() < 1e-12, "{a_b:e} {b_b:e}");
    let (_, directions) = f::tangents::<2>(3e-310, [1.0, 0.0], 4e-310, [0.0, 1.0]);
    assert_eq!(directions, [a_b, b_b]);
}
