//! Bayesian logistic regression: the mode of the posterior density by L-BFGS, draws from it by NUTS, and a plot of them.
//!
//! `cargo run --release -p backsweep-optim --features argmin,nuts-rs --example posterior`

use argmin::core::{Executor, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use backsweep::adjoint;
use backsweep_optim::{Density, Objective};
use nuts_rs::rand::{SeedableRng, rngs::SmallRng};
use nuts_rs::{Chain, CpuMath, DiagNutsSettings, Settings};
use plotters::prelude::*;
use std::error::Error;

const TRUTH: [f64; 4] = [0.5, -2.0, 1.0, 3.0];
const DRAWS: usize = 2000;

/// What was observed: features, and whether it came about.
struct Data {
    features: Vec<[f64; 4]>,
    outcomes: Vec<bool>,
}

/// The logarithm of the posterior density, up to a constant, with a normal prior of width 3.
#[adjoint(independents(beta), entries(gradient, gradient_into))]
fn log_posterior(beta: &[f64], data: &Data) -> f64 {
    let mut sum = 0.0;
    for b in beta {
        sum -= b * b / 18.0;
    }
    for (features, outcome) in data.features.iter().zip(&data.outcomes) {
        let eta: f64 = features.iter().zip(beta).map(|(x, b)| x * b).sum();
        // The logarithm of 1 / (1 + e^∓η), that does not overflow.
        let signed = if *outcome { -eta } else { eta };
        sum -= (-signed.abs()).exp().ln_1p() + signed.max(0.0);
    }
    sum
}

fn generated(n: usize) -> Data {
    let mut random = fastrand::Rng::with_seed(7);
    let mut number = || 2.0 * random.f64() - 1.0;
    let features: Vec<_> = (0..n).map(|_| [1.0, number(), number(), number()]).collect();
    let chance = |x: &[f64; 4]| {
        let eta: f64 = x.iter().zip(TRUTH).map(|(x, b)| x * b).sum();
        1.0 / (1.0 + (-eta).exp())
    };
    let outcomes = features.iter().map(|x| random.f64() < chance(x)).collect();
    Data { features, outcomes }
}

/// How often the draws are where, for each coefficient.
fn plotted(draws: &[Vec<f64>], file: &str) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (800, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(20)
        .x_label_area_size(30)
        .y_label_area_size(40)
        .build_cartesian_2d(-3.0..4.0_f64, 0.0..4.5_f64)?;
    chart.configure_mesh().disable_mesh().draw()?;
    const WIDTH: f64 = 0.05;
    for (k, truth) in TRUTH.into_iter().enumerate() {
        let mut bins = [0.0; 140];
        for draw in draws {
            bins[((draw[k] + 3.0) / WIDTH).clamp(0.0, 139.0) as usize] += 1.0;
        }
        let density = |bin: usize| bins[bin] / (WIDTH * draws.len() as f64);
        let at = |bin: usize| (-3.0 + WIDTH * (bin as f64 + 0.5), density(bin));
        let colour = Palette99::pick(k);
        chart.draw_series(LineSeries::new((0..140).map(at), colour.stroke_width(2)))?;
        chart.draw_series(LineSeries::new([(truth, 0.0), (truth, 0.4)], colour))?;
    }
    area.present()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let data = generated(1000);
    let negative = |beta: &[f64]| {
        let (value, gradient) = log_posterior::gradient(beta, &data);
        (-value, gradient.iter().map(|g| -g).collect::<Vec<f64>>())
    };
    let objective = Objective::new(|beta| -log_posterior(beta, &data), negative);
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-8)?;
    let start = |state: argmin::core::IterState<_, _, _, _, _, _>| state.param(vec![0.0; 4]);
    let result =
        Executor::new(objective, solver).configure(|state| start(state).max_iters(100)).run()?;
    let mode = result.state().get_best_param().ok_or("there is no mode")?;
    println!("The mode after {} iterations: {mode:.3?}", result.state().get_iter());

    let density =
        Density::new(4, |beta, gradient| log_posterior::gradient_into(beta, gradient, &data));
    let settings = DiagNutsSettings { num_tune: 500, ..DiagNutsSettings::default() };
    let mut random = SmallRng::seed_from_u64(1);
    let mut chain = settings.new_chain(0, CpuMath::new(density), &mut random)?;
    chain.set_position(mode)?;
    let (mut draws, mut leapfrogs) = (Vec::new(), 0);
    for draw in 0..500 + DRAWS {
        let (position, progress) = chain.draw()?;
        if draw >= 500 {
            leapfrogs += progress.num_steps;
            draws.push(position.to_vec());
        }
    }
    println!("{DRAWS} draws, {:.1} gradients for each", leapfrogs as f64 / DRAWS as f64);

    println!("\ncoefficient   truth    mode    mean  deviation");
    for (k, truth) in TRUTH.into_iter().enumerate() {
        let mean = draws.iter().map(|draw| draw[k]).sum::<f64>() / DRAWS as f64;
        let variance =
            draws.iter().map(|draw| (draw[k] - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        let deviation = variance.sqrt();
        println!("{k:11}  {truth:6.2}  {:6.2}  {mean:6.2}  {deviation:9.3}", mode[k]);
        assert!((mean - truth).abs() < 4.0 * deviation, "the draws are far from the truth");
        assert!((mean - mode[k]).abs() < 0.5 * deviation, "the draws are not around the mode");
    }
    plotted(&draws, "posterior.svg")?;
    println!("\nThe plot is in posterior.svg.");
    Ok(())
}
