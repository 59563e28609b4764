//! Items of `zip` and `enumerate` that go by one name, of which the fields are used.

use approx::assert_relative_eq;
use backsweep::adjoint;

/// Of a type that the macro does not see.
static WEIGHTS: &[f64] = &[0.5, -1.25, 2.0, 0.75];

struct Point {
    x: f64,
}

static POINTS: &[Point] = &[Point { x: 1.5 }, Point { x: -0.5 }];

fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-6;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[adjoint]
fn lanczos(x: f64) -> f64 {
    WEIGHTS.iter().enumerate().skip(1).fold(WEIGHTS[0], |s, t| s + t.1 / (t.0 as f64 + x))
}

#[adjoint]
fn of_loops(x: f64) -> f64 {
    let mut s = x;
    for t in WEIGHTS.iter().enumerate() {
        let u = t.1 * x;
        s += u * u / ((t).0 as f64 + x);
    }
    // What is hidden has another name.
    let t = x * x;
    for (k, t) in WEIGHTS.iter().zip(POINTS.iter()).enumerate() {
        s *= t.1.x + x * *t.0 * k as f64;
    }
    s * t
}

#[adjoint]
fn nested(x: f64) -> f64 {
    let pairs = WEIGHTS.iter().zip(POINTS.iter()).enumerate();
    pairs.map(|t| t.1.0 * x.powi(t.0 as i32) + t.1.1.x * x).sum()
}

/// Behind references, and moved out of one.
#[adjoint]
fn chosen(x: f64) -> f64 {
    let smaller: f64 = WEIGHTS
        .iter()
        .zip(POINTS.iter())
        .filter(|t| *t.0 < t.1.x)
        .map(|t| t.0 * x * x + t.1.x)
        .sum();
    let many: f64 =
        WEIGHTS.iter().enumerate().filter(|&t| t.0 as f64 > x && *t.1 > 0.0).map(|t| t.1 * x).sum();
    smaller + many
}

/// What the items refer to is changed, and their own names are found elsewhere, too.
#[adjoint]
fn changed(x: &[f64], y: &mut [f64]) {
    let t_0 = x[0];
    for t in y.iter_mut().zip(x) {
        *t.0 += t.1 * t.1 * t_0;
    }
    y.iter_mut().enumerate().for_each(|t| *t.1 *= x[t.0] + 1.0);
}

fn changed_by_hand(x: &[f64], y: &[f64], y_b: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut x_b, mut out) = (vec![0.0; x.len()], y_b.to_vec());
    for k in 0..x.len() {
        let sum = y[k] + x[k] * x[k] * x[0];
        let of_sum = y_b[k] * (x[k] + 1.0);
        x_b[k] += y_b[k] * sum + of_sum * 2.0 * x[k] * x[0];
        x_b[0] += of_sum * x[k] * x[k];
        out[k] = of_sum;
    }
    (x_b, out)
}

#[test]
fn the_fields_of_items_have_derivatives() {
    let x = 0.7;
    let agree = |function: fn(f64) -> f64, gradient: f64| {
        assert!(gradient.abs() > 1e-3);
        assert_relative_eq!(gradient, difference(function, x), max_relative = 1e-7);
    };
    agree(lanczos, lanczos::gradient(x).1);
    agree(of_loops, of_loops::gradient(x).1);
    agree(nested, nested::gradient(x).1);
    agree(chosen, chosen::gradient(x).1);
}

#[test]
fn what_items_refer_to_is_changed() {
    let (x, y) = ([0.5, -1.5, 2.0], [1.0, 0.25, -0.75]);
    let y_b = [0.3, -0.2, 0.9];
    let (mut x_b, mut out, mut seed) = ([0.0; 3], y, y_b);
    changed::adjoint(&x, &mut x_b, &mut out, &mut seed);
    let mut plain = y;
    changed(&x, &mut plain);
    assert_eq!(out, plain);
    let (by_hand, of_y) = changed_by_hand(&x, &y, &y_b);
    for k in 0..3 {
        assert_relative_eq!(x_b[k], by_hand[k], max_relative = 1e-14);
        assert_relative_eq!(seed[k], of_y[k], max_relative = 1e-14);
    }
}
