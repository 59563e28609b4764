//! `cargo run --release --example bratu [n]`: which solid fuel has this temperature profile?
//!
//! A slab of fuel between two cold walls heats itself; how much, the Bratu problem tells. Its
//! residual is an ordinary function, annotated with `#[adjoint]`. The program checks its derivatives,
//! measures what they cost, and uses them twice: the Jacobian for Newton's method comes from
//! adjoint sweeps, and so does the gradient by which L-BFGS recovers the two parameters of the fuel
//! from a noisy profile.

mod check;
mod cost;
mod inverse;
mod plot;
mod slab;
mod tridiagonal;

use check::Comparison;
use inverse::{Fit, Observations, temperatures};
use std::error::Error;
use std::process::ExitCode;

/// The fuel that is to be found: strength of the reaction, and how it saturates.
const TRUTH: [f64; 2] = [1.2, 0.3];
/// Where the search starts.
const START: [f64; 2] = [0.6, 0.6];
/// The standard deviation of the sensors.
const NOISE: f64 = 0.01;

fn main() -> ExitCode {
    let n = match std::env::args().nth(1).map_or(Ok(10_000), |n| n.parse()) {
        Ok(n) if n >= 10 => n,
        _ => {
            eprintln!("usage: bratu [n], with at least 10 inner points of the grid");
            return ExitCode::FAILURE;
        }
    };
    match run(n) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("\nSomething is wrong: see the lines marked with ✗.");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether everything is as it should be.
fn run(n: usize) -> Result<bool, Box<dyn Error>> {
    let [s, t] = TRUTH;
    println!("The Bratu problem on {n} inner points\n");
    let x = temperatures(n, s, t).ok_or("there is no steady state")?;
    let observations = observe(&x);

    println!("Derivatives against what does not come from them, relative error");
    let gradient =
        check::inverse_gradient(&observations, START).ok_or("there is no steady state")?;
    let comparisons = check::residual_adjoint(&x, s, t).into_iter().chain(gradient);
    let disagreements = comparisons.filter(|comparison| !show(comparison)).count();

    report_cost(&x);
    let counts_agree = report_storage();

    let fit = inverse::recover(&observations, START)?;
    let is_recovered = report_fit(&fit, &observations);
    let [initial, fitted] = [START, fit.parameters].map(|[s, t]| temperatures(n, s, t));
    let profiles = plot::Profiles {
        initial: &initial.ok_or("there is no steady state")?,
        fitted: &fitted.ok_or("there is no steady state")?,
    };
    let path = plot::path();
    plot::draw(&path, &observations, &profiles)?;
    println!("  picture             {}", path.display());
    Ok(disagreements == 0 && counts_agree && is_recovered)
}

/// What a few hundred imprecise sensors show.
fn observe(x: &[f64]) -> Observations {
    let n = x.len() - 2;
    let count = n.min(400);
    let mut random = fastrand::Rng::with_seed(7);
    let sensors: Vec<usize> = (0..count).map(|k| 1 + k * n / count).collect();
    let temperatures =
        sensors.iter().map(|&point| x[point] + NOISE * normal(&mut random)).collect();
    Observations { n, sensors, temperatures, noise: NOISE }
}

/// A normally distributed number, by Box and Muller.
fn normal(random: &mut fastrand::Rng) -> f64 {
    let (radius, angle) = (1.0 - random.f64(), random.f64());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

fn mark(is_right: bool) -> &'static str {
    if is_right { "✓" } else { "✗" }
}

fn show(Comparison { what, error, allowed }: &Comparison) -> bool {
    let is_right = error <= allowed;
    println!("  {} {what:<46}{error:>10.1e}   (up to {allowed:.0e})", mark(is_right));
    is_right
}

fn report_cost(x: &[f64]) {
    let [s, t] = TRUTH;
    let cost::Times { primal, adjoint, adjoint_only } = cost::times(x, s, t);
    let ratio = |time: std::time::Duration| time.as_secs_f64() / primal.as_secs_f64();
    println!("\nTime, best of 200 calls");
    println!("  residual                    {primal:>10.1?}");
    println!("  residual and adjoint        {adjoint:>10.1?}   {:.2} × residual", ratio(adjoint));
    println!(
        "  adjoint only                {adjoint_only:>10.1?}   {:.2} × residual",
        ratio(adjoint_only)
    );
    println!("  (the adjoint is all {} derivatives of a weighted sum of residuals)", x.len() + 2);
}

fn report_storage() -> bool {
    let cost::Stored { naive, tbr, all } = cost::stored();
    println!("\nNumbers on the stack for each turn of the loop, after the forward sweep");
    let row = |what: &str, count: f64, expected: f64| {
        println!("  {} {what:<46}{count:>4}", mark(count == expected));
        count == expected
    };
    let rows = [
        row("everything that is overwritten", naive, 9.0),
        row("… and read by the backward sweep (TBR)", tbr, 6.0),
        row("… and not cheap to compute again (default)", all, 0.0),
    ];
    rows.into_iter().all(|is_right| is_right)
}

fn report_fit(fit: &Fit, observations: &Observations) -> bool {
    println!("\nThe fuel, from {} sensors with noise {NOISE}", observations.sensors.len());
    println!("  L-BFGS: {} iterations, {} solves of the problem", fit.iterations, fit.solves);
    println!("  parameter     true    start    found");
    let mut is_recovered = true;
    for (position, name) in ["s", "t"].into_iter().enumerate() {
        let (truth, start) = (TRUTH[position], START[position]);
        let (found, error) = (fit.parameters[position], fit.standard_errors[position]);
        let is_close = (found - truth).abs() < 4.0 * error;
        println!(
            "  {} {name}       {truth:>8.4} {start:>8.4} {found:>8.4} ± {error:.4}",
            mark(is_close)
        );
        is_recovered &= is_close;
    }
    println!("  deviation           {:.4} (noise {NOISE})", fit.deviation);
    is_recovered
}
