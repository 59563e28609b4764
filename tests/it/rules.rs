//! The rule table: each line against differences of the method it is about, its conventions at kinks
//! and singular points, and whether it forgets a method.

use ad_analysis::differentiate;
use ad_analysis::ir::Op;
use ad_analysis::rules::{self, RULES, Rule};
use backsweep::adjoint;
use fastrand::Rng;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The operation itself, as the standard library has it: independent of what the table says.
fn operation(name: &str, x: &[f64]) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the argument is an integer")]
    let integer = |x: f64| x as i32;
    match (name, x) {
        ("add", &[a, b]) => a + b,
        ("sub", &[a, b]) => a - b,
        ("mul", &[a, b]) => a * b,
        ("div", &[a, b]) => a / b,
        ("rem", &[a, b]) => a % b,
        ("neg", &[a]) => -a,
        ("sqrt", &[x]) => x.sqrt(),
        ("cbrt", &[x]) => x.cbrt(),
        ("recip", &[x]) => x.recip(),
        ("hypot", &[a, b]) => a.hypot(b),
        ("powi", &[x, n]) => x.powi(integer(n)),
        ("powf", &[x, p]) => x.powf(p),
        ("mul_add", &[a, b, c]) => a.mul_add(b, c),
        ("exp", &[x]) => x.exp(),
        ("exp2", &[x]) => x.exp2(),
        ("exp_m1", &[x]) => x.exp_m1(),
        ("ln", &[x]) => x.ln(),
        ("ln_1p", &[x]) => x.ln_1p(),
        ("log2", &[x]) => x.log2(),
        ("log10", &[x]) => x.log10(),
        ("log", &[x, b]) => x.log(b),
        ("sin", &[x]) => x.sin(),
        ("cos", &[x]) => x.cos(),
        ("tan", &[x]) => x.tan(),
        ("asin", &[x]) => x.asin(),
        ("acos", &[x]) => x.acos(),
        ("atan", &[x]) => x.atan(),
        ("atan2", &[a, b]) => a.atan2(b),
        ("to_degrees", &[x]) => x.to_degrees(),
        ("to_radians", &[x]) => x.to_radians(),
        ("sinh", &[x]) => x.sinh(),
        ("cosh", &[x]) => x.cosh(),
        ("tanh", &[x]) => x.tanh(),
        ("asinh", &[x]) => x.asinh(),
        ("acosh", &[x]) => x.acosh(),
        ("atanh", &[x]) => x.atanh(),
        ("abs", &[x]) => x.abs(),
        ("max", &[a, b]) => a.max(b),
        ("min", &[a, b]) => a.min(b),
        ("clamp", &[x, lo, hi]) => x.clamp(lo, hi),
        ("strong", &[0.0, _]) => 0.0,
        ("strong", &[d, p]) => d * p,
        #[expect(deprecated, reason = "it is still there")]
        ("abs_sub", &[a, b]) => a.abs_sub(b),
        ("copysign", &[x, s]) => x.copysign(s),
        ("midpoint", &[a, b]) => a.midpoint(b),
        ("floor", &[x]) => x.floor(),
        ("ceil", &[x]) => x.ceil(),
        ("round", &[x]) => x.round(),
        ("round_ties_even", &[x]) => x.round_ties_even(),
        ("trunc", &[x]) => x.trunc(),
        ("signum", &[x]) => x.signum(),
        ("div_euclid", &[a, b]) => a.div_euclid(b),
        ("fract", &[x]) => x.fract(),
        ("rem_euclid", &[a, b]) => a.rem_euclid(b),
        _ => panic!("`{name}` of {x:?} is not in the list of this test"),
    }
}

/// Regular points outside of the intervals of the table: the other sides of the kinks, other quadrants.
const MORE_POINTS: [(&str, &[f64]); 38] = [
    ("div", &[-1.0, -0.7]),
    ("rem", &[-5.3, 2.0]),
    ("rem", &[5.3, -2.0]),
    ("cbrt", &[-2.0]),
    ("recip", &[-0.4]),
    ("hypot", &[-0.3, 0.4]),
    ("hypot", &[0.0, -2.0]),
    ("powi", &[-0.8, 3.0]),
    ("powi", &[-0.8, -2.0]),
    ("powi", &[0.8, 0.0]),
    ("powf", &[0.6, 0.0]),
    ("log", &[0.3, 0.5]),
    ("tan", &[2.0]),
    ("atan2", &[0.4, -0.9]),
    ("atan2", &[-0.4, -0.9]),
    ("atan2", &[0.0, 2.0]),
    ("atan2", &[2.0, 0.0]),
    ("acosh", &[20.0]),
    ("abs", &[-0.7]),
    ("max", &[1.0, -1.0]),
    ("min", &[1.0, -1.0]),
    ("clamp", &[-3.0, -1.0, 1.0]),
    ("clamp", &[3.0, -1.0, 1.0]),
    ("abs_sub", &[-0.5, 1.0]),
    ("copysign", &[0.5, 1.0]),
    ("copysign", &[-0.5, 1.0]),
    ("copysign", &[-0.5, -1.0]),
    ("floor", &[-1.5]),
    ("ceil", &[-1.5]),
    ("round", &[-1.3]),
    ("round_ties_even", &[2.7]),
    ("trunc", &[-1.5]),
    ("signum", &[-0.5]),
    ("fract", &[-1.3]),
    ("div_euclid", &[-5.3, 2.0]),
    ("rem_euclid", &[-5.3, 2.0]),
    ("rem_euclid", &[5.3, -2.0]),
    ("tanh", &[-3.0]),
];

/// A derivative by differences, and how far it may be off.
struct Difference {
    value: f64,
    error: f64,
}

/// Central differences with steps halved nine times, extrapolated to the step 0: of the entries of the
/// triangle the one that differs least from its neighbours, and by how much it does.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> Difference {
    const FIRST_STEP: f64 = 0.02;
    let central = |h: f64| (f(x + h) - f(x - h)) / ((x + h) - (x - h));
    let mut best = Difference { value: f64::NAN, error: f64::INFINITY };
    let mut previous: Vec<f64> = Vec::new();
    for level in 0..10 {
        let mut row = vec![central(FIRST_STEP / f64::from(1 << level))];
        let mut power = 1.0;
        for (column, coarser) in previous.iter().enumerate() {
            // The error of a central difference has even powers of the step only.
            power *= 4.0;
            let finer = row[column];
            let value = finer + (finer - coarser) / (power - 1.0);
            let error = (value - finer).abs().max((value - coarser).abs());
            if error < best.error {
                best = Difference { value, error };
            }
            row.push(value);
        }
        previous = row;
    }
    best
}

/// Asserts that the partials of a rule are the derivatives of its operation at a point.
fn assert_regular(rule: &Rule, point: &[f64]) {
    let (value, partials) = (rule.evaluate)(point);
    assert_eq!(
        value.to_bits(),
        operation(rule.name, point).to_bits(),
        "{} at {point:?}",
        rule.name
    );
    for (position, argument) in rule.args.iter().enumerate() {
        if argument.is_int {
            continue;
        }
        let mut moved = point.to_vec();
        let along = |x: f64| {
            let mut moved = moved.clone();
            moved[position] = x;
            operation(rule.name, &moved)
        };
        let difference = difference(along, point[position]);
        moved[position] = point[position];
        let partial = rule.partials.iter().position(|partial| partial.arg == argument.name);
        let partial = partial.map_or(0.0, |partial| partials[partial]);
        // The differences round: the values to half a unit each, over the smallest step; the analytic
        // error of the best entry is below that, or it would not be the best.
        let rounding = f64::EPSILON * value.abs().max(1.0) / (0.02 / 512.0);
        let tolerance = 10.0 * difference.error.max(1e-12 * partial.abs()).min(1e-8) + rounding;
        assert!(
            (partial - difference.value).abs() <= tolerance,
            "∂{}/∂{} at {point:?}: {partial}, by differences {} ± {tolerance:e}",
            rule.name,
            argument.name,
            difference.value,
        );
    }
}

fn random_point(rule: &Rule, rng: &mut Rng) -> Vec<f64> {
    let sample = rule.args.iter().map(|argument| {
        let x = argument.low + (argument.high - argument.low) * rng.f64();
        if argument.is_int { x.floor() } else { x }
    });
    sample.collect()
}

#[test]
fn partials_are_derivatives() {
    let mut rng = Rng::with_seed(7);
    for rule in RULES {
        for _ in 0..50 {
            assert_regular(rule, &random_point(rule, &mut rng));
        }
    }
    for (name, point) in MORE_POINTS {
        assert_regular(rules::find(name).expect("a rule"), point);
    }
}

/// A partial that is not a derivative is noticed: what `partials_are_derivatives` is worth.
#[test]
fn differences_are_precise() {
    type Function = fn(f64) -> f64;
    let functions: [(Function, Function); 4] = [
        (f64::sin, f64::cos),
        (f64::ln, f64::recip),
        (f64::exp, f64::exp),
        (|x| x * x * x, |x| 3.0 * x * x),
    ];
    for (f, derivative) in functions {
        for x in [0.15, 0.7, 1.9] {
            let found = difference(f, x);
            let off = (found.value - derivative(x)).abs() / derivative(x).abs();
            assert!(off < 1e-10, "{off:e} at {x}, estimated {:e}", found.error);
        }
    }
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// What the partials are where there is no derivative, or an infinite one: operation, arguments, value,
/// partials in the order of the table.
const CONVENTIONS: [(&str, &[f64], f64, &[f64]); 55] = [
    ("div", &[1.0, 0.0], INF, &[INF, -INF]),
    ("rem", &[4.0, 2.0], 0.0, &[1.0, -2.0]),
    ("sqrt", &[0.0], 0.0, &[INF]),
    ("cbrt", &[0.0], 0.0, &[INF]),
    ("recip", &[0.0], INF, &[-INF]),
    ("hypot", &[0.0, 0.0], 0.0, &[NAN, NAN]),
    ("powi", &[0.0, 0.0], 1.0, &[0.0]),
    ("powi", &[0.0, 1.0], 0.0, &[1.0]),
    ("powi", &[0.0, 2.0], 0.0, &[0.0]),
    ("powi", &[0.0, -1.0], INF, &[-INF]),
    ("powf", &[0.0, 0.0], 1.0, &[0.0, 0.0]),
    ("powf", &[0.0, 1.0], 0.0, &[1.0, 0.0]),
    ("powf", &[0.0, 0.5], 0.0, &[INF, 0.0]),
    ("powf", &[0.0, 2.0], 0.0, &[0.0, 0.0]),
    ("powf", &[-2.0, 3.0], -8.0, &[12.0, NAN]),
    ("ln", &[0.0], -INF, &[INF]),
    ("ln_1p", &[-1.0], -INF, &[INF]),
    ("log2", &[0.0], -INF, &[INF]),
    ("log10", &[0.0], -INF, &[INF]),
    ("log", &[2.0, 1.0], INF, &[INF, -INF]),
    ("asin", &[1.0], std::f64::consts::FRAC_PI_2, &[INF]),
    ("asin", &[-1.0], -std::f64::consts::FRAC_PI_2, &[INF]),
    ("acos", &[1.0], 0.0, &[-INF]),
    ("atan2", &[0.0, 0.0], 0.0, &[NAN, NAN]),
    ("atan2", &[0.0, -1.0], std::f64::consts::PI, &[-1.0, 0.0]),
    ("acosh", &[1.0], 0.0, &[INF]),
    ("atanh", &[1.0], INF, &[INF]),
    ("abs", &[0.0], 0.0, &[0.0]),
    ("abs", &[-0.0], 0.0, &[0.0]),
    ("max", &[1.0, 1.0], 1.0, &[1.0, 0.0]),
    ("max", &[NAN, 1.0], 1.0, &[0.0, 1.0]),
    ("max", &[1.0, NAN], 1.0, &[1.0, 0.0]),
    ("min", &[1.0, 1.0], 1.0, &[1.0, 0.0]),
    ("min", &[NAN, 1.0], 1.0, &[0.0, 1.0]),
    ("min", &[1.0, NAN], 1.0, &[1.0, 0.0]),
    ("clamp", &[-1.0, -1.0, 1.0], -1.0, &[1.0, 0.0, 0.0]),
    ("clamp", &[1.0, -1.0, 1.0], 1.0, &[1.0, 0.0, 0.0]),
    ("clamp", &[NAN, -1.0, 1.0], NAN, &[1.0, 0.0, 0.0]),
    ("clamp", &[INF, -1.0, INF], INF, &[1.0, 0.0, 0.0]),
    ("abs_sub", &[1.0, 1.0], 0.0, &[0.0, 0.0]),
    ("copysign", &[0.0, -1.0], -0.0, &[-1.0]),
    ("copysign", &[-0.0, -1.0], -0.0, &[1.0]),
    ("floor", &[2.0], 2.0, &[]),
    ("ceil", &[2.0], 2.0, &[]),
    ("round", &[2.5], 3.0, &[]),
    ("round_ties_even", &[2.5], 2.0, &[]),
    ("trunc", &[-2.0], -2.0, &[]),
    ("signum", &[0.0], 1.0, &[]),
    ("div_euclid", &[4.0, 2.0], 2.0, &[]),
    ("fract", &[2.0], 0.0, &[1.0]),
    ("rem_euclid", &[4.0, 2.0], 0.0, &[1.0, -2.0]),
    ("exp", &[-INF], 0.0, &[0.0]),
    ("exp", &[INF], INF, &[INF]),
    ("atan", &[INF], std::f64::consts::FRAC_PI_2, &[0.0]),
    ("tanh", &[INF], 1.0, &[0.0]),
];

fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

#[test]
fn conventions_hold() {
    for (name, point, expected, derivatives) in CONVENTIONS {
        let rule = rules::find(name).expect("a rule");
        let (value, partials) = (rule.evaluate)(point);
        let own = operation(name, point);
        assert!(
            same(value, expected) && same(own, expected),
            "{name} at {point:?}: {value}, {own}"
        );
        let all = partials.len() == derivatives.len()
            && partials.iter().zip(derivatives).all(|(a, b)| same(*a, *b));
        assert!(all, "{name} at {point:?}: {partials:?}, not {derivatives:?}");
    }
}

/// A partial that is infinite or NaN where the operation has a value is marked as singular, and what is
/// marked is tried at such a point.
#[test]
fn singular_partials_are_marked() {
    let mut tried = BTreeSet::new();
    for (name, point, value, derivatives) in CONVENTIONS {
        let rule = rules::find(name).expect("a rule");
        let is_inside = point.iter().all(|x| x.is_finite());
        for (partial, derivative) in rule.partials.iter().zip(derivatives) {
            if is_inside && !derivative.is_finite() {
                assert!(partial.singular, "∂{name}/∂{} at {point:?} = {value}", partial.arg);
                tried.insert((name, partial.arg));
            }
        }
    }
    for rule in RULES {
        for partial in rule.partials.iter().filter(|partial| partial.singular) {
            // The quotient of a remainder is infinite or NaN for a divisor of 0 only, where there is no value.
            // What a direction is weighted with is infinite itself.
            let is_only_undefined = ["rem", "rem_euclid", "strong"].contains(&rule.name);
            let is_tried = tried.contains(&(rule.name, partial.arg));
            assert!(is_tried || is_only_undefined, "∂{}/∂{} is not tried", rule.name, partial.arg);
        }
    }
}

/// Annotated functions, one for each singular operation, with a point where a partial is infinite or
/// undefined.
macro_rules! singular {
    ($($name:ident($($arg:ident = $point:expr),*) $value:expr;)*) => {
        $(
            #[adjoint]
            fn $name($($arg: f64),*) -> f64 {
                $value
            }
        )*

        /// The name, and the bars of the arguments at the point for a seed of 0.
        fn bars_for_seed_zero() -> Vec<(&'static str, Vec<f64>)> {
            vec![$({
                $(let mut $arg = 0.0;)*
                singular!(@call $name ($($arg = $point),*));
                (stringify!($name), vec![$($arg),*])
            }),*]
        }
    };
    (@call $name:ident ($a:ident = $x:expr)) => { $name::adjoint($x, &mut $a, 0.0) };
    (@call $name:ident ($a:ident = $x:expr, $b:ident = $y:expr)) => {
        $name::adjoint($x, &mut $a, $y, &mut $b, 0.0)
    };
}

singular! {
    div(a = 1.0, b = 0.0) a / b;
    rem(a = 1.0, b = 0.0) a % b;
    sqrt(x = 0.0) x.sqrt();
    cbrt(x = 0.0) x.cbrt();
    recip(x = 0.0) x.recip();
    hypot(a = 0.0, b = 0.0) a.hypot(b);
    powi(x = 0.0) x.powi(-1);
    powf(x = 0.0, p = 0.5) x.powf(p);
    ln(x = 0.0) x.ln();
    ln_1p(x = -1.0) x.ln_1p();
    log2(x = 0.0) x.log2();
    log10(x = 0.0) x.log10();
    log(x = 2.0, b = 1.0) x.log(b);
    asin(x = 1.0) x.asin();
    acos(x = 1.0) x.acos();
    atan2(a = 0.0, b = 0.0) a.atan2(b);
    acosh(x = 1.0) x.acosh();
    atanh(x = 1.0) x.atanh();
    rem_euclid(a = 1.0, b = 0.0) a.rem_euclid(b);
}

#[test]
fn bar_of_zero_stays_zero() {
    let bars = bars_for_seed_zero();
    let tried: BTreeSet<&str> = bars.iter().map(|(name, _)| *name).collect();
    let singular = RULES.iter().filter(|rule| rule.partials.iter().any(|partial| partial.singular));
    // Users have no name for it; `second_order` tries it.
    let singular = singular.filter(|rule| rules::operation_of(rule) != Op::Strong);
    let singular: BTreeSet<&str> = singular.map(|rule| rule.name).collect();
    assert_eq!(tried, singular);
    for (name, bars) in bars {
        assert!(bars.iter().all(|bar| *bar == 0.0), "{name}: {bars:?}");
    }
}

/// The stable inherent methods of `f64` and `f32` in Rust 1.95.
const METHODS: [&str; 67] = [
    "floor",
    "ceil",
    "round",
    "round_ties_even",
    "trunc",
    "fract",
    "mul_add",
    "div_euclid",
    "rem_euclid",
    "powi",
    "powf",
    "sqrt",
    "exp",
    "exp2",
    "ln",
    "log",
    "log2",
    "log10",
    "abs_sub",
    "cbrt",
    "hypot",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sin_cos",
    "exp_m1",
    "ln_1p",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_subnormal",
    "is_normal",
    "classify",
    "is_sign_positive",
    "is_sign_negative",
    "next_up",
    "next_down",
    "recip",
    "to_degrees",
    "to_radians",
    "max",
    "min",
    "midpoint",
    "to_int_unchecked",
    "to_bits",
    "from_bits",
    "to_be_bytes",
    "to_le_bytes",
    "to_ne_bytes",
    "from_be_bytes",
    "from_le_bytes",
    "from_ne_bytes",
    "total_cmp",
    "clamp",
    "abs",
    "signum",
    "copysign",
];

/// The stable inherent methods of a primitive type in the documentation that comes with this rustc, if
/// it is installed.
fn documented_methods(primitive: &str) -> Option<BTreeSet<String>> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    let page = format!("share/doc/rust/html/std/primitive.{primitive}.html");
    let text = std::fs::read_to_string(Path::new(root.trim()).join(page)).ok()?;
    let inherent = text.split("id=\"trait-implementations\"").next()?;
    let methods = inherent.split("<section id=\"method.").skip(1);
    let stable = methods.filter(|method| !method.contains("class=\"stab unstable\""));
    Some(stable.filter_map(|method| Some(method.split('"').next()?.to_owned())).collect())
}

#[test]
fn no_method_of_floats_is_forgotten() {
    let in_tables: BTreeSet<&str> = (RULES.iter().map(|rule| rule.name))
        .chain(rules::TESTS)
        .chain(rules::BITS)
        .chain(rules::UNSUPPORTED.map(|(name, _)| name))
        .chain([rules::PAIR.0])
        .collect();
    let mut methods: BTreeSet<String> = METHODS.map(str::to_owned).into();
    for primitive in ["f64", "f32"] {
        methods.extend(documented_methods(primitive).into_iter().flatten());
    }
    let forgotten: Vec<&String> =
        methods.iter().filter(|name| !in_tables.contains(name.as_str())).collect();
    assert!(forgotten.is_empty(), "neither a rule nor a reason: {forgotten:?}");
    let operators = ["add", "sub", "mul", "div", "rem", "neg", "strong"];
    let made_up =
        in_tables.iter().filter(|name| !operators.contains(name) && !methods.contains(**name));
    assert_eq!(made_up.count(), 0, "{in_tables:?}");
}

/// A method that is in the list of unsupported ones: not passive, but refused. One that is in none of the lists may be one of a trait, which
/// rustc says (`ui/rustc/method_of_unannotated_trait.rs`).
#[test]
fn other_methods_are_refused_in_active_code() {
    let unsupported = rules::UNSUPPORTED.map(|(name, _)| name);
    for name in unsupported {
        for body in [format!("x.{name}(y)"), format!("let z = x.{name}(); z * y")] {
            let function = format!("fn f(x: f64, y: f64) -> f64 {{ {body} }}");
            let function = syn::parse_str(&function).expect("a function");
            let errors = differentiate(proc_macro2::TokenStream::new(), &function);
            let errors = errors.expect_err("a derivative of an unknown method");
            assert!(errors[0].message.contains(name), "{name}: {errors:?}");
        }
    }
}

/// Far out, and close to the ends of the domain, where a partial is an ordinary number that a careless
/// formula loses to overflow, underflow or cancellation, beyond the points that `accuracy` sweeps.
#[test]
fn partials_are_accurate_far_out() {
    let below_one = 0.999_999_9;
    let gap = (1.0 - below_one) * (1.0 + below_one);
    let cases: [(&str, &[f64], &[f64]); 6] = [
        ("asinh", &[1e200], &[1e-200]),
        ("atan2", &[1e-200, 1e-200], &[5e199, -5e199]),
        ("atan2", &[1e200, 1e200], &[5e-201, -5e-201]),
        ("asin", &[below_one], &[1.0 / gap.sqrt()]),
        ("acos", &[below_one], &[-1.0 / gap.sqrt()]),
        ("atanh", &[below_one], &[1.0 / gap]),
    ];
    let mut lost = Vec::new();
    for (name, point, expected) in cases {
        let (_, partials) = (rules::find(name).expect("a rule").evaluate)(point);
        for (partial, expected) in partials.iter().zip(expected) {
            let off = (partial / expected - 1.0).abs();
            if off.is_nan() || off > 1e-14 {
                lost.push(format!("{name} at {point:?}: {partial:e} instead of {expected:e}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
