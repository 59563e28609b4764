//! Programs as people write them in their fields, of structs, closures and chains, without options in the attributes where none are needed.
//! Gradients against central differences, values against the plain functions.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use std::f64::consts::PI;
use testkit::vectors::check;

#[derive(Clone, Debug, Differentiable)]
struct Link {
    length: f64,
    mass: f64,
    com: f64,
}
#[derive(Clone, Debug, Differentiable)]
struct Arm {
    links: Vec<Link>,
    gravity: f64,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pose {
    x: f64,
    y: f64,
    theta: f64,
}

#[adjoint]
impl Arm {
    fn forward(&self, q: &[f64]) -> Pose {
        let mut pose = Pose { x: 0.0, y: 0.0, theta: 0.0 };
        for (link, &angle) in self.links.iter().zip(q.iter()) {
            pose.theta += angle;
            pose.x += link.length * pose.theta.cos();
            pose.y += link.length * pose.theta.sin();
        }
        pose
    }
    fn potential(&self, q: &[f64]) -> f64 {
        let mut height = 0.0;
        let mut theta = 0.0;
        let mut energy = 0.0;
        for (i, link) in self.links.iter().enumerate() {
            theta += q[i];
            energy += link.mass * self.gravity * (height + link.com * theta.sin());
            height += link.length * theta.sin();
        }
        energy
    }
    fn cost(&self, q: &[f64], target: &Pose, limits: &[(f64, f64)]) -> f64 {
        let p = self.forward(q);
        let reach = (p.x - target.x).hypot(p.y - target.y);
        let penalty: f64 = q
            .iter()
            .zip(limits)
            .map(|(&q, &(lo, hi))| {
                if q < lo {
                    (lo - q).powi(2)
                } else if q > hi {
                    (q - hi).powi(2)
                } else {
                    0.0
                }
            })
            .sum();
        reach.powi(2) + 10.0 * penalty + 0.1 * self.potential(q)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum OptionKind {
    Call,
    Put,
}
#[adjoint]
fn norm_cdf(x: f64) -> f64 {
    const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    let l = x.abs();
    let k = 1.0 / (1.0 + 0.2316419 * l);
    let w = 1.0
        - 1.0 / (2.0 * PI).sqrt()
            * (-l * l / 2.0).exp()
            * A.iter().enumerate().map(|(i, a)| a * k.powi(i as i32 + 1)).sum::<f64>();
    if x < 0.0 { 1.0 - w } else { w }
}
#[adjoint]
fn black_scholes(kind: OptionKind, s: f64, k: f64, r: f64, sigma: f64, t: f64) -> f64 {
    let d1 = ((s / k).ln() + (r + 0.5 * sigma.powi(2)) * t) / (sigma * t.sqrt());
    let d2 = d1 - sigma * t.sqrt();
    match kind {
        OptionKind::Call => s * norm_cdf(d1) - k * (-r * t).exp() * norm_cdf(d2),
        OptionKind::Put => k * (-r * t).exp() * norm_cdf(-d2) - s * norm_cdf(-d1),
    }
}
#[adjoint]
fn binomial(s: f64, k: f64, r: f64, sigma: f64, t: f64, n: usize) -> f64 {
    let dt = t / n as f64;
    let u = (sigma * dt.sqrt()).exp();
    let d = u.recip();
    let p = ((r * dt).exp() - d) / (u - d);
    let disc = (-r * dt).exp();
    let mut values: Vec<f64> =
        (0..=n).map(|i| (s * u.powi(2 * i as i32 - n as i32) - k).max(0.0)).collect();
    for step in (0..n).rev() {
        for i in 0..=step {
            let hold = disc * (p * values[i + 1] + (1.0 - p) * values[i]);
            let exercise = s * u.powi(2 * i as i32 - step as i32) - k;
            values[i] = hold.max(exercise);
        }
    }
    values[0]
}
#[derive(Clone, Debug, Differentiable)]
struct Curve {
    #[passive]
    times: Vec<f64>,
    rates: Vec<f64>,
}
#[adjoint]
impl Curve {
    fn rate(&self, t: f64) -> f64 {
        let n = self.times.len();
        match self.times.iter().position(|&s| s > t) {
            Some(0) => self.rates[0],
            None => self.rates[n - 1],
            Some(i) => {
                let w = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1]);
                self.rates[i - 1] * (1.0 - w) + self.rates[i] * w
            }
        }
    }
    fn discount(&self, t: f64) -> f64 {
        (-self.rate(t) * t).exp()
    }
    fn bond(&self, coupon: f64, schedule: &[f64]) -> f64 {
        let coupons: f64 = schedule.iter().map(|&t| coupon * self.discount(t)).sum();
        coupons + schedule.last().map_or(0.0, |&t| self.discount(t))
    }
}

#[adjoint(independents(beta), dependents(return))]
fn logistic_loglik(beta: &[f64], xs: &[Vec<f64>], ys: &[bool], lambda: f64) -> f64 {
    let ll = xs.iter().zip(ys).fold(0.0, |acc, (x, &y)| {
        let eta: f64 = x.iter().zip(beta).map(|(a, b)| a * b).sum();
        acc + if y { -(-eta).exp().ln_1p() } else { -eta.exp().ln_1p() }
    });
    ll - 0.5 * lambda * beta.iter().map(|b| b * b).sum::<f64>()
}
#[adjoint]
fn gaussian_mixture(x: &[f64], means: &[f64], log_sds: &[f64], logits: &[f64]) -> f64 {
    let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_norm = max + logits.iter().map(|l| (l - max).exp()).sum::<f64>().ln();
    x.iter()
        .map(|&xi| {
            let terms: Vec<f64> = means
                .iter()
                .zip(log_sds)
                .zip(logits)
                .map(|((m, ls), l)| {
                    let z = (xi - m) / ls.exp();
                    l - log_norm - 0.5 * z * z - ls - 0.5 * (2.0 * PI).ln()
                })
                .collect();
            let top = terms.iter().fold(f64::MIN, |a, &b| a.max(b));
            top + terms.iter().map(|t| (t - top).exp()).sum::<f64>().ln()
        })
        .sum()
}
#[adjoint(independents(theta), dependents(return))]
fn hierarchical(theta: &[f64], groups: &[usize], y: &[f64]) -> f64 {
    let (mu, rest) = theta.split_first().unwrap();
    let (log_tau, effects) = rest.split_first().unwrap();
    let tau = log_tau.exp();
    let prior: f64 = effects.iter().map(|e| -0.5 * ((e - mu) / tau).powi(2) - log_tau).sum();
    let lik: f64 = groups.iter().zip(y).map(|(&g, &yi)| -0.5 * (yi - effects[g]).powi(2)).sum();
    prior + lik + log_tau
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct State {
    pos: [f64; 3],
    vel: [f64; 3],
}
#[adjoint]
fn acceleration(bodies: &[State], masses: &[f64], i: usize, eps: f64) -> [f64; 3] {
    let mut acc = [0.0; 3];
    for (j, other) in bodies.iter().enumerate() {
        if i == j {
            continue;
        }
        let d: [f64; 3] = std::array::from_fn(|k| other.pos[k] - bodies[i].pos[k]);
        let r2 = d.iter().map(|x| x * x).sum::<f64>() + eps * eps;
        let inv = masses[j] / (r2 * r2.sqrt());
        for k in 0..3 {
            acc[k] += d[k] * inv;
        }
    }
    acc
}
#[adjoint]
fn simulate(bodies: &[State], masses: &[f64], steps: usize, dt: f64) -> Vec<State> {
    let mut state = bodies.to_vec();
    for _ in 0..steps {
        let accs: Vec<[f64; 3]> =
            (0..state.len()).map(|i| acceleration(&state, masses, i, 1e-3)).collect();
        for (s, a) in state.iter_mut().zip(&accs) {
            for k in 0..3 {
                s.vel[k] += dt * a[k];
                s.pos[k] += dt * s.vel[k];
            }
        }
    }
    state
}
#[adjoint]
fn heat(u0: &[f64], alpha: f64, dt: f64, dx: f64, steps: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_owned();
    let mut next = u.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = u[i] + alpha * dt / (dx * dx) * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
        }
        std::mem::swap(&mut u, &mut next);
    }
    u.iter().map(|v| v.powi(2)).sum::<f64>().sqrt()
}
#[adjoint]
fn lotka(params: &[f64; 4], y0: &[f64; 2]) -> f64 {
    let [a, b, c, d] = *params;
    let h = 0.01;
    let (mut x, mut y) = (y0[0], y0[1]);
    for _ in 0..100 {
        let (dx, dy) = (a * x - b * x * y, c * x * y - d * y);
        (x, y) = (x + h * dx, y + h * dy);
    }
    x * y
}
#[adjoint]
fn polygon_area(points: &[[f64; 2]]) -> f64 {
    let n = points.len();
    0.5 * (0..n)
        .map(|i| {
            let [x0, y0] = points[i];
            let [x1, y1] = points[(i + 1) % n];
            x0 * y1 - x1 * y0
        })
        .sum::<f64>()
        .abs()
}
#[adjoint]
fn de_casteljau(points: &[(f64, f64)], t: f64) -> (f64, f64) {
    let mut p = points.to_vec();
    while p.len() > 1 {
        p = p
            .windows(2)
            .map(|w| ((1.0 - t) * w[0].0 + t * w[1].0, (1.0 - t) * w[0].1 + t * w[1].1))
            .collect();
    }
    p[0]
}
#[adjoint]
fn signed_distance(p: [f64; 2], boxes: &[([f64; 2], [f64; 2])]) -> f64 {
    boxes
        .iter()
        .map(|(c, h)| {
            let dx = (p[0] - c[0]).abs() - h[0];
            let dy = (p[1] - c[1]).abs() - h[1];
            let outside = dx.max(0.0).hypot(dy.max(0.0));
            outside + dx.max(dy).min(0.0)
        })
        .reduce(f64::min)
        .unwrap_or(f64::INFINITY)
}

#[test]
fn an_arm() {
    let links = [(1.0, 2.0, 0.4), (0.7, 1.0, 0.3), (0.5, 0.5, 0.2)]
        .map(|(length, mass, com)| Link { length, mass, com })
        .to_vec();
    let arm = Arm { links, gravity: 9.81 };
    let target = Pose { x: 0.9, y: 1.1, theta: 0.0 };
    let limits = [(-1.0, 1.0), (-0.2, 0.3), (-2.0, 2.0)];
    let q = vec![0.3, 0.5, -0.8];
    let (value, (arm_b, q_b, target_b, limits_b)) = arm.cost_gradient(&q, &target, &limits);
    assert_eq!(value, arm.cost(&q, &target, &limits));
    let plain = |(arm, q, target, limits): &(Arm, Vec<f64>, Pose, Vec<(f64, f64)>)| {
        arm.cost(q, target, limits)
    };
    let at = (arm, q, target, limits.to_vec());
    check(plain, &at, &(arm_b, q_b, target_b, limits_b));
}

#[test]
fn options_and_bonds() {
    for kind in [OptionKind::Call, OptionKind::Put] {
        let at = (100.0, 95.0, 0.03, 0.2, 0.75);
        let (_, bars) = black_scholes::gradient(kind, at.0, at.1, at.2, at.3, at.4);
        check(|&(s, k, r, v, t)| black_scholes(kind, s, k, r, v, t), &at, &bars);
    }
    let at = (100.0, 105.0, 0.03, 0.2, 1.0);
    let (_, bars) = binomial::gradient(at.0, at.1, at.2, at.3, at.4, 12);
    check(|&(s, k, r, v, t)| binomial(s, k, r, v, t, 12), &at, &bars);
    let curve = Curve { times: vec![0.5, 1.0, 2.0, 5.0], rates: vec![0.02, 0.025, 0.03, 0.035] };
    let schedule = vec![0.25, 0.75, 1.5, 4.0, 6.0];
    let (_, (curve_b, coupon_b, schedule_b)) = curve.bond_gradient(0.04, &schedule);
    let plain = |(rates, coupon, schedule): &(Vec<f64>, f64, Vec<f64>)| {
        Curve { times: curve.times.clone(), rates: rates.clone() }.bond(*coupon, schedule)
    };
    check(plain, &(curve.rates.clone(), 0.04, schedule), &(curve_b.rates, coupon_b, schedule_b));
}

#[test]
fn log_densities() {
    let (xs, ys) = ([vec![1.0, 0.3], vec![1.0, -1.2], vec![1.0, 2.0]], [true, false, true]);
    let beta = vec![0.4, -0.7];
    let (_, beta_b) = logistic_loglik::gradient(&beta, &xs, &ys, 0.5);
    check(|beta| logistic_loglik(beta, &xs, &ys, 0.5), &beta, &beta_b);
    let at = (vec![0.3, -1.0, 2.2], vec![0.0, 1.5], vec![0.2, -0.3], vec![0.1, 0.4]);
    let (_, bars) = gaussian_mixture::gradient(&at.0, &at.1, &at.2, &at.3);
    check(|(x, m, s, l)| gaussian_mixture(x, m, s, l), &at, &bars);
    let theta = vec![0.3, -0.4, 0.5, 1.2, -0.7];
    let (groups, y) = ([0, 1, 1, 2, 0], [0.6, 1.0, 1.4, -0.5, 0.1]);
    let (_, theta_b) = hierarchical::gradient(&theta, &groups, &y);
    check(|theta| hierarchical(theta, &groups, &y), &theta, &theta_b);
}

#[test]
fn bodies_and_heat() {
    let bodies: Vec<State> = [
        ([0.0, 0.1, 0.0], [0.0; 3]),
        ([1.0, 0.0, 0.2], [0.0, 0.8, 0.1]),
        ([-0.5, 1.1, 0.3], [0.4, 0.0, -0.2]),
    ]
    .map(|(pos, vel)| State { pos, vel })
    .to_vec();
    let masses = vec![1.0, 0.1, 0.05];
    let weighted = |states: &[State]| -> f64 {
        states.iter().enumerate().map(|(i, s)| s.pos[i] - 0.5 * s.vel[2 - i]).sum()
    };
    let mut bars = (bodies.clone(), masses.clone(), 0.0);
    bars.0.iter_mut().for_each(|body| *body = State { pos: [0.0; 3], vel: [0.0; 3] });
    bars.1.fill(0.0);
    let mut seed = bars.0.clone();
    for (i, s) in seed.iter_mut().enumerate() {
        s.pos[i] = 1.0;
        s.vel[2 - i] = -0.5;
    }
    let end =
        simulate::adjoint(&bodies, &mut bars.0, &masses, &mut bars.1, 20, 0.02, &mut bars.2, seed);
    assert_eq!(weighted(&end), weighted(&simulate(&bodies, &masses, 20, 0.02)));
    check(
        |(bodies, masses, dt)| weighted(&simulate(bodies, masses, 20, *dt)),
        &(bodies, masses, 0.02),
        &bars,
    );
    let at = (vec![0.0, 1.0, 0.5, -0.3, 0.2, 0.0], 0.8, 0.01, 0.2);
    let (_, bars) = heat::gradient(&at.0, at.1, at.2, at.3, 15);
    check(|(u, a, dt, dx)| heat(u, *a, *dt, *dx, 15), &at, &bars);
    let at = ([1.1, 0.4, 0.1, 0.4], [10.0, 5.0]);
    let (_, bars) = lotka::gradient(&at.0, &at.1);
    check(|(params, y0)| lotka(params, y0), &at, &bars);
}

#[test]
fn curves_and_shapes() {
    let points = vec![[0.0, 0.1], [2.0, -0.3], [2.5, 1.5], [0.4, 2.0]];
    let (_, points_b) = polygon_area::gradient(&points);
    check(|points| polygon_area(points), &points, &points_b);
    let at = (vec![(0.0, 0.0), (1.0, 2.0), (3.0, -1.0), (4.0, 0.5)], 0.3);
    let mut bars = (vec![(0.0, 0.0); 4], 0.0);
    de_casteljau::adjoint(&at.0, &mut bars.0, at.1, &mut bars.1, (1.0, -2.0));
    let plain = |(points, t): &(Vec<(f64, f64)>, f64)| {
        let (x, y) = de_casteljau(points, *t);
        x - 2.0 * y
    };
    check(plain, &at, &bars);
    for p in [[0.2, 0.9], [3.0, 2.2], [1.9, -0.4]] {
        let at = (p, vec![([0.0, 0.0], [1.0, 0.5]), ([2.0, 1.0], [0.5, 0.7])]);
        let (_, bars) = signed_distance::gradient(at.0, &at.1);
        check(|(p, boxes)| signed_distance(*p, boxes), &at, &bars);
    }
}
