//! Options and bonds.

use super::library::densities::normal_cdf as cdf;
use backsweep::adjoint;

/// What an option pays.
#[adjoint]
pub fn payoff(spot: f64, strike: f64, is_call: bool) -> f64 {
    if is_call { (spot - strike).max(0.0) } else { (strike - spot).max(0.0) }
}

/// One step back in a tree, in place.
#[adjoint]
pub fn step_back(values: &mut [f64], len: usize, p: f64, discount: f64) {
    for i in 0..len {
        values[i] = discount * (p * values[i + 1] + (1.0 - p) * values[i]);
    }
}

/// An American option in a binomial tree.
#[adjoint]
#[sample(100.3, 101.0, 0.25, 0.03, 4)]
pub fn tree(spot: f64, strike: f64, volatility: f64, rate: f64, n: usize) -> f64 {
    let h = 1.0 / n as f64;
    let up = (volatility * h.sqrt()).exp();
    let p = ((rate * h).exp() - 1.0 / up) / (up - 1.0 / up);
    let mut values: Vec<f64> =
        (0..=n).map(|i| payoff(spot * up.powi(2 * i as i32 - n as i32), strike, false)).collect();
    for level in (0..n).rev() {
        step_back(&mut values, level + 1, p, (-rate * h).exp());
        for i in 0..=level {
            let now = payoff(spot * up.powi(2 * i as i32 - level as i32), strike, false);
            if now > values[i] {
                values[i] = now;
            }
        }
    }
    values[0]
}

/// The two arguments of Black and Scholes.
#[adjoint]
pub fn arguments(spot: f64, strike: f64, volatility: f64, time: f64) -> (f64, f64) {
    let total = volatility * time.sqrt();
    let d1 = (spot / strike).ln() / total + 0.5 * total;
    (d1, d1 - total)
}

/// Black and Scholes.
#[adjoint]
pub fn call_price(spot: f64, strike: f64, volatility: f64, time: f64) -> f64 {
    let (d1, d2) = arguments(spot, strike, volatility, time);
    spot * cdf(d1) - strike * cdf(d2)
}

/// Its derivative with respect to the volatility.
#[adjoint]
pub fn vega(spot: f64, strike: f64, volatility: f64, time: f64) -> f64 {
    let (d1, _) = arguments(spot, strike, volatility, time);
    spot * time.sqrt() * (-0.5 * d1 * d1).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The volatility that explains a price.
#[adjoint]
#[sample(12.0, 100.0, 103.0, 0.8)]
pub fn implied_volatility(price: f64, spot: f64, strike: f64, time: f64) -> f64 {
    let mut volatility = 0.3;
    for _ in 0..6 {
        let excess = call_price(spot, strike, volatility, time) - price;
        volatility -= excess / vega(spot, strike, volatility, time);
    }
    volatility
}

/// One path, given the draws.
#[adjoint(passive(draws))]
pub fn path(spot: f64, volatility: f64, draws: &[f64]) -> f64 {
    let mut s = spot;
    let mut highest = spot;
    for z in draws {
        s *= (volatility * z - 0.5 * volatility * volatility).exp();
        highest = highest.max(s);
    }
    highest - s
}

/// The mean over paths: a passive part of a list in each call.
#[adjoint(independents(spot, volatility), dependents(return))]
#[sample(1.2, 0.3, [0.4, -0.8, 1.1, 0.3, -0.6, 0.2], 3)]
pub fn lookback(spot: f64, volatility: f64, draws: &[f64], days: usize) -> f64 {
    let paths = draws.len() / days;
    let total: f64 = draws.chunks(days).map(|part| path(spot, volatility, part)).sum();
    total / paths as f64
}

/// A factor of discount, between two nodes.
#[adjoint]
pub fn discount(curve: &[f64], time: f64) -> f64 {
    let last = curve.len() - 1;
    let k = (time as usize).min(last - 1);
    let w = time - k as f64;
    (-(curve[k] * (1.0 - w) + curve[k + 1] * w) * time).exp()
}

/// A swap.
#[adjoint]
pub fn swap(curve: &[f64], fixed: f64, maturity: usize) -> f64 {
    let mut annuity = 0.0;
    for year in 1..=maturity {
        annuity += discount(curve, year as f64 - 0.25);
    }
    1.0 - discount(curve, maturity as f64 - 0.25) - fixed * annuity
}

/// Many swaps, of which those that are worth something count.
#[adjoint]
#[sample([0.01, 0.02, 0.025, 0.03], [0.02, 0.05, 0.015])]
pub fn exposure(curve: &[f64], fixed: &[f64]) -> f64 {
    fixed.iter().enumerate().map(|(k, rate)| swap(curve, *rate, k + 1)).filter(|v| *v > 0.0).sum()
}
