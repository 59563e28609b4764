//! `Option` and `Result`, inside of functions and between them.

use backsweep::adjoint;

pub enum SolveError {
    NoBracket,
    NotConverged { steps: usize },
}

#[adjoint]
fn polynomial(x: f64, a: f64, b: f64) -> f64 {
    x * x * x + a * x - b
}

/// A root by bisection, polished by Newton's iteration.
#[adjoint(independents(a, b))]
fn solve(a: f64, b: f64, lower: f64, upper: f64, limit: usize) -> Result<f64, SolveError> {
    let (mut lo, mut hi) = (lower, upper);
    if polynomial(lo, a, b) * polynomial(hi, a, b) > 0.0 {
        return Err(SolveError::NoBracket);
    }
    while hi - lo > 0.05 {
        let mid = 0.5 * (lo + hi);
        if polynomial(lo, a, b) * polynomial(mid, a, b) <= 0.0 {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    let mut x = 0.5 * (lo + hi);
    for _ in 0..limit {
        let step = polynomial(x, a, b) / (3.0 * x * x + a);
        x -= step;
        if step.abs() < 1e-13 {
            return Ok(x);
        }
    }
    Err(SolveError::NotConverged { steps: limit })
}

/// What becomes of errors.
#[adjoint(independents(a, b))]
#[sample(1.0, 2.0, 0.0, 3.0, 20)]
#[sample(1.0, 2.0, 2.0, 3.0, 20)]
#[sample(1.0, 2.0, 0.0, 3.0, 1)]
pub fn root_or_not(a: f64, b: f64, lower: f64, upper: f64, limit: usize) -> f64 {
    let value = match solve(a, b, lower, upper, limit) {
        Ok(x) if x > 1.5 => x * a,
        Ok(x) => x.powi(3) * b,
        Err(SolveError::NoBracket) => a - b,
        Err(SolveError::NotConverged { steps }) => {
            let steps: usize = steps;
            a * b * steps as f64
        }
    };
    let fallback = solve(b, a, lower, upper, limit).unwrap_or(a * a);
    let root = solve(a + 1.0, b, lower, upper, limit);
    let third = match root {
        Ok(x) => x * x,
        Err(_) => 0.25 * b,
    };
    let fourth = solve(a, b + 1.0, 0.0, upper, 50).map(|x| x * b).unwrap_or_else(|_| a);
    let is_there = solve(a, a, lower, upper, limit).is_ok();
    value + fallback * third - if is_there { fourth } else { a * fourth }
}

/// The distances along a ray at which it meets a sphere.
#[adjoint]
fn meet(origin: &[f64; 3], direction: &[f64; 3], radius: f64) -> Option<(f64, f64)> {
    let (mut a, mut b, mut c) = (0.0, 0.0, -radius * radius);
    for k in 0..3 {
        a += direction[k] * direction[k];
        b += 2.0 * origin[k] * direction[k];
        c += origin[k] * origin[k];
    }
    let discriminant = b * b - 4.0 * a * c;
    if discriminant <= 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    Some(((-b - root) / (2.0 * a), (-b + root) / (2.0 * a)))
}

/// The nearest hit of concentric spheres.
#[adjoint]
#[sample([0.3, -0.2, -3.0], [0.1, 0.05, 1.0], [0.5, 1.0, 1.5])]
#[sample([0.3, -0.2, -3.0], [0.4, 0.5, 1.0], [0.5, 1.0, 1.5])]
#[sample([0.1, -0.2, 0.3], [0.4, 0.5, 1.0], [1.0, 1.5])]
#[sample([3.0, -0.2, 0.3], [0.4, 0.5, 1.0], [1.0, 1.5])]
pub fn nearest(origin: [f64; 3], direction: [f64; 3], radii: &[f64]) -> f64 {
    let mut hit: Option<(f64, usize)> = None;
    for (n, radius) in radii.iter().enumerate() {
        let Some((near, far)) = meet(&origin, &direction, *radius) else { continue };
        let t = if near > 0.0 { near } else { far };
        if t <= 0.0 {
            continue;
        }
        hit = match hit {
            Some((known, k)) if known < t => Some((known, k)),
            _ => Some((t, n)),
        };
    }
    let Some((t, n)) = hit else { return origin[0] * direction[2] };
    t * (n + 1) as f64 + radii[n] * t * t
}

/// Interpolation in a table; `None` outside of it.
#[adjoint]
fn interpolated(xs: &[f64], ys: &[f64], x: f64) -> Option<f64> {
    let first = xs.first()?;
    let last = *xs.last()?;
    if x < *first || x > last {
        return None;
    }
    let mut k = 1;
    while *xs.get(k)? < x {
        k += 1;
    }
    let (x0, x1) = (xs.get(k - 1)?, xs.get(k)?);
    let (y0, y1) = (ys.get(k - 1).copied()?, ys.get(k).copied()?);
    Some(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
}

#[adjoint]
#[sample([0.0, 1.0, 2.5, 4.0], [0.3, -0.5, 0.9, 1.4], [0.4, 1.7, 3.1])]
#[sample([0.0, 1.0, 2.5, 4.0], [0.3, -0.5, 0.9, 1.4], [-0.4, 1.7, 5.1])]
#[sample([0.0, 1.0, 2.5, 4.0], [0.3, -0.5], [0.4, 1.7])]
pub fn looked_up(xs: &[f64], ys: &[f64], at: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in at {
        sum += interpolated(xs, ys, *x).map_or(0.1 * x, |y| y * y);
        if let Some(y) = interpolated(xs, ys, 0.5 * x).filter(|y| *y > 0.0) {
            sum *= 1.0 + y;
        }
    }
    sum
}

/// The largest jump between neighbours that are positive, and where it is.
#[adjoint]
#[sample([0.3, 0.9, -0.4, 1.2, 1.0, 2.5])]
#[sample([-0.3, -0.9])]
#[sample([0.3])]
pub fn largest_jump(x: &[f64]) -> f64 {
    let mut last = None;
    let mut best: Option<f64> = None;
    let mut at: Option<usize> = None;
    for (n, &t) in x.iter().enumerate() {
        if t <= 0.0 {
            continue;
        }
        if let Some(before) = last {
            let jump: f64 = t - before;
            if best.is_none_or(|b| b < jump.abs()) {
                best = Some(jump.abs());
                at = Some(n);
            }
        }
        last = Some(t);
    }
    match (best, at) {
        (Some(b), Some(n)) => b * b * n as f64,
        _ => last.unwrap_or(0.5),
    }
}

/// What the adaptors of an `Option` do.
#[adjoint]
#[sample([0.4, 1.3, -0.8, 2.1], true)]
#[sample([0.4, 1.3, -0.8, 2.1], false)]
#[sample([-0.4, 1.3], true)]
#[sample([0.9], true)]
pub fn adaptors(x: &[f64], c: bool) -> f64 {
    let first = x.first().copied();
    let second = x.get(1);
    let largest = x.iter().copied().reduce(|a, b| if a > b { a } else { b }).map(|m| m * m);
    let third = x.get(2).filter(|t| **t > 0.0).map(|t| t * 2.0).or(first).unwrap_or(3.0);
    let product = if c { Some(third * x[0]) } else { None };
    let root = product.and_then(|t| if t > 0.0 { Some(t.sqrt()) } else { None });
    let value = (x[0] > 0.0).then(|| x[0] * third).or_else(|| root.map(|r| r * 3.0));
    let (head, tail) = x.split_first().unwrap();
    let mut sum = root.map_or(0.5, |t| t + third) + value.unwrap_or(*head);
    if let Some(s) = second
        && let Some(t) = largest
        && *s > 1.0
    {
        sum += s * t;
    }
    match (first, second) {
        (Some(a), Some(b)) if a > *b => sum * a,
        (Some(a), Some(&b)) => sum * (a + b) * tail.len() as f64,
        (Some(a), None) => sum - a,
        (None, _) => sum,
    }
}

/// An accumulator that is emptied from time to time.
#[adjoint]
#[sample([0.4, 1.3, 0.8, 2.1, 0.3], 1.5)]
#[sample([0.4], 9.0)]
pub fn batches(x: &[f64], limit: f64) -> f64 {
    let mut pending: Option<f64> = None;
    let mut sum = 1.0;
    for &t in x {
        let mut total = t;
        if let Some(p) = pending.take() {
            total += p * sum;
        }
        if total > limit {
            sum += total.sqrt();
        } else {
            pending = Some(total);
        }
        if let Some(p) = &mut pending {
            *p *= 1.1;
        }
    }
    sum * pending.unwrap_or(limit)
}

#[adjoint]
fn multiples(x: &[f64]) -> Option<Vec<f64>> {
    if x.is_empty() {
        return None;
    }
    let mut list = Vec::new();
    for t in x {
        list.push(t * x[0]);
    }
    Some(list)
}

/// Lists that are there or not.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.9], 0.6)]
#[sample([0.2, 0.3], 0.6)]
#[sample([0.4], 0.6)]
pub fn maybe_lists(x: &[f64], y: f64) -> f64 {
    let mut s = y;
    for k in 0..3 {
        match multiples(&x[k.min(x.len())..]) {
            Some(list) if list.len() > 1 => s += list[0] * list[1] * s,
            Some(list) => s *= list[0],
            None => s += y * y,
        }
    }
    s
}
