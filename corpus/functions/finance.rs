//! Option prices, yields and simulated paths.

use backsweep::adjoint;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// The distribution function of the normal distribution, by the formula of Zelen and Severo.
#[adjoint]
#[sample(0.4)]
#[sample(-1.5)]
pub fn normal_cdf(x: f64) -> f64 {
    const A1: f64 = 0.319381530;
    const A2: f64 = -0.356563782;
    const A3: f64 = 1.781477937;
    const A4: f64 = -1.821255978;
    const A5: f64 = 1.330274429;
    let k = 1.0 / (1.0 + 0.2316419 * x.abs());
    let density = (-0.5 * x * x).exp() / TAU.sqrt();
    let upper = density * k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5))));
    if x >= 0.0 { 1.0 - upper } else { upper }
}

/// The price and the vega of an option, for root finding.
#[adjoint]
#[sample(1.0, 1.1, 0.2, 2.0)]
pub fn price_and_vega(forward: f64, strike: f64, vol: f64, expiry: f64) -> (f64, f64) {
    let sd = vol * expiry.sqrt();
    let d1 = (forward / strike).ln() / sd + 0.5 * sd;
    let price = forward * normal_cdf(d1) - strike * normal_cdf(d1 - sd);
    let vega = forward * (-0.5 * d1 * d1).exp() / TAU.sqrt() * expiry.sqrt();
    (price, vega)
}

/// The implied volatility by Newton's iteration, kept inside an interval.
#[adjoint]
#[sample(0.15, 1.0, 1.1, 2.0)]
#[sample(0.3, 1.0, 0.9, 1.0)]
pub fn implied_volatility(target: f64, forward: f64, strike: f64, expiry: f64) -> f64 {
    let mut vol = 0.2;
    let mut tries = 0;
    loop {
        let (price, vega) = price_and_vega(forward, strike, vol, expiry);
        let step = (price - target) / vega.max(1e-8);
        vol = (vol - step).clamp(1e-4, 4.0);
        tries += 1;
        if step.abs() < 1e-13 || tries == 50 {
            break vol;
        }
    }
}

/// The implied volatility of the model of Bachelier at the money, and its price back.
#[adjoint]
#[sample(0.4, 1.5)]
pub fn bachelier_at_the_money(vol: f64, expiry: f64) -> f64 {
    vol * (expiry / TAU).sqrt() * FRAC_1_SQRT_2.recip()
}

/// The discounted mean payoff of Heston-like Euler paths with given random numbers.
#[adjoint(independents(s0, v0, kappa, theta, xi, rho))]
#[sample(1.0, 0.04, 1.5, 0.05, 0.3, -0.6, [0.3, -1.2, 0.7, 0.1, -0.4, 1.9, 0.2, -0.8], [0.1, 0.6, -1.5, -2.5, 0.3, -0.2, 1.0, 0.9], 4)]
#[sample(1.0, 0.0001, 1.5, 0.05, 0.9, -0.6, [0.3, -1.2], [-2.5, -0.9], 2)]
pub fn heston_paths(
    s0: f64,
    v0: f64,
    kappa: f64,
    theta: f64,
    xi: f64,
    rho: f64,
    z1: &[f64],
    z2: &[f64],
    steps: usize,
) -> f64 {
    let dt = 1.0 / steps as f64;
    let sqrt_dt = dt.sqrt();
    let paths = z1.len() / steps;
    let mut total = 0.0;
    for path in 0..paths {
        let mut s = s0;
        let mut v = v0;
        for step in 0..steps {
            let i = path * steps + step;
            let w1 = z1[i] * sqrt_dt;
            let w2 = (rho * z1[i] + (1.0 - rho * rho).sqrt() * z2[i]) * sqrt_dt;
            let v_plus = v.max(0.0);
            s *= 1.0 + v_plus.sqrt() * w1;
            v += kappa * (theta - v_plus) * dt + xi * v_plus.sqrt() * w2;
        }
        total += (s - 0.9).max(0.0);
    }
    total / paths as f64
}

/// An arithmetic Asian payoff along a geometric Brownian path, knocked out at a barrier.
#[adjoint(independents(spot, vol))]
#[sample(1.0, 0.2, [0.1, 0.5, -0.3, 0.2], 2.0)]
#[sample(1.0, 0.2, [0.1, 3.5, -0.3, 0.2], 1.3)]
pub fn asian_with_barrier(spot: f64, vol: f64, normals: &[f64], barrier: f64) -> f64 {
    let n = normals.len();
    let dt = 1.0 / n as f64;
    let drift = -0.5 * vol * vol * dt;
    let mut price = spot;
    let mut sum = 0.0;
    for z in normals {
        price *= (drift + vol * dt.sqrt() * z).exp();
        if price > barrier {
            return 0.1 * price;
        }
        sum += price;
    }
    (sum / n as f64 - 0.95 * spot).max(0.0)
}

/// An American put on a binomial tree.
#[adjoint]
#[sample(1.0, 1.1, 0.03, 0.3, 1.0, 6)]
pub fn american_put(spot: f64, strike: f64, rate: f64, vol: f64, expiry: f64, steps: usize) -> f64 {
    let dt = expiry / steps as f64;
    let up = (vol * dt.sqrt()).exp();
    let down = 1.0 / up;
    let growth = (rate * dt).exp();
    let p = (growth - down) / (up - down);
    let mut values = vec![0.0; steps + 1];
    for i in 0..=steps {
        let s = spot * up.powi(2 * i as i32 - steps as i32);
        values[i] = (strike - s).max(0.0);
    }
    for step in (0..steps).rev() {
        for i in 0..=step {
            let held = (p * values[i + 1] + (1.0 - p) * values[i]) / growth;
            let s = spot * up.powi(2 * i as i32 - step as i32);
            values[i] = held.max(strike - s);
        }
    }
    values[0]
}

/// The yield to maturity of a bond by Newton's iteration.
#[adjoint]
#[sample(0.97, 0.04, 5)]
#[sample(1.05, 0.04, 3)]
pub fn bond_yield(price: f64, coupon: f64, years: u32) -> f64 {
    let mut y = coupon;
    for _ in 0..50 {
        let mut value = -price;
        let mut slope = 0.0;
        let mut discount = 1.0;
        for year in 1..=years {
            discount /= 1.0 + y;
            let cash = if year == years { 1.0 + coupon } else { coupon };
            value += cash * discount;
            slope -= f64::from(year) * cash * discount / (1.0 + y);
        }
        let step = value / slope;
        y -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    y
}

/// The discount factor of a curve of Nelson, Siegel and Svensson.
#[adjoint(independents(beta, tau))]
#[sample(4.0, [0.03, -0.01, 0.02, 0.005], [1.5, 6.0])]
#[sample(0.0, [0.03, -0.01, 0.02, 0.005], [1.5, 6.0])]
pub fn svensson_discount(maturity: f64, beta: &[f64; 4], tau: [f64; 2]) -> f64 {
    let rate = if maturity == 0.0 {
        beta[0] + beta[1]
    } else {
        let [x1, x2] = [maturity / tau[0], maturity / tau[1]];
        let (e1, e2) = ((-x1).exp(), (-x2).exp());
        let slope = (1.0 - e1) / x1;
        beta[0] + beta[1] * slope + beta[2] * (slope - e1) + beta[3] * ((1.0 - e2) / x2 - e2)
    };
    (-rate * maturity.max(1.0)).exp()
}

/// The implied volatility of the SABR model by Hagan's formula.
#[adjoint]
#[sample(0.03, 0.035, 1.0, 0.2, 0.5, -0.3, 0.4)]
#[sample(0.03, 0.03, 1.0, 0.2, 0.5, -0.3, 0.4)]
pub fn sabr(f: f64, k: f64, t: f64, alpha: f64, beta: f64, rho: f64, nu: f64) -> f64 {
    let one_beta = 1.0 - beta;
    let mid = (f * k).powf(0.5 * one_beta);
    let a = one_beta.powi(2) / 24.0 * alpha * alpha / (mid * mid);
    let b = 0.25 * rho * beta * nu * alpha / mid;
    let c = (2.0 - 3.0 * rho * rho) / 24.0 * nu * nu;
    let correction = 1.0 + (a + b + c) * t;
    let log = (f / k).ln();
    if log.abs() < 1e-12 {
        return alpha / mid * correction;
    }
    let z = nu / alpha * mid * log;
    let x = ((1.0 - 2.0 * rho * z + z * z).sqrt() + z - rho).ln() - (1.0 - rho).ln();
    let log2 = one_beta * one_beta * log * log;
    alpha / (mid * (1.0 + log2 / 24.0 + log2 * log2 / 1920.0)) * (z / x) * correction
}

/// The price of a European option.
#[adjoint]
#[sample(100.0, 105.0, 0.03, 0.25, 0.75, true)]
#[sample(100.0, 95.0, 0.03, 0.25, 0.75, false)]
pub fn black_scholes(spot: f64, strike: f64, rate: f64, vol: f64, expiry: f64, call: bool) -> f64 {
    let sd = vol * expiry.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * vol * vol) * expiry) / sd;
    let d2 = d1 - sd;
    let discount = (-rate * expiry).exp();
    let sign = if call { 1.0 } else { -1.0 };
    sign * (spot * normal_cdf(sign * d1) - strike * discount * normal_cdf(sign * d2))
}
