//! `match`, `if let`, `let … else`, `while let`: on enums, numbers, tuples, lists.

use backsweep::adjoint;
use std::cmp::Ordering;

/// Loss functions of robust statistics.
#[derive(Clone, Copy)]
pub enum Loss {
    Squares,
    Huber(f64),
    Tukey { c: f64 },
    Power { exponent: i32, scale: f64 },
}

fn loss_of(code: usize) -> Loss {
    match code {
        0 => Loss::Squares,
        1 => Loss::Huber(0.7),
        2 => Loss::Tukey { c: 1.3 },
        _ => Loss::Power { exponent: 4, scale: 0.3 },
    }
}

#[adjoint(passive(loss))]
fn rho(r: f64, loss: &Loss) -> f64 {
    match loss {
        Loss::Squares => 0.5 * r * r,
        Loss::Huber(delta) if r.abs() <= *delta => 0.5 * r * r,
        Loss::Huber(delta) => delta * (r.abs() - 0.5 * delta),
        Loss::Tukey { c } if r.abs() > *c => c * c / 6.0,
        Loss::Tukey { c } => {
            let u = 1.0 - (r / c).powi(2);
            c * c / 6.0 * (1.0 - u * u * u)
        }
        Loss::Power { exponent, scale } => scale * r.powi(*exponent),
    }
}

/// A robust sum of residuals of a line.
#[adjoint(independents(x, y, slope, offset))]
#[sample([0.1, 1.2, 2.3, 2.9], [0.3, 1.1, 4.0, 2.2], 0.8, 0.2, 0)]
#[sample([0.1, 1.2, 2.3, 2.9], [0.3, 1.1, 4.0, 2.2], 0.8, 0.2, 1)]
#[sample([0.1, 1.2, 2.3, 2.9], [0.3, 1.1, 4.0, 2.2], 0.8, 0.2, 2)]
#[sample([0.1, 1.2, 2.3, 2.9], [0.3, 1.1, 4.0, 2.2], 0.8, 0.2, 3)]
pub fn robust_residuals(x: &[f64], y: &[f64], slope: f64, offset: f64, code: usize) -> f64 {
    let loss = loss_of(code);
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(y) {
        let r = b - slope * a - offset;
        sum += match code {
            0 => rho(r, &Loss::Squares),
            1 => rho(r, &Loss::Huber(0.7)),
            2 => {
                let c: f64 = 1.3;
                rho(r, &Loss::Tukey { c: 1.3 }) * c
            }
            _ => rho(r, &Loss::Power { exponent: 4, scale: 0.3 }),
        };
        if let Loss::Power { exponent: 4, .. } | Loss::Squares = loss {
            sum *= 1.0 + 0.1 * r;
        }
    }
    sum
}

/// Polynomials and tables.
pub enum Curve<'c> {
    Polynomial(&'c [f64]),
    Table { step: f64, values: [f64; 4] },
    Sum(&'c Curve<'c>, &'c Curve<'c>),
}

static CURVES: [Curve<'static>; 3] = [
    Curve::Polynomial(&[0.5, 0.3, 0.2]),
    Curve::Table { step: 0.5, values: [1.3, 1.2, 0.7, 0.9] },
    Curve::Table { step: 0.7, values: [0.1, 1.2, 0.7, 0.9] },
];

#[adjoint(independents(x))]
fn horner(coefficients: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for k in (0..coefficients.len()).rev() {
        sum = sum * x + coefficients[k];
    }
    sum
}

#[adjoint(independents(x), passive(curve))]
fn along<'c>(curve: &'c Curve<'c>, x: f64) -> f64 {
    let mut scale = 1.0;
    match curve {
        Curve::Polynomial(coefficients) => horner(coefficients, x),
        Curve::Table { step, values } => {
            let at = x / step;
            let k = (at as usize).min(values.len() - 2);
            let t = at - k as f64;
            for j in 0..2 {
                scale *= values[k + j] * x;
            }
            values[k] * (1.0 - t) + values[k + 1] * t + scale
        }
        Curve::Sum(left, right) => along(left, x) * along(right, x.sin()),
    }
}

/// A curve, and what it is made of.
#[adjoint(independents(x), passive(curves))]
fn along_all<'c>(curves: &'c [Curve<'c>], x: f64) -> f64 {
    let mut s = x;
    for curve in curves {
        s *= match curve {
            Curve::Polynomial(c) => c[0] + c[1] * s + horner(c, s),
            Curve::Table { values, .. } if values[0] > s => values[0] * s,
            other => along(other, s + 0.1),
        };
    }
    let Some(Curve::Polynomial(c)) = curves.first() else { return s };
    s * c[1]
}

#[adjoint]
#[sample(0.7, 1.9)]
#[sample(-0.3, 0.4)]
pub fn curves(x: f64, y: f64) -> f64 {
    let a = along(&Curve::Polynomial(&[1.0, -0.5, 2.0]), x * y);
    let b = along_of(x, 0) + along_of(y, 1) * along_of(a, 2);
    let mut s = 0.0;
    for k in 0..3 {
        s += b * along(&Curve::Table { step: 0.5, values: [0.3, 1.2, 0.7, 0.9] }, s + k as f64);
    }
    a * y + s
}

#[adjoint(independents(x))]
fn along_of(x: f64, code: usize) -> f64 {
    match code {
        0 => along_all(&CURVES, x),
        1 => along(&Curve::Polynomial(&[0.4, 0.8]), x),
        _ => along(&Curve::Table { step: 1.5, values: [0.3, -1.2, 0.7, 0.9] }, x.abs()),
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Style {
    Call,
    Put,
}

fn style_of(is_call: bool) -> Style {
    if is_call { Style::Call } else { Style::Put }
}

#[adjoint]
fn normal_cdf(x: f64) -> f64 {
    0.5 * (1.0 + (0.797_884_560_802_865_4 * (x + 0.044_715 * x * x * x)).tanh())
}

/// The price of a European option by an approximate normal distribution, with its payoff at the end.
#[adjoint]
#[sample(100.0, 95.0, 0.03, 0.2, 0.75, true)]
#[sample(100.0, 95.0, 0.03, 0.2, 0.75, false)]
#[sample(100.0, 105.0, 0.03, 0.2, 0.0, true)]
#[sample(100.0, 105.0, 0.03, 0.2, 0.0, false)]
pub fn option_price(s: f64, k: f64, r: f64, sigma: f64, t: f64, is_call: bool) -> f64 {
    let style = style_of(is_call);
    if t <= 0.0 {
        return match style {
            Style::Call if s > k => s - k,
            Style::Put if s < k => k - s,
            Style::Call | Style::Put => 0.0 * s,
        };
    }
    let root = sigma * t.sqrt();
    let d1 = ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / root;
    let discounted = k * (-r * t).exp();
    match style {
        Style::Call => s * normal_cdf(d1) - discounted * normal_cdf(d1 - root),
        Style::Put => discounted * normal_cdf(root - d1) - s * normal_cdf(-d1),
    }
}

/// Constitutive laws.
pub enum Material {
    Elastic(f64),
    Plastic { modulus: f64, limit: f64, hardening: f64 },
    Polynomial { terms: usize },
}

fn materials() -> [Material; 3] {
    [
        Material::Elastic(2.0),
        Material::Plastic { modulus: 3.0, limit: 0.5, hardening: 0.4 },
        Material::Polynomial { terms: 3 },
    ]
}

/// The stress in a rod of several materials in turn, as the strain of each depends on the last.
#[adjoint(independents(strain))]
#[sample([0.1, 0.2, 0.3, 0.7, 0.5])]
#[sample([-0.9, 0.9])]
pub fn rod(strain: &[f64]) -> f64 {
    let materials = materials();
    let mut stress = 0.0;
    for (n, e) in strain.iter().enumerate() {
        let e = e + 0.1 * stress;
        let sign = match e.partial_cmp(&0.0) {
            Some(Ordering::Less) => -1.0,
            Some(Ordering::Equal) | None => 0.0,
            Some(Ordering::Greater) => 1.0,
        };
        stress = match &materials[n % 3] {
            Material::Elastic(modulus) => *modulus * e,
            Material::Plastic { modulus, limit, .. } if (modulus * e).abs() < *limit => modulus * e,
            Material::Plastic { modulus, limit, hardening } => {
                sign * limit + hardening * (e - sign * limit / modulus)
            }
            &Material::Polynomial { terms } => {
                let mut power = 1.0;
                let mut sum = 0.0;
                for k in 1..=terms {
                    power *= e;
                    sum += power / k as f64;
                }
                sum
            }
        };
    }
    stress
}

/// Weights by position, in a `match` on pairs.
#[adjoint]
#[sample([0.3, 1.4, -0.2, 0.9, 2.2, -1.1])]
#[sample([1.7])]
pub fn pairs(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (n, &t) in x.iter().enumerate() {
        sum += match (n % 3, t) {
            (0, t) => t,
            (1, t) | (2, t) if t > 1.0 => t * t * t,
            (_, t) if t < 0.0 => -t * sum,
            (k, t) => t * t * k as f64,
        };
    }
    match sum {
        s if s < 0.0 => -s,
        s if s < 1.0 => s * s,
        s => 2.0 * s - 1.0,
    }
}

/// Ends and middles of lists.
#[adjoint]
#[sample([])]
#[sample([1.3])]
#[sample([1.3, 0.4])]
#[sample([1.3, 0.4, 0.9])]
#[sample([1.3, 0.4, 0.9, -0.7, 0.2])]
pub fn ends(x: &[f64]) -> f64 {
    let value = match x {
        [] => 0.5,
        [a] => a.sin(),
        [a, b] => a * b,
        [first, middle @ .., last] => {
            let mut sum = first * last;
            for m in middle {
                sum += m * m * first;
            }
            sum
        }
    };
    let [first, .., last] = x else { return value * value };
    if let [_, second, rest @ ..] = x
        && rest.len() > 1
        && second * first > 0.1
    {
        return value * rest[1] + second * last;
    }
    value - first * last
}

/// Parts of tuples and arrays, by name, by reference, whole.
#[adjoint]
#[sample((0.3, 1.4, -0.2), [0.9, 2.2, -1.1])]
pub fn parts(mut p: (f64, f64, f64), a: [f64; 3]) -> f64 {
    let (first, ..) = p;
    let (.., last) = p;
    let all @ [x, ..] = a;
    {
        let (ref mut s, _, ref t) = p;
        *s += x * t;
        *s *= *s;
    }
    let &y = &p.1;
    let ref z = p.0;
    let mut sum = first * last + all[1] * y;
    for k in 0..3 {
        sum += match (k, a) {
            (0, [b, ..]) => b * *z,
            (1, [_, b, c]) => b * c,
            (n, whole @ [.., c]) => whole[n - 2] * c * c,
        };
    }
    sum
}

/// A queue that is emptied, with `continue` and a label.
#[adjoint]
#[sample([0.3, 1.4, -0.2, 0.9, 2.2])]
#[sample([])]
pub fn emptied(x: &[f64]) -> f64 {
    let mut queue = x.to_vec();
    let mut sum = 1.0;
    'all: while let Some(t) = queue.pop() {
        if t < 0.0 {
            continue;
        }
        sum += t * t;
        while let Some(top) = queue.last_mut()
            && sum > 3.0
        {
            *top *= t;
            sum *= 0.5;
            if sum < 0.7 {
                continue 'all;
            }
        }
    }
    sum
}

/// Constants in patterns.
#[adjoint]
#[sample([0.5, 1.5, 2.5], 2)]
#[sample([0.5, 1.5, 2.5], 7)]
#[sample([0.5, 1.5, 2.5], 30)]
pub fn constants(x: &[f64], n: usize) -> f64 {
    const SMALL: usize = 2;
    const LARGE: usize = 20;
    let name = match n {
        SMALL => "small",
        LARGE.. => "large",
        _ => "medium",
    };
    let mut scale = x[0] * x[1];
    match name {
        "small" => scale *= x[2],
        "large" => scale += x[2] * x[2],
        _ => {}
    }
    if matches!((n, scale), (SMALL..=LARGE, s) if s > 1.8) { scale * scale } else { scale }
}
