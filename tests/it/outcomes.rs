//! Functions that return an `Option` or a `Result`.

use backsweep::{Stack, adjoint};
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
enum Failure {
    Empty,
    Negative(f64),
    NotConverged { steps: usize },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The logarithm of the geometric mean, times a factor.
#[adjoint]
fn log_mean(x: &[f64], factor: f64) -> Result<f64, Failure> {
    if x.is_empty() {
        return Err(Failure::Empty);
    }
    let mut sum = 0.0;
    let mut product = 1.0;
    for &v in x {
        if v <= 0.0 {
            return Err(Failure::Negative(v));
        }
        sum += v.ln() * factor;
        product *= v;
        product = product.sin() + 2.0;
    }
    Ok(sum / x.len() as f64 + product)
}

/// The same where nothing can fail.
#[adjoint]
fn log_mean_of_positive(x: &[f64], factor: f64) -> f64 {
    let mut sum = 0.0;
    let mut product = 1.0;
    for &v in x {
        sum += v.ln() * factor;
        product *= v;
        product = product.sin() + 2.0;
    }
    sum / x.len() as f64 + product
}

/// Kepler's equation by Newton's iteration.
#[adjoint(independents(mean, eccentricity))]
fn kepler(mean: f64, eccentricity: f64, limit: usize) -> Result<f64, Failure> {
    let mut e = mean;
    for _ in 0..limit {
        let step = (e - eccentricity * e.sin() - mean) / (1.0 - eccentricity * e.cos());
        e -= step;
        if step.abs() < 1e-14 {
            return Ok(e);
        }
    }
    Err(Failure::NotConverged { steps: limit })
}

/// The roots of a quadratic polynomial, if they are real.
#[adjoint]
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        None
    } else {
        let root = discriminant.sqrt();
        Some([(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)])
    }
}

/// Scales to the sum 1 in place.
#[adjoint]
fn normalize(x: &mut [f64]) -> Result<(), String> {
    let mut sum = 0.0;
    for &v in x.iter() {
        sum += v;
    }
    if sum == 0.0 {
        return Err(format!("the sum of {} numbers is {sum}", x.len()));
    }
    for i in 0..x.len() {
        x[i] /= sum;
    }
    Ok(())
}

const X: [f64; 3] = [0.5, 2.0, 1.5];

#[test]
fn what_succeeds_has_the_derivatives_of_the_payload() {
    let expected = log_mean_of_positive::gradient(&X, 1.3);
    assert_eq!(log_mean::gradient(&X, 1.3), Ok(expected.clone()));
    let (mut x_b, mut factor_b) = ([0.0; 3], 0.0);
    let value = log_mean::adjoint(&X, &mut x_b, 1.3, &mut factor_b, 2.0);
    assert_eq!(value, Ok(expected.0));
    assert_eq!(x_b.map(|v| v / 2.0).to_vec(), expected.1.0);
    let done = log_mean::adjoint_only(&X, &mut x_b, 1.3, &mut factor_b, -2.0);
    assert_eq!((done, x_b), (Ok(()), [0.0; 3]));
    assert!(factor_b.abs() < 1e-15, "{factor_b}");
    let value = log_mean::gradient_into(&X, &mut x_b, 1.3, &mut factor_b);
    assert_eq!((value, x_b.to_vec(), factor_b), (Ok(expected.0), expected.1.0, expected.1.1));
    let (value, pullback) = log_mean::pullback(&X, 1.3).expect("all are positive");
    let (mut again_b, mut again_factor_b) = ([0.0; 3], 0.0);
    pullback.call(&mut again_b, &mut again_factor_b, 1.0);
    assert_eq!((value, again_b, again_factor_b), (expected.0, x_b, factor_b));
}

/// Bars, gradients and the stack are left alone.
#[test]
fn what_fails_leaves_no_trace() {
    let bad = [0.5, 2.0, -1.5];
    let failure = || Failure::Negative(-1.5);
    assert_eq!(log_mean::gradient(&bad, 1.3), Err(failure()));
    assert_eq!(log_mean::gradient(&[], 1.3), Err(Failure::Empty));
    let (mut x_b, mut factor_b) = ([1.0, f64::NAN, 3.0], 7.0);
    let mut stack = Stack::new();
    stack.push(5.0);
    let with = log_mean::adjoint_with(&mut stack, &bad, &mut x_b, 1.3, &mut factor_b, 1.0);
    assert_eq!(with, Err(failure()));
    assert_eq!(log_mean::gradient_into(&bad, &mut x_b, 1.3, &mut factor_b), Err(failure()));
    assert_eq!(log_mean::adjoint_only(&bad, &mut x_b, 1.3, &mut factor_b, 1.0), Err(failure()));
    assert_eq!(log_mean::forward(&mut stack, &bad, 1.3), Err(failure()));
    assert!(x_b[1].is_nan());
    assert_eq!((x_b[0], x_b[2], factor_b), (1.0, 3.0, 7.0));
    assert_eq!(stack.pop::<f64>(), 5.0);
    assert!(stack.is_empty());
    assert!(log_mean::pullback(&bad, 1.3).is_err());
}

#[test]
fn an_iteration_converges_or_does_not() {
    let (e, (by_mean, by_eccentricity)) = kepler::gradient(0.8, 0.3, 50).expect("it converges");
    // E − ε sin E = M, differentiated.
    let slope = 1.0 - 0.3 * e.cos();
    assert!((by_mean - 1.0 / slope).abs() < 1e-12, "{by_mean}");
    assert!((by_eccentricity - e.sin() / slope).abs() < 1e-12, "{by_eccentricity}");
    assert_eq!(kepler::gradient(0.8, 0.3, 2), Err(Failure::NotConverged { steps: 2 }));
}

#[test]
fn options_of_arrays() {
    let (mut a_b, mut b_b, mut c_b) = (0.0, 0.0, 0.0);
    let value = roots::adjoint(1.0, &mut a_b, -3.0, &mut b_b, 2.0, &mut c_b, [0.0, 1.0]);
    assert_eq!(value, Some([1.0, 2.0]));
    // At the root 2: ∂x/∂a = −x²/(2ax + b), and so on.
    assert!((a_b + 4.0).abs() < 1e-12 && (b_b + 2.0).abs() < 1e-12 && (c_b + 1.0).abs() < 1e-12);
    let value = roots::adjoint(1.0, &mut a_b, 0.0, &mut b_b, 2.0, &mut c_b, [1.0, 1.0]);
    assert_eq!(value, None);
    assert!((a_b + 4.0).abs() < 1e-12);
}

#[test]
fn in_place_or_not_at_all() {
    let (mut x, mut x_b) = ([1.0, 3.0], [1.0, 0.0]);
    assert_eq!(normalize::adjoint(&mut x, &mut x_b), Ok(()));
    assert_eq!((x, x_b), ([0.25, 0.75], [0.1875, -0.0625]));
    let (mut x, mut x_b) = ([1.0, -1.0], [1.0, 0.0]);
    assert!(normalize::adjoint(&mut x, &mut x_b).is_err());
    assert_eq!((x, x_b), ([1.0, -1.0], [1.0, 0.0]));
}

/// What else can go wrong.
#[derive(Debug, PartialEq)]
enum Trouble {
    Failed(Failure),
    NoNumber,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<std::num::ParseFloatError> for Trouble {
    fn from(_: std::num::ParseFloatError) -> Self {
        Self::NoNumber
    }
}

/// Passes failures on, those of annotated functions and of others, before and after it stores values.
#[adjoint(independents(x, eccentricity), dependents(return))]
fn chain(x: &mut [f64], eccentricity: f64, text: &str) -> Result<f64, Trouble> {
    for i in 0..x.len() {
        x[i] = x[i] * x[i] * eccentricity;
    }
    let factor: f64 = text.parse()?;
    let mean = log_mean(&*x, factor)?;
    let mut sum = mean;
    for i in 0..x.len() {
        sum += kepler(x[i], eccentricity, 30)? * mean;
        x[i] = sum.sin();
    }
    Ok(sum * factor)
}

/// The same for what goes well.
#[adjoint(independents(x, eccentricity), dependents(return))]
fn smooth_chain(x: &mut [f64], eccentricity: f64, factor: f64) -> f64 {
    for i in 0..x.len() {
        x[i] = x[i] * x[i] * eccentricity;
    }
    let mean = log_mean_of_positive(&*x, factor);
    let mut sum = mean;
    for i in 0..x.len() {
        sum += converged(x[i], eccentricity) * mean;
        x[i] = sum.sin();
    }
    sum * factor
}

/// As many steps as it takes.
#[adjoint]
fn converged(mean: f64, eccentricity: f64) -> f64 {
    let mut e = mean;
    loop {
        let step = (e - eccentricity * e.sin() - mean) / (1.0 - eccentricity * e.cos());
        e -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    e
}

/// The larger root of a polynomial whose coefficients are roots of others.
#[adjoint]
fn nested_roots(a: f64, b: f64) -> Option<f64> {
    let inner = roots(1.0, b, a)?;
    let outer = roots(a, inner[1] * b, inner[0])?;
    Some(outer[1] * inner[0])
}

/// The result of another function as it is.
#[adjoint(independents(x))]
fn tail(x: &[f64], checks: bool) -> Result<f64, Failure> {
    if checks { log_mean(x, 2.0) } else { Ok(x[0] * x[0]) }
}

#[test]
fn failures_are_passed_on() {
    let start = [0.9, 1.2, 0.7];
    let (value, (by_x, by_eccentricity)) =
        chain::gradient(&mut start.clone(), 0.4, "1.5").expect("it goes well");
    let (expected, (expected_by_x, expected_by_eccentricity)) =
        smooth_chain::gradient(&mut start.clone(), 0.4, 1.5);
    assert_eq!((value, &by_x[..]), (expected, &expected_by_x[..]));
    assert_eq!(by_eccentricity, expected_by_eccentricity);
    let mut stack = Stack::new();
    let (mut x_b, mut eccentricity_b) = ([7.0; 3], 0.0);
    let mut run = |x: [f64; 3], text: &str| {
        let mut x = x;
        chain::adjoint_with(&mut stack, &mut x, &mut x_b, 0.4, &mut eccentricity_b, text, 1.0)
    };
    assert_eq!(run(start, "no number"), Err(Trouble::NoNumber));
    assert_eq!(run([0.9, 0.0, 0.7], "1.5"), Err(Trouble::Failed(Failure::Negative(0.0))));
    assert!(stack.is_empty());
    assert_eq!((x_b, eccentricity_b), ([7.0; 3], 0.0));
}

#[test]
fn options_are_passed_on() {
    let (value, (by_a, by_b)) = nested_roots::gradient(0.3, -2.0).expect("the roots are real");
    assert_eq!(Some(value), nested_roots(0.3, -2.0));
    let step = 1e-6;
    let slope = |a: f64, b: f64| {
        let at = |h: f64| nested_roots(0.3 + a * h, -2.0 + b * h).expect("close by");
        (at(step) - at(-step)) / (2.0 * step)
    };
    assert!((by_a - slope(1.0, 0.0)).abs() < 1e-6 * by_a.abs(), "{by_a}");
    assert!((by_b - slope(0.0, 1.0)).abs() < 1e-6 * by_b.abs(), "{by_b}");
    assert_eq!(nested_roots::gradient(3.0, 1.0), None);
    assert_eq!(tail::gradient(&X, true), log_mean::gradient(&X, 2.0).map(|(v, g)| (v, g.0)));
    assert_eq!(tail::gradient(&X, false), Ok((0.25, vec![1.0, 0.0, 0.0])));
    assert_eq!(tail::gradient(&[], true), Err(Failure::Empty));
}

/// The square root of something that may be negative.
#[adjoint]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    let mut s = x;
    for _ in 0..3 {
        s = s.sin() + x;
    }
    Some(s.sqrt())
}

/// The same computation with a joint call, and with a split one.
macro_rules! products {
    ($name:ident, $mode:ident) => {
        #[adjoint]
        fn $name(x: &[f64]) -> Option<f64> {
            let mut t = x[0];
            let mut s = 1.0;
            for i in 0..x.len() {
                #[$mode]
                let r = root(t * x[i])?;
                s *= r;
                t = s + x[i];
            }
            Some(s * t)
        }
    };
}

products!(joint, checkpoint);
products!(split, split);

#[test]
fn failures_pass_through_joint_calls() {
    let x = [0.7, 0.4, 1.1];
    let (value, gradient) = joint::gradient(&x).expect("all are positive");
    assert_eq!(Some((value, gradient.clone())), split::gradient(&x));
    for i in 0..x.len() {
        let at = |step: f64| {
            let mut x = x;
            x[i] += step;
            joint(&x).expect("close by")
        };
        let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!((gradient[i] - slope).abs() < 1e-7 * slope.abs(), "{} {slope}", gradient[i]);
    }
    assert_eq!(joint::gradient(&[0.7, -0.4, 1.1]), None);
}

/// A product that grows over a bound is none.
#[adjoint]
fn bounded(xs: &[f64], start: f64) -> f64 {
    let folded = xs.iter().try_fold(start, |product, &x| {
        let next = product * (0.5 + x.sin());
        if next < 40.0 { Some(next + x) } else { None }
    });
    match folded {
        Some(value) => value * value,
        None => start * xs[0],
    }
}

/// The rows after the one in which it ends are not looked at.
#[adjoint]
fn over_rows(xs: &[f64], width: usize, start: f64) -> f64 {
    let mut steps = 0;
    let mut seen = 0;
    let total = xs
        .chunks(width)
        .flat_map(|row| row.iter().map(|x| x * 2.0))
        .inspect(|_| seen += 1)
        .try_fold(start.sin(), |sum, x| {
            steps += 1;
            let next = sum + x * sum;
            if next > 40.0 { None } else { Some(next) }
        })
        .unwrap_or(start);
    total * f64::from(steps) + f64::from(seen) * start
}

#[adjoint]
fn counted_up(n: usize, a: f64) -> Result<f64, String> {
    let product =
        (0..n).try_fold(
            a,
            |product, k| {
                if product > 1e3 { Err(k) } else { Ok(product * (a + k as f64)) }
            },
        );
    let product = product.map_err(|_| format!("{n} are too many"))?;
    Ok(product.sqrt())
}

#[adjoint]
fn from_the_end(xs: &[f64]) -> Option<f64> {
    xs.iter().rev().skip(1).try_fold(
        1.0,
        |product, x| {
            if *x < 5.0 { Some(product * x) } else { None }
        },
    )
}

/// What is left of an iterator goes on behind the item at which the fold ends.
#[adjoint]
fn in_two_parts(xs: &[f64], start: f64) -> f64 {
    let mut items = xs.iter();
    let small =
        items.by_ref().try_fold(start, |s, x| if *x < 2.2 { Some(s + x * s) } else { None });
    let next = items.next().unwrap_or(&2.0);
    let mut rest = 0.0;
    for x in items {
        rest += x * x;
    }
    small.unwrap_or(1.0) * next + rest
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
}

#[test]
fn folds_that_may_end() {
    let lists: [&[f64]; 4] =
        [&[1.5, 2.5, 0.7], &[1.5, -2.5, 0.7, 2.0], &[0.3], &[9.0, 12.0, 3.0, 4.0, 5.0]];
    for (xs, start) in lists.into_iter().flat_map(|xs| [(xs, 0.8), (xs, 33.0)]) {
        let moved = |k: usize, x: f64| {
            let mut list = xs.to_vec();
            list[k] = x;
            list
        };
        type Function = fn(&[f64], f64) -> f64;
        type Gradient = fn(&[f64], f64) -> (f64, (Vec<f64>, f64));
        let cases: [(Function, Gradient); 3] = [
            (bounded, bounded::gradient),
            (in_two_parts, in_two_parts::gradient),
            (|xs, s| over_rows(xs, 2, s), |xs, s| over_rows::gradient(xs, 2, s)),
        ];
        for (function, gradient) in cases {
            let (value, (by_xs, by_start)) = gradient(xs, start);
            assert_eq!(value, function(xs, start));
            let expected = slope(|start| function(xs, start), start);
            approx::assert_relative_eq!(by_start, expected, max_relative = 1e-6, epsilon = 1e-6);
            for (k, found) in by_xs.into_iter().enumerate() {
                let expected = slope(|x| function(&moved(k, x), start), xs[k]);
                approx::assert_relative_eq!(found, expected, max_relative = 1e-6, epsilon = 1e-6);
            }
        }
    }
    for (n, a) in [(0, 1.2), (3, 1.2), (3, 2.3)] {
        let (value, by_a) = counted_up::gradient(n, a).unwrap();
        assert_eq!(Ok(value), counted_up(n, a));
        let expected = slope(|a| counted_up(n, a).unwrap(), a);
        approx::assert_relative_eq!(by_a, expected, max_relative = 1e-7);
    }
    assert_eq!(counted_up::gradient(9, 1.2), Err("9 are too many".to_owned()));
    assert_eq!(from_the_end::gradient(&[3.0, 8.0, 7.0]), None);
    assert_eq!(from_the_end::gradient(&[3.0, 2.5, 7.0]), Some((7.5, vec![2.5, 3.0, 0.0])));
}
