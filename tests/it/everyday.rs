//! Programs of several fields as they are written every day, each compared with its tangent and with differences.

use backsweep::{Differentiable, adjoint};
use num_traits::Float;
use std::collections::HashMap;

/// A matrix whose lengths are parameters: its field is a list of lists of these lengths.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Matrix<const R: usize, const C: usize> {
    rows: [[f64; C]; R],
}

impl<const R: usize, const C: usize> Matrix<R, C> {
    #[adjoint(independents(self, other))]
    fn dot<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        let mut out = Matrix { rows: [[0.0; K]; R] };
        for i in 0..R {
            for k in 0..K {
                let mut sum = 0.0;
                for j in 0..C {
                    sum += self.rows[i][j] * other.rows[j][k];
                }
                out.rows[i][k] = sum;
            }
        }
        out
    }
}

#[adjoint(independents(a, b))]
fn plus<const R: usize, const C: usize>(a: &Matrix<R, C>, b: &Matrix<R, C>) -> Matrix<R, C> {
    let mut out = *a;
    for (row, other) in out.rows.iter_mut().zip(b.rows.iter()) {
        for (x, y) in row.iter_mut().zip(other) {
            *x += *y;
        }
    }
    out
}

/// The likelihood of a filter for one state with a velocity.
#[adjoint(independents(process, noise, seen), test(process: 0.1, noise: 0.4, seen: &[0.3, 0.5, 0.2, 0.9]))]
fn filtered(process: f64, noise: f64, seen: &[f64]) -> f64 {
    let step: Matrix<2, 2> = Matrix { rows: [[1.0, 0.1], [0.0, 1.0]] };
    let back: Matrix<2, 2> = Matrix { rows: [[1.0, 0.0], [0.1, 1.0]] };
    let added: Matrix<2, 2> = Matrix { rows: [[process, 0.0], [0.0, 2.0 * process]] };
    let mut state: Matrix<2, 1> = Matrix { rows: [[0.0], [0.0]] };
    let mut spread: Matrix<2, 2> = Matrix { rows: [[1.0, 0.0], [0.0, 1.0]] };
    let mut likelihood = 0.0;
    for &y in seen {
        state = step.dot(&state);
        spread = plus(&step.dot(&spread).dot(&back), &added);
        let s = spread.rows[0][0] + noise;
        let gain = [spread.rows[0][0] / s, spread.rows[1][0] / s];
        let error = y - state.rows[0][0];
        likelihood -= 0.5 * (error * error / s + s.ln());
        let before = spread;
        for i in 0..2 {
            state.rows[i][0] += gain[i] * error;
            for j in 0..2 {
                spread.rows[i][j] = before.rows[i][j] - gain[i] * before.rows[0][j];
            }
        }
    }
    likelihood
}

/// Values that borrow from a map which is no data of derivatives.
#[adjoint(independents(weights), test(weights: &[0.4, 0.8, -0.3]))]
fn words(weights: &[f64]) -> f64 {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for word in [0usize, 1, 1, 2, 0, 1] {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut score = 0.0;
    for k in 0..weights.len() {
        let found = counts.get(&k);
        let count = found.copied().unwrap_or(0);
        score += weights[k] * (1.0 + count as f64).ln();
    }
    1.0 / (1.0 + (-score).exp())
}

/// A Fourier transform in place, whose order is found with `usize::BITS`, a `u32`.
#[adjoint(independents(signal), test(signal: &[0.1, 0.4, -0.3, 0.9, 0.2, -0.6, 0.5, 0.7]))]
fn spectrum(signal: &[f64]) -> f64 {
    let n = signal.len();
    let mut x: Vec<(f64, f64)> = signal.iter().map(|&v| (v, 0.0)).collect();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            x.swap(i, j);
        }
    }
    let mut len = 2;
    while len <= n {
        let angle = -std::f64::consts::TAU / len as f64;
        for chunk in x.chunks_mut(len) {
            let (low, high) = chunk.split_at_mut(len / 2);
            for (k, (a, b)) in low.iter_mut().zip(high.iter_mut()).enumerate() {
                let (s, c) = (angle * k as f64).sin_cos();
                let t = (b.0 * c - b.1 * s, b.0 * s + b.1 * c);
                *b = (a.0 - t.0, a.1 - t.1);
                *a = (a.0 + t.0, a.1 + t.1);
            }
        }
        len <<= 1;
    }
    x.iter().enumerate().map(|(k, &(re, im))| (k as f64 + 1.0) * re.hypot(im)).sum()
}

/// A list of pairs that is filled and emptied.
#[adjoint(independents(weights), test(weights: &[0.3, 0.6, 0.2, 0.9, 0.5]))]
fn of_nodes(weights: &[f64]) -> f64 {
    let mut open = vec![(0usize, 1.0)];
    let mut total = 0.0;
    while let Some((node, factor)) = open.pop() {
        total += factor * weights[node].sin();
        for child in [2 * node + 1, 2 * node + 2] {
            if child < weights.len() {
                open.push((child, factor * weights[node]));
            }
        }
    }
    total
}

/// Where the first item is that passes a test is known, and what is there has a derivative.
#[adjoint(independents(x, y), test(x: &[0.5, 1.5, 2.5], y: &[1.0, 0.2, 0.3]))]
fn at_first(x: &[f64], y: &[f64]) -> f64 {
    let first = x.iter().position(|v| *v > 1.0).map_or(0.0, |i| y[i] * x[i]);
    let last = x.iter().position(|v| *v > 9.0);
    first * x[0] + last.map(|i| y[i]).unwrap_or(y[0])
}

/// Tokens that take others with them: an iterator is advanced where it is tested, and from both ends.
#[adjoint(independents(x), test(x: &[0.5, -1.5, 0.3, 2.0, -0.9, 1.2, 0.4]))]
fn in_turn(x: &[f64]) -> f64 {
    let mut rest = x.iter();
    let mut total = rest.next_back().map_or(1.0, |last| last * last);
    while let Some(v) = rest.next() {
        if *v < 0.0 {
            if let Some(taken) = rest.next() {
                total += v * taken;
            }
            continue;
        }
        total *= v.sqrt();
    }
    let Some(none) = rest.next() else { return total };
    total * none
}

/// What an iterator has given stays what it was when the list changes.
#[adjoint(independents(x), test(x: &[0.5, 1.5, 0.3, 2.0]))]
fn taken_before(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut rest = v.iter().copied();
    let last = rest.next_back();
    v[3] = 5.0;
    v[0] *= 2.0;
    last.map_or(1.0, |last| last * last) + v.iter().sum::<f64>()
}

/// What a call returns is another list than the one that changes meanwhile.
#[adjoint(independents(x), test(x: &[0.5, 1.5, 0.3, 2.0]))]
fn changed_meanwhile(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    for v in w.clone() {
        w[0] += v * w[0];
    }
    for v in std::mem::take(&mut w) {
        w.push(v * v);
    }
    w.iter().product()
}

/// Both ends of pairs, in a loop that may end early.
#[adjoint(independents(x, y), test(x: &[0.5, 1.5, 0.3, 2.0], y: &[2.0, 3.0]))]
fn from_both_ends(x: &[f64], y: &[f64]) -> f64 {
    let mut pairs = x.iter().zip(y.iter());
    let mut total = 1.0;
    while total < 1e3 {
        let Some((a, b)) = pairs.next() else { break };
        total += a * b;
        total *= pairs.next_back().map_or(2.0, |(c, d)| c + d);
    }
    total
}

/// What is left behind a position.
#[adjoint(independents(x), test(x: &[0.5, 1.5, 0.3, 2.0]))]
fn behind(x: &[f64]) -> f64 {
    let mut rest = x.iter();
    let at = rest.position(|v| *v > 1.0).map_or(1.0, |i| x[i] * x[i]);
    at * rest.next().map_or(3.0, |v| *v) + rest.sum::<f64>()
}

/// A map that is kept tells the type of a number, and what it lends is looked at.
#[adjoint(independents(x), test(x: &[0.5, 1.5, 0.3]))]
fn until_seen(x: &[f64]) -> f64 {
    let mut seen: HashMap<u16, u8> = HashMap::new();
    let (mut total, mut key) = (1.0, 0);
    for v in x {
        total *= v + 0.5 * total;
        if let std::collections::hash_map::Entry::Occupied(_) = seen.entry(key) {
            break;
        }
        seen.insert(2, 1);
        key += 1;
        total += key as f64 * v;
    }
    total
}

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    #[passive]
    inputs: usize,
    weights: Vec<f64>,
}

impl Layer {
    #[adjoint(independents(self, x))]
    fn of(&self, x: &[f64]) -> Vec<f64> {
        self.weights.chunks(self.inputs).map(|row| dot(row, x)).collect()
    }
}

#[adjoint(independents(a, b))]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[adjoint(independents(x))]
fn bent(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v.tanh()).collect()
}

/// What calls return is gone through as it comes, in chains and in loops.
#[adjoint(independents(first, second, x), test(
    first: &Layer { inputs: 2, weights: vec![0.1, 0.4, -0.3, 0.2, 0.7, -0.6] },
    second: &Layer { inputs: 3, weights: vec![0.5, -0.4, 0.3, 0.1, 0.9, -0.2] },
    x: &[0.8, -0.5],
))]
fn network(first: &Layer, second: &Layer, x: &[f64]) -> f64 {
    let hidden: Vec<f64> = first.of(x).iter().map(|v| v.tanh()).collect();
    let highest = second.of(&hidden).into_iter().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (a, b) in second.of(&hidden).iter().zip(bent(x)) {
        total += (a - highest).exp() * b;
    }
    for v in first.of(x) {
        total += v * v;
    }
    for v in &bent(&hidden) {
        total -= v;
    }
    total + second.of(&hidden)[1] * bent(x).len() as f64
}

#[derive(Clone, Debug, Differentiable)]
struct Curve {
    times: Vec<f64>,
    factors: Vec<f64>,
}

/// A pair of lists, by position.
#[derive(Clone, Debug, Differentiable)]
struct Pair(Vec<f64>, Vec<f64>);

/// What is collected is of the types of the fields that it comes into.
#[adjoint(independents(times, rates))]
fn discounted(times: &[f64], rates: &[f64]) -> Curve {
    let factors = times.iter().zip(rates).map(|(t, r)| (-r * t).exp()).collect();
    Curve { times: times.to_vec(), factors }
}

#[adjoint(independents(x))]
fn both_ways(x: &[f64]) -> Pair {
    let up = x.iter().map(|v| v.exp()).collect();
    Pair(up, x.iter().map(|v| (-v).exp()).collect())
}

#[adjoint(independents(times, rates), test(times: &[0.5, 1.0, 2.0], rates: &[0.02, 0.05, 0.03]))]
fn of_curves(times: &[f64], rates: &[f64]) -> f64 {
    let curve = discounted(times, rates);
    let Pair(up, down) = both_ways(&curve.factors);
    up[0] * down[2] + up[1] * curve.factors[1] * curve.times[2]
}

#[derive(Debug, PartialEq)]
enum Failure {
    NotConverged { iterations: usize, residual: f64 },
}

/// What it fails with tells the type of a number.
#[adjoint(independents(a, b), test(a: 2.0, b: 0.5, most: 50))]
fn root(a: f64, b: f64, most: usize) -> Result<f64, Failure> {
    let mut x: f64 = 1.0;
    let mut residual = f64::MAX;
    let mut iterations = 0;
    while residual.abs() > 1e-12 {
        let (value, slope) = (a * x.powi(3) + b * x - 4.0, 3.0 * a * x * x + b);
        x -= value / slope;
        residual = value;
        iterations += 1;
        if iterations > most {
            return Err(Failure::NotConverged { iterations, residual });
        }
    }
    Ok(x)
}

#[test]
fn failures_are_those_of_the_function() {
    let failed = root::gradient(2.0, 0.5, 2).unwrap_err();
    assert_eq!(failed, root(2.0, 0.5, 2).unwrap_err());
    assert!(matches!(failed, Failure::NotConverged { iterations: 3, .. }));
}

/// The bound of a parameter is in a clause of its own.
#[derive(Clone, Differentiable)]
struct Interpolated<T>
where
    T: Float,
{
    xs: Vec<T>,
    ys: Vec<T>,
    scale: f64,
}

#[adjoint]
impl<T: Float> Interpolated<T> {
    #[adjoint(independents(self, at))]
    fn at(&self, at: T) -> T {
        let mut k = 0;
        while k + 2 < self.xs.len() && self.xs[k + 1] < at {
            k += 1;
        }
        let t = (at - self.xs[k]) / (self.xs[k + 1] - self.xs[k]);
        let scale = T::from(self.scale.max(1.0)).unwrap();
        scale * (self.ys[k] + t * (self.ys[k + 1] - self.ys[k]))
    }
}

#[test]
fn pieces_have_slopes() {
    let of_pieces = Interpolated { xs: vec![0.0, 1.0, 3.0], ys: vec![1.0, 2.0, 0.0], scale: 0.5 };
    let (value, (of_self, slope)) = of_pieces.at_gradient(2.5);
    assert_eq!((value, slope), (0.5, -1.0));
    assert_eq!(of_self.ys, [0.0, 0.25, 0.75]);
}
