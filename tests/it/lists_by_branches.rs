//! Lists that are made in one of several ways, and returned.

use approx::assert_relative_eq;
use backsweep::adjoint;

#[adjoint]
fn deferred(n: usize, y: f64) -> (Vec<f64>, f64) {
    let a;
    if n == 0 {
        a = vec![y];
    } else {
        let mut v = vec![y; n];
        v[0] = y.sin();
        a = v;
    }
    (a, y)
}

#[adjoint]
fn pair(n: usize, y: f64) -> (Vec<f64>, Vec<f64>) {
    let (a, b) = if n == 0 {
        (vec![y], vec![y * y])
    } else {
        let mut v = vec![y; n];
        v[0] = y.sin();
        (v, vec![y; 2])
    };
    (a, b)
}

#[adjoint]
fn perhaps(n: usize, y: f64) -> Option<Vec<f64>> {
    let a;
    if n == 0 {
        a = vec![y];
    } else {
        let mut v = vec![y; n];
        v[0] = y.sin();
        a = v;
    }
    if y > 0.0 { Some(a) } else { None }
}

#[adjoint]
fn rows(n: usize, y: f64) -> Vec<Vec<f64>> {
    let a;
    if n == 0 {
        a = vec![y];
    } else {
        let mut v = vec![y; n];
        v[0] = y.sin();
        a = v;
    }
    vec![a]
}

#[adjoint]
fn extended(x: &[f64], n: usize) -> Vec<f64> {
    let w = if n == 0 {
        x.to_vec()
    } else {
        let mut w = x.to_vec();
        w.extend(x.iter().map(|t| t * t));
        w
    };
    #[allow(clippy::let_and_return)]
    w
}

#[adjoint]
fn out_of_a_block(n: usize, y: f64) -> (f64, Vec<f64>) {
    let a = 'b: {
        if n == 0 {
            break 'b vec![y];
        }
        let mut v = vec![y; n];
        v[0] = y.sin();
        v
    };
    (y, a)
}

#[allow(clippy::never_loop, reason = "a loop is a block here")]
#[adjoint]
fn out_of_a_loop(n: usize, y: f64) -> (f64, Vec<f64>) {
    let a = loop {
        if n == 0 {
            break vec![y];
        }
        let mut v = vec![y; n];
        v[0] = y.sin();
        break v;
    };
    (y, a)
}

#[adjoint]
fn collected(x: &[f64], y: f64) -> (f64, Vec<f64>) {
    let mut v: Vec<f64> = Vec::new();
    let mut s = y;
    for &t in x {
        v.push(t * s);
        s = s * t + 0.1;
    }
    let w = if s > 0.0 { v } else { x.to_vec() };
    (s, w)
}

#[adjoint(second_order)]
fn returned(n: usize, y: f64) -> Vec<f64> {
    if n == 0 {
        vec![y]
    } else {
        let mut v = vec![y; n];
        v[0] = y.sin();
        v
    }
}

fn slope(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    let h = 1e-4;
    (8.0 * (f(at + h) - f(at - h)) - (f(at + 2.0 * h) - f(at - 2.0 * h))) / (12.0 * h)
}

/// The adjoint for seeds of 1 and the slope of the sum of all results.
macro_rules! checked {
    ($function:ident($n:expr, $y:expr), $seed:expr, $sum:expr) => {{
        let (n, y) = ($n, $y);
        let mut y_b = 0.0;
        let value = $function::adjoint(n, y, &mut y_b, $seed);
        assert_eq!(value, $function(n, y));
        assert_relative_eq!(y_b, slope(|y| $sum($function(n, y)), y), max_relative = 1e-9);
    }};
}

fn total(list: &[f64]) -> f64 {
    list.iter().sum()
}

#[test]
fn derivatives_go_through_the_way_that_was_taken() {
    for n in [0, 3] {
        let len = n.max(1);
        let ones = vec![1.0; len];
        checked!(deferred(n, 0.7), (ones.clone(), 1.0), |(a, b): (Vec<f64>, f64)| total(&a) + b);
        let others = vec![1.0; if n == 0 { 1 } else { 2 }];
        checked!(pair(n, 0.7), (ones.clone(), others), |(a, b): (Vec<f64>, Vec<f64>)| {
            total(&a) + total(&b)
        });
        checked!(perhaps(n, 0.7), ones.clone(), |a: Option<Vec<f64>>| total(&a.unwrap()));
        checked!(rows(n, 0.7), vec![ones.clone()], |a: Vec<Vec<f64>>| total(&a[0]));
        checked!(out_of_a_block(n, 0.7), (1.0, ones.clone()), |(b, a): (f64, Vec<f64>)| {
            total(&a) + b
        });
        checked!(out_of_a_loop(n, 0.7), (1.0, ones.clone()), |(b, a): (f64, Vec<f64>)| {
            total(&a) + b
        });
        checked!(returned(n, 0.7), ones, |a: Vec<f64>| total(&a));
    }
    assert_eq!(perhaps::adjoint(2, -0.7, &mut 0.0, vec![]), None);
}

#[test]
fn lists_that_are_parameters_too() {
    let x = [0.5, -0.3, 0.9];
    for n in [0, 1] {
        let mut x_b = [0.0; 3];
        let value = extended::adjoint(&x, &mut x_b, n, vec![1.0; 3 + 3 * n]);
        assert_eq!(value, extended(&x, n));
        let expected = x.map(|x| if n == 0 { 1.0 } else { 1.0 + 2.0 * x });
        assert_relative_eq!(x_b[..], expected[..], max_relative = 1e-15);
    }
    for y in [1.0, -4.0] {
        let (mut x_b, mut y_b) = ([0.0; 3], 0.0);
        let value = collected::adjoint(&x, &mut x_b, y, &mut y_b, (1.0, vec![1.0; 3]));
        assert_eq!(value, collected(&x, y));
        let sum = |(s, w): (f64, Vec<f64>)| s + total(&w);
        assert_relative_eq!(y_b, slope(|y| sum(collected(&x, y)), y), max_relative = 1e-9);
        for i in 0..3 {
            let moved = |to: f64| {
                let mut x = x;
                x[i] = to;
                sum(collected(&x, y))
            };
            assert_relative_eq!(x_b[i], slope(moved, x[i]), max_relative = 1e-9);
        }
    }
}

/// The rows leave the loop in which they grow.
#[adjoint]
fn moved_out_of_a_loop(x: &[f64], n: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![x.to_vec()];
    let mut k = 0;
    let taken = loop {
        let squares: Vec<f64> = x.iter().map(|x| x * x).collect();
        rows.push(squares);
        k += 1;
        if k > n {
            break rows;
        }
    };
    taken[n][0] * taken[0][1]
}

/// There are no rows yet before the loop.
#[adjoint]
fn made_in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    let mut rows: Vec<Vec<f64>>;
    for k in 0..n {
        rows = vec![x.to_vec(); k + 1];
        rows[0].push(x[0] * x[1]);
        sum += rows[k][0] * rows[0][x.len()];
    }
    sum
}

/// Nothing in the loop asks for the lengths of the rows.
#[adjoint]
fn sorted_into_rows(x: &[f64], count: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); count];
    for (i, x) in x.iter().enumerate() {
        rows[i % count].push(x * x);
        rows[count - 1].push(x + 1.0);
    }
    rows.iter().map(|row| row.iter().product::<f64>()).sum()
}

#[test]
fn rows_that_grow_in_loops() {
    let x = [0.5, -0.3, 0.9];
    for n in [1, 2, 4] {
        for function in [0, 1, 2] {
            let f = |x: &[f64]| match function {
                0 => moved_out_of_a_loop(x, n),
                1 => made_in_a_loop(x, n),
                _ => sorted_into_rows(x, n),
            };
            let (value, gradient) = match function {
                0 => moved_out_of_a_loop::gradient(&x, n),
                1 => made_in_a_loop::gradient(&x, n),
                _ => sorted_into_rows::gradient(&x, n),
            };
            assert_eq!(value, f(&x));
            for i in 0..3 {
                let moved = |to: f64| {
                    let mut x = x;
                    x[i] = to;
                    f(&x)
                };
                let expected = slope(moved, x[i]);
                assert_relative_eq!(gradient[i], expected, max_relative = 1e-8, epsilon = 1e-11);
            }
        }
    }
}
