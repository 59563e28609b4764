//! Time stepping, stencils and filters.

use backsweep::adjoint;

/// The field of a pendulum with friction.
#[adjoint]
#[sample([0.5, -0.2], 0.1)]
pub fn pendulum(state: [f64; 2], friction: f64) -> [f64; 2] {
    [state[1], -state[0].sin() - friction * state[1]]
}

/// The accelerations of gravitating bodies in the plane.
#[adjoint]
#[sample([[0.0, 0.0], [1.0, 0.2], [-0.5, 1.5]], [1.0, 0.5, 0.3], [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])]
pub fn gravity(positions: &[[f64; 2]], masses: &[f64], accelerations: &mut [[f64; 2]]) {
    let n = positions.len();
    for i in 0..n {
        accelerations[i] = [0.0, 0.0];
        for j in 0..n {
            if i == j {
                continue;
            }
            let dx = positions[j][0] - positions[i][0];
            let dy = positions[j][1] - positions[i][1];
            let r2 = dx * dx + dy * dy + 1e-4;
            let factor = masses[j] / (r2 * r2.sqrt());
            accelerations[i][0] += factor * dx;
            accelerations[i][1] += factor * dy;
        }
    }
}

/// Bodies moved by velocity Verlet, in place.
#[adjoint]
#[sample([[0.0, 0.0], [1.0, 0.2]], [[0.0, -0.1], [0.1, 0.8]], [1.0, 0.5], 0.02, 4)]
pub fn verlet(
    positions: &mut [[f64; 2]; 2],
    velocities: &mut [[f64; 2]; 2],
    masses: &[f64; 2],
    h: f64,
    steps: usize,
) {
    let mut acceleration = [[0.0; 2]; 2];
    gravity(&positions[..], &masses[..], &mut acceleration[..]);
    for _ in 0..steps {
        for i in 0..2 {
            for k in 0..2 {
                velocities[i][k] += 0.5 * h * acceleration[i][k];
                positions[i][k] += h * velocities[i][k];
            }
        }
        gravity(&positions[..], &masses[..], &mut acceleration[..]);
        for i in 0..2 {
            for k in 0..2 {
                velocities[i][k] += 0.5 * h * acceleration[i][k];
            }
        }
    }
}

/// Explicit steps of the heat equation, in place, with a buffer.
#[adjoint]
#[sample([0.0, 1.0, 0.5, -0.5, 0.0], 0.2, 3)]
#[sample([0.0, 1.0], 0.2, 2)]
pub fn heat(u: &mut [f64], ratio: f64, steps: usize) {
    let n = u.len();
    let mut next = u.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = u[i] + ratio * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        u.copy_from_slice(&next);
    }
}

/// The equation of Burgers, upwind, in place and without a buffer; the last change.
#[adjoint]
#[sample([0.2, 0.9, 0.5, -0.3, -0.1, 0.2], 0.3, 4)]
pub fn burgers(u: &mut [f64], ratio: f64, steps: usize) -> f64 {
    let n = u.len();
    let mut change = 0.0;
    for _ in 0..steps {
        let mut left = u[n - 1];
        change = 0.0;
        for i in 0..n {
            let here = u[i];
            let right = u[(i + 1) % n];
            let slope = if here > 0.0 { here - left } else { right - here };
            u[i] = here - ratio * here * slope;
            change += (u[i] - here) * (u[i] - here);
            left = here;
        }
    }
    change
}

/// A five-point stencil on a grid stored by rows; red-black relaxation, in place.
#[adjoint(independents(grid, omega))]
#[sample([0.0, 1.0, 0.0, 0.5, 0.2, 0.3, 0.4, 0.1, 0.9, 0.6, 0.7, 0.8], 4, 1.2, 2)]
pub fn relaxation(grid: &mut [f64], width: usize, omega: f64, sweeps: usize) {
    let height = grid.len() / width;
    for sweep in 0..2 * sweeps {
        for row in 1..height - 1 {
            let offset = (row + sweep) % 2;
            for column in (1 + offset..width - 1).step_by(2) {
                let i = row * width + column;
                let mean = 0.25 * (grid[i - 1] + grid[i + 1] + grid[i - width] + grid[i + width]);
                grid[i] += omega * (mean - grid[i]);
            }
        }
    }
}

/// Predator and prey with an adaptive step: Heun's error estimate decides.
#[adjoint(independents(prey, predators, rates))]
#[sample(1.0, 0.5, [1.1, 0.4, 0.4, 0.1], 1e-3)]
pub fn adaptive_lotka_volterra(prey: f64, predators: f64, rates: [f64; 4], tolerance: f64) -> f64 {
    let [a, b, c, d] = rates;
    let (mut x, mut y) = (prey, predators);
    let mut t = 0.0;
    let mut h = 0.5;
    let mut rejected = 0;
    while t < 2.0 {
        let (k1x, k1y) = (x * (a - b * y), y * (d * x - c));
        let (ex, ey) = (x + h * k1x, y + h * k1y);
        let (k2x, k2y) = (ex * (a - b * ey), ey * (d * ex - c));
        let error = 0.5 * h * ((k2x - k1x).powi(2) + (k2y - k1y).powi(2)).sqrt();
        if error > tolerance && rejected < 40 {
            h *= 0.5;
            rejected += 1;
            continue;
        }
        x += 0.5 * h * (k1x + k2x);
        y += 0.5 * h * (k1y + k2y);
        t += 0.25;
        h = 0.25;
    }
    x * y
}

/// A layer of a neural network, `tanh` of an affine map.
#[adjoint]
#[sample([0.1, 0.2, -0.3, 0.4, 0.5, 0.6], [0.05, -0.1], [1.0, -0.5, 0.25], [0.0, 0.0])]
pub fn layer(weights: &[f64], bias: &[f64], input: &[f64], output: &mut [f64]) {
    let n = input.len();
    for i in 0..output.len() {
        let mut sum = bias[i];
        for j in 0..n {
            sum += weights[i * n + j] * input[j];
        }
        output[i] = sum.tanh();
    }
}

/// A projectile with drag until it hits the ground; the range, interpolated.
#[adjoint]
#[sample(20.0, 0.8, 0.02)]
#[sample(5.0, 0.3, 0.0)]
pub fn projectile_range(speed: f64, angle: f64, drag: f64) -> f64 {
    const G: f64 = 9.81;
    let h = 0.05;
    let (mut x, mut y) = (0.0, 0.0);
    let (mut vx, mut vy) = (speed * angle.cos(), speed * angle.sin());
    loop {
        let (x0, y0) = (x, y);
        let v = vx.hypot(vy);
        vx -= h * drag * v * vx;
        vy -= h * (G + drag * v * vy);
        x += h * vx;
        y += h * vy;
        if y < 0.0 {
            return x0 + (x - x0) * y0 / (y0 - y);
        }
    }
}

/// A pendulum by the classical method of Runge and Kutta; the energy at the end.
#[adjoint]
#[sample([0.5, -0.2], 0.1, 0.05, 10)]
#[sample([0.5, -0.2], 0.1, 0.05, 0)]
pub fn rk4_pendulum(start: [f64; 2], friction: f64, h: f64, steps: usize) -> f64 {
    let mut y = start;
    for _ in 0..steps {
        let k1 = pendulum(y, friction);
        let k2 = pendulum([y[0] + 0.5 * h * k1[0], y[1] + 0.5 * h * k1[1]], friction);
        let k3 = pendulum([y[0] + 0.5 * h * k2[0], y[1] + 0.5 * h * k2[1]], friction);
        let k4 = pendulum([y[0] + h * k3[0], y[1] + h * k3[1]], friction);
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    0.5 * y[1] * y[1] + 1.0 - y[0].cos()
}

/// The loss of a small network with one hidden layer.
#[adjoint(independents(w1, b1, w2))]
#[sample([0.1, 0.2, -0.3, 0.4], [0.05, -0.1], [0.7, -0.4], [[0.5, 1.0], [-0.3, 0.8]], [1.0, 0.0])]
pub fn network_loss(w1: &[f64], b1: &[f64], w2: &[f64], x: &[[f64; 2]], t: &[f64]) -> f64 {
    let mut loss = 0.0;
    let mut hidden = vec![0.0; b1.len()];
    for k in 0..x.len() {
        layer(w1, b1, &x[k], &mut hidden);
        let mut y = 0.0;
        for i in 0..hidden.len() {
            y += w2[i] * hidden[i];
        }
        loss += 0.5 * (y - t[k]) * (y - t[k]);
    }
    loss
}
