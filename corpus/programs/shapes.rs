//! Calls in all places where a call can be.

use super::library::densities::logistic;
use super::library::fallible::{larger_root, log_of_positive};
use super::library::linear::{self, dot};
use backsweep::adjoint;

/// A wave with parameters, which other modules call by another name.
#[adjoint]
pub fn damped_wave(t: f64, p: &[f64]) -> f64 {
    p[0] * (p[1] * t).sin() * (-p[2] * t).exp()
}

/// Something with two results besides its value.
#[adjoint]
pub fn divided(x: f64, y: f64, sum: &mut f64, ratio: &mut f64) -> f64 {
    *sum += x * y;
    *ratio = x / (y * *ratio);
    *sum - *ratio
}

/// The same variable twice, also as what is overwritten later.
#[adjoint]
#[sample(1.3)]
pub fn twice_the_same(x: f64) -> f64 {
    let (mut s, mut r) = (x, 2.0 * x);
    let a = divided(x, x, &mut s, &mut r);
    let b = divided(a, s, &mut s.clone(), &mut r);
    s = divided(b, b, &mut r, &mut s.sin());
    s * r
}

/// Overlapping parts of one list, thrice.
#[adjoint]
pub fn triple(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len().min(b.len()).min(c.len()) {
        s += a[i] * b[i].sin() * c[i];
    }
    s
}

/// Lists that overlap, of a parameter and of a local list that changes afterwards.
#[adjoint]
#[sample([0.4, -0.7, 1.2, 0.9])]
pub fn overlapping(x: &[f64]) -> f64 {
    let n = x.len();
    let mut v = x.to_vec();
    let first = triple(&v[1..], &v[..n - 1], &v);
    v[1] = first;
    v[0] *= v[1];
    first + triple(&x[2..], x, &v[1..])
}

/// A call in the condition of a branch, with the value of another in both.
#[adjoint]
#[sample(0.4, 0.8)]
#[sample(0.9, -2.8)]
pub fn in_conditions(x: f64, y: f64) -> f64 {
    let w = logistic(x * y);
    if logistic(y) > w && dot(&[x, y], &[y, x]) < 4.0 {
        w * logistic(x - y)
    } else if logistic(w) > 0.6 {
        w
    } else {
        logistic(w * x) - y
    }
}

/// Calls in calls in calls.
#[adjoint]
#[sample(0.4, 0.8)]
pub fn nested(x: f64, y: f64) -> f64 {
    logistic(logistic(logistic(x) + logistic(y)) * logistic(dot(&[x, logistic(y)], &[y, x])))
}

/// Chains of calls.
#[adjoint]
#[sample([0.4, -0.8, 1.1], [0.2, 0.6, -0.3])]
pub fn in_chains(x: &[f64], y: &[f64]) -> f64 {
    let weights: Vec<f64> = x.iter().map(|t| logistic(*t)).collect();
    let best = weights.iter().zip(y).map(|(w, t)| logistic(w * t)).fold(0.0, |a: f64, b| a.max(b));
    let total: f64 = weights.iter().scan(0.5, |s, w| { *s = logistic(*s * *w); Some(*s) }).sum();
    best * total + linear::dot(&weights, y)
}

/// The larger of the roots, or something else.
#[adjoint]
#[sample(1.0, 0.5, -2.0)]
#[sample(1.0, 0.5, 2.0)]
pub fn root_or_vertex(a: f64, b: f64, c: f64) -> f64 {
    match larger_root(a, b, c) {
        Some(root) => root * root,
        None => -b / (2.0 * a),
    }
}

/// A function that fails with what it calls.
#[adjoint]
pub fn log_of_root(a: f64, b: f64, c: f64) -> Result<f64, String> {
    let root = larger_root(a, b, c).ok_or("no root")?;
    let log = log_of_positive(root)?;
    Ok(log * b)
}

/// The failure is caught two functions above.
#[adjoint]
#[sample(1.0, 0.5, -2.0)]
#[sample(1.0, 0.5, 2.0)]
#[sample(1.0, 3.0, 1.0)]
pub fn caught(a: f64, b: f64, c: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        if let Ok(value) = log_of_root(a, b, c - k as f64) {
            sum += value * a;
        } else {
            sum -= c * b;
        }
    }
    sum
}

/// Failures that are replaced.
#[adjoint]
#[sample(1.0, 0.5)]
#[sample(-1.0, 0.5)]
pub fn replaced(x: f64, y: f64) -> f64 {
    let first = log_of_positive(x).unwrap_or(y * y);
    first * larger_root(x, y, -1.0).unwrap_or(0.5 * y)
}

/// A call in an index and in a bound.
#[adjoint]
#[sample([0.4, -0.8, 1.1, 0.3], 0.2)]
pub fn in_indices(x: &[f64], y: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..rounded(logistic(y) * 5.0) {
        s += x[rounded(x[i].abs())] * logistic(x[i] * y);
    }
    s
}

/// Rounds: an integer has no derivative.
pub fn rounded(x: f64) -> usize {
    x.round() as usize
}

/// A callee with an exit in its loop.
#[adjoint]
pub fn partial_product(x: &[f64], limit: f64) -> f64 {
    let mut p = 1.0;
    for t in x {
        p *= t;
        if p.abs() > limit {
            return p * limit;
        }
    }
    p
}

/// Such callees, under exits of the caller.
#[adjoint]
#[sample([1.4, -1.8, 1.1, 0.3], 2.0)]
#[sample([1.4, -1.8, 1.1, 0.3], 0.5)]
#[sample([1.4, -1.8, 1.1, 0.3], 9.0)]
pub fn exits(x: &[f64], limit: f64) -> f64 {
    let mut s = 0.0;
    let mut v = x.to_vec();
    for i in 0..x.len() {
        let p = partial_product(&v[i..], limit);
        if p < -2.0 {
            break;
        }
        if p > 1.0 {
            v[i] = p;
            continue;
        }
        s += p * v[i];
        v[0] += s;
    }
    s + v[0]
}

/// Modes that the program chooses: they mix with those of the variants.
#[adjoint(checkpoint(damped_wave))]
#[sample(0.7, [1.2, 3.0, 0.4])]
pub fn mixed_modes(x: f64, p: &[f64]) -> f64 {
    let mut s = x;
    for k in 0..3 {
        #[split]
        let w = logistic(s * k as f64);
        #[checkpoint]
        let l = logistic(w + s);
        s += damped_wave(w, p) * l;
        s *= logistic(s);
    }
    s
}

/// Sums in place, recursively, in parts of a list.
#[adjoint]
#[sample([0.5, -0.8, 1.1, 0.3, 0.9])]
pub fn running_products(x: &mut [f64]) {
    let n = x.len();
    if n < 2 {
        return;
    }
    running_products(&mut x[1..]);
    x[0] = x[0] * x[1] + x[n - 1].sin();
}

/// Functions in modules of the module, called by all kinds of paths.
#[adjoint]
#[sample(0.6, 1.1)]
pub fn by_paths(x: f64, y: f64) -> f64 {
    use self::inner::cube;
    let a = inner::square(x) + self::inner::deeper::fourth(y);
    let f = |t: f64| cube(t) * y;
    f(a) + super::shapes::damped_wave(x, &[y, x, 0.1]) + inner::again(x)
}

/// A module in the module.
pub mod inner {
    use super::super::library::densities::logistic;
    use backsweep::adjoint;

    pub use self::deeper::fourth as again;

    #[adjoint]
    pub fn square(x: f64) -> f64 {
        x * x
    }

    #[adjoint]
    pub fn cube(x: f64) -> f64 {
        square(x) * x
    }

    /// And one in that.
    pub mod deeper {
        use super::square;
        use backsweep::adjoint;

        #[adjoint]
        pub fn fourth(x: f64) -> f64 {
            square(square(x)) + super::logistic(x)
        }
    }
}

/// A result that nobody wants, and a call that is only for what it changes.
#[adjoint]
#[sample([0.5, -0.8, 1.1], 0.7)]
pub fn dropped_results(x: &[f64], y: f64) -> f64 {
    let mut v = x.to_vec();
    let mut r = y;
    let _ = divided(y, v[0], &mut v[1], &mut r);
    divided(r, v[1], &mut r.cos(), &mut v[2]);
    running_products(&mut v);
    v[0] + r
}

/// Single precision through a call.
#[adjoint]
pub fn single(x: f32, y: f64) -> f64 {
    (x * x) as f64 * y
}

/// A caller in both precisions.
#[adjoint]
#[sample(0.6, 1.25)]
pub fn precisions(x: f64, y: f64) -> f64 {
    single(1.5, x) + single(y as f32, x * y)
}

/// Names that are used again.
#[adjoint]
#[sample(0.6, 1.25)]
pub fn shadowed(x: f64, y: f64) -> f64 {
    let y = logistic(x * y);
    let x = {
        let y = logistic(y + x);
        divided(y, x, &mut (x * y), &mut y.clone())
    };
    x * y
}
