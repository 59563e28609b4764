//! Functions that work on their arguments in place.

use backsweep::adjoint;

/// Prefix sums.
#[adjoint]
#[sample([1.0, 0.5, -2.0])]
#[sample([])]
pub fn cumulative_sum(x: &mut [f64]) {
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
}

/// Products from the left, with the total.
#[adjoint]
#[sample([1.5, 0.5, -2.0])]
pub fn cumulative_product(x: &mut [f64]) -> f64 {
    let mut running = 1.0;
    for v in x.iter_mut() {
        running *= *v;
        *v = running;
    }
    running
}

/// A vector scaled to length one; its length.
#[adjoint]
#[sample([3.0, 4.0, 12.0])]
#[sample([0.0, 0.0])]
pub fn normalise(x: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for &v in x.iter() {
        sum += v * v;
    }
    if sum == 0.0 {
        return 0.0;
    }
    let norm = sum.sqrt();
    for v in x.iter_mut() {
        *v /= norm;
    }
    norm
}

/// A Givens rotation that annihilates the second of two scalars, applied to two others.
#[adjoint]
#[sample(3.0, 4.0, 1.0, 2.0)]
#[sample(3.0, 0.0, 1.0, 2.0)]
pub fn givens(a: &mut f64, b: &mut f64, x: &mut f64, y: &mut f64) {
    if *b == 0.0 {
        return;
    }
    let r = a.hypot(*b);
    let (c, s) = (*a / r, *b / r);
    (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
    *a = r;
    *b = 0.0;
}

/// A list reversed in place, neighbours mixed on the way.
#[adjoint]
#[sample([1.0, 2.0, 3.0, 4.0, 5.0], 0.3)]
pub fn mix_and_reverse(x: &mut [f64], amount: f64) {
    let n = x.len();
    let mut i = 0;
    while i < n / 2 {
        let j = n - 1 - i;
        x.swap(i, j);
        x[i] = x[i] * (1.0 - amount) + amount * x[i + 1] * x[j];
        i += 1;
    }
}

/// Sorted by insertion; the derivative follows the permutation.
#[adjoint]
#[sample([0.5, -1.0, 2.0, 0.1])]
#[sample([1.0])]
pub fn insertion_sort(x: &mut [f64]) {
    for i in 1..x.len() {
        let mut j = i;
        while j > 0 && x[j - 1] > x[j] {
            x.swap(j - 1, j);
            j -= 1;
        }
    }
}

/// A Haar transform, all levels, in place with a work array.
#[adjoint(independents(x), dependents(x))]
#[sample([1.0, 2.0, 4.0, -1.0], [0.0, 0.0, 0.0, 0.0])]
pub fn haar(x: &mut [f64], work: &mut [f64]) {
    let mut n = x.len();
    while n > 1 {
        n /= 2;
        for i in 0..n {
            work[i] = (x[2 * i] + x[2 * i + 1]) * std::f64::consts::FRAC_1_SQRT_2;
            work[n + i] = (x[2 * i] - x[2 * i + 1]) * std::f64::consts::FRAC_1_SQRT_2;
        }
        x[..2 * n].copy_from_slice(&work[..2 * n]);
    }
}

/// Momentum and step of an optimiser.
#[adjoint]
#[sample([1.0, 0.5], [0.1, -0.2], [0.3, 0.4], 0.9, 0.01)]
pub fn momentum_step(x: &mut [f64], momentum: &mut [f64], gradient: &[f64], mu: f64, rate: f64) {
    for i in 0..x.len() {
        momentum[i] = mu * momentum[i] + gradient[i];
        x[i] -= rate * momentum[i];
    }
}

/// The bounding interval of a list, updated; the first entry is clamped to what it was before.
#[adjoint]
#[sample([0.3, -0.5, 2.0], -0.1, 0.2)]
pub fn bounds(x: &mut [f64; 3], low: &mut f64, high: &mut f64) {
    let first = x[0].clamp(*low, *high);
    for v in x.iter() {
        if *v < *low {
            *low = *v;
        } else if *v > *high {
            *high = *v;
        }
    }
    x[0] = first;
    x[1..].fill(*low);
}

/// Alternating updates of the two halves of a list through views.
#[adjoint]
#[sample([1.0, 0.5, -0.3, 0.8], 2)]
pub fn leapfrog_halves(state: &mut [f64], rounds: u8) {
    let half = state.len() / 2;
    for round in 0..rounds {
        for i in 0..half {
            state[half + i] -= 0.1 * state[i].sin();
        }
        for i in (0..half).rev() {
            state[i] += 0.1 * state[half + i] * (round as f64 + 1.0);
        }
    }
}
