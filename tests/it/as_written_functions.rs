//! Programs as people write them: functions that take functions, iterations, recurrences over lists and tables. Gradients against central
//! differences.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use testkit::vectors::check;

#[adjoint]
fn trapezoid<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut s = 0.5 * (f(a) + f(b));
    for i in 1..n {
        s += f(a + i as f64 * h);
    }
    s * h
}
#[adjoint]
fn expected(mu: f64, sigma: f64) -> f64 {
    let density = |x: f64| {
        (-0.5 * ((x - mu) / sigma).powi(2)).exp() / (sigma * (2.0 * std::f64::consts::PI).sqrt())
    };
    trapezoid(|x| x.max(0.0) * density(x), -5.0, 5.0, 200)
}
#[adjoint]
fn rk4_step(f: impl Fn(f64, &[f64]) -> Vec<f64>, t: f64, y: &[f64], h: f64) -> Vec<f64> {
    let add = |a: &[f64], b: &[f64], s: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(x, y)| x + s * y).collect()
    };
    let k1 = f(t, y);
    let k2 = f(t + h / 2.0, &add(y, &k1, h / 2.0));
    let k3 = f(t + h / 2.0, &add(y, &k2, h / 2.0));
    let k4 = f(t + h, &add(y, &k3, h));
    (0..y.len()).map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])).collect()
}
#[adjoint]
fn pendulum(theta0: f64, g: f64, l: f64, steps: usize) -> f64 {
    let mut y = vec![theta0, 0.0];
    for k in 0..steps {
        y = rk4_step(|_t, y| vec![y[1], -g / l * y[0].sin()], k as f64 * 0.01, &y, 0.01);
    }
    y[0]
}
#[adjoint]
fn root_of(c: f64) -> f64 {
    let f = |x: f64| x.powi(3) - c * x - 1.0;
    let df = |x: f64| 3.0 * x * x - c;
    let mut x = 2.0;
    let mut iterations = 0;
    loop {
        let dx = f(x) / df(x);
        x -= dx;
        iterations += 1;
        if dx.abs() < 1e-13 || iterations > 50 {
            break x;
        }
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Poly<const N: usize> {
    c: [f64; N],
}
#[adjoint]
impl<const N: usize> Poly<N> {
    fn eval(&self, x: f64) -> f64 {
        let mut s = 0.0;
        for i in (0..N).rev() {
            s = s * x + self.c[i];
        }
        s
    }
}
#[adjoint]
fn huber(r: &[f64], delta: f64) -> f64 {
    r.iter()
        .map(|&e| match e.abs() {
            a if a <= delta => 0.5 * e * e,
            a => delta * (a - 0.5 * delta),
        })
        .sum()
}
#[adjoint]
fn moving_average(x: &[f64], alpha: f64) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.len());
    let mut prev: Option<f64> = None;
    for &v in x {
        let s = match prev {
            Some(p) => alpha * v + (1.0 - alpha) * p,
            None => v,
        };
        out.push(s);
        prev = Some(s);
    }
    out
}
#[adjoint]
fn dtw(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut d = vec![vec![f64::INFINITY; m + 1]; n + 1];
    d[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=m {
            let cost = (a[i - 1] - b[j - 1]).powi(2);
            d[i][j] = cost + d[i - 1][j].min(d[i][j - 1]).min(d[i - 1][j - 1]);
        }
    }
    d[n][m].sqrt()
}
#[adjoint]
fn hmm(init: &[f64], trans: &[Vec<f64>], emit: &[Vec<f64>], obs: &[usize]) -> f64 {
    let k = init.len();
    let mut alpha: Vec<f64> = (0..k).map(|s| init[s] * emit[s][obs[0]]).collect();
    let mut ll = 0.0;
    for &o in obs.iter().skip(1) {
        let z: f64 = alpha.iter().sum();
        ll += z.ln();
        alpha.iter_mut().for_each(|a| *a /= z);
        alpha = (0..k)
            .map(|s| emit[s][o] * (0..k).map(|p| alpha[p] * trans[p][s]).sum::<f64>())
            .collect();
    }
    ll + alpha.iter().sum::<f64>().ln()
}
#[adjoint]
fn conv2d(image: &[Vec<f64>], kernel: &[[f64; 3]; 3]) -> Vec<Vec<f64>> {
    let (h, w) = (image.len(), image[0].len());
    let mut out = vec![vec![0.0; w - 2]; h - 2];
    for (i, row) in out.iter_mut().enumerate() {
        for (j, cell) in row.iter_mut().enumerate() {
            *cell = (0..3)
                .flat_map(|a| (0..3).map(move |b| (a, b)))
                .map(|(a, b)| image[i + a][j + b] * kernel[a][b])
                .sum();
        }
    }
    out
}
#[adjoint]
fn quat_rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [w, x, y, z] = q;
    let n = (w * w + x * x + y * y + z * z).sqrt();
    let (w, x, y, z) = (w / n, x / n, y / n, z / n);
    let u = [x, y, z];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let t = cross(u, v);
    let t = t.map(|c| 2.0 * c);
    let s = cross(u, t);
    std::array::from_fn(|i| v[i] + w * t[i] + s[i])
}
#[adjoint]
fn gauss_solve(a: &[Vec<f64>], b: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    let mut m: Vec<Vec<f64>> = a
        .iter()
        .zip(b)
        .map(|(row, &rhs)| {
            let mut r = row.clone();
            r.push(rhs);
            r
        })
        .collect();
    for i in 0..n {
        let pivot = (i..n).max_by(|&p, &q| m[p][i].abs().partial_cmp(&m[q][i].abs()).unwrap())?;
        if m[pivot][i].abs() < 1e-12 {
            return None;
        }
        m.swap(i, pivot);
        for j in i + 1..n {
            let f = m[j][i] / m[i][i];
            for k in i..=n {
                let t = m[i][k];
                m[j][k] -= f * t;
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|j| m[i][j] * x[j]).sum();
        x[i] = (m[i][n] - s) / m[i][i];
    }
    Some(x)
}
#[adjoint]
fn power_iteration(a: &[f64], n: usize, iterations: usize) -> f64 {
    let mut v = vec![1.0 / (n as f64).sqrt(); n];
    let mut lambda = 0.0;
    for _ in 0..iterations {
        let w: Vec<f64> =
            a.chunks(n).map(|row| row.iter().zip(&v).map(|(x, y)| x * y).sum()).collect();
        lambda = w.iter().map(|x| x * x).sum::<f64>().sqrt();
        v = w.iter().map(|x| x / lambda).collect();
    }
    lambda
}
#[adjoint]
fn histogram_entropy(x: &[f64], centers: &[f64], width: f64) -> f64 {
    let mut h = vec![0.0; centers.len()];
    for v in x {
        for (k, c) in centers.iter().enumerate() {
            h[k] += (-((v - c) / width).powi(2)).exp();
        }
    }
    let total: f64 = h.iter().sum();
    -h.iter().map(|p| p / total).filter(|p| *p > 0.0).map(|p| p * p.ln()).sum::<f64>()
}
#[adjoint]
fn sorted_quantile(x: &[f64], p: f64) -> f64 {
    let mut s = x.to_vec();
    s.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let pos = p * (s.len() - 1) as f64;
    let i = pos.floor() as usize;
    let frac = pos - i as f64;
    if i + 1 < s.len() { s[i] * (1.0 - frac) + s[i + 1] * frac } else { s[i] }
}

fn numbers(n: usize, from: f64) -> Vec<f64> {
    (0..n).map(|k| (1.3 * k as f64 + from).sin() + 0.1 * from).collect()
}

#[test]
fn functions_that_take_functions() {
    let (_, bars) = expected::gradient(0.3, 1.2);
    check(|&(mu, sigma)| expected(mu, sigma), &(0.3, 1.2), &bars);
    let (_, bars) = pendulum::gradient(0.9, 9.81, 0.7, 40);
    check(|&(theta, g, l)| pendulum(theta, g, l, 40), &(0.9, 9.81, 0.7), &bars);
    let (_, c_b) = root_of::gradient(1.7);
    check(|&c| root_of(c), &1.7, &c_b);
}

#[test]
fn recurrences() {
    let at = (numbers(7, 0.4), numbers(5, 1.1));
    let (_, bars) = dtw::gradient(&at.0, &at.1);
    check(|(a, b): &(Vec<f64>, Vec<f64>)| dtw(a, b), &at, &bars);
    let (_, bars) = huber::gradient(&at.0, 0.5);
    check(|(r, delta)| huber(r, *delta), &(at.0.clone(), 0.5), &bars);
    let mut bars = (vec![0.0; 7], 0.0);
    moving_average::adjoint(&at.0, &mut bars.0, 0.3, &mut bars.1, vec![1.0; 7]);
    check(|(x, alpha)| moving_average(x, *alpha).iter().sum(), &(at.0.clone(), 0.3), &bars);
    let initial = vec![0.5, 0.3, 0.2];
    let transitions = vec![vec![0.7, 0.2, 0.1], vec![0.1, 0.8, 0.1], vec![0.3, 0.3, 0.4]];
    let emissions = vec![vec![0.6, 0.4], vec![0.2, 0.8], vec![0.5, 0.5]];
    let observed = [0, 1, 1, 0, 1];
    let at = (initial, transitions, emissions);
    let (_, bars) = hmm::gradient(&at.0, &at.1, &at.2, &observed);
    check(|(i, t, e)| hmm(i, t, e, &observed), &at, &bars);
}

#[test]
fn tables_and_solves() {
    let image: Vec<Vec<f64>> = (0..4).map(|i| numbers(5, i as f64)).collect();
    let at = (image, [[0.1, 0.2, -0.3], [1.0, 0.5, 0.0], [0.3, -0.7, 0.9]]);
    let seed = vec![vec![1.0, -0.5, 2.0], vec![0.3, 0.0, -1.0]];
    let mut bars = (vec![vec![0.0; 5]; 4], [[0.0; 3]; 3]);
    conv2d::adjoint(&at.0, &mut bars.0, &at.1, &mut bars.1, seed.clone());
    let weighted = |out: Vec<Vec<f64>>| -> f64 {
        out.iter().flatten().zip(seed.iter().flatten()).map(|(x, s)| x * s).sum()
    };
    check(|(image, kernel)| weighted(conv2d(image, kernel)), &at, &bars);
    let matrix = vec![vec![0.1, 2.0, -0.3], vec![1.5, 0.2, 0.4], vec![-0.6, 0.9, 3.0]];
    let at = (matrix, vec![1.0, -0.4, 0.7]);
    let mut bars = (vec![vec![0.0; 3]; 3], vec![0.0; 3]);
    let solution =
        gauss_solve::adjoint(&at.0, &mut bars.0, &at.1, &mut bars.1, vec![1.0, 2.0, -1.0]);
    assert_eq!(solution, gauss_solve(&at.0, &at.1));
    let plain = |(a, b): &(Vec<Vec<f64>>, Vec<f64>)| -> f64 {
        let x = gauss_solve(a, b).expect("regular");
        x[0] + 2.0 * x[1] - x[2]
    };
    check(plain, &at, &bars);
    let a = vec![2.0, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 1.0];
    let (_, a_b) = power_iteration::gradient(&a, 3, 8);
    check(|a| power_iteration(a, 3, 8), &a, &a_b);
}

#[test]
fn statistics_and_rotations() {
    let at = (numbers(6, 0.2), vec![-0.8, 0.0, 0.7], 0.6);
    let (_, bars) = histogram_entropy::gradient(&at.0, &at.1, at.2);
    check(|(x, c, w)| histogram_entropy(x, c, *w), &at, &bars);
    let at = (numbers(6, 0.2), 0.37);
    let (_, bars) = sorted_quantile::gradient(&at.0, at.1);
    check(|(x, p)| sorted_quantile(x, *p), &at, &bars);
    let at = ([0.9, 0.1, -0.3, 0.4], [1.0, -2.0, 0.5]);
    let mut bars = ([0.0; 4], [0.0; 3]);
    quat_rotate::adjoint(at.0, &mut bars.0, at.1, &mut bars.1, [1.0, -0.5, 2.0]);
    let plain = |&(q, v): &([f64; 4], [f64; 3])| {
        let [x, y, z] = quat_rotate(q, v);
        x - 0.5 * y + 2.0 * z
    };
    check(plain, &at, &bars);
    let poly = Poly { c: [0.3, -1.2, 0.7, 0.4] };
    let (_, (poly_b, x_b)) = poly.eval_gradient(0.6);
    check(|(c, x)| Poly { c: *c }.eval(*x), &(poly.c, 0.6), &(poly_b.c, x_b));
}
