//! Functions whose partials are given, as for those of libraries: their bodies are not looked at. Here they
//! can be, which tells whether the partials are right. The same with adjoints written by hand.

use backsweep::adjoint;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, SQRT_2};

/// The error function.
#[adjoint(partials(x: FRAC_2_SQRT_PI * (-x * x).exp()))]
#[sample(0.6)]
#[sample(-1.3)]
#[sample(0.0)]
pub fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut n = 0;
    while term.abs() > 1e-17 * sum.abs() {
        n += 1;
        term *= -x * x / n as f64;
        sum += term / (2 * n + 1) as f64;
    }
    FRAC_2_SQRT_PI * sum
}

/// The derivative of the logarithm of the gamma function, by recurrence and an asymptotic series.
fn digamma(x: f64) -> f64 {
    let mut x = x;
    let mut sum = 0.0;
    while x < 12.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series = r * (1.0 / 12.0 - r * (1.0 / 120.0 - r * (1.0 / 252.0 - r * (1.0 / 240.0 - r / 132.0))));
    sum + x.ln() - 0.5 / x - series
}

/// The logarithm of the gamma function by Stirling's series. The partial calls a function that is not
/// annotated.
#[adjoint(partials(x: digamma(x)))]
#[sample(2.3)]
#[sample(7.1)]
pub fn ln_gamma(x: f64) -> f64 {
    let mut x = x;
    let mut product = 1.0;
    while x < 15.0 {
        product *= x;
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let series = 1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r / 1188.0)));
    (x - 0.5) * x.ln() - x + 0.918_938_533_204_672_8 + series / x - product.ln()
}

/// The density of the normal distribution.
fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() * 0.398_942_280_401_432_7
}

/// The distribution function of the normal distribution. The partials are in terms of several parameters.
#[adjoint(partials(
    x: density((x - mean) / sd) / sd,
    sd: -density((x - mean) / sd) * (x - mean) / (sd * sd),
    mean: {
        let z = (x - mean) / sd;
        -density(z) / sd
    },
))]
#[sample(0.3, -0.1, 1.7)]
#[sample(-1.0, 0.5, 0.8)]
pub fn normal_cdf(x: f64, mean: f64, mut sd: f64) -> f64 {
    sd *= SQRT_2;
    0.5 * (1.0 + erf((x - mean) / sd))
}

/// A power with an exponent that is not differentiated; the partial uses the result.
#[adjoint(partials(x: if n < 1 { 0.0 } else { n as f64 * result / x }))]
#[sample(1.7, 5)]
#[sample(-0.4, 3)]
#[sample(2.5, 0)]
pub fn power(x: f64, n: u32) -> f64 {
    let mut y = 1.0;
    for _ in 0..n {
        y *= x;
    }
    y
}

/// With respect to one parameter of two.
#[adjoint(partials(x: 2.0 * w * x))]
#[sample(1.5, 3.0)]
pub fn weighted_square(x: f64, w: f64) -> f64 {
    w * x * x
}

/// The length of a vector: one partial for each element.
#[adjoint(partials(a: a.iter().map(|t| t / result).collect::<Vec<f64>>()))]
#[sample(vec![3.0, -4.0, 12.0])]
#[sample(vec![0.5])]
pub fn norm(a: &[f64]) -> f64 {
    let mut sum = 0.0;
    for t in a {
        sum += t * t;
    }
    sum.sqrt()
}

/// The scalar product, as BLAS has it. The partials are slices.
#[adjoint(partials(a: b, b: a))]
#[sample(vec![3.0, -4.0, 12.0], vec![1.0, 0.5, -0.25])]
#[sample(vec![], vec![])]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(s, t)| s * t).sum()
}

/// Arrays and a `Vec` by value.
#[adjoint(partials(a: [a[1] * t[0], a[0] * t[0]], t: vec![a[0] * a[1], 2.0 * t[1]]))]
#[sample([0.7, -1.2], vec![2.0, 0.3])]
pub fn mixed_lists(a: [f64; 2], t: Vec<f64>) -> f64 {
    a[0] * a[1] * t[0] + t[1] * t[1]
}

/// A work array carries no derivative.
#[adjoint(passive(work), partials(x: 2.0 * x * x.cos() - x * x * x.sin()))]
#[sample(0.8, vec![0.0, 0.0])]
pub fn with_work(x: f64, work: &mut [f64]) -> f64 {
    work[0] = x * x;
    work[1] = x.cos();
    work[0] * work[1]
}

#[adjoint(partials(x: 1.0 - result * result))]
#[sample(0.3)]
pub fn tanh_single(x: f32) -> f32 {
    let e = (2.0 * x).exp();
    (e - 1.0) / (e + 1.0)
}

/// The price of a call option.
#[adjoint]
#[sample(100.0, 95.0, 0.02, 0.25, 0.75)]
pub fn call_price(spot: f64, strike: f64, rate: f64, sigma: f64, t: f64) -> f64 {
    let total = sigma * t.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * sigma * sigma) * t) / total;
    let d2 = d1 - total;
    let discount = (-rate * t).exp();
    spot * normal_cdf(d1, 0.0, 1.0) - strike * discount * normal_cdf(d2, 0.0, 1.0)
}

/// Calls in a loop that overwrites their arguments.
#[adjoint]
#[sample(0.4, 6)]
#[sample(1.1, 0)]
pub fn iterated(x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = erf(y) + power(y, k as u32) * 0.1;
        if y > 1.0 {
            y = ln_gamma(y + LN_2);
        }
    }
    y
}

/// The same, computed again.
#[adjoint(checkpoint(erf, power), split(ln_gamma))]
#[sample(0.4, 6)]
pub fn iterated_again(x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = erf(y) + power(y, k as u32) * 0.1;
        if y > 1.0 {
            y = ln_gamma(y + LN_2);
        }
    }
    y
}

/// Arguments that overlap, and lists that are overwritten between the calls.
#[adjoint]
#[sample(vec![3.0, -4.0, 12.0, 0.5], 3)]
pub fn correlations(x: &[f64], steps: usize) -> f64 {
    let mut y = x.to_vec();
    let mut sum = 0.0;
    for k in 0..steps {
        let scale = norm(&y);
        sum += dot(&y[1..], &y[..y.len() - 1]) / (scale * scale);
        for t in y.iter_mut() {
            *t = *t / scale + 0.1 * k as f64;
        }
        sum += mixed_lists([y[0], sum], vec![2.0, y[1]]);
    }
    sum
}

/// Only one of the arguments is active.
#[adjoint(independents(x))]
#[sample(0.3, 2.0)]
pub fn partly_active(x: f64, sd: f64) -> f64 {
    normal_cdf(0.5, x, sd) + weighted_square(x, sd) + dot(&[x, sd], &[sd, 1.0])
}

/// In place, and with a result.
#[adjoint(with = axpy_adjoint, repeatable)]
#[without_tangent]
#[sample(0.5, vec![0.3, -0.2, 0.7], vec![1.0, 2.0, 3.0])]
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (x, y) in x.iter().zip(y) {
        *y += a * x;
        sum += *y * *y;
    }
    sum
}

fn axpy_adjoint(
    a: f64,
    a_b: &mut f64,
    x: &[f64],
    x_b: &mut [f64],
    y: &mut [f64],
    y_b: &mut [f64],
    ret_b: f64,
) -> f64 {
    let value = axpy(a, x, y);
    for i in 0..x.len() {
        y_b[i] += ret_b * 2.0 * y[i];
        *a_b += y_b[i] * x[i];
        x_b[i] += y_b[i] * a;
    }
    value
}

/// Called again and again with what it has written, and with arguments that share a variable.
#[adjoint]
#[without_tangent]
#[sample(0.3, vec![0.3, -0.2, 0.7], 3)]
#[sample(0.3, vec![0.3, -0.2, 0.7], 0)]
pub fn updates(a: f64, x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let mut s = a;
    for _ in 0..n {
        s += axpy(s * 0.1, x, &mut y);
        s += axpy(2.0, &[a, 1.0, s * 0.001], &mut y);
        let half = y.clone();
        s += 0.1 * axpy(s * 0.01, &half[..2], &mut y[1..]);
    }
    s + y[0]
}

/// Only one of the arguments is active: the others get bars that are thrown away.
#[adjoint(independents(a))]
#[without_tangent]
#[sample(0.3, vec![0.3, -0.2, 0.7], 2)]
pub fn updates_of_one(a: f64, x: &[f64], n: usize) -> f64 {
    let mut y = vec![0.5; x.len()];
    let mut s = 0.0;
    for _ in 0..n {
        s += axpy(a, x, &mut y);
    }
    let mut unread = [1.0; 3];
    s + y[0] + axpy(a, x, &mut unread)
}

/// Only what is written matters; the pair and the list are passed by value, and it may fail.
#[adjoint(with = scaled_adjoint, repeatable)]
pub fn scaled(a: Vec<f64>, p: (f64, f64), out: &mut f64) -> Result<Vec<f64>, String> {
    if a[0] > 100.0 {
        return Err(String::from("too big"));
    }
    *out = a[0] * p.0;
    Ok(a.iter().map(|t| t * p.1).collect())
}

fn scaled_adjoint(
    a: Vec<f64>,
    a_b: &mut Vec<f64>,
    p: (f64, f64),
    p_b: &mut (f64, f64),
    out: &mut f64,
    out_b: &mut f64,
    ret_b: Vec<f64>,
) -> Result<Vec<f64>, String> {
    let value = scaled(a.clone(), p, out)?;
    a_b[0] += *out_b * p.0;
    p_b.0 += *out_b * a[0];
    *out_b = 0.0;
    for i in 0..a.len() {
        a_b[i] += ret_b[i] * p.1;
        p_b.1 += ret_b[i] * a[i];
    }
    Ok(value)
}

#[adjoint]
fn scaled_again(x: f64, n: usize) -> Result<f64, String> {
    let mut o = x;
    let mut s = x;
    for k in 0..n {
        let v = scaled(vec![s, 2.0 * x], (x, o), &mut o)?;
        s = v[0] + v[1] * o + k as f64;
    }
    Ok(s + o)
}

#[adjoint]
#[sample(0.3, 3)]
#[sample(101.0, 3)]
#[without_tangent]
pub fn scaled_or_not(x: f64, n: usize) -> f64 {
    match scaled_again(x, n) {
        Ok(y) => y * x,
        Err(_) => x,
    }
}
