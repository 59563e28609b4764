//! Integrators that call right-hand sides.

use super::library::linear::thomas;
use super::library::springs::attract;
use backsweep::adjoint;

/// Predators and prey.
#[adjoint]
pub fn lotka_volterra(state: &[f64], rates: &[f64], slope: &mut [f64]) {
    let meeting = state[0] * state[1];
    slope[0] = rates[0] * state[0] - rates[1] * meeting;
    slope[1] = rates[2] * meeting - rates[3] * state[1];
}

/// One step of the classical method of Runge and Kutta.
#[adjoint]
pub fn runge_kutta_step(state: &mut [f64], rates: &[f64], h: f64) {
    let n = state.len();
    let mut k1 = vec![0.0; n];
    let mut k2 = vec![0.0; n];
    let mut k3 = vec![0.0; n];
    let mut k4 = vec![0.0; n];
    let mut stage = vec![0.0; n];
    lotka_volterra(&*state, rates, &mut k1);
    for i in 0..n {
        stage[i] = state[i] + 0.5 * h * k1[i];
    }
    lotka_volterra(&stage, rates, &mut k2);
    for i in 0..n {
        stage[i] = state[i] + 0.5 * h * k2[i];
    }
    lotka_volterra(&stage, rates, &mut k3);
    for i in 0..n {
        stage[i] = state[i] + h * k3[i];
    }
    lotka_volterra(&stage, rates, &mut k4);
    for i in 0..n {
        state[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/// Predators and prey at the end of the time.
#[adjoint]
#[sample([1.0, 0.5], [1.1, 0.4, 0.1, 0.4], 0.1, 5)]
#[sample([1.0, 0.5], [1.1, 0.4, 0.1, 0.4], 0.1, 0)]
pub fn predators(start: &[f64], rates: &[f64], h: f64, steps: usize) -> f64 {
    let mut state = start.to_vec();
    for _ in 0..steps {
        runge_kutta_step(&mut state, rates, h);
    }
    state[0] * state[1]
}

/// How far an implicit Euler step is from being one.
#[adjoint]
pub fn residual(next: f64, last: f64, mu: f64, h: f64) -> f64 {
    next - last - h * (mu * next * (1.0 - next * next))
}

/// Its slope.
#[adjoint]
pub fn residual_slope(next: f64, mu: f64, h: f64) -> f64 {
    1.0 - h * mu * (1.0 - 3.0 * next * next)
}

/// Newton's method, with calls in the condition of the loop.
#[adjoint]
pub fn newton(last: f64, mu: f64, h: f64) -> f64 {
    let mut next = last;
    let mut rounds = 0;
    while residual(next, last, mu, h).abs() > 1e-13 && rounds < 20 {
        next -= residual(next, last, mu, h) / residual_slope(next, mu, h);
        rounds += 1;
    }
    next - residual(next, last, mu, h) / residual_slope(next, mu, h)
}

/// Implicit Euler: a nest of steps, rounds and residuals.
#[adjoint]
#[sample(0.3, 1.7, 0.4, 4)]
pub fn implicit_euler(start: f64, mu: f64, h: f64, steps: usize) -> f64 {
    let mut y = start;
    for _ in 0..steps {
        y = newton(y, mu, h);
    }
    y
}

/// Decay towards a moving target.
#[adjoint]
pub fn relaxation(t: f64, y: f64, rate: f64) -> f64 {
    rate * ((2.0 * t).cos() - y)
}

/// A step of Heun, and how far that of Euler is from it.
#[adjoint]
pub fn heun(t: f64, y: f64, rate: f64, h: f64) -> (f64, f64) {
    let k1 = relaxation(t, y, rate);
    let k2 = relaxation(t + h, y + h * k1, rate);
    (y + 0.5 * h * (k1 + k2), 0.5 * h * (k2 - k1))
}

/// Steps whose length is controlled by the error, which a call returns; the steps are passive.
#[adjoint(independents(start, rate), dependents(return))]
#[sample(0.2, 3.0, 1e-2)]
#[sample(0.2, 3.0, 1e-3)]
pub fn adaptive(start: f64, rate: f64, tolerance: f64) -> f64 {
    let mut t = 0.0;
    let mut y = start;
    let mut h = 0.3;
    while t < 1.0 {
        let (next, error) = heun(t, y, rate, h);
        if error.abs() > tolerance && h > 0.01 {
            h *= 0.5;
            continue;
        }
        y = next;
        t += h;
    }
    y
}

/// All pulls on all bodies: overlapping parts of one list, one of several rows written.
#[adjoint]
pub fn pulls(x: &[f64], masses: &[f64], pull: &mut [f64]) {
    let n = masses.len();
    for k in 0..pull.len() {
        pull[k] = 0.0;
    }
    for i in 0..n {
        for j in 0..n {
            if i != j {
                attract(&x[2 * i..2 * i + 2], &x[2 * j..2 * j + 2], masses[j], &mut pull[2 * i..2 * i + 2]);
            }
        }
    }
}

/// Leapfrog for a few bodies.
#[adjoint]
#[sample([0.0, 0.0, 1.0, 0.1, -0.3, 1.2], [0.0, 0.1, 0.0, 0.9, -0.8, 0.0], [1.0, 0.3, 0.2], 0.05, 4)]
pub fn leapfrog(x: &mut [f64], v: &mut [f64], masses: &[f64], h: f64, steps: usize) {
    let mut pull = vec![0.0; x.len()];
    pulls(&*x, masses, &mut pull);
    for _ in 0..steps {
        for k in 0..x.len() {
            v[k] += 0.5 * h * pull[k];
            x[k] += h * v[k];
        }
        pulls(&*x, masses, &mut pull);
        for k in 0..x.len() {
            v[k] += 0.5 * h * pull[k];
        }
    }
}

/// The slopes of a double pendulum, as an array.
#[adjoint]
pub fn double_pendulum_slopes(s: [f64; 4], ratio: f64) -> [f64; 4] {
    let d = s[0] - s[1];
    let (sin, cos) = (d.sin(), d.cos());
    let den = 1.0 + ratio * sin * sin;
    let a = -(s[2] * s[2] * cos + s[3] * s[3]) * ratio * sin - s[0].sin() * 9.81;
    let b = (s[2] * s[2] + ratio * s[3] * s[3] * cos) * sin - 9.81 * s[1].sin();
    [s[2], s[3], a / den, b / den]
}

/// A double pendulum by the midpoint rule: arrays go in and come out.
#[adjoint]
#[sample([0.4, -0.2, 0.0, 0.1], 0.7, 0.02, 5)]
pub fn double_pendulum(start: [f64; 4], ratio: f64, h: f64, steps: usize) -> [f64; 4] {
    let mut s = start;
    for _ in 0..steps {
        let k = double_pendulum_slopes(s, ratio);
        let mut mid = s;
        for i in 0..4 {
            mid[i] += 0.5 * h * k[i];
        }
        let k = double_pendulum_slopes(mid, ratio);
        for i in 0..4 {
            s[i] += h * k[i];
        }
    }
    s
}

/// Adams and Bashforth: the slope of the step before is exchanged with that of the step.
#[adjoint]
#[sample([1.0, 0.5], [1.1, 0.4, 0.1, 0.4], 0.1, 6)]
pub fn adams_bashforth(start: &[f64], rates: &[f64], h: f64, steps: usize) -> f64 {
    let n = start.len();
    let mut y = start.to_vec();
    let mut now = vec![0.0; n];
    let mut before = vec![0.0; n];
    lotka_volterra(&y, rates, &mut before);
    for _ in 0..steps {
        lotka_volterra(&y, rates, &mut now);
        for i in 0..n {
            y[i] += h * (1.5 * now[i] - 0.5 * before[i]);
        }
        std::mem::swap(&mut now, &mut before);
    }
    y[0] - y[1]
}

/// One step of Crank and Nicolson: the solver destroys what it is given.
#[adjoint]
pub fn crank_nicolson(u: &mut [f64], diffusion: f64) {
    let n = u.len();
    let half = 0.5 * diffusion;
    let mut right = vec![0.0; n];
    for i in 0..n {
        let left_u = if i > 0 { u[i - 1] } else { 0.0 };
        let right_u = if i + 1 < n { u[i + 1] } else { 0.0 };
        right[i] = u[i] + half * (left_u - 2.0 * u[i] + right_u);
    }
    let off = vec![-half; n];
    let mut diagonal = vec![1.0 + diffusion; n];
    thomas(&off, &mut diagonal, &off, &mut right);
    u.copy_from_slice(&right);
}

/// Heat that diffuses, and how much of it is left.
#[adjoint]
#[sample([0.1, 0.7, 1.0, 0.2, 0.0], 0.4, 3)]
pub fn heat(start: &[f64], diffusion: f64, steps: usize) -> f64 {
    let mut u = start.to_vec();
    for step in 0..steps {
        crank_nicolson(&mut u, diffusion / (1.0 + step as f64));
    }
    u.iter().map(|t| t * t).sum()
}
