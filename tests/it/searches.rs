//! Searches by comparisons are refused (`ui/searched.rs`). What looks like one, and is none, is not.

use approx::assert_relative_eq;
use backsweep::adjoint;

/// A step of Newton's method behind the search has the derivative of the root.
#[adjoint]
fn root(a: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle * middle > a {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    let x = 0.5 * (lo + hi);
    x - (x * x - a) / (2.0 * x)
}

#[test]
fn newton_behind_a_search() {
    let (value, a_b) = root::gradient(2.0);
    assert_relative_eq!(value, 2f64.sqrt(), max_relative = 1e-14);
    assert_relative_eq!(a_b, 0.5 / 2f64.sqrt(), max_relative = 1e-12);
}

/// A logarithm by halving: what is counted is a step.
#[adjoint]
fn binary_logarithm(a: f64) -> f64 {
    let (mut x, mut halvings) = (a, 0.0);
    while x > 1.0 {
        x *= 0.5;
        halvings += 1.0;
    }
    halvings + x.log2()
}

#[adjoint]
fn halvings(a: f64) -> f64 {
    let (mut x, mut halvings) = (a, 0.0);
    while x > 1.0 {
        x *= 0.5;
        halvings += 1.0;
    }
    halvings
}

#[test]
fn counts_are_steps() {
    let (value, a_b) = binary_logarithm::gradient(11.0);
    assert_relative_eq!(value, 11f64.log2(), max_relative = 1e-15);
    assert_relative_eq!(a_b, 1.0 / (11.0 * 2f64.ln()), max_relative = 1e-14);
    assert_eq!(halvings::gradient(11.0), (4.0, 0.0));
}

/// The steps are chosen by comparisons, the result depends on the independent by itself.
#[adjoint]
fn decayed(start: f64) -> f64 {
    let (mut t, mut step, mut y) = (0.0, 0.1, start);
    while t < 1.0 {
        let change = -y * step;
        if change.abs() > 0.01 {
            step *= 0.5;
        } else {
            y += change;
            t += step;
        }
    }
    y
}

#[test]
fn steps_on_the_way_are_no_results() {
    let (value, start_b) = decayed::gradient(1.5);
    // It is linear as long as the steps are the same.
    assert_relative_eq!(start_b, value / 1.5, max_relative = 1e-14);
}

/// The largest of some numbers, and where it is: an element of a list of constants is a step.
#[adjoint]
fn place_of_the_largest(values: &[f64], places: &[f64]) -> f64 {
    let (mut best, mut place) = (values[0], places[0]);
    for i in 1..values.len() {
        if values[i] > best {
            best = values[i];
            place = places[i];
        }
    }
    best * place
}

#[test]
fn choices_are_steps() {
    let (mut values_b, mut places_b) = ([0.0; 3], [0.0; 3]);
    let _ = place_of_the_largest::adjoint(
        &[1.0, 4.0, 2.0],
        &mut values_b,
        &[0.5, 0.25, 0.125],
        &mut places_b,
        1.0,
    );
    assert_eq!(values_b, [0.0, 0.25, 0.0]);
    assert_eq!(places_b, [0.0, 4.0, 0.0]);
}
