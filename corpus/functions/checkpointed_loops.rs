//! Loops that are reversed with a schedule.

use backsweep::adjoint;

/// Burgers' equation on a ring; the state is a `Vec` and a sum.
#[adjoint(independents(start, viscosity), dependents(return))]
#[sample([0.3, -0.2, 0.5, 0.1, -0.4], 0.05, 11)]
#[sample([0.3, -0.2, 0.5], 0.05, 0)]
#[sample([0.3, -0.2, 0.5], 0.05, 1)]
pub fn burgers(start: &[f64], viscosity: f64, steps: usize) -> f64 {
    let mut u = start.to_vec();
    let mut energy = 0.0;
    let m = u.len();
    #[checkpoint(snapshots = 3)]
    for step in 0..steps {
        let old = u.clone();
        for k in 0..m {
            let left = old[(k + m - 1) % m];
            let right = old[(k + 1) % m];
            u[k] = old[k] - 0.1 * old[k] * (right - left) + viscosity * (left + right - 2.0 * old[k]);
        }
        energy += u[step % m] * u[step % m];
    }
    energy + u[0]
}

/// The Lorenz system; the state is an array.
#[adjoint]
#[sample([1.0, 0.5, -0.7], 10.0, 28.0)]
pub fn lorenz(x: [f64; 3], sigma: f64, rho: f64) -> f64 {
    let mut y = x;
    #[checkpoint(every = 4)]
    for _ in 0..30 {
        let dx = sigma * (y[1] - y[0]);
        let dy = y[0] * (rho - y[2]) - y[1];
        let dz = y[0] * y[1] - 8.0 / 3.0 * y[2];
        y = [y[0] + 0.01 * dx, y[1] + 0.01 * dy, y[2] + 0.01 * dz];
    }
    y[0] * y[0] + y[1] - y[2]
}

/// The state is the caller's; bounds with another type and another beginning.
#[adjoint]
#[sample([0.3, 0.8, -0.6, 0.2], 0.1)]
pub fn heat(u: &mut [f64], rate: f64) {
    #[checkpoint(snapshots = 2)]
    for t in -3_i32..6 {
        let source = 0.01 * f64::from(t);
        let mut before = u[0];
        for k in 1..u.len() - 1 {
            let here = u[k];
            u[k] += rate * (before - 2.0 * here + u[k + 1]) + source * u[k] * u[k];
            before = here;
        }
    }
}

/// A checkpointed loop inside of another, and another after it.
#[adjoint]
#[sample(0.6, 1.3)]
pub fn nested(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut b = y;
    #[checkpoint(snapshots = 3)]
    for i in 0..7 {
        let c = 1.0 / (1.0 + i as f64);
        #[checkpoint(every = 2)]
        for j in 0..5 {
            a = (a * c + 0.1 * j as f64 * b).sin();
            b += 0.1 * a * b;
        }
        b *= 0.9;
    }
    let mut s = 0.0;
    #[checkpoint(snapshots = 100)]
    for k in 0..6 {
        s += a * b * (k as f64 * x).cos();
        a *= 1.1;
    }
    s
}

/// Inside of an ordinary loop, whose variable the step reads.
#[adjoint]
#[sample(0.4, [0.5, -0.3, 0.2])]
pub fn inside(x: f64, weights: &[f64]) -> f64 {
    let mut total = 0.0;
    for round in 0..weights.len() {
        let mut z = x + weights[round];
        #[checkpoint(snapshots = 2)]
        for _ in 0..8 {
            z = z * z * weights[round] + 0.1 * round as f64 + 0.5;
        }
        total += z;
    }
    total
}

/// The step of a method of Euler.
#[adjoint]
pub fn advance(place: &mut f64, speed: &mut f64, stiffness: f64, time: f64) {
    *speed -= time * stiffness * place.sin();
    *place += time * *speed;
}

/// The step calls an annotated function.
#[adjoint]
#[sample(0.5, 0.1, 2.0)]
pub fn pendulum(place: f64, speed: f64, stiffness: f64) -> f64 {
    let (mut p, mut v) = (place, speed);
    #[checkpoint(snapshots = 4)]
    for _ in 0..25 {
        advance(&mut p, &mut v, stiffness, 0.05);
    }
    p * p + v
}

/// Branches, inner loops that are left, counters and truth values.
#[adjoint]
#[sample([0.9, 0.2, 0.5, 0.7], 1.5)]
pub fn with_control(x: &[f64], scale: f64) -> f64 {
    let mut value = 1.0;
    let mut turns = 0_usize;
    let mut flips = false;
    #[checkpoint(snapshots = 3)]
    for i in 0..3 * x.len() {
        let t = x[i % x.len()];
        let mut k = 0;
        while k < 5 {
            if value > 4.0 {
                break;
            }
            value += t * scale * 0.3;
            k += 1;
        }
        turns += k;
        if flips && t > 0.4 {
            value = value.sqrt() * scale;
        } else {
            value *= 0.7 + 0.01 * turns as f64;
        }
        flips = !flips;
    }
    value + turns as f64
}

/// Names that generated code might have used.
#[adjoint]
#[sample(0.4, 0.7, 0.3)]
pub fn names(state: f64, step: f64, start: f64) -> f64 {
    let mut stack = state;
    let mut run = step;
    let (end, number, kept, at) = (start * 2.0, 3.0, start + 1.0, 0.5);
    let mut last = 0.0;
    #[checkpoint(snapshots = 2)]
    for index in 0..6 {
        let task = stack * kept + at * run * step;
        last += task / number + end * index as f64;
        stack = task.tanh() + start;
        run = run * state - last * 0.01;
    }
    stack * run + last
}

/// A list that grows, and a list of arrays.
#[adjoint(independents(x), dependents(return))]
#[sample([0.5, 0.25, 0.75], 7)]
pub fn growing(x: &[f64], n: usize) -> f64 {
    let mut history = vec![x[0]];
    let mut pairs = vec![[0.0; 2]; x.len()];
    #[checkpoint(snapshots = 2)]
    for i in 0..n {
        let last = history[history.len() - 1];
        let next = last * x[i % x.len()] + 0.3;
        history.push(next);
        pairs[i % x.len()][i % 2] += next * last;
    }
    let mut s = 0.0;
    for p in &pairs {
        s += p[0] * p[1] + p[0];
    }
    for h in &history {
        s += h * h;
    }
    s
}

/// A part of the state has no derivative at first, another never, and one is only added to.
#[adjoint(independents(x), dependents(return))]
#[sample(0.8, 0.3)]
pub fn late(x: f64, passive: f64) -> f64 {
    let mut a = 0.0;
    let mut b = passive;
    let mut sum = 0.0;
    let mut c = 1.0;
    #[checkpoint(every = 3)]
    for _ in 0..7 {
        c = c * passive + 0.5;
        b += 0.1 * a * c;
        a += b * x;
        sum += a * x;
    }
    sum + c
}
