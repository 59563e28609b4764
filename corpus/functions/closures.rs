//! Closures that are called where they are made.

use backsweep::adjoint;

/// Called several times, with what it captures.
#[adjoint]
#[sample(0.7, 1.3)]
pub fn captured(x: f64, a: f64) -> f64 {
    let b = a.sin();
    let f = |t: f64| a * t * t + b;
    f(x) * f(2.0) + f(f(a))
}

/// A name that is hidden later.
#[adjoint]
#[sample(0.7)]
pub fn hygiene(x: f64) -> f64 {
    let a = 2.0 * x;
    let t = x.exp();
    let f = |x: f64| a * x + t;
    let a = x.sin();
    let t = 5.0;
    let y = f(a) + t;
    let x = f(y);
    x * a
}

/// Adds to what it captures.
#[adjoint]
#[sample([1.0, 2.0, -0.5], 0.3)]
pub fn accumulator(x: &[f64], w: f64) -> f64 {
    let mut s = 0.0;
    let mut n = 0;
    let mut add = |v: f64| {
        s += v * w;
        n += 1;
    };
    for &v in x {
        add(v);
        if v > 1.5 {
            add(v * v);
        }
    }
    add(1.0);
    s / n as f64
}

/// A copy of what changes.
#[adjoint]
#[sample(0.7)]
pub fn moved(x: f64) -> f64 {
    let mut c = x * x;
    let mut next = move |t: f64| {
        c += t;
        c * t
    };
    let a = next(x);
    let b = next(x);
    c *= 3.0;
    a + b * c
}

/// Blocks, branches and early returns.
#[adjoint]
#[sample(0.7, 2.0)]
#[sample(-0.7, 2.0)]
#[sample(3.0, 2.0)]
pub fn branches(x: f64, k: f64) -> f64 {
    let huber = |r: f64| -> f64 {
        if r.abs() > k {
            return k * (r.abs() - 0.5 * k);
        }
        let half = 0.5 * r;
        half * r
    };
    let leaky = |t: f64| if t > 0.0 { t } else { 0.01 * t };
    huber(x) + huber(2.0 * x) * leaky(x) + leaky(-x)
}

/// A right-hand side and a step of Runge and Kutta.
#[adjoint]
#[sample(0.7, 0.2, 1.5)]
pub fn runge_kutta(y0: f64, rate: f64, capacity: f64) -> f64 {
    let f = |t: f64, y: f64| rate * y * (1.0 - y / capacity) + 0.1 * t.sin();
    let (mut t, mut y, h) = (0.0, y0, 0.1);
    for _ in 0..10 {
        let k1 = f(t, y);
        let k2 = f(t + 0.5 * h, y + 0.5 * h * k1);
        let k3 = f(t + 0.5 * h, y + 0.5 * h * k2);
        let k4 = f(t + h, y + h * k3);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        t += h;
    }
    y
}

/// A planar system, by a closure of tuples.
#[adjoint]
#[sample(0.7, 0.2)]
pub fn pendulum(angle: f64, speed: f64) -> f64 {
    let rhs = |(q, p): (f64, f64)| (p, -q.sin() - 0.1 * p);
    let (mut q, mut p) = (angle, speed);
    for _ in 0..5 {
        let (dq, dp) = rhs((q, p));
        let (eq, ep) = rhs((q + 0.05 * dq, p + 0.05 * dp));
        q += 0.1 * eq;
        p += 0.1 * ep;
    }
    q * q + p
}

/// Simpson's rule over an integrand.
#[adjoint]
#[sample(0.7, 1.2)]
pub fn simpson(a: f64, b: f64) -> f64 {
    let n = 8;
    let h = b / n as f64;
    let f = |x: f64| (a * x).exp() / (1.0 + x * x);
    let inner: f64 = (1..n).map(|i| if i % 2 == 0 { 2.0 } else { 4.0 } * f(i as f64 * h)).sum();
    h / 3.0 * (f(0.0) + inner + f(b))
}

/// Newton's method with the residual and its slope.
#[adjoint]
#[sample(0.7, 0.3)]
pub fn kepler_by_closures(mean: f64, e: f64) -> f64 {
    let residual = |x: f64| x - e * x.sin() - mean;
    let slope = |x: f64| 1.0 - e * x.cos();
    let mut x = mean;
    while residual(x).abs() > 1e-14 {
        x -= residual(x) / slope(x);
    }
    x
}

/// Slices and elements as arguments.
#[adjoint]
#[sample([1.0, 2.0, -0.5, 0.25], [0.3, 0.1, 0.2, 0.7])]
pub fn of_slices(x: &[f64], y: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| {
        let mut s = 0.0;
        for i in 0..a.len() {
            s += a[i] * b[i];
        }
        s
    };
    let at = |i: usize| x[i] * y[x.len() - 1 - i];
    dot(x, y) * dot(&x[1..], &y[..3]) + at(0) * at(2)
}

/// Writes through a reference that it gets.
#[adjoint]
#[sample([1.0, 2.0, -0.5, 0.25])]
pub fn in_place(x: &mut [f64]) {
    let rotate = |v: &mut [f64], i: usize, j: usize| {
        let (a, b) = (v[i], v[j]);
        v[i] = 0.8 * a - 0.6 * b;
        v[j] = 0.6 * a + 0.8 * b * b;
    };
    rotate(x, 0, 1);
    rotate(x, 1, 3);
    rotate(&mut x[1..], 0, 1);
}

/// Closures in closures.
#[adjoint]
#[sample(0.7, 1.2)]
pub fn nested(x: f64, y: f64) -> f64 {
    let f = |a: f64| {
        let g = |b: f64| a * b + y;
        g(x) * g(y)
    };
    let twice = |t: f64| f(f(t) * 0.1);
    twice(x) + f(y)
}

/// Handed to adaptors by name.
#[adjoint]
#[sample([1.0, 2.0, -0.5, 0.25], 0.3)]
pub fn named(x: &[f64], c: f64) -> f64 {
    let kernel = |d: f64| (-c * d * d).exp();
    let big = |v: &&f64| **v > 0.3;
    let a: f64 = x.iter().copied().map(kernel).sum();
    let b: f64 = x.iter().copied().map(&kernel).product();
    let d: f64 = x.iter().filter(big).sum();
    a * b + d + kernel(c)
}

/// Kernel density, by a closure in a chain in a closure.
#[adjoint]
#[sample([1.0, 2.0, -0.5], 0.3, 0.8)]
pub fn density(data: &[f64], at: f64, width: f64) -> f64 {
    let kernel = |u: f64| (-0.5 * u * u).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let estimate = |x: f64| {
        data.iter().map(|d| kernel((x - d) / width)).sum::<f64>() / (data.len() as f64 * width)
    };
    (estimate(at) * estimate(at + 0.5)).ln()
}

/// A closure that nothing differentiates, used by other code too.
#[adjoint]
#[sample([1.0, 2.0, -0.5, 0.25], 2)]
pub fn passive_closure(x: &[f64], n: usize) -> f64 {
    let index = |k: usize| (3 * k + 1) % n;
    let last: Option<usize> = (0..n).map(index).max();
    let k: usize = last.unwrap_or(0);
    x[k] * x[index(1)]
}

/// A reference to one of two numbers: no derivative tells them from their values.
#[adjoint]
#[sample(0.7, 0.3, true)]
#[sample(0.7, 0.3, false)]
pub fn two_roots(a: f64, b: f64, c: bool) -> f64 {
    let r = if c { &a } else { &b };
    *r * *r + a
}
