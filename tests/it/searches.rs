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

/// The slope of a function at a point, by differences that err by the fourth power of their step.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-3 * x.abs().max(1e-2);
    (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

/// Both means compute with what they come from, and how far the loop goes is compared.
#[adjoint]
fn mean_of_means(a: f64, b: f64, tolerance: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    while (a - b).abs() > tolerance {
        let mean = 0.5 * (a + b);
        b = (a * b).sqrt();
        a = mean;
    }
    a
}

/// The ends of the interval carry derivatives, and a step of Newton's method has nothing of them.
#[adjoint]
fn polished(a: f64, mut lo: f64, mut hi: f64, tolerance: f64) -> f64 {
    while hi - lo > tolerance {
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
fn ends_of_intervals_that_are_computed_with() {
    let (_, slopes) = mean_of_means::gradient(2.0, 3.0, 1e-9);
    assert_relative_eq!(slopes.0, slope(|a| mean_of_means(a, 3.0, 1e-9), 2.0), max_relative = 1e-9);
    assert_relative_eq!(slopes.1, slope(|b| mean_of_means(2.0, b, 1e-9), 3.0), max_relative = 1e-9);
    assert_eq!(slopes.2, 0.0);
    let (_, slopes) = polished::gradient(2.0, 0.5, 2.0, 1e-12);
    assert_relative_eq!(slopes.0, 0.5 / 2f64.sqrt(), max_relative = 1e-11);
    assert!(slopes.1.abs() < 1e-11 && slopes.2.abs() < 1e-11 && slopes.3 == 0.0, "{slopes:?}");
}

/// A step is taken as a tolerance has it, which the result depends on by that alone.
#[adjoint]
fn decayed_within(start: f64, tolerance: f64) -> f64 {
    let (mut t, mut step, mut y) = (0.0, 0.1, start);
    while t < 1.0 {
        let coarse = y - step * y;
        let half = y - 0.5 * step * y;
        let fine = half - 0.5 * step * half;
        if (fine - coarse).abs() < tolerance {
            y = fine;
            t += step;
        } else {
            step *= 0.5;
        }
    }
    y
}

/// What is compared is nothing but the two numbers.
#[adjoint]
fn common_measure(mut a: f64, mut b: f64) -> f64 {
    while a > 1e-3 && b > 1e-3 {
        if a > b {
            a -= b;
        } else {
            b -= a;
        }
    }
    a + b
}

/// Each is chosen, and computed of what comes in.
#[adjoint]
fn two_largest(values: &[f64]) -> f64 {
    let (mut first, mut second) = (values[0], values[0]);
    for &value in values {
        if value > first {
            second = first;
            first = value;
        } else if value > second {
            second = value;
        }
    }
    first * second
}

#[test]
fn what_is_chosen_and_computed_with() {
    let (value, (start_b, _)) = decayed_within::gradient(1.5, 0.003);
    assert_relative_eq!(start_b, value / 1.5, max_relative = 1e-14);
    // 1.25 = 5 · 0.25 and 0.75 = 3 · 0.25: what is left is 2b - a, the other is 0 but for rounding.
    let (value, (a_b, b_b)) = common_measure::gradient(1.25, 0.75);
    assert_eq!((value, 1.25 * a_b + 0.75 * b_b), (0.25, 0.25));
    let mut values_b = [0.0; 4];
    let value = two_largest::adjoint(&[1.0, 4.0, 2.0, 3.0], &mut values_b, 1.0);
    assert_eq!((value, values_b), (12.0, [0.0, 3.0, 0.0, 4.0]));
}

#[adjoint]
fn cubic(t: f64, a: f64, b: f64) -> f64 {
    t * t * t + a * t - b - 1.0
}

/// Newton's method with an interval to fall back on computes with what it compares.
#[adjoint]
fn safeguarded(a: f64, b: f64, k: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 3.0);
    let mut t = 1.5;
    for _ in 0..100 {
        let value = cubic(t, a, b);
        if value > 0.0 {
            hi = t;
        } else {
            lo = t;
        }
        let newton = t - value / (3.0 * t * t + a);
        let next = if newton > lo && newton < hi { newton } else { 0.5 * (lo + hi) };
        if (next - t).abs() < 1e-15 {
            break;
        }
        t = next;
    }
    t * k
}

/// A step behind a search, and what it is mixed with behind that.
#[adjoint]
fn stepped(a: f64, b: f64, k: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 3.0);
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if cubic(middle, a, b) > 0.0 {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    let t = 0.5 * (lo + hi);
    #[passive]
    let slope = 3.0 * t * t + a;
    let t = t - cubic(t, a, b) / slope;
    t * k + t.sin()
}

/// Time and steps of an integration are on the way to its result, also where a loop around it asks for several.
#[adjoint]
fn integrated(rate: f64, start: f64) -> f64 {
    let (mut t, mut step, mut y, mut sum) = (0.0, 0.25, start, 0.0);
    for k in 1..4 {
        let end = k as f64 * 0.5;
        while t < end {
            let change = step * rate * y * (1.0 + t);
            if change.abs() > 0.4 {
                step *= 0.5;
            } else {
                y += change;
                t += step;
            }
        }
        sum += y;
    }
    sum
}

#[test]
fn methods_that_compute_with_what_they_compare() {
    let check = |root: fn(f64, f64, f64) -> f64, gradient: (f64, f64, f64)| {
        assert_relative_eq!(gradient.0, slope(|a| root(a, 0.7, 1.1), 0.3), max_relative = 1e-8);
        assert_relative_eq!(gradient.1, slope(|b| root(0.3, b, 1.1), 0.7), max_relative = 1e-8);
        assert_relative_eq!(gradient.2, slope(|k| root(0.3, 0.7, k), 1.1), max_relative = 1e-8);
    };
    check(safeguarded, safeguarded::gradient(0.3, 0.7, 1.1).1);
    check(stepped, stepped::gradient(0.3, 0.7, 1.1).1);
}

#[test]
fn steps_of_loops_in_loops_are_no_results() {
    let (_, slopes) = integrated::gradient(0.4, 1.2);
    assert_relative_eq!(slopes.0, slope(|r| integrated(r, 1.2), 0.4), max_relative = 1e-8);
    assert_relative_eq!(slopes.1, slope(|s| integrated(0.4, s), 1.2), max_relative = 1e-8);
}

/// At the place of a minimum, which is searched, the value does not depend on the place.
#[adjoint]
fn least(a: f64, b: f64) -> f64 {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let cost = |t: f64| (t - a).powi(2) + b * t;
    let (mut lo, mut hi) = (-2.0, 2.0);
    for _ in 0..60 {
        let (c, d) = (hi - ratio * (hi - lo), lo + ratio * (hi - lo));
        if cost(c) < cost(d) {
            hi = d;
        } else {
            lo = c;
        }
    }
    #[passive]
    let t = 0.5 * (lo + hi);
    cost(t)
}

#[test]
fn places_that_do_not_matter_are_marked() {
    let (_, slopes) = least::gradient(0.3, 0.7);
    // The place is exact to the square root of the precision of the value.
    assert_relative_eq!(slopes.0, slope(|a| least(a, 0.7), 0.3), max_relative = 1e-6);
    assert_relative_eq!(slopes.1, slope(|b| least(0.3, b), 0.7), max_relative = 1e-6);
}

/// The weights that are summed are chosen by the values, and nothing of them is compared.
#[adjoint]
fn weighted(x: &[f64]) -> f64 {
    let (mut total, mut weights, mut weight) = (0.0, 0.0, 1.0);
    for v in x {
        if *v > 0.5 {
            total += v * weight;
            weights += weight;
        }
        weight *= 0.9;
    }
    total / weights
}

#[test]
fn sums_of_chosen_terms_do_not_search() {
    let x = [0.3, 0.7, 1.1, 0.2, 0.9];
    let (_, gradient) = weighted::gradient(&x);
    for (i, slope_i) in gradient.into_iter().enumerate() {
        let along = |v: f64| {
            let mut moved = x;
            moved[i] = v;
            weighted(&moved)
        };
        assert_relative_eq!(slope_i, slope(along, x[i]), max_relative = 1e-8, epsilon = 1e-12);
    }
}
