//! What libraries of elementary and statistical functions do beside arithmetic: bits of integers and of
//! floats, tables, several results at once.

use backsweep::adjoint;

/// A power by repeated squaring.
#[adjoint]
#[sample(1.3, 13)]
#[sample(-0.7, 1)]
#[sample(0.4, 0)]
pub fn power_by_squaring(x: f64, n: u32) -> f64 {
    let mut n = n;
    let mut base = x;
    let mut power = 1.0;
    while n > 0 {
        if n & 1 == 1 {
            power *= base;
        }
        base *= base;
        n >>= 1;
    }
    power
}

/// A sine as libraries have it: the bits of the argument tell how large it is.
#[adjoint]
#[sample(1e-9)]
#[sample(0.3)]
#[sample(-0.6)]
#[sample(2.5)]
pub fn sine_of_small_or_large(x: f64) -> f64 {
    const S: [f64; 5] = [
        -1.66666666666666324348e-01,
        8.33333333332248946124e-03,
        -1.98412698298579493134e-04,
        2.75573137070700676789e-06,
        -2.50507602534068634195e-08,
    ];
    let high = (x.to_bits() >> 32) as u32 & 0x7fff_ffff;
    if high < 0x3e40_0000 {
        return x;
    }
    if high >= 0x3fe9_21fb {
        return x.sin();
    }
    let z = x * x;
    let r = S[1] + z * (S[2] + z * (S[3] + z * S[4]));
    x + z * x * (S[0] + z * r)
}

/// An integral by the nodes and weights of a table.
#[adjoint]
#[sample(0.2, 1.7, 0.9)]
pub fn quadrature_by_table(a: f64, b: f64, rate: f64) -> f64 {
    const NODES: [f64; 3] = [0.0, 0.5384693101056831, 0.9061798459386640];
    const WEIGHTS: [f64; 3] = [0.5688888888888889, 0.4786286704993665, 0.2369268850561891];
    let (middle, half) = ((a + b) / 2.0, (b - a) / 2.0);
    let mut sum = 0.0;
    for (i, (node, weight)) in NODES.iter().zip(&WEIGHTS).enumerate() {
        let right = (-rate * (middle + half * node)).exp();
        if i == 0 {
            sum += weight * right;
            continue;
        }
        let left = (-rate * (middle - half * node)).exp();
        sum += weight * (left + right);
    }
    half * sum
}
