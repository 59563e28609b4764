//! What `min` and `max` return is a truth value to the backward sweep: a bit is stored, and no operand; and what a call keeps says
//! by its type whether there is anything.

use backsweep::adjoint;
use testkit::storage::bytes_between_sweeps;

fn points(n: usize) -> Vec<f64> {
    (0..n).map(|k| ((k * k + 5 * k) as f64).sin()).collect()
}

#[adjoint]
fn nearest(x: &[f64], to: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    for i in 0..x.len() {
        nearest = nearest.min((x[i] - to) * (x[i] - to));
    }
    nearest
}

#[adjoint(no(cse))]
fn nearest_with_operands(x: &[f64], to: f64) -> f64 {
    let mut nearest = f64::INFINITY;
    for i in 0..x.len() {
        nearest = nearest.min((x[i] - to) * (x[i] - to));
    }
    nearest
}

#[test]
fn a_running_minimum_stores_a_bit_for_each_number() {
    let x = points(1000);
    let bytes = bytes_between_sweeps(|stack| {
        nearest::forward(stack, &x, 0.3);
    });
    // Beside what the entry stores for itself.
    assert!((125..=125 + 32).contains(&bytes), "{bytes}");
    let with_operands = bytes_between_sweeps(|stack| {
        nearest_with_operands::forward(stack, &x, 0.3);
    });
    assert!(with_operands >= 8 * 1000, "{with_operands}");
    assert_eq!(nearest::gradient(&x, 0.3), nearest_with_operands::gradient(&x, 0.3));
}

#[test]
fn ties_and_what_is_no_number_are_decided_as_the_operands_were() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let cases: [&[f64]; 7] = [
        &[1.0, 1.0],
        &[nan, 2.0, 1.0],
        &[2.0, nan, 1.0],
        &[1.0, 2.0, nan],
        &[nan],
        &[inf, 3.0],
        &[],
    ];
    for x in cases {
        let (value, (by_x, by_to)) = nearest::gradient(x, 0.5);
        let (other, (other_by_x, other_by_to)) = nearest_with_operands::gradient(x, 0.5);
        assert_eq!(value.to_bits(), other.to_bits(), "{x:?}");
        let bits = |list: &[f64]| list.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&by_x), bits(&other_by_x), "{x:?}");
        assert_eq!(by_to.to_bits(), other_by_to.to_bits(), "{x:?}");
    }
    // The first of two that are equal.
    assert_eq!(nearest::gradient(&[1.0, 1.0], 0.5).1.0, [1.0, 0.0]);
    assert_eq!(nearest::gradient(&[f64::NAN, 2.0, 1.0], 0.5).1.0, [0.0, 0.0, 1.0]);
}

/// Operands of operands, and one that is overwritten by what is made of it.
#[adjoint(independents(x, y), test(x: 0.7, y: 0.2), test(x: -0.7, y: 1.4), test(x: 2.0, y: 1.9))]
fn nested(x: f64, y: f64) -> f64 {
    let mut z = (x * y).sin().max(0.1 * x).min(y.max(x - y) * 2.0);
    for k in 1..4 {
        z = z.max(x * k as f64 - z * z);
        z *= 0.5 + y.min(z);
    }
    z
}

#[adjoint]
fn single(x: f32, y: f32) -> f32 {
    x.max(y * 2.0) * y.min(0.5)
}

#[test]
fn decisions_inside_of_decisions() {
    for (x, y) in [(0.7, 0.2), (-0.7, 1.4), (2.0, 1.9)] {
        let (value, (by_x, by_y)) = nested::gradient(x, y);
        let (same, along_x) = nested::tangent(x, 1.0, y, 0.0);
        let (_, along_y) = nested::tangent(x, 0.0, y, 1.0);
        assert_eq!(value, same);
        assert!((by_x - along_x).abs() < 1e-12 && (by_y - along_y).abs() < 1e-12, "{x} {y}");
    }
    assert_eq!(single::gradient(3.0, 0.25), (0.75, (0.25, 3.0)));
    assert_eq!(single::gradient(1.0, 4.0), (4.0, (0.0, 1.0)));
}

#[adjoint(independents(x), second_order)]
fn hinge(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let inside = (1.0 - x[i] * x[i]).max(0.0);
        sum += inside * inside;
    }
    sum
}

#[test]
fn second_derivatives_read_the_same_decisions() {
    let x = [0.5, 2.0, -0.25];
    let second = |x: f64| if x.abs() < 1.0 { 12.0 * x * x - 4.0 } else { 0.0 };
    assert_eq!(hinge::hessian_diagonal(&x), x.map(second));
    // Along the direction, the first number comes to 1 after a half.
    assert_eq!(hinge::validity(&x, &[1.0, 0.0, 0.0]).1, 0.75);
}

#[adjoint]
fn squared(x: f64) -> f64 {
    x * x
}

#[adjoint]
fn overlap(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let mut sum = 0.0;
    for i in 0..n {
        sum += x[i] * y[i];
    }
    sum
}

#[adjoint(independents(x))]
fn of_calls(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += squared(x[i]) + overlap(&x[i..], &x[..i]);
    }
    sum
}

#[test]
fn calls_that_keep_nothing_store_nothing() {
    let x = points(100);
    let of = |n: usize| {
        bytes_between_sweeps(|stack| {
            of_calls::forward(stack, &x[..n]);
        })
    };
    assert_eq!(of(100), of(2));
    let (_, by_x) = of_calls::gradient(&x);
    let step = 1e-6;
    for i in [0, 1, 50, 99] {
        let at = |change: f64| {
            let mut x = x.clone();
            x[i] += change;
            of_calls(&x)
        };
        let difference = (at(step) - at(-step)) / (2.0 * step);
        assert!((difference - by_x[i]).abs() < 1e-6, "{i}: {difference} {}", by_x[i]);
    }
}

/// Some callers have no use for a derivative with respect to the one, and some none for the other.
#[adjoint]
fn powers(x: f64, y: f64) -> f64 {
    let mut z = x;
    for _ in 0..3 {
        z *= z + y;
    }
    z
}

#[adjoint(independents(x, y), dependents(return))]
fn with_either(x: &[f64], y: &[f64], of_x: bool) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if of_x {
            sum += powers(x[i], 0.5);
        } else {
            sum += powers(0.5, y[i]) * powers(0.25, 0.75);
        }
    }
    sum
}

#[test]
fn what_is_kept_follows_the_activity_of_each_call() {
    let (x, y) = (points(5), points(5));
    for of_x in [true, false] {
        let (_, (by_x, by_y)) = with_either::gradient(&x, &y, of_x);
        let step = 1e-6;
        for i in 0..5 {
            let at = |change: f64, is_x: bool| {
                let (mut x, mut y) = (x.clone(), y.clone());
                (if is_x { &mut x } else { &mut y })[i] += change;
                with_either(&x, &y, of_x)
            };
            let along = |is_x| (at(step, is_x) - at(-step, is_x)) / (2.0 * step);
            assert!((along(true) - by_x[i]).abs() < 1e-7, "{i}");
            assert!((along(false) - by_y[i]).abs() < 1e-7, "{i}");
        }
    }
}
