//! Polynomials, continued fractions and other recurrences.

use backsweep::adjoint;

/// The same, by index.
#[adjoint]
#[sample([1.0, -0.5, 0.25, 2.0], 0.7)]
#[sample([3.0], -1.2)]
#[sample([], 0.4)]
pub fn horner_by_index(coefficients: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for i in (0..coefficients.len()).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

/// A polynomial and its first derivative, in one pass.
#[adjoint]
#[sample([1.0, -0.5, 0.25, 2.0], 0.7)]
pub fn horner_with_derivative(coefficients: &[f64; 4], x: f64) -> (f64, f64) {
    let (mut p, mut dp) = (coefficients[3], 0.0);
    for i in (0..3).rev() {
        dp = dp * x + p;
        p = p * x + coefficients[i];
    }
    (p, dp)
}

/// A Chebyshev series by Clenshaw's recurrence.
#[adjoint]
#[sample(0.3, [0.5, 0.25, -0.75, 0.1])]
#[sample(-0.8, [2.0, 1.0])]
pub fn clenshaw(x: f64, coefficients: &[f64]) -> f64 {
    let two_x = 2.0 * x;
    let (mut d, mut dd) = (0.0, 0.0);
    for j in (1..coefficients.len()).rev() {
        let save = d;
        d = two_x * d - dd + coefficients[j];
        dd = save;
    }
    x * d - dd + 0.5 * coefficients[0]
}

/// The Legendre polynomial of some degree.
#[adjoint(independents(x))]
#[sample(0, 0.3)]
#[sample(1, 0.3)]
#[sample(6, -0.4)]
pub fn legendre(degree: u32, x: f64) -> f64 {
    match degree {
        0 => 1.0,
        1 => x,
        _ => {
            let mut previous = 1.0;
            let mut current = x;
            for n in 2..=degree {
                let n = n as f64;
                let next = ((2.0 * n - 1.0) * x * current - (n - 1.0) * previous) / n;
                previous = current;
                current = next;
            }
            current
        }
    }
}

/// The normalised Hermite functions up to some degree, in place.
#[adjoint]
#[sample(0.6, [0.0, 0.0, 0.0, 0.0, 0.0])]
#[sample(0.6, [0.0])]
pub fn hermite_functions(x: f64, psi: &mut [f64]) {
    let n = psi.len();
    psi[0] = std::f64::consts::PI.powf(-0.25) * (-0.5 * x * x).exp();
    if n > 1 {
        psi[1] = std::f64::consts::SQRT_2 * x * psi[0];
    }
    for k in 2..n {
        let kf = k as f64;
        psi[k] = (2.0 / kf).sqrt() * x * psi[k - 1] - ((kf - 1.0) / kf).sqrt() * psi[k - 2];
    }
}

/// The arithmetic-geometric mean.
#[adjoint]
#[sample(1.0, 0.4)]
#[sample(3.0, 5.0)]
pub fn agm(a: f64, b: f64) -> f64 {
    let mut a = a;
    let mut g = b;
    loop {
        let next = 0.5 * (a + g);
        g = (a * g).sqrt();
        if (next - a).abs() <= 1e-14 * next.abs() {
            break next;
        }
        a = next;
    }
}

/// The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
#[adjoint]
#[sample(0.3)]
#[sample(0.9)]
pub fn elliptic_k(m: f64) -> f64 {
    std::f64::consts::FRAC_PI_2 / agm(1.0, (1.0 - m).sqrt())
}

/// The tangent by Lambert's continued fraction, evaluated from the inside.
#[adjoint]
#[sample(0.9, 12)]
#[sample(0.9, 0)]
pub fn lambert_tangent(x: f64, terms: usize) -> f64 {
    let mut denominator = (2 * terms + 1) as f64;
    for k in (0..terms).rev() {
        denominator = (2 * k + 1) as f64 - x * x / denominator;
    }
    x / denominator
}

/// The logistic map, iterated.
#[adjoint]
#[sample(3.7, 0.2, 15)]
#[sample(2.5, 0.9, 0)]
pub fn logistic_map(r: f64, x0: f64, steps: u32) -> f64 {
    let mut x = x0;
    let mut step = 0;
    while step < steps {
        x = r * x * (1.0 - x);
        step += 1;
    }
    x
}

/// Aitken's acceleration of a fixed-point iteration for x = cos(a x).
#[adjoint]
#[sample(0.8)]
#[sample(1.1)]
pub fn aitken_cosine(a: f64) -> f64 {
    let mut x0 = 0.5;
    for _ in 0..20 {
        let x1 = (a * x0).cos();
        let x2 = (a * x1).cos();
        let denominator = x2 - 2.0 * x1 + x0;
        if denominator.abs() < 1e-12 {
            return x2;
        }
        x0 -= (x1 - x0) * (x1 - x0) / denominator;
    }
    x0
}

/// Exponential smoothing with a trend (Holt), the forecast some steps ahead.
#[adjoint]
#[sample([1.0, 1.4, 1.3, 1.9, 2.2], 0.4, 0.3, 2.0)]
#[sample([1.0, 1.5], 0.4, 0.3, 1.0)]
pub fn holt_forecast(series: &[f64], alpha: f64, beta: f64, ahead: f64) -> f64 {
    let mut level = series[0];
    let mut trend = series[1] - series[0];
    for &y in &series[1..] {
        let last = level;
        level = alpha * y + (1.0 - alpha) * (level + trend);
        trend = beta * (level - last) + (1.0 - beta) * trend;
    }
    level + ahead * trend
}

/// A cascade of two biquad filters in direct form II transposed, energy of the output.
#[adjoint]
#[sample([1.0, 0.5, -0.3, 0.2, 0.0, 0.1], [0.2, 0.3, 0.2, -0.5, 0.2])]
pub fn biquad_energy(signal: &[f64], taps: &[f64; 5]) -> f64 {
    let [b0, b1, b2, a1, a2] = *taps;
    let mut state = [[0.0; 2]; 2];
    let mut energy = 0.0;
    for &sample in signal {
        let mut v = sample;
        for s in 0..2 {
            let y = b0 * v + state[s][0];
            state[s][0] = b1 * v - a1 * y + state[s][1];
            state[s][1] = b2 * v - a2 * y;
            v = y;
        }
        energy += v * v;
    }
    energy
}

/// The value of a polynomial, from the constant term up, by Horner's rule.
#[adjoint]
#[sample([1.0, -0.5, 0.25, 2.0], 0.7)]
#[sample([3.0], -1.2)]
#[sample([], 0.4)]
pub fn horner(coefficients: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for c in coefficients.iter().rev() {
        sum = sum * x + c;
    }
    sum
}
