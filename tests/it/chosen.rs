//! References that are chosen: which of several parts of a list, which of several arrays.
#![allow(clippy::needless_late_init, reason = "the attribute meets code as people write it")]

use approx::assert_relative_eq;
use backsweep::adjoint;

const RISING: [f64; 3] = [1.0, 2.0, 3.0];
static FALLING: [f64; 3] = [3.0, 2.5, 1.0];
const FLAT: [f64; 3] = [1.5, 1.5, 1.5];

fn quadratic(x: f64, p: &[f64]) -> f64 {
    p[0] + x * (p[1] + x * p[2])
}

#[adjoint]
fn deferred(x: f64) -> f64 {
    let p: &[f64; 3];
    let q: &[f64; 3];
    if x > 3.0 {
        p = &RISING;
        q = &FALLING;
    } else if x > 2.0 {
        p = &FALLING;
        q = &FLAT;
    } else {
        p = &FLAT;
        q = &RISING;
    }
    let r = p[0] + x * (p[1] + x * p[2]);
    let s = q[0] + x * (q[1] + x * q[2]);
    r / s
}

#[adjoint]
fn deferred_in_loops(x: f64, a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        let p: &[f64; 2];
        match i % 3 {
            0 => p = a,
            1 => p = &FIXED,
            _ => p = b,
        }
        let same = p;
        sum += (i as f64 + 1.0) * p[0] * x + same[1] * x * x;
    }
    sum
}

const FIXED: [f64; 2] = [0.5, 0.25];

#[adjoint]
fn horner(x: f64, p: &[f64]) -> f64 {
    let mut value = 0.0;
    p.iter().rev().for_each(|&k| value = value * x + k);
    value
}

/// What is chosen goes on to others.
#[adjoint]
fn part(x: f64, coefficients: &[f64]) -> f64 {
    let coefficients = if coefficients.len() > 3 { &coefficients[1..4] } else { coefficients };
    assert!(!coefficients.is_empty() && coefficients[0].is_finite());
    horner(x, coefficients) * coefficients[coefficients.len() - 1]
}

#[adjoint]
fn of_several(x: f64, p: &[f64]) -> f64 {
    let chosen = match p.len() {
        0 | 1 => return x,
        2 => p,
        3 => &p[1..],
        n => {
            let half = n / 2;
            &p[half..]
        }
    };
    let mut sum = 0.0;
    for (i, &k) in chosen.iter().enumerate() {
        sum += k * k * x.powi(i as i32);
    }
    sum
}

#[adjoint]
fn of_rows(x: f64, rows: &[Vec<f64>], which: usize) -> f64 {
    let row = if which > 1 { &rows[which - 1] } else { &rows[0] };
    horner(x, row) + row[0] * x
}

#[adjoint]
fn typed(x: f64, a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let p: &[f64; 2] = if x > 1.0 { a } else { b };
    ends(x, p) * p[0]
}

#[adjoint]
fn ends(x: f64, p: &[f64; 2]) -> f64 {
    p[0] * x + p[1]
}

fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-6;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[test]
fn of_constants() {
    for x in [0.7, 2.4, 3.8] {
        let (value, x_g) = deferred::gradient(x);
        assert_eq!(value, deferred(x));
        assert_relative_eq!(x_g, difference(deferred, x), max_relative = 1e-7);
        assert_eq!(deferred::tangent(x, 1.0).0, value);
        assert_relative_eq!(deferred::tangent(x, 1.0).1, x_g, max_relative = 1e-14);
    }
    assert_eq!(deferred(3.8), quadratic(3.8, &RISING) / quadratic(3.8, &FALLING));
}

#[test]
fn of_variables_and_constants() {
    let (x, a, b) = (1.3, [0.4, -0.9], [1.7, 0.3]);
    let (value, (x_g, a_g, b_g)) = deferred_in_loops::gradient(x, &a, &b);
    assert_eq!(value, deferred_in_loops(x, &a, &b));
    // The iterations take a, the constant, b and a.
    assert_relative_eq!(x_g, difference(|x| deferred_in_loops(x, &a, &b), x), max_relative = 1e-8);
    assert_relative_eq!(a_g[0], 5.0 * x, max_relative = 1e-14);
    assert_relative_eq!(a_g[1], 2.0 * x * x, max_relative = 1e-14);
    assert_relative_eq!(b_g[0], 3.0 * x, max_relative = 1e-14);
    assert_relative_eq!(b_g[1], x * x, max_relative = 1e-14);
}

/// The gradient of a function of a list, by differences.
fn check(f: impl Fn(&[f64]) -> f64, p: &[f64], p_g: &[f64]) {
    assert_eq!(p.len(), p_g.len());
    for i in 0..p.len() {
        let at = |h: f64| {
            let mut p = p.to_vec();
            p[i] += h;
            f(&p)
        };
        assert_relative_eq!(p_g[i], difference(at, 0.0), max_relative = 1e-7, epsilon = 1e-9);
    }
}

#[test]
fn of_parts_of_a_list() {
    let x = 0.8;
    for p in [&[0.3, 1.2][..], &[0.3, 1.2, -0.7], &[0.3, 1.2, -0.7, 0.9], &[0.4; 7]] {
        let (value, (x_g, p_g)) = part::gradient(x, p);
        assert_eq!(value, part(x, p));
        assert_relative_eq!(x_g, difference(|x| part(x, p), x), max_relative = 1e-7);
        check(|p| part(x, p), p, &p_g);
        let (value, (x_g, p_g)) = of_several::gradient(x, p);
        assert_eq!(value, of_several(x, p));
        assert_relative_eq!(
            x_g,
            difference(|x| of_several(x, p), x),
            max_relative = 1e-7,
            epsilon = 1e-9
        );
        check(|p| of_several(x, p), p, &p_g);
    }
    assert_eq!(of_several::gradient(x, &[2.0]), (x, (1.0, vec![0.0])));
}

#[test]
fn of_rows_and_arrays() {
    let (x, rows) = (0.8, vec![vec![0.4, 0.7], vec![1.1, 0.2, -0.6], vec![0.9]]);
    for which in 0..4 {
        let row = which.max(1) - 1;
        let (value, (x_g, rows_g)) = of_rows::gradient(x, &rows, which);
        assert_eq!(value, of_rows(x, &rows, which));
        assert_relative_eq!(x_g, difference(|x| of_rows(x, &rows, which), x), max_relative = 1e-7);
        for (i, row_g) in rows_g.iter().enumerate() {
            let of_row = |p: &[f64]| match i == row {
                true => horner(x, p) + p[0] * x,
                false => 0.0,
            };
            check(of_row, &rows[i], row_g);
        }
    }
    let (a, b) = ([0.3, 0.6], [1.2, -0.4]);
    for x in [0.7, 1.4] {
        let (value, (x_g, a_g, b_g)) = typed::gradient(x, &a, &b);
        assert_eq!(value, typed(x, &a, &b));
        assert_relative_eq!(x_g, difference(|x| typed(x, &a, &b), x), max_relative = 1e-8);
        let of = |p: &[f64; 2]| [2.0 * p[0] * x + p[1], p[0]];
        let (none, [first, second]) = ([0.0; 2], if x > 1.0 { of(&a) } else { of(&b) });
        let (chosen, other) = if x > 1.0 { (a_g, b_g) } else { (b_g, a_g) };
        assert_relative_eq!(chosen[0], first, max_relative = 1e-14);
        assert_relative_eq!(chosen[1], second, max_relative = 1e-14);
        assert_eq!(other, none);
    }
}

#[adjoint]
fn one_of_two(a: &[f64], b: &[f64], x: f64) -> f64 {
    let p = if x > 1.0 { a } else { b };
    let mut sum = 0.0;
    for v in p {
        sum += v * x;
    }
    sum + p[0] * p.len() as f64
}

/// The shorter list first.
#[adjoint]
fn convolution(a: &[f64], b: &[f64]) -> Vec<f64> {
    let (short, long) = match a.len() > b.len() {
        true => (b, a),
        false => (a, b),
    };
    let windows = long.windows(short.len());
    windows.map(|w| w.iter().zip(short.iter().rev()).map(|(x, y)| x * y).sum()).collect()
}

/// With its type.
#[adjoint]
fn first_of_long_and_last_of_short<T>(a: &[T], b: &[T]) -> T
where
    T: std::ops::Mul<Output = T> + Copy,
{
    let (long, short): (&[T], &[T]) = match a.len() < b.len() {
        true => (b, a),
        false => (a, b),
    };
    long[0] * long[0] * short[short.len() - 1]
}

#[test]
fn of_different_lists_with_their_types() {
    let (a, b) = ([1.5, -0.5, 2.0], [0.25, 3.0]);
    for (a, b) in [(&a[..], &b[..]), (&b[..], &a[..])] {
        let (value, (a_b, b_b)) = first_of_long_and_last_of_short::gradient(a, b);
        assert_eq!(value, first_of_long_and_last_of_short(a, b));
        check(|a| first_of_long_and_last_of_short(a, b), a, &a_b);
        check(|b| first_of_long_and_last_of_short(a, b), b, &b_b);
    }
}

/// In a loop, a list of the function's own among them, and one that may be missing.
#[adjoint]
fn of_lists_that_come_and_go(a: &[f64], other: Option<&[f64]>, x: f64) -> f64 {
    let mut sum = x;
    for i in 0..4 {
        let own = vec![x, sum * x];
        let p: &[f64] = if i % 2 == 0 { &own } else { a };
        let q = other.unwrap_or(p);
        sum += p[0] * q[1] * x;
    }
    sum
}

#[test]
fn of_different_lists() {
    let (a, b) = ([1.5, -0.5, 2.0], [0.25, 3.0]);
    for x in [0.5, 2.0] {
        let (value, (a_b, b_b, x_b)) = one_of_two::gradient(&a, &b, x);
        assert_eq!(value, one_of_two(&a, &b, x));
        check(|a| one_of_two(a, &b, x), &a, &a_b);
        check(|b| one_of_two(&a, b, x), &b, &b_b);
        assert_relative_eq!(x_b, difference(|x| one_of_two(&a, &b, x), x), max_relative = 1e-8);
    }
    for (a, b) in [(&a[..], &b[..]), (&b[..], &a[..])] {
        let seed = vec![1.0, -2.0];
        let weighted = |a: &[f64], b: &[f64]| {
            convolution(a, b).iter().zip(&seed).map(|(v, s)| v * s).sum::<f64>()
        };
        let (mut a_b, mut b_b) = (vec![0.0; a.len()], vec![0.0; b.len()]);
        let value = convolution::adjoint(a, &mut a_b, b, &mut b_b, seed.clone());
        assert_eq!(value, convolution(a, b));
        check(|a| weighted(a, b), a, &a_b);
        check(|b| weighted(a, b), b, &b_b);
    }
}

#[test]
fn of_lists_in_loops_and_options() {
    let a = [1.5, -0.5, 2.0];
    for other in [None, Some(&[0.75, 1.25][..])] {
        let (value, (a_b, other_b, x_b)) = of_lists_that_come_and_go::gradient(&a, other, 0.8);
        assert_eq!(value, of_lists_that_come_and_go(&a, other, 0.8));
        check(|a| of_lists_that_come_and_go(a, other, 0.8), &a, &a_b);
        let of_x = difference(|x| of_lists_that_come_and_go(&a, other, x), 0.8);
        assert_relative_eq!(x_b, of_x, max_relative = 1e-8);
        assert_eq!(other_b.is_some(), other.is_some());
        if let (Some(other), Some(other_b)) = (other, other_b) {
            check(|other| of_lists_that_come_and_go(&a, Some(other), 0.8), other, &other_b);
        }
    }
}

/// Lists that are made on one way and copied on the other, and only referred to after that.
#[adjoint]
fn of_rows_or_copies(a: &[f64], rows: &[Vec<f64>], c: bool) -> f64 {
    let p: Vec<f64> = if c { rows[0].clone() } else { a.to_vec() };
    let q = &p;
    q[0]
}

#[test]
fn references_to_lists_that_are_made_on_one_way() {
    let (a, rows) = ([1.5, 2.0], [vec![0.5]]);
    let (value, (a_b, rows_b)) = of_rows_or_copies::gradient(&a, &rows, true);
    assert_eq!((value, a_b, rows_b), (0.5, vec![0.0; 2], vec![vec![1.0]]));
    let (value, (a_b, rows_b)) = of_rows_or_copies::gradient(&a, &rows, false);
    assert_eq!((value, a_b, rows_b), (1.5, vec![1.0, 0.0], vec![vec![0.0]]));
}
