//! Functions that call functions.

use super::linear_algebra::{axpy, dot};
use super::recurrences::{agm, horner_by_index};
use backsweep::adjoint;

/// A sigmoid.
#[adjoint]
#[sample(0.4)]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A sigmoid of a sigmoid, with a call inside an argument.
#[adjoint]
#[sample(0.4, -0.7)]
pub fn nested_calls(x: f64, y: f64) -> f64 {
    sigmoid(sigmoid(x * y) + sigmoid(x) * y) * sigmoid(y)
}

/// Calls in both branches and in a condition.
#[adjoint]
#[sample(0.9)]
#[sample(-0.9)]
pub fn calls_in_branches(x: f64) -> f64 {
    if sigmoid(x) > 0.5 { x * sigmoid(2.0 * x) } else { agm(1.0 - x, 2.0) }
}

/// A helper from another module, with a literal list.
#[adjoint]
#[sample(0.7, 2.0)]
pub fn literal_polynomial(x: f64, c: f64) -> f64 {
    horner_by_index(&[1.0, c, c * c], x)
}

/// The value of a pair, and the pair: tuples through calls.
#[adjoint]
#[sample(0.5, 1.5)]
pub fn polar(x: f64, y: f64) -> (f64, f64) {
    (x.hypot(y), y.atan2(x))
}

/// Powers of complex numbers by way of polar coordinates.
#[adjoint]
#[sample((0.5, 1.5), 3)]
pub fn complex_power(z: (f64, f64), n: i32) -> (f64, f64) {
    let (r, phi) = polar(z.0, z.1);
    let r = r.powi(n);
    let phi = phi * n as f64;
    (r * phi.cos(), r * phi.sin())
}

/// Simpson's rule for a fixed integrand.
#[adjoint]
#[sample(0.1, 0.9)]
pub fn simpson(a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (integrand(a) + 4.0 * integrand(0.5 * (a + b)) + integrand(b))
}

/// An integrand.
#[adjoint]
pub fn integrand(x: f64) -> f64 {
    (3.0 * x * x).sin() * (-x).exp()
}

/// The same argument twice, and a part of it.
#[adjoint]
#[sample([1.0, -0.5, 0.3, 2.0])]
pub fn autocorrelation(x: &[f64]) -> f64 {
    let n = x.len();
    let scale = dot(x, x);
    let mut sum = 0.0;
    for lag in 1..n {
        sum += dot(&x[lag..], &x[..n - lag]) / (lag as f64 * scale);
    }
    sum
}

/// A list made by a helper.
#[adjoint]
#[sample(0.5, 4)]
pub fn geometric_list(ratio: f64, n: usize) -> Vec<f64> {
    let mut list = vec![1.0; n];
    for i in 1..n {
        list[i] = list[i - 1] * ratio;
    }
    list
}

/// A passive helper: which of the entries is the largest.
pub fn argmax(x: &[f64]) -> usize {
    let mut best = 0;
    for i in 1..x.len() {
        if x[i] > x[best] {
            best = i;
        }
    }
    best
}

/// The largest entry squared, less its neighbour.
#[adjoint]
#[sample([0.3, 2.0, 1.0])]
pub fn peak(x: &[f64]) -> f64 {
    let at = argmax(x);
    x[at] * x[at] - x[(at + 1) % x.len()]
}

/// Uses that list, shortened by a clone of part of it.
#[adjoint]
#[sample(0.5, 4)]
#[sample(2.0, 1)]
pub fn sum_of_list(ratio: f64, n: usize) -> f64 {
    let list = geometric_list(ratio, n);
    let copy = list.clone();
    let mut sum = 0.0;
    for i in 0..n {
        sum += list[i] * copy[n - 1 - i] * (i as f64 + 1.0);
    }
    sum * dot(&list, &copy)
}

/// Helpers that change vectors in place, one after the other.
#[adjoint]
#[sample([1.0, -0.5, 0.3], [0.2, 0.7, 0.4], 3)]
pub fn descent(x: &mut [f64], target: &[f64], steps: usize) -> f64 {
    let mut residual = vec![0.0; x.len()];
    for _ in 0..steps {
        residual.copy_from_slice(target);
        axpy(-1.0, &*x, &mut residual);
        let rate = 0.1 / (1.0 + dot(&residual, &residual));
        axpy(rate, &residual, x);
    }
    dot(&residual, &residual)
}

/// An integral by adaptive quadrature: Simpson's rule, recursively.
#[adjoint(independents(a, b))]
#[sample(0.0, 1.2, 1e-4, 6)]
pub fn adaptive_simpson(a: f64, b: f64, tolerance: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    let whole = simpson(a, b);
    let parts = simpson(a, m) + simpson(m, b);
    if depth == 0 || (parts - whole).abs() < 15.0 * tolerance {
        return parts + (parts - whole) / 15.0;
    }
    adaptive_simpson(a, m, 0.5 * tolerance, depth - 1)
        + adaptive_simpson(m, b, 0.5 * tolerance, depth - 1)
}

/// Ackermann-like recursion on depth, two calls each.
#[adjoint]
#[sample(0.6, 4)]
#[sample(0.6, 0)]
pub fn binary_recursion(x: f64, depth: u32) -> f64 {
    if depth == 0 {
        return x.sin();
    }
    let left = binary_recursion(0.5 * x, depth - 1);
    left * binary_recursion(x + left, depth - 1)
}

/// A copy of what a call returned is a variable of its own.
#[adjoint]
#[sample(0.7)]
#[sample(-0.3)]
pub fn copy_of_a_result(x: f64) -> f64 {
    let first = sigmoid(x);
    let mut second = first;
    second = second * 2.0 + x;
    second * first
}
