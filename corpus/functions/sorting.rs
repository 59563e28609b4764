//! Statistics of order: sorting by value, and what is computed from sorted values.

use backsweep::adjoint;
use std::cmp::Ordering;

/// Each value weighted by its rank.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 4.770000000000, gradient = [2.8000000, -0.8000000, 6.6000000])]
pub fn ranked_squares(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.total_cmp(b));
    let mut s = 0.0;
    for i in 0..v.len() {
        s += (i + 1) as f64 * v[i] * v[i];
    }
    s
}

#[adjoint]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0])]
#[sample([3.0, -1.0, 2.5, 0.5])]
pub fn median(x: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let n = sorted.len();
    if n % 2 == 1 { sorted[n / 2] } else { (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0 }
}

/// The median of the distances from the median.
#[adjoint]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0])]
pub fn median_absolute_deviation(x: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
    let center = sorted[sorted.len() / 2];
    let mut distances: Vec<f64> = x.iter().map(|v| (v - center).abs()).collect();
    distances.sort_unstable_by(f64::total_cmp);
    1.4826 * distances[distances.len() / 2]
}

/// A quantile, interpolated between neighbours.
#[adjoint]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0], 0.3)]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0], 0.99)]
pub fn quantile(data: &[f64], q: f64) -> f64 {
    let mut sorted: Vec<f64> = data.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let position = q * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = position.ceil() as usize;
    let fraction = position - below as f64;
    sorted[below] * (1.0 - fraction) + sorted[above] * fraction
}

/// The mean without the extremes.
#[adjoint]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0, 1.5], 0.2)]
pub fn trimmed_mean(data: &[f64], share: f64) -> f64 {
    let mut sorted = data.to_vec();
    sorted.sort_by(|a, b| b.partial_cmp(a).expect("no NaN in the data"));
    let cut = (share * sorted.len() as f64) as usize;
    let kept = &sorted[cut..sorted.len() - cut];
    kept.iter().sum::<f64>() / kept.len() as f64
}

/// How unevenly something is distributed.
#[adjoint]
#[sample([3.0, 1.0, 2.5, 0.5, 7.0])]
pub fn gini(incomes: &[f64]) -> f64 {
    let mut sorted = incomes.to_vec();
    sorted.sort_by(|a, b| a.total_cmp(b));
    let n = sorted.len() as f64;
    let total: f64 = sorted.iter().sum();
    let weighted: f64 = sorted.iter().enumerate().map(|(i, y)| (i as f64 + 1.0) * y).sum();
    2.0 * weighted / (n * total) - (n + 1.0) / n
}

/// A mean of the values at the nearest points.
#[adjoint]
#[sample([0.1, 0.9, 2.2, 3.1], [1.0, 2.0, -1.0, 0.5], 1.2, 2)]
pub fn nearest_neighbours(x: &[f64], y: &[f64], at: f64, count: usize) -> f64 {
    let mut pairs: Vec<(f64, f64)> =
        x.iter().zip(y).map(|(&x, &y)| ((x - at) * (x - at), y)).collect();
    pairs.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
    let mut weighted = 0.0;
    let mut weights = 0.0;
    for (distance, value) in pairs.iter().take(count) {
        let weight = 1.0 / (distance + 0.01);
        weighted += weight * value;
        weights += weight;
    }
    weighted / weights
}

/// The indices are sorted, the values stay.
#[adjoint]
#[sample([0.9, 0.1, 3.1, 2.2], [1.0, 2.0, -1.0, 0.5])]
pub fn area_below_points_out_of_order(x: &[f64], y: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&i, &j| x[i].partial_cmp(&x[j]).unwrap());
    let mut area = 0.0;
    for pair in order.windows(2) {
        let (i, j) = (pair[0], pair[1]);
        area += 0.5 * (x[j] - x[i]) * (y[i] + y[j]);
    }
    area
}

/// Values that change before and after they are sorted, by keys that are computed.
#[adjoint]
#[sample([0.9, -0.1, -3.1, 2.2], 0.3)]
pub fn sorted_again_and_again(x: &[f64], rate: f64) -> f64 {
    let mut v = x.to_vec();
    for round in 0..3 {
        for t in v.iter_mut() {
            *t = *t * (1.0 - rate) + (rate * *t).sin();
        }
        let middle = v[1];
        v[1..].sort_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()));
        v[round] *= v[3] * v[0];
    }
    v.sort_by_key(|t| (t * 4.0) as i64);
    v[0] + 2.0 * v[1] * v[2] - v[3]
}

/// Rows are sorted by their first element, and each in itself.
#[adjoint]
#[sample([0.9, -0.1, -3.1, 2.2, 1.4, 0.3])]
pub fn sorted_rows(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    rows.push(x[..3].to_vec());
    rows.push(x[3..].to_vec());
    rows.push(vec![x[0] * x[4], x[1]]);
    for row in 0..rows.len() {
        rows[row].sort_by(|a, b| b.total_cmp(a));
    }
    rows.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut s = 0.0;
    for i in 0..rows.len() {
        for j in 0..rows[i].len() {
            s += rows[i][j] * rows[i][j] * (3 * i + j) as f64;
        }
    }
    s
}

/// Elements that compare equal stay in their order.
#[adjoint]
#[sample([1.5, 1.2, 0.7, 1.9, 0.1])]
pub fn sorted_by_whole_parts(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| b.floor().total_cmp(&a.floor()));
    v.iter().fold(0.0, |s, t| s * 0.5 + t * t)
}

/// The largest order statistic, without sorting all.
#[adjoint]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0], 1)]
#[sample([3.0, -1.0, 2.5, 0.5, 7.0], 4)]
pub fn selected(x: &[f64], k: usize) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|t| t * t).collect();
    v.select_nth_unstable_by(k, |a, b| a.partial_cmp(b).unwrap());
    v[k] * v[k]
}

/// Two arrays in place.
#[adjoint]
#[sample([3.0, -1.0, 2.5], [0.5, 7.0, 1.0])]
pub fn coupled_by_rank(x: [f64; 3], y: [f64; 3]) -> f64 {
    let (mut a, mut b) = (x, y);
    a.sort_by(|s, t| s.total_cmp(t));
    b.sort_unstable_by(|s, t| t.total_cmp(s));
    a.iter().zip(b.iter()).map(|(s, t)| s * t * t).sum()
}
