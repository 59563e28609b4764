//! The Bratu problem: heat released by a slab of solid fuel against heat conducted away,
//! `y″ + s·exp(y / (1 + t·y)) = 0` on an interval of length 2 with cold walls.

use backsweep::adjoint;

/// The imbalance of heat at every point of the grid, discretised with Numerov's formula
///
/// `x[i-1] − 2 x[i] + x[i+1] + h²/12 · (f[i-1] + 10 f[i] + f[i+1])`, `f[i] = s·exp(x[i] / (1 + t·x[i]))`.
///
/// `x` holds the temperatures of the `n` inner points and of both walls. Each turn of the loop
/// couples the neighbours `i - 1` and `i` in both directions, and opens the equation of `i + 1`: it
/// scatters into three equations, through temporaries that live outside of the loop, as in the listing
/// of Hascoët, Naumann and Pascual ("To be recorded" analysis in reverse-mode automatic
/// differentiation, 2005). This is what reverse-mode tools find hard: every turn overwrites nine
/// values.
///
/// The three attributes differentiate the same function: with all optimisations; storing everything
/// that is overwritten; storing what is overwritten and needed.
#[adjoint(independents(x, s, t), dependents(balance))]
#[adjoint(independents(x, s, t), dependents(balance), name = "residual_naive", no(all))]
#[adjoint(
    independents(x, s, t),
    dependents(balance),
    name = "residual_tbr",
    no(
        activity,
        adjoint_liveness,
        snapshot,
        recompute,
        retest,
        invert,
        fuse,
        inline,
        cse,
        simplify
    )
)]
pub fn residual(x: &[f64], s: f64, t: f64, balance: &mut [f64]) {
    let n = x.len() - 2;
    let h = 2.0 / (n as f64 + 1.0);
    let w = h * h / 12.0;
    let (mut left_argument, mut left_exponential);
    let (mut here_argument, mut here_exponential);
    let (mut next_argument, mut next_exponential);

    balance[0] = 0.0;
    balance[1] = 10.0 * w * s * (x[1] / (1.0 + t * x[1])).exp() - 2.0 * x[1];
    for i in 1..=n {
        left_argument = x[i - 1] / (1.0 + t * x[i - 1]);
        left_exponential = left_argument.exp();
        here_argument = x[i] / (1.0 + t * x[i]);
        here_exponential = here_argument.exp();
        next_argument = x[i + 1] / (1.0 + t * x[i + 1]);
        next_exponential = next_argument.exp();
        balance[i - 1] += x[i] + w * s * here_exponential;
        balance[i] += x[i - 1] + w * s * left_exponential;
        balance[i + 1] = 10.0 * w * s * next_exponential - 2.0 * x[i + 1];
    }
    balance[n] += x[n + 1] + w * s * (x[n + 1] / (1.0 + t * x[n + 1])).exp();

    // The walls are kept at the temperature of the surroundings.
    balance[0] = x[0];
    balance[n + 1] = x[n + 1];
}
