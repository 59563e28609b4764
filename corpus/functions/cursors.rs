//! Iterators with a name, iterators advanced by hand, references that are assigned again.

use backsweep::adjoint;

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3])]
pub fn first_element_apart(x: &[f64]) -> f64 {
    let mut rest = x.iter();
    let mut average = *rest.next().unwrap();
    for &v in rest {
        average = 0.8 * average + 0.2 * v * v;
    }
    average
}

/// Horner's scheme, from the highest coefficient on.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3], 0.9)]
pub fn horner(coefficients: &[f64], x: f64) -> f64 {
    let mut from_the_highest = coefficients.iter().rev().copied();
    let mut value = from_the_highest.next().expect("a coefficient");
    let mut slope = 0.0;
    for c in from_the_highest {
        slope = slope * x + value;
        value = value * x + c;
    }
    value + slope * slope
}

/// Two elements at a time, and one that may be missing.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3])]
#[sample([0.7, -0.4, 1.1])]
#[sample([])]
pub fn pairs_by_hand(x: &[f64]) -> f64 {
    let mut elements = x.iter();
    let mut s = 1.0;
    while let Some(a) = elements.next() {
        let b = elements.next().copied().unwrap_or(0.5);
        s = s * a + b * b;
    }
    s
}

#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 2.0])]
pub fn from_both_ends(x: &[f64]) -> f64 {
    let mut scaled = x.iter().map(|v| v * x[0]).enumerate();
    let (_, first) = scaled.next().unwrap();
    let (at, last) = scaled.next_back().expect("more than one");
    scaled.next();
    let mut s = first * last * at as f64;
    while let Some((k, v)) = scaled.next_back() {
        s = s * 0.5 + v * v * k as f64;
    }
    s
}

/// What one loop leaves, the next one takes.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3, 2.0, 0.2])]
#[sample([0.7, 0.4, 0.9])]
pub fn parts_of_one_iterator(x: &[f64]) -> f64 {
    let mut elements = x.iter();
    let head: f64 = elements.by_ref().take_while(|v| **v < 1.0).map(|v| v * v).sum();
    let mut s = head;
    for v in elements.by_ref() {
        s *= 1.0 + v;
        if *v > 1.0 {
            break;
        }
    }
    s + elements.map(|v| v.exp()).sum::<f64>()
}

/// Two sorted lists side by side, until one of them ends.
#[adjoint]
#[sample([0.7, 0.9, 1.1], [0.2, 2.0])]
#[sample([0.7], [0.2, 2.0])]
pub fn side_by_side(a: &[f64], b: &[f64]) -> f64 {
    let (mut left, mut right) = (a.iter(), b.iter());
    let mut s = 0.0;
    while let (Some(u), Some(v)) = (left.next(), right.next()) {
        s = s * 0.7 + u * v;
    }
    s + left.chain(right).map(|t| t * t).sum::<f64>()
}

#[adjoint]
#[sample([0.7, 0.9, 1.1], [0.2, 2.0, 0.6])]
pub fn iterators_with_names(x: &[f64], y: &[f64]) -> f64 {
    let squares = x.iter().map(|v| v * v);
    let pairs = squares.clone().zip(y);
    let large = x.iter().zip(y).filter(|(a, b)| a > b).map(|(a, b)| a - b);
    let powers = std::iter::successors(Some(1.0), |p| Some(p * y[0])).take(4);
    let norm: f64 = squares.sum::<f64>().sqrt();
    pairs.map(|(a, b)| a * b / norm).sum::<f64>() + large.product::<f64>() + powers.sum::<f64>()
}

/// An iterator per row, made and used up in a loop.
#[adjoint]
#[sample([0.7, 0.9, 1.1, 0.2, 2.0, 0.6])]
pub fn continued_fractions(terms: &[f64]) -> f64 {
    let mut product = 1.0;
    for row in terms.chunks(3) {
        let mut back = row.iter().rev();
        let mut value = *back.next().unwrap();
        while let Some(term) = back.next() {
            value = term + 1.0 / value;
        }
        product *= value;
    }
    product
}

#[adjoint]
#[sample([0.7, 0.9, 1.1, 0.2, 2.0, 0.6])]
pub fn a_slice_that_shrinks(x: &[f64]) -> f64 {
    let mut rest = &x[..];
    let mut s = 0.0;
    while rest.len() > 1 {
        s = s * 0.5 + rest[0] * rest[rest.len() - 1];
        rest = &rest[1..rest.len() - 1];
    }
    s
}

#[adjoint]
#[sample([0.7, 0.9, 1.1, 0.2])]
pub fn a_parameter_that_shrinks(mut x: &[f64]) -> f64 {
    let mut s = 0.0;
    while !x.is_empty() {
        let head = x[0];
        x = &x[1..];
        s = s * 0.5 + head * head;
        for v in x {
            s += head * v;
        }
    }
    s
}

/// A table is halved until one interval is left.
#[adjoint]
#[sample([0.0, 1.0, 2.5, 4.0, 7.0], [1.0, 0.5, 2.0, 3.0, -1.0], 3.1)]
#[sample([0.0, 1.0, 2.5, 4.0, 7.0], [1.0, 0.5, 2.0, 3.0, -1.0], 0.4)]
pub fn interpolated_by_halving(x: &[f64], y: &[f64], at: f64) -> f64 {
    let (mut xs, mut ys): (&[f64], &[f64]) = (x, y);
    while xs.len() > 2 {
        let middle = xs.len() / 2;
        if at < xs[middle] {
            xs = &xs[..=middle];
            ys = &ys[..=middle];
        } else {
            xs = &xs[middle..];
            ys = &ys[middle..];
        }
    }
    let t = (at - xs[0]) / (xs[1] - xs[0]);
    ys[0] * (1.0 - t) + ys[1] * t
}

/// The best row, and the larger half of it.
#[adjoint]
#[sample([[0.7, 0.9], [1.1, 0.2], [-2.0, 0.6]])]
pub fn references_to_the_best(rows: &[[f64; 2]]) -> f64 {
    let mut best = &rows[0];
    for row in rows {
        if row[0] * row[1] < best[0] * best[1] {
            best = row;
        }
    }
    let mut half: &[f64] = best;
    half = if half[0] > half[1] { &half[..1] } else { &half[1..] };
    best[0] * best[1] + half[0].exp()
}
