//! Quadrature, interpolation, recursion.

use super::library::linear::{axpy, dot, euclidean_norm};
use super::shapes::damped_wave as integrand;
use backsweep::adjoint;

/// Three points of Gauss.
#[adjoint]
pub fn gauss(a: f64, b: f64, p: &[f64]) -> f64 {
    let (m, h) = (0.5 * (a + b), 0.5 * (b - a));
    let d = h * 0.6_f64.sqrt();
    h / 9.0 * (5.0 * integrand(m - d, p) + 8.0 * integrand(m, p) + 5.0 * integrand(m + d, p))
}

/// Many intervals.
#[adjoint]
#[sample(0.0, 1.5, [1.2, 3.0, 0.4], 4)]
pub fn quadrature(a: f64, b: f64, p: &[f64], n: usize) -> f64 {
    let h = (b - a) / n as f64;
    (0..n).map(|i| gauss(a + i as f64 * h, a + (i + 1) as f64 * h, p)).sum()
}

/// Intervals halved where the two halves disagree with the whole: recursion on a list of parameters.
#[adjoint]
#[sample(0.0, 2.5, [1.2, 5.0, 0.4], 4)]
pub fn halved(a: f64, b: f64, p: &[f64], depth: usize) -> f64 {
    let m = 0.5 * (a + b);
    let (whole, left, right) = (gauss(a, b, p), gauss(a, m, p), gauss(m, b, p));
    if depth == 0 || (whole - left - right).abs() < 1e-6 {
        left + right
    } else {
        halved(a, m, p, depth - 1) + halved(m, b, p, depth - 1)
    }
}

/// One of two functions that call each other.
#[adjoint]
#[sample(0.7, 5)]
#[sample(0.7, 4)]
#[sample(0.7, 0)]
pub fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x * x } else { odd(x.sin() + 0.1 * x, n - 1) + x }
}

/// The other.
#[adjoint]
pub fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { even(x * 1.3, n - 1) * x.cos() }
}

/// A power of a matrix by squaring: recursion that returns lists.
#[adjoint]
#[sample([0.9, 0.2, -0.1, 0.8], 2, 5)]
pub fn power(a: &[f64], n: usize, exponent: usize) -> Vec<f64> {
    if exponent == 1 {
        return a.to_vec();
    }
    let half = power(a, n, exponent / 2);
    let square = product(&half, &half, n);
    if exponent % 2 == 0 { square } else { product(&square, a, n) }
}

/// A product of matrices.
#[adjoint]
pub fn product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    c
}

/// The real part of a transform, recursively: two lists returned, lists made of every other element.
#[adjoint]
pub fn transform(re: &[f64], im: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = re.len();
    if n == 1 {
        return (re.to_vec(), im.to_vec());
    }
    let half = n / 2;
    let mut parts = vec![0.0; 2 * n];
    for k in 0..half {
        parts[k] = re[2 * k];
        parts[half + k] = im[2 * k];
        parts[n + k] = re[2 * k + 1];
        parts[n + half + k] = im[2 * k + 1];
    }
    let (ar, ai) = transform(&parts[..half], &parts[half..n]);
    let (br, bi) = transform(&parts[n..n + half], &parts[n + half..]);
    let mut out_re = vec![0.0; n];
    let mut out_im = vec![0.0; n];
    for k in 0..half {
        let angle = -2.0 * std::f64::consts::PI * k as f64 / n as f64;
        let (s, c) = (angle.sin(), angle.cos());
        let (tr, ti) = (c * br[k] - s * bi[k], c * bi[k] + s * br[k]);
        out_re[k] = ar[k] + tr;
        out_im[k] = ai[k] + ti;
        out_re[k + half] = ar[k] - tr;
        out_im[k + half] = ai[k] - ti;
    }
    (out_re, out_im)
}

/// The power spectrum, weighted.
#[adjoint]
#[sample([0.3, -0.4, 1.0, 0.2, 0.0, 0.7, -1.1, 0.5], 0.4)]
pub fn spectrum(x: &[f64], slope: f64) -> f64 {
    let zero = vec![0.0; x.len()];
    let (re, im) = transform(x, &zero);
    let mut sum = 0.0;
    for k in 0..re.len() {
        sum += (re[k] * re[k] + im[k] * im[k]) * (-slope * k as f64).exp();
    }
    sum
}

/// A matrix that is not stored.
#[adjoint]
pub fn apply(x: &[f64], shift: f64, y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = (2.0 + shift) * x[i];
        if i > 0 {
            y[i] -= x[i - 1];
        }
        if i + 1 < n {
            y[i] -= x[i + 1];
        }
    }
}

/// Conjugate gradients: residual, direction and solution go through calls again and again.
#[adjoint]
#[sample([1.0, -0.5, 0.3, 0.8], 0.5, 3)]
pub fn conjugate_gradients(b: &[f64], shift: f64, rounds: usize) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r = b.to_vec();
    let mut p = b.to_vec();
    let mut q = vec![0.0; n];
    let mut rr = dot(&r, &r);
    for _ in 0..rounds {
        apply(&p, shift, &mut q);
        let alpha = rr / dot(&p, &q);
        axpy(alpha, &p, &mut x);
        axpy(-alpha, &q, &mut r);
        let last = rr;
        rr = dot(&r, &r);
        let beta = rr / last;
        for i in 0..n {
            p[i] = r[i] + beta * p[i];
        }
    }
    x
}

/// Takes from a vector what it has of others.
#[adjoint]
pub fn orthogonalise(done: &[f64], v: &mut [f64]) -> f64 {
    let n = v.len();
    for k in 0..done.len() / n {
        let q = &done[k * n..(k + 1) * n];
        let c = dot(q, &*v);
        axpy(-c, q, v);
    }
    let length = euclidean_norm(&*v);
    for t in v.iter_mut() {
        *t /= length;
    }
    length
}

/// Gram and Schmidt: a list that grows by what a call has changed.
#[adjoint]
#[sample([1.0, 0.2, -0.3, 0.4, 0.9, 0.1, 0.3, -0.2, 1.1], 3)]
pub fn gram_schmidt(a: &[f64], n: usize) -> f64 {
    let mut q: Vec<f64> = Vec::new();
    let mut volume = 1.0;
    for k in 0..n {
        let mut column = a[k * n..(k + 1) * n].to_vec();
        volume *= orthogonalise(&q, &mut column);
        q.extend_from_slice(&column);
    }
    volume + q[n + 1]
}

/// The second derivatives of a natural spline.
#[adjoint]
pub fn curvatures(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut u = vec![0.0; n];
    let mut m = vec![0.0; n];
    for i in 1..n - 1 {
        let s = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
        let p = s * m[i - 1] + 2.0;
        m[i] = (s - 1.0) / p;
        let d = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
        u[i] = (6.0 * d / (x[i + 1] - x[i - 1]) - s * u[i - 1]) / p;
    }
    for k in (0..n - 1).rev() {
        m[k] = m[k] * m[k + 1] + u[k];
    }
    m
}

/// In which interval something lies: a passive callee.
pub fn interval(x: &[f64], at: f64) -> usize {
    let mut k = 0;
    while k + 2 < x.len() && x[k + 1] < at {
        k += 1;
    }
    k
}

/// The spline.
#[adjoint]
#[sample([0.0, 0.6, 1.1, 2.0], [0.3, 1.0, -0.2, 0.5], [0.2, 1.5])]
pub fn spline(x: &[f64], y: &[f64], at: &[f64]) -> f64 {
    let m = curvatures(x, y);
    let mut sum = 0.0;
    for t in at {
        let k = interval(x, *t);
        let h = x[k + 1] - x[k];
        let (a, b) = ((x[k + 1] - t) / h, (t - x[k]) / h);
        sum += a * y[k] + b * y[k + 1];
        sum += ((a * a * a - a) * m[k] + (b * b * b - b) * m[k + 1]) * h * h / 6.0;
    }
    sum
}
