//! Special functions by series, continued fractions and rational approximations.

use backsweep::adjoint;
use std::f64::consts::{FRAC_2_SQRT_PI, PI};

const LANCZOS: [f64; 9] = [
    0.999_999_999_999_809_9,
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

static DIGAMMA_SERIES: [f64; 4] = [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0];

/// The logarithm of the gamma function by Lanczos, with reflection.
#[adjoint]
#[sample(4.7)]
#[sample(0.3)]
pub fn ln_gamma(x: f64) -> f64 {
    if x < 0.5 {
        return (PI / (PI * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut a = LANCZOS[0];
    let t = x + 7.5;
    for i in 1..9 {
        a += LANCZOS[i] / (x + i as f64);
    }
    0.5 * (2.0 * PI).ln() + (x + 0.5) * t.ln() - t + a.ln()
}

/// The logarithm of the beta function.
#[adjoint]
#[sample(2.5, 0.7)]
pub fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// The error function by its power series.
#[adjoint]
#[sample(0.6)]
#[sample(-1.3)]
#[sample(0.0)]
pub fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut n = 0;
    while term.abs() > 1e-17 * sum.abs() {
        n += 1;
        term *= -x * x / n as f64;
        sum += term / (2 * n + 1) as f64;
    }
    FRAC_2_SQRT_PI * sum
}

/// The complementary error function by an approximation of Chebyshev type.
#[adjoint]
#[sample(0.6)]
#[sample(-2.1)]
pub fn erfc_rational(x: f64) -> f64 {
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    let r = t
        * (-z * z - 1.26551223
            + t * (1.00002368
                + t * (0.37409196
                    + t * (0.09678418
                        + t * (-0.18628806
                            + t * (0.27886807
                                + t * (-1.13520398
                                    + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277)))))))))
        .exp();
    if x >= 0.0 { r } else { 2.0 - r }
}

/// The continued fraction of the incomplete beta function, by the modified method of Lentz.
#[adjoint(independents(x))]
#[sample(2.0, 3.5, 0.3)]
pub fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-30;
    let (qab, qap, qam) = (a + b, a + 1.0, a - 1.0);
    let mut c = 1.0;
    let mut d = 1.0 - qab * x / qap;
    if d.abs() < TINY {
        d = TINY;
    }
    d = 1.0 / d;
    let mut h = d;
    let mut m = 1;
    'lentz: while m <= 100 {
        let mf = f64::from(m);
        let m2 = 2.0 * mf;
        let even = mf * (b - mf) * x / ((qam + m2) * (a + m2));
        let odd = -(a + mf) * (qab + mf) * x / ((a + m2) * (qap + m2));
        for aa in [even, odd].iter() {
            d = 1.0 + aa * d;
            c = 1.0 + aa / c;
            d = 1.0 / d;
            h *= d * c;
            if (d * c - 1.0).abs() < 1e-16 {
                break 'lentz;
            }
        }
        m += 1;
    }
    h
}

/// The Bessel function of the first kind and order n by its series.
#[adjoint(independents(x))]
#[sample(0, 1.7)]
#[sample(3, 2.2)]
#[sample(1, 0.0)]
pub fn bessel_j(n: i32, x: f64) -> f64 {
    let half = 0.5 * x;
    let mut term = half.powi(n);
    for k in 1..=n {
        term /= k as f64;
    }
    let mut sum = term;
    for k in 1..40 {
        term *= -half * half / (k as f64 * (k + n) as f64);
        sum += term;
        if term.abs() < 1e-17 {
            break;
        }
    }
    sum
}

/// The modified Bessel function of order 0 by the polynomials of Abramowitz and Stegun.
#[adjoint]
#[sample(1.2)]
#[sample(-5.0)]
pub fn bessel_i0(x: f64) -> f64 {
    let ax = x.abs();
    if ax < 3.75 {
        let y = (x / 3.75).powi(2);
        1.0 + y
            * (3.5156229
                + y * (3.0899424
                    + y * (1.2067492 + y * (0.2659732 + y * (0.360768e-1 + y * 0.45813e-2)))))
    } else {
        let y = 3.75 / ax;
        let ans = 0.39894228 + y * (0.1328592e-1 + y * (0.225319e-2 + y * -0.157565e-2));
        (ax.exp() / ax.sqrt()) * ans
    }
}

/// The principal branch of Lambert's W by Halley's iteration.
#[adjoint]
#[sample(1.3)]
#[sample(-0.2)]
#[sample(20.0)]
pub fn lambert_w(x: f64) -> f64 {
    let mut w = if x > 3.0 {
        let l = x.ln();
        l - l.ln()
    } else {
        x / (1.0 + x)
    };
    for _ in 0..20 {
        let e = w.exp();
        let f = w * e - x;
        let step = f / (e * (w + 1.0) - (w + 2.0) * f / (2.0 * w + 2.0));
        w -= step;
        if step.abs() <= 1e-15 * (1.0 + w.abs()) {
            break;
        }
    }
    w
}

/// The zeta function for arguments above 1 by Euler-Maclaurin summation.
#[adjoint]
#[sample(2.0)]
#[sample(3.7)]
pub fn zeta(s: f64) -> f64 {
    const N: usize = 10;
    let mut sum = 0.0;
    for n in 1..N {
        sum += (n as f64).powf(-s);
    }
    let n = N as f64;
    sum + n.powf(1.0 - s) / (s - 1.0) + 0.5 * n.powf(-s) + s * n.powf(-s - 1.0) / 12.0
}

/// The quantile of the normal distribution by the rational approximation of Acklam.
#[adjoint]
#[sample(0.01)]
#[sample(0.4)]
#[sample(0.99)]
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e+01,
        2.209460984245205e+02,
        -2.759285104469687e+02,
        1.383577518672690e+02,
        -3.066479806614716e+01,
        2.506628277459239e+00,
    ];
    const B: [f64; 5] = [
        -5.447609879822406e+01,
        1.615858368580409e+02,
        -1.556989798598866e+02,
        6.680131188771972e+01,
        -1.328068155288572e+01,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-03,
        -3.223964580411365e-01,
        -2.400758277161838e+00,
        -2.549732539343734e+00,
        4.374664141464968e+00,
        2.938163982698783e+00,
    ];
    const D: [f64; 4] =
        [7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00];
    const P_LOW: f64 = 0.02425;
    if p < P_LOW {
        let q = (-2.0 * p.ln()).sqrt();
        (((((C[0] * q + C[1]) * q + C[2]) * q + C[3]) * q + C[4]) * q + C[5])
            / ((((D[0] * q + D[1]) * q + D[2]) * q + D[3]) * q + 1.0)
    } else if p <= 1.0 - P_LOW {
        let q = p - 0.5;
        let r = q * q;
        (((((A[0] * r + A[1]) * r + A[2]) * r + A[3]) * r + A[4]) * r + A[5]) * q
            / (((((B[0] * r + B[1]) * r + B[2]) * r + B[3]) * r + B[4]) * r + 1.0)
    } else {
        let q = (-2.0 * (1.0 - p).ln()).sqrt();
        -(((((C[0] * q + C[1]) * q + C[2]) * q + C[3]) * q + C[4]) * q + C[5])
            / ((((D[0] * q + D[1]) * q + D[2]) * q + D[3]) * q + 1.0)
    }
}

/// The digamma function: upward recurrence, then the asymptotic series.
#[adjoint]
#[sample(0.4)]
#[sample(9.0)]
pub fn digamma(x: f64) -> f64 {
    let mut x = x;
    let mut result = 0.0;
    while x < 6.0 {
        result -= 1.0 / x;
        x += 1.0;
    }
    result += x.ln() - 0.5 / x;
    let f = 1.0 / (x * x);
    let mut power = f;
    for c in &DIGAMMA_SERIES {
        result -= c * power;
        power *= f;
    }
    result
}

/// The regularised lower incomplete gamma function: a series or Lentz's continued fraction.
#[adjoint]
#[sample(2.5, 1.3)]
#[sample(1.5, 6.0)]
#[sample(3.0, 0.0)]
pub fn gamma_p(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let mut ap = a;
        let mut del = 1.0 / a;
        let mut sum = del;
        loop {
            ap += 1.0;
            del *= x / ap;
            sum += del;
            if del.abs() < sum.abs() * 1e-16 {
                return sum * scale;
            }
        }
    }
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..=200 {
        let an = -(i as f64) * (i as f64 - a);
        b += 2.0;
        d = an * d + b;
        if d.abs() < tiny {
            d = tiny;
        }
        c = b + an / c;
        if c.abs() < tiny {
            c = tiny;
        }
        d = 1.0 / d;
        let del = d * c;
        h *= del;
        if (del - 1.0).abs() < 1e-15 {
            break;
        }
    }
    1.0 - scale * h
}
