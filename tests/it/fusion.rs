//! Loops that run forwards and loops that run together: when, and with the same bits.

use ad_analysis::sweeps;
use backsweep::adjoint;
use std::panic::{AssertUnwindSafe, catch_unwind};
use syn::ItemFn;

/// The squared distance.
#[adjoint]
fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
}

/// A mean squared residual: three bars, one of a number that all iterations share.
#[adjoint(independents(t, y, k))]
fn misfit(t: &[f64], y: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for (t, y) in t.iter().zip(y) {
        let residual = y - (-k * t).exp();
        if residual.abs() < 0.3 {
            sum += residual * residual;
        } else {
            sum += 0.6 * residual.abs() - 0.09;
        }
    }
    sum / 3.0 + k
}

/// Reads an element that may not be there.
#[adjoint(independents(x))]
fn partial_sum(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i] * x[i];
    }
    sum
}

const X: [f64; 5] = [0.3, -0.7, 1.1, 0.0, 2.5];
const Y: [f64; 5] = [0.1, 0.9, 0.2, -0.4, 0.3];

#[test]
fn a_single_pass_has_the_bits_of_two_sweeps() {
    let mut bars = ([0.1; 5], [0.2; 5], 0.3);
    let value = misfit::adjoint(&X, &mut bars.0, &Y, &mut bars.1, 0.8, &mut bars.2, 1.7);
    let mut others = ([0.1; 5], [0.2; 5], 0.3);
    let (other_value, pullback) = misfit::pullback(&X, &Y, 0.8);
    pullback.call(&mut others.0, &mut others.1, &mut others.2, 1.7);
    assert_eq!((value.to_bits(), bars), (other_value.to_bits(), others));
    assert_eq!(value.to_bits(), misfit(&X, &Y, 0.8).to_bits());
    let (value, gradient) = distance::gradient(&X, &Y);
    assert_eq!(value.to_bits(), distance(&X, &Y).to_bits());
    for ((x, y), (x_g, y_g)) in X.iter().zip(Y).zip(gradient.0.iter().zip(&gradient.1)) {
        assert_eq!((*x_g, *y_g), (2.0 * (x - y), -2.0 * (x - y)));
    }
}

#[test]
fn a_panic_leaves_the_bars_as_they_are() {
    let mut x_b = [1.0; 5];
    let run = || partial_sum::adjoint(&X, &mut x_b, 6, 1.0);
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    assert_eq!(x_b, [1.0; 5]);
}

fn phases(function: &str) -> String {
    let function: ItemFn = syn::parse_str(function).unwrap_or_else(|e| panic!("{e}: {function}"));
    let arguments = "independents(x), dependents(return)".parse().expect("tokens");
    sweeps(arguments, &function).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn has_single_pass(body: &str) -> bool {
    phases(&format!("fn f(x: &[f64], y: &[f64], n: usize) -> f64 {{ {body} }}"))
        .contains("// single pass")
}

#[test]
fn sums_over_elements_take_a_single_pass() {
    for body in [
        "x.iter().map(|x| x * x).sum::<f64>()",
        "x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>() / 2.0",
        "let mut s = 0.0; for i in 0..x.len() { s += x[i].sin(); } s",
        "x.iter().map(|x| x.exp().ln_1p()).sum::<f64>()",
        "let mut s = 0.0; for v in x { if *v > 0.0 { s += v.ln(); } } 2.0 * s",
        "let mut s = 0.0; for v in x { if s < 1.0 { s += v * v; } } s",
        "let m = x.iter().sum::<f64>() / n as f64; x.iter().map(|v| (v - m).powi(2)).sum::<f64>()",
    ] {
        assert!(has_single_pass(body), "{body}");
    }
}

#[test]
fn what_stands_in_the_way_of_a_single_pass() {
    for (body, why) in [
        ("let mut s = 0.0; for i in 0..n { s += x[i] * x[i]; } s", "it may panic"),
        ("let mut s = 0.0; for v in x { s += v * v; } s.sqrt()", "the bar needs the sum"),
        ("let mut s = 0.0; for v in x { s += v * v; } s * x[0]", "it may panic afterwards"),
        ("let mut s = 1.0; for v in x { s *= v; } s", "iterations depend on each other"),
        ("let mut s = 0.0; for v in x { s = s * 0.5 + v; } s", "iterations depend on each other"),
        ("let mut s = 0.0; for v in x.iter().rev() { s = v * v - s; } s", "a recurrence"),
        ("let mut m = 0.0; for v in x { m = v * v; } m", "the last one counts"),
        (
            "let mut s = 0.0; for (v, c) in x.iter().zip(y) { s += v.clamp(0.0, *c); } s",
            "`clamp` panics",
        ),
    ] {
        assert!(!has_single_pass(body), "{body}: {why}");
    }
}

#[test]
fn independent_backward_loops_run_forwards() {
    let backward = |body: &str| {
        let text = phases(&format!("fn f(x: &[f64], y: &[f64], n: usize) -> f64 {{ {body} }}"));
        text.split("// backward").nth(1).expect("a backward sweep").to_owned()
    };
    let sum = backward("let mut s = 0.0; for i in 0..n { s += x[i] * x[i]; } s");
    assert!(sum.contains("in 0..n"), "{sum}");
    let neighbours = backward("let mut s = 0.0; for i in 1..n { s += x[i] * x[i - 1]; } s");
    assert!(neighbours.contains("in 1..n"), "{neighbours}");
    let product = backward("let mut s = 1.0; for i in 0..n { s *= x[i]; } s");
    assert!(product.contains(".rev()"), "{product}");
}
