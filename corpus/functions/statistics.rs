//! Likelihoods, filters and moments.

use backsweep::adjoint;

/// The logarithm of a sum of exponentials, safe from overflow.
#[adjoint]
#[sample([1.0, 2.0, -300.0])]
#[sample([1000.0, 999.5])]
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let mut max = f64::NEG_INFINITY;
    for &v in x {
        max = max.max(v);
    }
    let mut sum = 0.0;
    for &v in x {
        sum += (v - max).exp();
    }
    max + sum.ln()
}

/// The soft-max, in place.
#[adjoint]
#[sample([0.3, -0.2, 1.4])]
pub fn softmax(x: &mut [f64]) {
    let mut max = x[0];
    for &v in x.iter() {
        if v > max {
            max = v;
        }
    }
    let mut sum = 0.0;
    for v in x.iter_mut() {
        *v = (*v - max).exp();
        sum += *v;
    }
    for v in x.iter_mut() {
        *v /= sum;
    }
}

/// The cross-entropy of soft-max scores.
#[adjoint]
#[sample([0.3, -0.2, 1.4], 1)]
pub fn cross_entropy(scores: &[f64], class: usize) -> f64 {
    log_sum_exp(scores) - scores[class]
}

/// The penalised negative log-likelihood of a logistic regression.
#[adjoint(independents(beta))]
#[sample([0.1, -0.4, 0.7], [1.0, 0.5, -0.3, 1.0, -1.5, 0.2, 1.0, 0.1, 2.0], [true, false, true], 0.1)]
pub fn logistic_loss(beta: &[f64], rows: &[f64], labels: &[bool], penalty: f64) -> f64 {
    let d = beta.len();
    let mut loss = 0.0;
    for i in 0..labels.len() {
        let row = &rows[i * d..][..d];
        let mut z = 0.0;
        for j in 0..d {
            z += row[j] * beta[j];
        }
        let z = if labels[i] { -z } else { z };
        loss += if z > 30.0 { z } else { z.exp().ln_1p() };
    }
    for j in 1..d {
        loss += 0.5 * penalty * beta[j] * beta[j];
    }
    loss
}

/// The log-likelihood of a mixture of normal distributions.
#[adjoint(independents(weights, means, scales))]
#[sample([0.1, 0.5, -1.2, 2.0], [0.2, -0.4], [0.0, 1.5], [-0.1, 0.3])]
pub fn mixture_likelihood(data: &[f64], weights: &[f64], means: &[f64], scales: &[f64]) -> f64 {
    let k = weights.len();
    let normaliser = log_sum_exp(weights);
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for &x in data {
        for j in 0..k {
            let z = (x - means[j]) * (-scales[j]).exp();
            terms[j] = weights[j] - normaliser - scales[j] - 0.5 * z * z;
        }
        total += log_sum_exp(&terms);
    }
    total
}

/// The conditional likelihood of an autoregressive model of order two.
#[adjoint(independents(phi, log_sigma))]
#[sample([0.1, 0.5, 0.2, -0.3, 0.4, 0.6], [0.4, -0.2], -0.5)]
pub fn autoregression(series: &[f64], phi: &[f64; 2], log_sigma: f64) -> f64 {
    let variance = (2.0 * log_sigma).exp();
    let mut sum = 0.0;
    for t in 2..series.len() {
        let residual = series[t] - phi[0] * series[t - 1] - phi[1] * series[t - 2];
        sum -= 0.5 * residual * residual / variance + log_sigma;
    }
    sum
}

/// The likelihood of a GARCH(1,1) model.
#[adjoint]
#[sample([0.1, -0.3, 0.2, 0.5, -0.1], 0.02, 0.1, 0.8)]
pub fn garch(returns: &[f64], omega: f64, alpha: f64, beta: f64) -> f64 {
    let mut variance = omega / (1.0 - alpha - beta);
    let mut likelihood = 0.0;
    for r in returns {
        likelihood -= 0.5 * (variance.ln() + r * r / variance);
        variance = omega + alpha * r.powi(2) + beta * variance;
    }
    likelihood
}

/// A scalar Kalman filter with missing observations; log-likelihood and last state.
#[adjoint]
#[sample([0.5, 0.7, -999.0, 0.9, 1.3], 0.1, 0.3, 0.95)]
pub fn kalman(observations: &[f64], process: f64, noise: f64, phi: f64) -> (f64, f64) {
    let mut mean = 0.0;
    let mut variance = 1.0;
    let mut likelihood = 0.0;
    for &y in observations {
        mean *= phi;
        variance = phi * phi * variance + process;
        if y <= -999.0 {
            continue;
        }
        let s = variance + noise;
        let gain = variance / s;
        let innovation = y - mean;
        mean += gain * innovation;
        variance *= 1.0 - gain;
        likelihood -= 0.5 * (s.ln() + innovation * innovation / s);
    }
    (likelihood, mean)
}

/// Mean, variance and skewness in one pass.
#[adjoint]
#[sample([0.3, 1.2, -0.7, 2.5])]
#[sample([0.3])]
pub fn moments(x: &[f64]) -> (f64, f64, f64) {
    let (mut mean, mut m2, mut m3) = (0.0, 0.0, 0.0);
    let mut n = 0.0;
    for &v in x {
        let before = n;
        n += 1.0;
        let delta = v - mean;
        let step = delta / n;
        mean += step;
        m3 += step * (delta * delta * before * (n - 2.0) / n - 3.0 * m2);
        m2 += delta * step * before;
    }
    if n < 2.0 {
        return (mean, 0.0, 0.0);
    }
    let variance = m2 / (n - 1.0);
    (mean, variance, m3 / n / variance.powf(1.5))
}

/// The forward algorithm of a hidden Markov model with two states, scaled.
#[adjoint(independents(transition, emission))]
#[sample([0, 2, 1, 1], [[0.9, 0.1], [0.3, 0.7]], [[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]])]
pub fn hidden_markov(observed: &[usize], transition: &[[f64; 2]; 2], emission: &[[f64; 3]; 2]) -> f64 {
    let mut alpha = [0.5, 0.5];
    let mut log_likelihood = 0.0;
    for &symbol in observed {
        let mut next = [0.0; 2];
        for to in 0..2 {
            for from in 0..2 {
                next[to] += alpha[from] * transition[from][to];
            }
            next[to] *= emission[to][symbol];
        }
        let scale = next[0] + next[1];
        alpha = [next[0] / scale, next[1] / scale];
        log_likelihood += scale.ln();
    }
    log_likelihood
}

/// The loss of Huber, of residuals scaled by their own median-free spread.
#[adjoint]
#[sample([0.1, -2.0, 0.7, 3.5], 1.0)]
pub fn huber(residuals: &[f64], delta: f64) -> f64 {
    let mut loss = 0.0;
    for r in residuals {
        let a = r.abs();
        loss += if a <= delta { 0.5 * a * a } else { delta * (a - 0.5 * delta) };
    }
    loss
}

/// The slope and intercept of a regression by Theil's weighted least squares.
#[adjoint]
#[sample([0.0, 1.0, 2.0, 3.5], [0.1, 0.9, 2.2, 3.3], [1.0, 0.5, 2.0, 1.0])]
pub fn weighted_fit(x: &[f64], y: &[f64], w: &[f64]) -> [f64; 2] {
    let mut sums = [0.0; 5];
    for i in 0..x.len() {
        sums[0] += w[i];
        sums[1] += w[i] * x[i];
        sums[2] += w[i] * y[i];
        sums[3] += w[i] * x[i] * x[i];
        sums[4] += w[i] * x[i] * y[i];
    }
    let [s, sx, sy, sxx, sxy] = sums;
    let det = s * sxx - sx * sx;
    [(s * sxy - sx * sy) / det, (sxx * sy - sx * sxy) / det]
}

/// A natural cubic spline through points, evaluated at a position.
#[adjoint]
#[sample([0.0, 1.0, 2.5, 3.0, 4.2], [1.0, 0.5, -0.3, 0.8, 1.1], 2.7)]
#[sample([0.0, 1.0, 2.5, 3.0, 4.2], [1.0, 0.5, -0.3, 0.8, 1.1], 0.4)]
pub fn natural_spline(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let n = xs.len();
    let mut second = vec![0.0; n];
    let mut u = vec![0.0; n];
    for i in 1..n - 1 {
        let sig = (xs[i] - xs[i - 1]) / (xs[i + 1] - xs[i - 1]);
        let p = sig * second[i - 1] + 2.0;
        second[i] = (sig - 1.0) / p;
        let slope = (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) - (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1]);
        u[i] = (6.0 * slope / (xs[i + 1] - xs[i - 1]) - sig * u[i - 1]) / p;
    }
    for k in (0..n - 1).rev() {
        second[k] = second[k] * second[k + 1] + u[k];
    }
    let (mut lo, mut hi) = (0, n - 1);
    while hi - lo > 1 {
        let mid = (lo + hi) / 2;
        if xs[mid] > x {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    let h = xs[hi] - xs[lo];
    let a = (xs[hi] - x) / h;
    let b = (x - xs[lo]) / h;
    a * ys[lo]
        + b * ys[hi]
        + ((a * a * a - a) * second[lo] + (b * b * b - b) * second[hi]) * (h * h) / 6.0
}
