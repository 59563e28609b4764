//! Loops over iterators and chains of adaptors.

use backsweep::adjoint;

/// The squared distance of two points.
#[adjoint]
#[sample([1.0, 2.0, -0.5], [0.3, 1.5, 2.0])]
#[sample([1.0, 2.0, -0.5], [0.3])]
#[sample([], [])]
pub fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
}

/// The cosine of the angle between two vectors.
#[adjoint]
#[sample([1.0, 2.0, -0.5], [0.3, 1.5, 2.0])]
pub fn cosine_similarity(x: &[f64], y: &[f64]) -> f64 {
    let dot: f64 = x.iter().zip(y.iter()).map(|(a, b)| a * b).sum();
    let norm = |v: &[f64]| v.iter().map(|t| t * t).sum::<f64>().sqrt();
    dot / (norm(x) * norm(y))
}

/// The mean.
#[adjoint]
#[sample([1.0, 2.5, -0.5])]
pub fn iter_mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

/// The unbiased variance.
#[adjoint]
#[sample([1.0, 2.5, -0.5, 0.25])]
pub fn iter_variance(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().copied().sum::<f64>() / n;
    x.iter().map(|&v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)
}

/// The covariance of paired observations.
#[adjoint]
#[sample([1.0, 2.5, -0.5, 0.25], [0.2, 1.1, -1.3, 2.2])]
pub fn covariance(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len()) as f64;
    let mx = x.iter().sum::<f64>() / n;
    let my = y.iter().sum::<f64>() / n;
    let total: f64 = x.iter().zip(y.iter()).map(|(&a, &b)| (a - mx) * (b - my)).sum();
    total / (n - 1.0)
}

/// Skewness by one fold over three sums.
#[adjoint]
#[sample([1.0, 2.5, -0.5, 0.25])]
pub fn skewness(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (s1, s2, s3) = x.iter().fold((0.0, 0.0, 0.0), |(s1, s2, s3), &v| {
        (s1 + v, s2 + v * v, s3 + v * v * v)
    });
    let mean = s1 / n;
    let variance = s2 / n - mean * mean;
    (s3 / n - 3.0 * mean * s2 / n + 2.0 * mean.powi(3)) / variance.powf(1.5)
}

/// The log-likelihood of a normal distribution.
#[adjoint(independents(data, mu, sigma))]
#[sample([1.0, 2.5, -0.5], 0.3, 1.4)]
pub fn normal_likelihood(data: &[f64], mu: f64, sigma: f64) -> f64 {
    data.iter()
        .map(|x| (x - mu) / sigma)
        .map(|z| -0.5 * z * z - sigma.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln())
        .sum()
}

/// The logarithm of a sum of exponentials.
#[adjoint]
#[sample([1.0, 2.0, -3.0])]
pub fn iter_log_sum_exp(x: &[f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    max + x.iter().map(|v| (v - max).exp()).sum::<f64>().ln()
}

/// The soft-max, collected.
#[adjoint]
#[sample([0.3, -0.2, 1.4])]
pub fn iter_softmax(x: &[f64]) -> Vec<f64> {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, |a, b| a.max(b));
    let exps: Vec<f64> = x.iter().map(|v| (v - max).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.iter().map(|e| e / sum).collect()
}

/// The entropy of what `iter_softmax` yields.
#[adjoint]
#[sample([0.3, -0.2, 1.4])]
pub fn entropy_of_scores(x: &[f64]) -> f64 {
    let p: Vec<f64> = iter_softmax(x);
    -p.iter().map(|p| p * p.ln()).sum::<f64>()
}

/// The slope of a weighted least-squares line.
#[adjoint(independents(x, y, w))]
#[sample([0.0, 1.0, 2.0, 3.5], [0.1, 1.2, 1.8, 3.9], [1.0, 2.0, 1.5, 0.5])]
pub fn weighted_slope(x: &[f64], y: &[f64], w: &[f64]) -> f64 {
    let sw = w.iter().sum::<f64>();
    let mx = x.iter().zip(w).map(|(x, w)| x * w).sum::<f64>() / sw;
    let my = y.iter().zip(w).map(|(y, w)| y * w).sum::<f64>() / sw;
    let mut sxy = 0.0;
    let mut sxx = 0.0;
    for ((x, y), w) in x.iter().zip(y.iter()).zip(w.iter()) {
        sxy += w * (x - mx) * (y - my);
        sxx += w * (x - mx).powi(2);
    }
    sxy / sxx
}

/// A moving average.
#[adjoint]
#[sample([1.0, 2.0, 4.0, 8.0, 16.0], 3)]
#[sample([1.0, 2.0], 3)]
pub fn moving_average(x: &[f64], width: usize) -> Vec<f64> {
    x.windows(width).map(|w| w.iter().sum::<f64>() / width as f64).collect()
}

/// The total variation.
#[adjoint]
#[sample([1.0, 2.0, 1.5, 8.0])]
#[sample([1.0])]
#[sample([])]
pub fn total_variation(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).abs()).sum()
}

/// The total variation, by a shifted copy.
#[adjoint]
#[sample([1.0, 2.0, 1.5, 8.0])]
#[sample([])]
pub fn total_variation_by_zip(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(x.iter().skip(1)) {
        sum += (b - a).abs();
    }
    sum
}

/// A polynomial by Horner's rule, the constant first.
#[adjoint(independents(coefficients, x))]
#[sample([1.0, -0.5, 0.25, 2.0], 0.7)]
pub fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |acc, c| acc * x + c)
}

/// A polynomial by powers.
#[adjoint(independents(coefficients, x))]
#[sample([1.0, -0.5, 0.25, 2.0], 0.7)]
pub fn power_sum(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().enumerate().map(|(i, c)| c * x.powi(i as i32)).sum()
}

/// Rosenbrock's function by windows.
#[adjoint]
#[sample([1.2, 0.8, 1.5, -0.3])]
pub fn iter_rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0].powi(2)).powi(2)).sum()
}

/// Ackley's function.
#[adjoint]
#[sample([0.3, -0.7, 1.1])]
pub fn iter_ackley(param: &[f64]) -> f64 {
    let n = param.len() as f64;
    let a = 20.0;
    let squares = param.iter().map(|x| x.powi(2)).sum::<f64>();
    let cosines = param.iter().map(|x| (2.0 * std::f64::consts::PI * x).cos()).sum::<f64>();
    -a * (-0.2 * (squares / n).sqrt()).exp() - (cosines / n).exp() + a + std::f64::consts::E
}

/// Levy's function.
#[adjoint]
#[sample([0.3, -0.7, 1.1])]
pub fn iter_levy(param: &[f64]) -> f64 {
    let plen = param.len();
    let w = |x: f64| 1.0 + 0.25 * (x - 1.0);
    let pi = std::f64::consts::PI;
    (pi * w(param[0])).sin().powi(2)
        + (w(param[plen - 1]) - 1.0).powi(2)
            * (1.0 + (2.0 * pi * w(param[plen - 1])).sin().powi(2))
        + param
            .iter()
            .take(plen - 1)
            .map(|&x| w(x))
            .map(|wi| (wi - 1.0).powi(2) * (1.0 + 10.0 * (pi * wi + 1.0).sin().powi(2)))
            .sum::<f64>()
}

/// Styblinski and Tang's function.
#[adjoint]
#[sample([0.3, -0.7, 1.1])]
pub fn styblinski_tang(param: &[f64]) -> f64 {
    0.5 * param.iter().map(|x| x.powi(4) - 16.0 * x.powi(2) + 5.0 * x).sum::<f64>()
}

/// Zakharov's function, by a range.
#[adjoint]
#[sample([0.3, -0.7, 1.1])]
pub fn iter_zakharov(x: &[f64]) -> f64 {
    let squares: f64 = x.iter().map(|v| v * v).sum();
    let half: f64 = (0..x.len()).map(|i| 0.5 * (i + 1) as f64 * x[i]).sum();
    squares + half.powi(2) + half.powi(4)
}

/// A cubic spline in Hermite form, by windows over the knots.
#[adjoint(independents(values, slopes, at))]
#[sample([0.0, 1.0, 2.5, 4.0], [1.0, 2.0, 0.5, 1.0], [0.5, -0.2, 0.1, 0.3], 1.7)]
#[sample([0.0, 1.0, 2.5, 4.0], [1.0, 2.0, 0.5, 1.0], [0.5, -0.2, 0.1, 0.3], 0.2)]
pub fn hermite_spline(knots: &[f64], values: &[f64], slopes: &[f64], at: f64) -> f64 {
    let mut result = values[0];
    for (i, k) in knots.windows(2).enumerate() {
        if at >= k[0] && at < k[1] {
            let h = k[1] - k[0];
            let t = (at - k[0]) / h;
            let (t2, t3) = (t * t, t * t * t);
            result = (2.0 * t3 - 3.0 * t2 + 1.0) * values[i]
                + (t3 - 2.0 * t2 + t) * h * slopes[i]
                + (3.0 * t2 - 2.0 * t3) * values[i + 1]
                + (t3 - t2) * h * slopes[i + 1];
            break;
        }
    }
    result
}

/// The area under a tabulated curve.
#[adjoint(independents(x, y))]
#[sample([0.0, 1.0, 2.5, 4.0], [1.0, 2.0, 0.5, 1.0])]
pub fn trapezoid(x: &[f64], y: &[f64]) -> f64 {
    x.windows(2).zip(y.windows(2)).map(|(x, y)| 0.5 * (x[1] - x[0]) * (y[0] + y[1])).sum()
}

/// The area of a polygon by the shoelace rule: pairs of coordinates.
#[adjoint]
#[sample([0.0, 0.0, 2.0, 0.5, 1.5, 2.0, 0.2, 1.0])]
pub fn polygon_area(points: &[f64]) -> f64 {
    let n = points.len() / 2;
    let mut twice = 0.0;
    for (i, p) in points.chunks_exact(2).enumerate() {
        let j = (i + 1) % n;
        twice += p[0] * points[2 * j + 1] - points[2 * j] * p[1];
    }
    0.5 * twice
}

/// Means of blocks, the last of which may be short.
#[adjoint]
#[sample([1.0, 2.0, 3.0, 4.0, 5.5], 2)]
#[sample([1.0, 2.0, 3.0, 4.0], 2)]
pub fn block_means(x: &[f64], size: usize) -> f64 {
    x.chunks(size).map(|block| (block.iter().sum::<f64>() / block.len() as f64).powi(2)).sum()
}

/// A matrix by a vector, by rows.
#[adjoint]
#[sample([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.5, -1.0, 2.0])]
pub fn matrix_vector(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// `y += a * x`, in place.
#[adjoint]
#[sample(0.7, [1.0, 2.0, 3.0], [0.1, 0.2, 0.3])]
pub fn iter_axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// In-place decay of the rows of a matrix, by chunks that may be written.
#[adjoint]
#[sample([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.5, -1.0, 2.0])]
pub fn scale_rows(a: &mut [f64], factors: &[f64]) {
    let width = a.len() / factors.len();
    for (row, f) in a.chunks_exact_mut(width).zip(factors.iter()) {
        for v in row.iter_mut() {
            *v *= f * *v;
        }
    }
}

/// Squares in place, with `for_each`.
#[adjoint]
#[sample([1.0, 2.0, 3.0])]
pub fn square_all(x: &mut [f64]) {
    x.iter_mut().for_each(|v| *v = *v * *v);
}

/// The sum of what is positive.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn positive_part(x: &[f64]) -> f64 {
    x.iter().filter(|v| **v > 0.0).map(|v| v * v).sum()
}

/// Filters of all shapes.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5, 7.0])]
pub fn filters(x: &[f64]) -> f64 {
    let a: f64 = x.iter().copied().filter(|&v| v > 0.0).map(f64::ln).sum();
    let b: f64 = x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, v)| v * v).sum();
    let c: f64 = x.iter().filter(|&&v| v < 2.0).enumerate().map(|(i, v)| i as f64 * v).sum();
    let d: f64 = x.iter().filter_map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None }).sum();
    a + b * c - d
}

/// Up to where the terms fall below a bound.
#[adjoint]
#[sample(0.4, 0.01)]
#[sample(0.4, 10.0)]
pub fn series_while(x: f64, bound: f64) -> f64 {
    (0..50).map(|k| x.powi(k)).take_while(|t| *t > bound).sum()
}

/// A product with exponents.
#[adjoint]
#[sample([1.0, 2.0, 3.0])]
#[sample([])]
pub fn iter_product(x: &[f64]) -> f64 {
    x.iter().map(|v| v.exp() + 1.0).product::<f64>()
}

/// Cumulative sums, by a state that goes along.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn scanned(x: &[f64]) -> f64 {
    x.iter()
        .scan(0.0, |level, v| {
            *level += v;
            Some(*level * *level)
        })
        .sum()
}

/// A random walk that stops at a barrier.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5], 10.0)]
#[sample([1.0, -2.0, 3.0, 0.5], 1.5)]
pub fn stopped_walk(x: &[f64], barrier: f64) -> f64 {
    x.iter()
        .scan(1.0, |level, v| {
            *level = *level * v.cos() + v;
            if *level > barrier { None } else { Some(*level) }
        })
        .map(|v| v * v)
        .sum()
}

/// What comes after the first value above a bound.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5, -1.0], 2.0)]
pub fn tail_sum(x: &[f64], bound: f64) -> f64 {
    x.iter().skip_while(|v| **v < bound).map(|v| v.sin()).sum::<f64>()
}

/// The first few that pass a filter.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5, 2.0], 2)]
#[sample([1.0, -2.0, 3.0, 0.5, 2.0], 0)]
#[sample([1.0, -2.0, 3.0, 0.5, 2.0], 9)]
pub fn first_positive(x: &[f64], n: usize) -> f64 {
    let first: f64 = x.iter().filter(|v| **v > 0.0).take(n).map(|v| v * v).sum();
    let rest: f64 = x.iter().filter(|v| **v > 0.0).skip(n).map(|v| v.exp()).sum();
    first * rest
}

/// Positions in every arrangement.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5, 2.0, 0.7])]
pub fn arrangements(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().rev().enumerate() {
        s += (i as f64 + 1.0) * v;
    }
    for (i, v) in x.iter().enumerate().rev() {
        s = s * 0.9 + (i as f64 + 2.0) * v * v;
    }
    for (i, v) in x.iter().enumerate().skip(1).step_by(2) {
        s += i as f64 * v.sin();
    }
    for (a, b) in x.iter().zip(x.iter().rev()) {
        s += a * b;
    }
    for v in x.iter().skip(2).take(3).rev() {
        s = s.cos() + v;
    }
    for v in x.iter().rev().skip(1).step_by(2) {
        s = s.sin() * v;
    }
    for (a, (i, b)) in x.iter().skip(1).zip(x.iter().rev().step_by(2).enumerate()) {
        s += a * b * i as f64;
    }
    s
}

/// Ranges among lists.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5, 2.0, 0.7], 4)]
pub fn ranges(x: &[f64], n: i32) -> f64 {
    let mut s = 0.0;
    for (k, v) in (1..=x.len()).zip(x) {
        s += v / k as f64;
    }
    for (k, v) in (2..n).zip(x.iter()) {
        s += v.powi(k);
    }
    for (v, k) in x.iter().zip((0..n).rev()) {
        s += v.sin() * k as f64;
    }
    s + (1..=n).rev().map(|k| x[0] / k as f64).sum::<f64>()
        + (0..x.len()).step_by(2).map(|i| x[i] * x[i]).sum::<f64>()
}

/// An array by value, and a `Vec` by value.
#[adjoint]
#[sample(0.4)]
pub fn by_value(x: f64) -> f64 {
    let mut a = [x, x * x, x.sin()];
    let mut s = 0.0;
    for v in a {
        a[2] = v * x;
        s += v * a[2];
    }
    let list = vec![s, x, s * x];
    for (i, v) in list.into_iter().enumerate() {
        s += v * i as f64;
    }
    s
}

/// The rows of a table.
#[adjoint]
#[sample([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])]
pub fn row_norms(m: &[[f64; 3]]) -> f64 {
    m.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>().sqrt()).sum()
}

/// The trace of a product.
#[adjoint]
#[sample([[1.0, 2.0], [0.5, -1.0]], [[0.3, -0.4], [1.5, 2.5]])]
pub fn frobenius(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let mut s = 0.0;
    for (r, t) in a.iter().zip(b.iter()) {
        for (u, v) in r.iter().zip(t) {
            s += u * v;
        }
    }
    s
}

/// Early exits out of a loop over pairs.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5], [0.5, 1.0, -1.5, 2.0], 2.0)]
#[sample([1.0, -2.0, 3.0, 0.5], [0.5, 1.0, -1.5, 2.0], 100.0)]
pub fn early(x: &[f64], y: &[f64], bound: f64) -> f64 {
    let mut s = 0.0;
    'pairs: for (i, (a, b)) in x.iter().zip(y).enumerate() {
        if *a < -1.5 {
            s *= 0.5;
            continue;
        }
        for v in x.iter().filter(|v| **v > 0.0) {
            s += a * b * v;
            if s > bound {
                break 'pairs;
            }
        }
        if i > 5 {
            return s * s;
        }
    }
    s
}

/// A tuple by one name.
#[adjoint]
#[sample([1.0, -2.0, 3.0], [0.5, 1.0, -1.5])]
pub fn pairs_by_name(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y.iter()).map(|p| p.0 * *p.1).filter(|v| v.abs() > 0.6).sum()
}

/// Mapped on both sides, backwards, counted.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn mapped_sides(x: &[f64]) -> f64 {
    let s: f64 = x.iter().map(|v| v * v).zip(x.iter().skip(1).map(|v| v.sin())).map(|(a, b)| a * b).sum();
    let t: f64 = x.iter().map(|v| v.exp()).rev().enumerate().map(|(i, e)| i as f64 * e).sum();
    s * t
}

/// The largest and smallest value.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn spread(x: &[f64]) -> f64 {
    let hi = x.iter().fold(f64::MIN, |a, &b| a.max(b));
    let lo = x.iter().cloned().fold(f64::MAX, f64::min);
    let (low, high) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| {
        (if *v < lo { *v } else { lo }, if *v > hi { *v } else { hi })
    });
    (hi - lo) * (high - low)
}

/// Passive chains beside active ones.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn passive_chains(x: &[f64]) -> f64 {
    let n = x.iter().filter(|v| **v > 0.0).count();
    let any = x.iter().any(|v| *v > 2.5);
    let at = x.iter().position(|v| *v < 0.0).unwrap_or(0);
    let sizes: Vec<usize> = (0..x.len()).map(|i| i * i % x.len()).collect();
    let total: usize = sizes.iter().sum();
    let s: f64 = sizes.iter().map(|&i| x[i]).sum();
    if any { s * x[at] / n as f64 + total as f64 } else { s }
}

/// Extremes, first and last ones.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5, 3.5])]
#[sample([1.0])]
pub fn picks(x: &[f64]) -> f64 {
    let hi = *x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let lo = x.iter().copied().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let product = x.iter().copied().reduce(|a, b| a * b + 1.0).unwrap_or(1.0);
    let last = x.iter().map(|v| v * v).last().expect("not empty");
    let far = x
        .iter()
        .map(|v| (v - 1.0).sin())
        .max_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal))
        .unwrap();
    let none = x.iter().filter(|v| **v > 100.0).map(|v| v.exp()).reduce(f64::max).unwrap_or(x[0]);
    hi * lo + product * last - far * none
}
