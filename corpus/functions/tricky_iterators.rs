//! Iterators and closures where order, laziness and names matter.

use backsweep::adjoint;

/// Sums that take over their variables, and copies of those.
#[adjoint]
#[sample([1.0, -2.0, 3.0])]
pub fn copies_of_sums(x: &[f64]) -> f64 {
    let mut s: f64 = x.iter().map(|v| v * v).sum();
    let mut t = s;
    t += x[0];
    s *= t;
    let p = x.iter().fold(1.0, |p, v| p * v);
    let mut q = p;
    q *= q + s;
    p + q + s * t
}

/// The accumulator swaps its parts.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn swapped_state(x: &[f64]) -> f64 {
    let (a, b) = x.iter().fold((1.0, x[0]), |(a, b), v| (b + v, a * v));
    let (c, (d, e)) = x.iter().fold((a, (b, 0.5)), |(p, (q, r)), &v| (q, (r * v, p + v)));
    let f = x.iter().fold((a, c), |s, v| if *v > 0.0 { (s.1 * v, s.0) } else { s });
    a * b + c * d - e * e + f.0 * f.1
}

/// The function counts its calls.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5], [2.0, 0.3])]
pub fn counted_calls(x: &[f64], y: &[f64]) -> f64 {
    let mut n = 0.0;
    let s: f64 = y
        .iter()
        .zip(x.iter().map(|v| {
            n += 1.0;
            n * v
        }))
        .map(|(a, b)| a * b)
        .sum();
    let mut m = 0.0;
    let t: f64 = x
        .iter()
        .map(|v| {
            m += v;
            v * m
        })
        .skip(1)
        .take(2)
        .sum();
    let mut k = 0.0;
    let u: f64 = x
        .iter()
        .inspect(|v| k += **v)
        .filter(|v| **v > 0.0)
        .take_while(|v| **v < 2.0)
        .map(|v| v.exp())
        .sum();
    s * t * u + n + m * k
}

/// Each value goes through all stages before the next one begins.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn interleaved(x: &[f64]) -> f64 {
    let mut level = 1.0;
    let mut total = 0.0;
    x.iter().map(|v| v * v).for_each(|v| {
        level = 0.5 * level + v;
        total += level * v;
    });
    let mut s = x[0];
    for v in x.iter().map(|v| v.sin()).filter(|v| *v > -0.95).map(|v| v + 1.0) {
        s = s * v + total;
        if s > 100.0 {
            continue;
        }
        total += s;
    }
    s + total
}

/// The names of closures and of what they capture occur again.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5], 0.7)]
pub fn names(x: &[f64], a: f64) -> f64 {
    let v = a * a;
    let k = 2.0 * a;
    let s: f64 = x.iter().map(|v| v * a).map(|a| a * v + k).sum();
    let t: f64 = x.iter().enumerate().map(|(k, v)| k as f64 * v).map(|x| x * a).sum();
    let f = |x: f64| x * v;
    let v = s;
    let g = |v: f64| f(v) + f(a) * v;
    let f = |x: f64| g(x) * t;
    f(v) + g(k)
}

/// A loop variable that is changed, hidden, and referred to.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn loop_variables(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (mut i, mut v) in x.iter().copied().enumerate() {
        i += 1;
        v *= v + s;
        let r = &i;
        s += v * *r as f64;
    }
    for (i, v) in x.iter().enumerate().filter(|(i, v)| *i != 1 || **v > 0.0) {
        let i = i * 2 + 1;
        let w = x.iter().skip(i).map(|u| u * v).sum::<f64>();
        s += w;
    }
    s
}

/// Lists of other lengths than expected.
#[adjoint]
#[sample([1.0, -2.0, 3.0], 0)]
#[sample([1.0, -2.0, 3.0], 2)]
#[sample([1.0, -2.0, 3.0], 7)]
pub fn lengths(x: &[f64], n: usize) -> f64 {
    let a: f64 = x.iter().skip(n).map(|v| v * v).sum();
    let b: f64 = x.iter().take(n).rev().enumerate().map(|(i, v)| (i + 1) as f64 * v).sum();
    let c: f64 = x.iter().rev().skip(n).take(1).map(|v| v.sin()).sum();
    let d: f64 = x.iter().skip(1).zip(x.iter().take(n).skip(1)).map(|(a, b)| a * b).sum();
    let e: f64 = x.windows(n + 1).map(|w| w[0] * w[n]).sum();
    let f: f64 = x.chunks_exact(n + 1).zip(x.chunks(n + 1).rev()).map(|(a, b)| a[0] * b[0]).sum();
    let g: f64 = x.iter().step_by(n + 1).rev().zip(x).map(|(a, b)| a / (b + 5.0)).sum();
    let h: f64 = (0..x.len()).skip(n).rev().step_by(2).map(|i| x[i].cos()).sum();
    a + b * c + d * e + f - g * h
}

/// Each value is needed twice, the second time by another loop.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn collected(x: &[f64]) -> f64 {
    let mut squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let pairs: Vec<(f64, f64)> = squares.iter().zip(x).map(|(a, b)| (a * b, a + b)).collect();
    let triples: Vec<[f64; 3]> = x.windows(3).map(|w| [w[0], w[1] * w[2], 1.0]).collect();
    squares.iter_mut().zip(&pairs).for_each(|(s, p)| *s *= p.0);
    for s in &mut squares {
        *s += 1.0;
    }
    let first = squares.iter().sum::<f64>();
    squares = squares.iter().rev().map(|s| s.ln()).collect::<Vec<f64>>();
    let second: f64 = pairs.iter().map(|(a, b)| a * b).sum();
    let third: f64 = triples.iter().map(|t| t.iter().product::<f64>()).sum();
    first + squares[1] * second + third
}

/// A closure that returns early, in a loop that does, too.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5], 1.2)]
#[sample([1.0, 2.0, 3.0, 0.5], 2.0)]
pub fn early_returns(x: &[f64], bound: f64) -> f64 {
    let clip = |v: f64| {
        if v > bound {
            return bound * v;
        }
        for k in 1..4 {
            if v * k as f64 > bound {
                return v.sin() * k as f64;
            }
        }
        v
    };
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        let c = clip(*v) + clip(0.5 * v);
        if c < -2.5 {
            return s * c;
        }
        s += c * x.iter().take(i).map(|u| clip(*u)).sum::<f64>();
    }
    s
}

/// Closures that are called by closures, over parts of what they capture.
#[adjoint]
#[sample([1.0, -2.0, 3.0, 0.5])]
pub fn recursive_names(x: &[f64]) -> f64 {
    let sum = |x: &[f64]| x.iter().sum::<f64>();
    let sum_of_parts = |n: usize| sum(&x[..n]) * sum(&x[n..]);
    (0..=x.len()).map(sum_of_parts).sum()
}

/// Copies of the elements of two parts, side by side.
#[adjoint]
#[sample([1.0, -2.0, 3.0], [2.0, 0.3, 0.7, 1.1])]
pub fn copies_of_two_parts(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x[1..].iter().copied().zip(y[2..].iter().copied()) {
        s = s * 0.5 + a * b * b;
    }
    s
}

/// Closures with copies of their own, made when the closures are.
#[adjoint]
#[sample([1.0, -2.0, 3.0])]
pub fn copies_of_closures_in_chains(x: &[f64]) -> f64 {
    let mut n = x[0];
    for v in x.iter().map(move |a| a * n) {
        n += v;
    }
    let later = x.iter().map(move |a| a * n);
    let before = n;
    n = 0.5;
    let sums: f64 = x
        .iter()
        .map(move |v| {
            n += v;
            n
        })
        .sum();
    later.sum::<f64>() * n + before * sums
}

/// Takes a slice apart from its beginning, by a pattern.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn taken_apart(mut xs: &[f64]) -> f64 {
    let mut s = 0.0;
    while let [h, rest @ ..] = xs {
        s = s * 0.5 + h * h;
        xs = rest;
    }
    s
}
