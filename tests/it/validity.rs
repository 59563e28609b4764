//! How far along a direction a function goes the same way.

use ad_analysis::rules::{self, RULES};
use backsweep::adjoint;

const INFINITE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Whether numbers differ by roundings alone.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14 * b.abs()
}

/// A value, and which way it is had, by hand: what the tests are held against.
fn piecewise_way(x: &[f64; 2], scale: f64) -> (f64, Vec<i64>) {
    let (mut sum, mut way) = (0.0, Vec::new());
    for v in x {
        way.push(i64::from(v * scale > 1.0));
        sum += if v * scale > 1.0 { v * v } else { *v };
        way.push(v.floor() as i64);
        sum += v.floor() * v;
        way.push(i64::from(*v >= 0.25));
        sum += v.max(0.25);
        way.push(i64::from(v - scale < 0.0));
        sum += (v - scale).abs();
        way.push((v * 3.0) as i64);
        sum += ((v * 3.0) as i64) as f64 * v;
    }
    (sum, way)
}

#[adjoint(independents(x))]
fn piecewise(x: &[f64; 2], scale: f64) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += if v * scale > 1.0 { v * v } else { *v };
        sum += v.floor() * v;
        sum += v.max(0.25);
        sum += (v - scale).abs();
        sum += ((v * 3.0) as i64) as f64 * v;
    }
    sum
}

/// All that is tested is linear in the step: the ends are exact.
#[test]
fn the_way_changes_at_the_ends() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut ends = 0;
    for _ in 0..300 {
        let mut number = || random.f64() * 4.0 - 2.0;
        let (x, x_d, scale) = ([number(), number()], [number(), number()], number());
        let (low, high) = piecewise::validity(&x, &x_d, scale);
        let way = |t: f64| piecewise_way(&[x[0] + t * x_d[0], x[1] + t * x_d[1]], scale).1;
        assert!(low < 0.0 && 0.0 < high, "{low} {high}");
        assert_eq!(piecewise(&x, scale), piecewise_way(&x, scale).0);
        for end in [low, high].into_iter().filter(|end| end.is_finite()) {
            ends += 1;
            for inside in [0.0, 0.1, 0.5, 0.9, 0.999_999] {
                assert_eq!(
                    way(end * inside),
                    way(0.0),
                    "at {inside} of {end} from {x:?} along {x_d:?}"
                );
            }
            assert_ne!(way(end * 1.000_001), way(0.0), "past {end} from {x:?} along {x_d:?}");
        }
    }
    assert!(ends > 500, "{ends}");
}

#[adjoint]
fn norm(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// The radius leads to tests alone: no derivative of the result goes through it.
#[adjoint]
fn inside(x: f64, y: f64) -> f64 {
    let radius = norm(x, y);
    if radius < 1.0 && x > 0.0 { x * y } else { x }
}

#[adjoint]
fn twice(x: f64, y: f64) -> f64 {
    let mut z = inside(x, y);
    while z < 3.0 {
        z = 2.0 * z + x;
    }
    z
}

#[test]
fn what_leads_to_tests_alone_is_followed() {
    // The radius grows by 1, from 0.5.
    assert_eq!(inside::validity(0.3, 0.6, 0.4, 0.8), (-0.5, 0.5));
    // The second test is not made: x would be 0 at -3 already.
    let (low, high) = inside::validity(3.0, 1.0, 4.0, 0.0);
    assert!(is_near(low, -20.0 / 3.0) && high == f64::INFINITY, "{low} {high}");
    assert_eq!(norm::validity(0.3, 0.6, 0.4, 0.8), INFINITE);
    assert_eq!(inside::validity(0.3, 0.0, 0.4, 0.0), INFINITE);
}

#[test]
fn callees_and_loops_take_part() {
    // z: 0.12, 0.54, 1.38, 3.06 with the derivatives 0.48 + …; along it the third falls below 3 first.
    let (mut z, mut slope, x_d) = (0.3_f64 * 0.4, 0.6 * 0.4 + 0.3 * 0.8, 0.6);
    let mut expected = (-0.5_f64, 0.5_f64);
    loop {
        let root = (3.0 - z) / slope;
        match root < 0.0 {
            true => expected.0 = expected.0.max(root),
            false => expected.1 = expected.1.min(root),
        }
        if z >= 3.0 {
            break;
        }
        z = 2.0 * z + 0.3;
        slope = 2.0 * slope + x_d;
    }
    let (low, high) = twice::validity(0.3, 0.6, 0.4, 0.8);
    assert!(is_near(low, expected.0) && is_near(high, expected.1), "{low} {high}, {expected:?}");
}

#[adjoint]
fn overwrites(x: &mut [f64], at: usize) {
    x[at] = x[at].abs();
    x[at] = if x[at] > 2.0 { x[at] * x[at] } else { x[at] };
}

/// What a test reads is as fast as it was when it was read.
#[test]
fn tests_come_before_what_they_decide() {
    let (mut x, mut x_d) = ([1.0, -0.5], [0.0, 1.0]);
    // |-0.5 + t| bends at 0.5, and is 2 at -1.5.
    assert_eq!(overwrites::validity(&mut x, &mut x_d, 1), (-1.5, 0.5));
    assert_eq!(x, [1.0, 0.5]);
}

#[adjoint]
fn fallible(x: f64) -> Result<f64, String> {
    assert!(x < 100.0, "far out");
    if x < 0.0 {
        return Err(format!("{x} is negative"));
    }
    Ok(x.sqrt())
}

#[test]
fn functions_that_fail_fail() {
    // What panics decides nothing.
    assert_eq!(fallible::validity(4.0, 2.0), Ok((-2.0, f64::INFINITY)));
    assert_eq!(fallible::validity(-1.0, 2.0), Err("-1 is negative".to_owned()));
}

#[adjoint]
fn at_the_edge(x: f64) -> f64 {
    if x < 1.0 { x } else { 2.0 * x - 1.0 }
}

#[test]
fn at_an_edge_it_is_the_side_that_is_taken() {
    assert_eq!(at_the_edge::validity(1.0, 1.0), (0.0, f64::INFINITY));
    assert_eq!(at_the_edge::validity(1.0, -1.0), (f64::NEG_INFINITY, 0.0));
    assert_eq!(at_the_edge::validity(1.0, 0.0), INFINITE);
}

#[adjoint]
fn single(x: &[f32]) -> f32 {
    let mut largest = f32::NEG_INFINITY;
    for v in x {
        if *v > largest {
            largest = *v;
        }
    }
    largest
}

#[test]
fn single_precision() {
    assert_eq!(single::validity(&[1.0, 3.0, 2.0], &[1.0, 0.0, 2.0]), (f64::NEG_INFINITY, 0.5));
}

/// Operations whose derivative or value jumps say where: those with a case in a partial, and those without a derivative.
#[test]
fn operations_with_cases_have_tests() {
    // Conventions at a single point of a smooth function.
    let smooth = ["powi", "powf", "strong"];
    for rule in RULES.iter().filter(|rule| !smooth.contains(&rule.name)) {
        let has_case = rule.partials.iter().any(|partial| partial.text.contains("if "));
        let jumps = rule.partials.is_empty()
            || rule.partials.iter().any(|partial| partial.text.contains("round"))
            || rule.name == "fract";
        assert_eq!(has_case || jumps, !rule.tests.is_empty(), "{}", rule.name);
        for tested in rule.tests {
            let is_argument = |name: &str| rule.args.iter().any(|arg| arg.name == name);
            assert!(is_argument(tested.subject), "{}", rule.name);
            assert!(is_argument(tested.other) || tested.other.parse::<f64>().is_ok());
        }
    }
    assert!(rules::find("max").is_some_and(|rule| !rule.tests.is_empty()));
}

/// A remainder of what a function of a type returns: that it is one of floats is not seen, and that it jumps not told.
#[test]
fn remainders_of_unseen_values_are_refused() {
    let refused = |function: &syn::ItemFn| {
        let generated = ad_analysis::differentiate("".parse().expect("tokens"), function);
        generated.expect("it has an adjoint").to_string().contains("NoOtherComparisons")
    };
    assert!(refused(&syn::parse_quote!(
        fn f(x: f64) -> f64 {
            Model::value(x) % 1.0
        }
    )));
    assert!(!refused(&syn::parse_quote!(
        fn f(x: f64) -> f64 {
            Model::value(x) * 2.0
        }
    )));
}

/// What is tested comes from a function that has no derivatives.
mod decided_by_others {
    use backsweep::adjoint;

    fn size(x: &[f64], n: i32) -> f64 {
        x.iter().map(|v| v.powi(n)).sum::<f64>().sqrt()
    }

    #[adjoint]
    pub fn product(x: &[f64; 2], y: f64) -> f64 {
        let (mut v, mut y) = (*x, y);
        while size(&v, 2) > 0.5 && (-3.0..5.0).contains(&y) {
            v = v.map(|entry| 0.5 * entry);
            y *= y;
        }
        v[0] * v[1] * y
    }
}

#[test]
fn without_derivatives_of_what_decides_there_are_all_others() {
    use decided_by_others::product;
    // |(0.75, 0.5)| is above 0.5, half of it is not.
    let (x, y) = ([0.75, 0.5], 1.5);
    assert_eq!(
        product::gradient(&x, y),
        (0.09375 * 2.25, ([0.5625, 0.84375].map(|g| g / 2.0), 0.28125))
    );
    assert_eq!(product::tangent(&x, &[1.0, 0.0], y, 2.0), (0.09375 * 2.25, 0.28125 + 0.5625));
    let validity = std::panic::catch_unwind(|| product::validity(&x, &[1.0, 0.0], y, 2.0));
    let message = *validity.unwrap_err().downcast::<&str>().unwrap();
    assert!(message.contains("annotate that with `#[adjoint]`"), "{message}");
}

/// Functions without derivatives that may fail, and do nothing else of use.
mod checked_by_others {
    use backsweep::adjoint;

    fn check(x: f64) -> Result<(), String> {
        if x > 3.0 { Err("too large".to_owned()) } else { Ok(()) }
    }

    fn size(x: f64) -> Option<f64> {
        (x <= 3.0).then(|| x.abs())
    }

    fn known_size(x: f64) -> Result<f64, String> {
        size(x).ok_or_else(|| "unknown".to_owned())
    }

    #[adjoint]
    pub fn result(x: f64) -> Result<f64, String> {
        check(x)?;
        if known_size(x * 2.0)? > 1.0 { Ok(x) } else { Ok(x * x) }
    }

    #[adjoint]
    pub fn option(x: f64) -> Option<f64> {
        size(x)?;
        if size(x * 2.0)? > 1.0 { Some(x) } else { Some(x * x) }
    }
}

#[test]
fn what_only_fails_needs_no_derivatives() {
    use checked_by_others::{option, result};
    assert_eq!(result::gradient(0.25), Ok((0.0625, 0.5)));
    assert_eq!(result::tangent(0.75, 1.0), Ok((0.75, 1.0)));
    assert_eq!(result::gradient(4.0), Err("too large".to_owned()));
    assert_eq!(result::tangents(2.0, [1.0]), Err("unknown".to_owned()));
    assert_eq!(option::tangents(0.25, [1.0, 2.0]), Some((0.0625, [0.5, 1.0])));
    assert_eq!(option::gradient(2.0), None);
    let panics = [
        std::panic::catch_unwind(|| result::validity(0.25, 1.0).is_ok()),
        std::panic::catch_unwind(|| option::validity(0.25, 1.0).is_some()),
    ];
    for panic in panics {
        let message = *panic.unwrap_err().downcast::<&str>().unwrap();
        assert!(message.contains("annotate that with `#[adjoint]`"), "{message}");
    }
}
