//! The kernels, as anyone would write them.

use backsweep::adjoint;

/// Rosenbrock's valley in many dimensions.
#[adjoint(independents(x), dependents(return))]
#[adjoint(independents(x), dependents(return), name = "rosenbrock_tested", no(unguarded))]
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let along = 1.0 - x[i];
        let across = x[i + 1] - x[i] * x[i];
        sum += along * along + 100.0 * across * across;
    }
    sum
}

/// The Euclidean norm.
#[adjoint(independents(x), dependents(return))]
pub fn norm(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for value in x {
        sum += value * value;
    }
    sum.sqrt()
}

/// The inner product.
#[adjoint(independents(x, y), dependents(return))]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

/// The squared distance, by a chain of iterator adaptors.
#[adjoint(independents(x, y), dependents(return))]
#[adjoint(independents(x, y), dependents(return), name = "distance_tested", no(unguarded))]
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
}

/// The mean logistic loss of a linear classifier, with a quadratic penalty. The features of the
/// samples are the rows of `features`, their labels are 0 or 1.
#[adjoint(independents(weights), dependents(return))]
#[adjoint(independents(weights), dependents(return), name = "logistic_tested", no(unguarded))]
pub fn logistic(weights: &[f64], features: &[f64], labels: &[f64], penalty: f64) -> f64 {
    let width = weights.len();
    let mut loss = 0.0;
    for sample in 0..labels.len() {
        let mut score = 0.0;
        for j in 0..width {
            score += weights[j] * features[sample * width + j];
        }
        loss += score.exp().ln_1p() - labels[sample] * score;
    }
    let mut squares = 0.0;
    for weight in weights {
        squares += weight * weight;
    }
    loss / labels.len() as f64 + 0.5 * penalty * squares
}

/// The product of a matrix, by rows, with a vector.
#[adjoint(independents(matrix, x), dependents(y))]
pub fn matrix_vector(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let width = x.len();
    for row in 0..y.len() {
        let mut sum = 0.0;
        for column in 0..width {
            sum += matrix[row * width + column] * x[column];
        }
        y[row] = sum;
    }
}

/// Solves a tridiagonal system by Thomas's algorithm: `x` is the right side before and the solution
/// afterwards, `work` is overwritten.
#[adjoint(independents(lower, diagonal, upper, x), dependents(x))]
pub fn thomas(lower: &[f64], diagonal: &[f64], upper: &[f64], x: &mut [f64], work: &mut [f64]) {
    let n = x.len();
    work[0] = upper[0] / diagonal[0];
    x[0] /= diagonal[0];
    for i in 1..n {
        let pivot = diagonal[i] - lower[i] * work[i - 1];
        work[i] = upper[i] / pivot;
        x[i] = (x[i] - lower[i] * x[i - 1]) / pivot;
    }
    for i in (0..n - 1).rev() {
        x[i] -= work[i] * x[i + 1];
    }
}

/// The angle of a damped pendulum after some steps of the classical Runge–Kutta method.
#[adjoint(independents(angle, speed, damping), dependents(return))]
#[adjoint(
    independents(angle, speed, damping),
    dependents(return),
    name = "pendulum_tested",
    no(unguarded)
)]
pub fn pendulum(mut angle: f64, mut speed: f64, damping: f64, step: f64, steps: usize) -> f64 {
    for _ in 0..steps {
        let angle_1 = speed;
        let speed_1 = -angle.sin() - damping * speed;
        let angle_2 = speed + 0.5 * step * speed_1;
        let speed_2 = -(angle + 0.5 * step * angle_1).sin() - damping * angle_2;
        let angle_3 = speed + 0.5 * step * speed_2;
        let speed_3 = -(angle + 0.5 * step * angle_2).sin() - damping * angle_3;
        let angle_4 = speed + step * speed_3;
        let speed_4 = -(angle + step * angle_3).sin() - damping * angle_4;
        angle += step / 6.0 * (angle_1 + 2.0 * angle_2 + 2.0 * angle_3 + angle_4);
        speed += step / 6.0 * (speed_1 + 2.0 * speed_2 + 2.0 * speed_3 + speed_4);
    }
    angle
}

/// Diffusion on a ring of cells in place of a long computation: each step overwrites the state.
#[adjoint(independents(u, rate), dependents(u))]
pub fn diffusion(u: &mut [f64], rate: f64, steps: usize) {
    let n = u.len();
    for _ in 0..steps {
        let mut before = u[n - 1];
        for i in 0..n - 1 {
            let here = u[i];
            u[i] = here + rate * (before - 2.0 * here + u[i + 1]) * here;
            before = here;
        }
    }
}
