//! What names mean: variables in capitals and other scripts, constants and variants in patterns, what closures hide.
#![allow(clippy::redundant_pattern, reason = "it tells a variable from a constant")]

use approx::assert_relative_eq;
use backsweep::adjoint;

#[adjoint]
#[allow(non_snake_case)]
fn capitals(x: f64) -> f64 {
    let K = x * x;
    let (A, mut B) = (K * 2.0, x);
    B += A;
    assert!(K > 0.0, "{K}");
    let F = |X: f64| X * K;
    F(B) + A
}

#[test]
fn variables_in_capitals() {
    // K = x², A = 2x², B = x + 2x², f = B K + A = x³ + 2x⁴ + 2x²
    assert_eq!(capitals::gradient(2.0), (48.0, 12.0 + 64.0 + 8.0));
}

#[adjoint(independents(x))]
#[allow(non_snake_case)]
fn capitals_in_patterns(x: f64, n: i32, N: usize) -> f64 {
    let y = match n {
        0 => x,
        M @ _ => x * M as f64,
    };
    let mut s = 0.0;
    for I in 0..N {
        s += y * I as f64;
    }
    s
}

#[test]
fn capitals_that_are_bound_with_at() {
    assert_eq!(capitals_in_patterns(2.0, 5, 3), 30.0);
    assert_eq!(capitals_in_patterns::gradient(2.0, 5, 3), (30.0, 15.0));
    assert_eq!(capitals_in_patterns::gradient(2.0, 0, 3), (6.0, 3.0));
}

#[adjoint(independents(x))]
fn other_scripts(x: f64, n: i32) -> f64 {
    let 変数 = x * x;
    match n {
        0 => 変数,
        数 => 変数 * 数 as f64,
    }
}

#[test]
fn variables_in_other_scripts() {
    assert_eq!(other_scripts::gradient(3.0, 0), (9.0, 6.0));
    assert_eq!(other_scripts::gradient(3.0, 2), (18.0, 12.0));
}

const THIRD: i32 = 2;

#[adjoint(independents(x))]
fn constants(x: f64, n: i32) -> f64 {
    match n % 3 {
        THIRD => x,
        0 => x * x,
        other => x * other as f64,
    }
}

#[test]
fn constants_in_patterns() {
    assert_eq!(constants::gradient(3.0, 2), (3.0, 1.0));
    assert_eq!(constants::gradient(3.0, 3), (9.0, 6.0));
    assert_eq!(constants::gradient(3.0, 4), (3.0, 1.0));
}

#[allow(non_upper_case_globals)]
const third: usize = 2;
#[allow(non_upper_case_globals)]
const half: f64 = 0.5;

#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
pub enum Pace {
    fast,
    Slow(f64),
    Named { by: usize },
}
use Pace::{Slow, fast};

/// Constants and variants in lower case: a variable would leave nothing to the arms below, or not be bound by all alternatives.
#[adjoint(independents(x), passive(pace))]
#[allow(non_upper_case_globals)]
fn constants_in_lower_case(x: &[f64], n: usize, pace: Pace) -> f64 {
    const last: usize = 3;
    let y = match (n % 4, n % 2) {
        (third, _) => x[0] * x[0],
        (last, _) => x[0] * x[1],
        (_, 0) => x[1] * 5.0,
        _ => x[1],
    };
    let z = match pace {
        fast | Pace::Named { .. } => y,
        Slow(by) => by * y * y,
    };
    let v = match pace {
        fast => 2.0,
        Slow(_) => 3.0,
        Pace::Named { by } => by as f64,
    };
    let w = match x[0] {
        half => x[1],
        _ => z,
    };
    let w = match [0.5].first().and_then(|v: &f64| v.partial_cmp(&1.0)) {
        Some(std::cmp::Ordering::Less) | None => w,
        Some(_) => 0.0,
    };
    z * v + w
}

#[test]
fn constants_are_told_by_their_places() {
    let (a, b) = (2.0, 3.0);
    let named = Pace::Named { by: 7 };
    let f = |n, pace| constants_in_lower_case::gradient(&[a, b], n, pace);
    assert_eq!(f(2, fast), (a * a * 3.0, vec![6.0 * a, 0.0]));
    assert_eq!(f(3, named), (a * b * 8.0, vec![8.0 * b, 8.0 * a]));
    assert_eq!(f(4, fast), (b * 5.0 * 3.0, vec![0.0, 15.0]));
    assert_eq!(f(5, Slow(0.5)), (0.5 * b * b * 4.0, vec![0.0, 4.0 * b]));
    assert_eq!(constants_in_lower_case::gradient(&[0.5, b], 5, fast), (b * 3.0, vec![0.0, 3.0]));
}

/// Variables in capitals: a constant would leave numbers without an arm, and one letter that is used is a variable.
#[adjoint(independents(x), passive(pace))]
#[allow(non_snake_case)]
fn variables_in_patterns(x: f64, n: usize, pace: Pace) -> f64 {
    let y = match n {
        0..=4 => x * x,
        COUNT => x * COUNT as f64,
    };
    let z = match pace {
        Slow(T) => T * y,
        _ => y,
    };
    if let Pace::Named { by: N } = pace { z * N as f64 } else { z }
}

#[test]
fn variables_are_told_by_their_places() {
    assert_eq!(variables_in_patterns::gradient(3.0, 2, fast), (9.0, 6.0));
    assert_eq!(variables_in_patterns::gradient(3.0, 6, Slow(0.5)), (9.0, 3.0));
    assert_eq!(variables_in_patterns::gradient(3.0, 6, Pace::Named { by: 2 }), (36.0, 12.0));
}

type Outcome<T> = std::result::Result<T, String>;
use Outcome as Result;

/// Constructors behind the names of their types.
#[adjoint(independents(x))]
fn constructors(x: &[f64], n: usize) -> f64 {
    let r: Result<f64> = if n > 3 { Result::Ok(x[0] * x[1]) } else { Result::Err("no".to_owned()) };
    let o: Option<f64> = if n > 2 { std::option::Option::Some(x[1]) } else { Option::None };
    r.unwrap_or(x[0]) * o.unwrap_or(2.0)
}

#[test]
fn constructors_behind_their_types() {
    let (a, b) = (2.0, 3.0);
    assert_eq!(constructors::gradient(&[a, b], 2), (a * 2.0, vec![2.0, 0.0]));
    assert_eq!(constructors::gradient(&[a, b], 3), (a * b, vec![b, a]));
    assert_eq!(constructors::gradient(&[a, b], 4), (a * b * b, vec![b * b, 2.0 * a * b]));
}

#[derive(Clone, Copy)]
pub enum Kind {
    Power(i32),
    Scale(f64),
    Root { of: f64 },
    Same,
}
use Kind::*;

#[adjoint(independents(x), passive(k))]
fn imported(x: f64, k: Kind) -> f64 {
    match k {
        Power(n) => x.powi(n),
        Scale(s) => x * s,
        Root { of } => (x * of).sqrt(),
        Same => x,
    }
}

#[adjoint(independents(x), passive(k))]
fn imported_one(x: f64, k: Kind) -> f64 {
    let y = if let Scale(s) = k { x * s } else { x };
    let z = match k {
        Power(n) => y.powi(n),
        _ => y,
    };
    let Root { of } = k else { return z };
    z * of
}

#[test]
fn variants_without_their_enum() {
    assert_eq!(imported::gradient(3.0, Power(2)), (9.0, 6.0));
    assert_eq!(imported::gradient(3.0, Scale(2.5)), (7.5, 2.5));
    assert_eq!(imported::gradient(3.0, Root { of: 3.0 }), (3.0, 0.5));
    assert_eq!(imported::gradient(3.0, Same), (3.0, 1.0));
    assert_eq!(imported_one::gradient(3.0, Power(2)), (9.0, 6.0));
    assert_eq!(imported_one::gradient(3.0, Scale(2.5)), (7.5, 2.5));
    assert_eq!(imported_one::gradient(3.0, Root { of: 2.0 }), (6.0, 2.0));
    assert_eq!(imported_one::gradient(3.0, Same), (3.0, 1.0));
}

#[adjoint]
fn widths(x: f64, n: usize) -> f64 {
    let w = n;
    let k = w * 2;
    let w = w + 7;
    let s = format!("{:w$}", 1);
    let t = format!("{w:>0$}", 4);
    let q: usize = s.len() + k + t.len();
    x * x * q as f64
}

#[test]
fn the_width_is_the_variable_in_scope() {
    // w = 9, k = 4, and four characters.
    assert_eq!(widths::gradient(3.0, 2), (9.0 * 17.0, 6.0 * 17.0));
}

#[adjoint(independents(x), passive(xs))]
fn closure_that_hides(x: &[f64], xs: &[Option<usize>]) -> f64 {
    let mut best: Option<usize> = None;
    for (i, t) in x.iter().enumerate() {
        if *t > 0.5 {
            best = Some(i);
        }
    }
    let k: usize = xs.iter().map(|best| best.unwrap_or(1)).sum::<usize>();
    x[0] * x[1] * k as f64 + x[best.unwrap()]
}

#[test]
fn a_parameter_of_a_closure_hides_an_option() {
    let xs = [Some(3), None, Some(5)];
    let (value, gradient) = closure_that_hides::gradient(&[0.3, 0.7], &xs);
    assert_relative_eq!(value, 0.3 * 0.7 * 9.0 + 0.7, max_relative = 1e-15);
    assert_relative_eq!(gradient[0], 6.3, max_relative = 1e-15);
    assert_relative_eq!(gradient[1], 3.7, max_relative = 1e-15);
}

#[adjoint]
#[allow(non_snake_case)]
fn Pressure(t: f64) -> f64 {
    t * t
}

#[adjoint]
#[allow(non_snake_case)]
fn of_functions_in_capitals(t: f64, x: f64) -> f64 {
    let P = Pressure(t);
    if t > 1.0 { x * Pressure(t + 1.0) + P.sin() } else { Pressure(P) }
}

#[test]
fn functions_in_capitals() {
    let (value, (t, x)) = of_functions_in_capitals::gradient(2.0, 3.0);
    assert_relative_eq!(value, 27.0 + 4.0_f64.sin(), max_relative = 1e-15);
    assert_relative_eq!(t, 18.0 + 4.0 * 4.0_f64.cos(), max_relative = 1e-15);
    assert_eq!(x, 9.0);
    assert_eq!(of_functions_in_capitals::gradient(0.5, 3.0), (0.0625, (0.5, 0.0)));
}

/// Parameters in capitals that variables hide.
#[adjoint]
#[allow(non_snake_case)]
fn parameters_in_capitals(T: f64, H: &[f64], mut R: f64, B: Option<&[f64]>, N: usize) -> f64 {
    let N = N + 1;
    let T = T * T;
    let H = &H[1..];
    R += T;
    {
        let R = R * 2.0;
        if R > 30.0 {
            return R;
        }
    }
    let B = B.unwrap_or(H);
    R * H[0] * N as f64 + B[0]
}

#[test]
fn parameters_in_capitals_may_be_hidden() {
    let h = [7.0, 2.0];
    let (value, (t_b, h_b, r_b, b_b)) = parameters_in_capitals::gradient(3.0, &h, 1.0, None, 1);
    assert_eq!(value, parameters_in_capitals(3.0, &h, 1.0, None, 1));
    assert_eq!((value, t_b, r_b, h_b), (42.0, 24.0, 4.0, vec![0.0, 21.0]));
    assert_eq!(b_b, None);
    let (value, (t_b, h_b, r_b, b_b)) =
        parameters_in_capitals::gradient(4.0, &h, 1.0, Some(&[5.0]), 1);
    assert_eq!((value, t_b, r_b, h_b), (34.0, 16.0, 2.0, vec![0.0, 0.0]));
    assert_eq!(b_b, Some(vec![0.0]));
}

/// The same of parameters that are moved, and of one that is written.
#[adjoint]
#[allow(non_snake_case)]
fn lists_in_capitals(A: Vec<f64>, M: &mut [f64]) -> f64 {
    let A = A[0] * A[1];
    let M = &mut M[1..];
    M[0] *= A;
    M[0] + A
}

#[test]
fn lists_in_capitals_may_be_hidden() {
    let (mut m, mut m_b, mut a_b) = ([5.0, 2.0], [1.0, 10.0], vec![0.0; 2]);
    let value = lists_in_capitals::adjoint(vec![3.0, 4.0], &mut a_b, &mut m, &mut m_b, 1.0);
    assert_eq!((value, m), (36.0, [5.0, 24.0]));
    // 11 · 2 · A + A, with A = 12
    assert_eq!((m_b, a_b), ([1.0, 11.0 * 12.0], vec![23.0 * 4.0, 23.0 * 3.0]));
}
