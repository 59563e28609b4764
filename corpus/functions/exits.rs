//! Root finding and minimisation: loops that end when they are done.

use backsweep::adjoint;

/// The root of exp(x) + c x by bisection; the last step is a secant step, which depends on c.
#[adjoint]
#[sample(1.5)]
#[sample(0.3)]
pub fn bisection_with_polish(c: f64) -> f64 {
    let (mut lo, mut hi) = (-4.0, 0.0);
    let mut f_lo = f64::exp(lo) + c * lo;
    while hi - lo > 1e-3 {
        let mid = 0.5 * (lo + hi);
        let f_mid = mid.exp() + c * mid;
        if f_mid == 0.0 {
            break;
        }
        if f_lo * f_mid < 0.0 {
            hi = mid;
        } else {
            lo = mid;
            f_lo = f_mid;
        }
    }
    let f_hi = f64::exp(hi) + c * hi;
    lo - f_lo * (hi - lo) / (f_hi - f_lo)
}

/// The value at the minimum of a quartic on an interval, by golden-section search.
#[adjoint]
#[sample(0.3, -1.2, 0.0, 2.0)]
#[sample(1.0, -0.4, -1.0, 1.5)]
pub fn golden_section(a: f64, b: f64, lower: f64, upper: f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let mut lo = lower;
    let mut hi = upper;
    let mut x1 = hi - RATIO * (hi - lo);
    let mut x2 = lo + RATIO * (hi - lo);
    let mut f1 = x1 * x1 * x1 * x1 + a * x1 * x1 + b * x1;
    let mut f2 = x2 * x2 * x2 * x2 + a * x2 * x2 + b * x2;
    let mut iterations = 0;
    while (hi - lo).abs() > 1e-4 && iterations < 60 {
        if f1 < f2 {
            hi = x2;
            x2 = x1;
            f2 = f1;
            x1 = hi - RATIO * (hi - lo);
            f1 = x1 * x1 * x1 * x1 + a * x1 * x1 + b * x1;
        } else {
            lo = x1;
            x1 = x2;
            f1 = f2;
            x2 = lo + RATIO * (hi - lo);
            f2 = x2 * x2 * x2 * x2 + a * x2 * x2 + b * x2;
        }
        iterations += 1;
    }
    if f1 < f2 { f1 } else { f2 }
}

/// The first position where a running product exceeds a limit, as a fraction between the entries.
#[adjoint(independents(factors))]
#[sample([1.2, 1.5, 1.1, 1.9], 2.0)]
#[sample([1.2, 1.5, 1.1, 1.9], 50.0)]
#[sample([3.0, 1.5], 2.0)]
pub fn crossing(factors: &[f64], limit: f64) -> f64 {
    let mut product = 1.0;
    for i in 0..factors.len() {
        let next = product * factors[i];
        if next > limit {
            return i as f64 + (limit - product) / (next - product);
        }
        product = next;
    }
    factors.len() as f64 + product
}

/// A partition by the sign of the entries: the sum of the positives times the sum of the squares of
/// the negatives, up to the first zero.
#[adjoint]
#[sample([1.0, -2.0, 0.5, -0.25, 0.0, 7.0])]
#[sample([-1.0])]
#[sample([])]
pub fn sign_partition(x: &[f64]) -> f64 {
    let mut positives = 0.0;
    let mut negatives = 1.0;
    for &v in x {
        if v == 0.0 {
            break;
        } else if v < 0.0 {
            negatives += v * v;
            continue;
        }
        positives += v;
    }
    positives * negatives
}

/// The first entry of a matrix, row by row, that exceeds a threshold, scaled by the sum so far.
#[adjoint(independents(m))]
#[sample([[0.1, 0.4], [0.9, 0.2], [1.3, 0.6]], 0.8)]
#[sample([[0.1, 0.4], [0.9, 0.2], [1.3, 0.6]], 1.2)]
#[sample([[0.1, 0.4], [0.9, 0.2], [1.3, 0.6]], 9.0)]
pub fn first_large_entry(m: &[[f64; 2]; 3], threshold: f64) -> f64 {
    let mut sum = 0.0;
    let found = 'search: loop {
        for row in m {
            for &v in row {
                sum += v * v;
                if v > threshold {
                    break 'search v;
                }
            }
        }
        break 0.5 * sum;
    };
    found * sum
}

/// The secant method for a cubic, with a status: the root and whether it was found.
#[adjoint]
#[sample(1.0, -2.0)]
#[sample(0.1, 0.5)]
pub fn secant_root(p: f64, q: f64) -> (f64, bool) {
    let mut a = 0.0;
    let mut b = 1.0;
    let mut fa = q;
    let mut fb = 1.0 + p + q;
    for _ in 0..50 {
        if (fb - fa).abs() < 1e-300 {
            return (b, false);
        }
        let c = b - fb * (b - a) / (fb - fa);
        (a, fa) = (b, fb);
        b = c;
        fb = c * c * c + p * c + q;
        if fb.abs() < 1e-13 {
            return (b, true);
        }
    }
    (b, false)
}

/// Collatz-like steps of a float: halved while it is large, else a sine step, until below a bound.
#[adjoint]
#[sample(37.5)]
#[sample(0.5)]
pub fn shrink_below_one(x: f64) -> f64 {
    let mut y = x;
    let mut steps = 0_i32;
    while y >= 1.0 {
        y = if (y as i64) % 2 == 0 { 0.5 * y } else { y - 1.0 + 0.1 * y.sin() };
        steps += 1;
        if steps > 200 {
            break;
        }
    }
    y * f64::from(steps + 1)
}

/// Rejection of outliers: the mean of the entries within some deviations, recomputed until no entry
/// changes sides.
#[adjoint(independents(x))]
#[sample([1.0, 1.2, 0.9, 1.1, 9.0], 1.5)]
#[sample([1.0, 1.2, 0.9], 3.0)]
pub fn clipped_mean(x: &[f64], width: f64) -> f64 {
    let n = x.len();
    let mut kept = n;
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    loop {
        let mut sum = 0.0;
        let mut squares = 0.0;
        let mut count = 0_usize;
        for &v in x {
            if v < low || v > high {
                continue;
            }
            sum += v;
            squares += v * v;
            count += 1;
        }
        let mean = sum / count as f64;
        let deviation = (squares / count as f64 - mean * mean).max(0.0).sqrt();
        low = mean - width * deviation;
        high = mean + width * deviation;
        if count == kept && kept != n || width > 2.0 {
            return mean + 0.1 * deviation;
        }
        kept = count;
    }
}

/// The real cube root by Newton's iteration.
#[adjoint]
#[sample(2.0)]
#[sample(-11.0)]
#[sample(0.0)]
pub fn newton_cube_root(a: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let mut x = if a > 0.0 { a.max(1.0) } else { a.min(-1.0) };
    for _ in 0..100 {
        let step = (x * x * x - a) / (3.0 * x * x);
        x -= step;
        if step.abs() < 1e-15 * x.abs() {
            break;
        }
    }
    x
}
