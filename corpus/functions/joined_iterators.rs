//! Iterators of iterators, one after another, or made of nothing; lists made from iterators.

use backsweep::adjoint;
use std::iter;

/// The area of a polygon: the first vertex comes once more at the end.
#[adjoint]
#[sample([0.0, 2.0, 2.5, 1.0], [0.1, -0.3, 1.5, 2.2])]
pub fn area_of_a_polygon(x: &[f64], y: &[f64]) -> f64 {
    let corners: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    let next = corners.iter().skip(1).chain(iter::once(&corners[0]));
    let twice: f64 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
    0.5 * twice
}

#[adjoint]
#[sample([0.0, 2.0, 2.5, 1.0], [0.1, -0.3, 1.5, 2.2])]
pub fn perimeter(x: &[f64], y: &[f64]) -> f64 {
    x.iter()
        .zip(y)
        .zip(x.iter().zip(y).cycle().skip(1))
        .map(|((x0, y0), (x1, y1))| (x1 - x0).hypot(y1 - y0))
        .sum()
}

/// Boundary values before and after those inside.
#[adjoint]
#[sample([0.3, 1.2, -0.4], 0.5, 2.0)]
pub fn dirichlet_energy(inside: &[f64], left: f64, right: f64) -> f64 {
    let all: Vec<f64> = iter::once(left)
        .chain(inside.iter().copied())
        .chain(iter::once(right))
        .collect();
    all.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

#[adjoint]
#[sample([0.3, 1.2, -0.4], [0.5, 2.0], 3)]
#[sample([0.3, 1.2, -0.4], [0.5, 2.0], 4)]
pub fn two_lists_one_loop(a: &[f64], b: &[f64], until: usize) -> f64 {
    let mut s = 1.0;
    for (i, v) in a.iter().chain(b).enumerate() {
        if i == 1 {
            continue;
        }
        s = s * v + v.sin();
        if i == until {
            break;
        }
    }
    s
}

#[adjoint]
#[sample([0.3, 1.2, -0.4], [0.5, 2.0])]
pub fn chained_from_behind(a: &[f64], b: &[f64]) -> f64 {
    let scaled = |t: &f64| t * a[0];
    let c: Vec<f64> = a.iter().map(scaled).chain([b[0], b[1] * b[0]]).rev().step_by(2).collect();
    let d: f64 = b.iter().chain(a.iter().rev()).skip(1).take(3).product();
    c.iter().enumerate().map(|(i, t)| t * (i as f64 + d)).sum()
}

/// All products of elements, in two ways.
#[adjoint]
#[sample([0.3, 1.2, -0.4])]
pub fn sums_of_products(x: &[f64]) -> f64 {
    let direct: f64 = x.iter().flat_map(|a| x.iter().map(move |b| a * b * b)).sum();
    let pairs: f64 = (0..x.len())
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (x[i] - x[j]).powi(2))
        .sum();
    direct / (1.0 + pairs)
}

#[adjoint]
#[sample([0.3, 1.2, -0.4], [0.5, 2.0])]
pub fn convolution(signal: &[f64], kernel: &[f64]) -> f64 {
    let mut out = vec![0.0; signal.len() + kernel.len() - 1];
    let terms = signal.len() * kernel.len();
    for (at, value) in signal
        .iter()
        .enumerate()
        .flat_map(|(i, s)| kernel.iter().enumerate().map(move |(j, k)| (i + j, s * k)))
        .take(terms)
    {
        out[at] += value;
    }
    out.iter().map(|v| v * v).sum()
}

/// The number of items that pass ends in the middle of the innermost iterator.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9], 5)]
#[sample([0.3, 1.2, -0.4, 0.9], 0)]
#[sample([0.3, 1.2, -0.4, 0.9], 100)]
pub fn some_of_three_nested(x: &[f64], count: usize) -> f64 {
    let mut s = 0.0;
    'all: for (n, v) in x
        .iter()
        .flat_map(|a| x.iter().skip(1).flat_map(move |b| x.iter().take(3).map(move |c| a * b * c)))
        .take(count)
        .enumerate()
    {
        if n % 5 == 3 {
            continue 'all;
        }
        s = s * 0.9 + v;
        if n == 30 {
            break;
        }
    }
    s
}

/// A block makes the inner iterator, with a value of its own.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9])]
pub fn blocks_in_flat_map(x: &[f64]) -> f64 {
    x.iter()
        .enumerate()
        .flat_map(|(i, a)| {
            let square = a * a;
            x[i..].iter().take_while(|t| **t < 1.0).map(move |b| square * b)
        })
        .scan(1.0, |state, v| {
            *state *= 1.0 + v;
            Some(*state)
        })
        .sum()
}

#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9, 2.0, 0.1])]
pub fn flattened(x: &[f64]) -> f64 {
    let fixed = [[x[0], x[1]], [x[2], x[0] * x[1]]];
    let rows: Vec<Vec<f64>> = x.iter().map(|v| vec![*v, v * v]).collect();
    let product: f64 = rows.iter().flatten().filter(|v| **v > 0.05).product();
    let norm = fixed.iter().flatten().map(|v| v * v).sum::<f64>().sqrt();
    norm * product + x.chunks_exact(2).flat_map(|pair| [pair[0] * pair[1], pair[1]]).sum::<f64>()
}

/// Only some of the items are collected.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9])]
pub fn collected_by_a_test(x: &[f64]) -> f64 {
    let positive: Vec<f64> = x.iter().copied().filter(|v| *v > 0.0).collect();
    let sums: Vec<f64> = positive
        .iter()
        .scan(0.0, |sum, v| {
            *sum += v;
            Some(*sum)
        })
        .collect();
    let pairs: Vec<(usize, f64)> =
        x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(i, v)| (i, v * v)).collect();
    let weighted: f64 = pairs.iter().map(|(i, v)| (*i as f64 + 1.0) * v).sum();
    positive.iter().zip(&sums).map(|(a, b)| a * b).sum::<f64>() * weighted
}

#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9])]
pub fn extended_by_iterators(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    v.extend(x.iter().map(|t| t * t));
    v.extend(x.iter().filter(|t| **t > 0.5));
    v.extend([x[1], x[2] * x[3]]);
    v.extend((0..3).map(|k| x[k] * k as f64));
    v.iter().enumerate().map(|(i, t)| t * t * i as f64).sum()
}

/// The rows of a matrix, collected and gone through.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9, 2.0, 0.1])]
pub fn collected_rows(x: &[f64]) -> f64 {
    let gram: Vec<Vec<f64>> = x
        .chunks(2)
        .map(|a| x.chunks(2).map(|b| a.iter().zip(b).map(|(s, t)| s * t).sum()).collect())
        .collect();
    let mut s = 0.0;
    for (i, row) in gram.iter().enumerate() {
        for (j, v) in row.iter().enumerate() {
            s += v * v * (i + 2 * j) as f64;
        }
    }
    for row in &gram {
        for v in row {
            s *= 1.0 + 0.1 * v;
        }
    }
    s
}

#[adjoint]
#[sample([0.3, 1.2, -0.4])]
pub fn arrays_by_functions(x: [f64; 3]) -> f64 {
    let squares = x.map(|t| t * t);
    let mixed: [f64; 3] = std::array::from_fn(|i| x[i] * squares[2 - i]);
    let table: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| x[i] * mixed[j]));
    let sines = [x[0] * x[1], 2.0].map(f64::sin);
    let mut s = sines[0] + sines[1];
    for [a, b, c] in table {
        s += a * b - c * s;
    }
    s
}

/// Series without lists.
#[adjoint]
#[sample([0.3, 1.2, -0.4], 0.7)]
pub fn series(c: &[f64], x: f64) -> f64 {
    let powers = iter::successors(Some(1.0), |p| Some(p * x)).take(3);
    let polynomial = powers.fold(0.0, |s, p| s + p * c[1]);
    let derivative: f64 =
        (1..).zip(c).map(|(k, a)| k as f64 * a * x.powi(k)).sum();
    let halved: f64 = iter::successors(Some(x), |&t| {
        let next = t * 0.5;
        if next > 0.05 { Some(next) } else { None }
    })
    .map(|t| t * c[2])
    .sum();
    let mut n = 0;
    let counted: f64 = iter::from_fn(|| {
        n += 1;
        if n < 4 { Some(x * n as f64) } else { None }
    })
    .map(|v| v * v)
    .sum();
    let constant: f64 = c.iter().zip(iter::repeat(x)).map(|(a, b)| a * b * b).sum();
    let repeated: f64 = iter::repeat_n(c[0], 3).chain(iter::repeat(x).take(2)).product();
    polynomial + derivative * halved - counted * constant + repeated
}

/// The best of pairs.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9], [2.0, 0.5, 1.5, -1.0])]
pub fn picked_pairs(x: &[f64], y: &[f64]) -> f64 {
    let (at, largest) = x.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let smallest = x.iter().zip(y).min_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
    let last = x.windows(2).map(|w| (w[0] * w[1], w[1] - w[0])).last().unwrap();
    let total = y.iter().copied().max_by(f64::total_cmp).unwrap();
    let (sum, count) =
        x.iter().map(|v| (*v, 1.0)).reduce(|a, b| (a.0 + b.0 * a.1, a.1 + b.1)).unwrap();
    largest * y[at] + smallest.0 * smallest.1 + last.0 / last.1 + total + sum / count
}

#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9])]
pub fn split_in_two(x: &[f64]) -> f64 {
    let (squares, sines): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v * v, v.sin())).unzip();
    let (large, small): (Vec<f64>, Vec<f64>) = x.iter().copied().partition(|v| *v > 0.5);
    let product: f64 = squares.iter().zip(&sines).map(|(s, t)| s * t).sum();
    product + large.iter().sum::<f64>() * small.iter().product::<f64>()
}

/// A range of another type than `usize`, mapped and looked at by position.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9], 4)]
pub fn mapped_range_of_signed_integers(x: &[f64], n: i32) -> f64 {
    let s: f64 = (0..n).map(|k| k as f64 * x[1]).zip(x).map(|(a, b)| a * b).sum();
    let t: Vec<f64> = (1..=3).map(|k| x[0].powi(k)).collect();
    s + t.iter().sum::<f64>()
}

/// A moving window and what is left of it at the end.
#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9, 0.1], 3)]
pub fn moving_averages(x: &[f64], width: usize) -> f64 {
    let averages: Vec<f64> =
        x.windows(width).map(|w| w.iter().sum::<f64>() / w.len() as f64).collect();
    let padded: Vec<f64> = iter::repeat_n(averages[0], width - 1).chain(averages).collect();
    padded.iter().zip(x).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / x.len() as f64
}

#[adjoint]
#[sample([0.3, 1.2, -0.4, 0.9, 0.1])]
pub fn softmax_entropy(x: &[f64]) -> f64 {
    let top = x.iter().copied().reduce(f64::max).unwrap();
    let weights: Vec<f64> = x.iter().map(|v| (v - top).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| w / total).filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum()
}
