//! `cargo run --release --example burgers`: how the energy that is left of a flow after 10,000 steps depends on
//! how the flow began, and on its viscosity.
//!
//! To store what the backward sweep reads of every step would take some hundred megabytes; here a few snapshots do.
//! Four schedules compute the same gradient, bit by bit, each with the memory and the work that was
//! predicted for it.

use backsweep::schedule::{
    Binomial, Checkpoints, Multistage, Online, Periodic, Schedule, Store, Tiered, Work,
};
use flow::{CELLS, Flow, Velocities, energy, initial, step};
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;

mod flow;

const STEPS: usize = 10_000;
const TIME: f64 = 1e-4;
const VISCOSITY: f64 = 0.01;
const SNAPSHOTS: usize = 20;
/// Of [`Multistage`], which has as many in all.
const IN_MEMORY: usize = 5;
const EVERY: usize = 100;

/// Energy, derivatives, work.
struct Outcome {
    energy: f64,
    velocities_g: Velocities,
    viscosity_g: f64,
    work: Work,
}

fn bar(name: &'static str, runs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:10} {bar:40} {pos}/{len} steps, {eta} left");
    let style = style.expect("a template");
    ProgressBar::new(runs).with_style(style).with_prefix(name)
}

/// The gradient with a schedule for a known number of steps.
fn offline<M: Store<Velocities>>(
    bar: &ProgressBar,
    mut checkpoints: Checkpoints<impl Schedule, Velocities, (), M>,
) -> Result<Outcome, M::Error> {
    let mut flow = Flow::new(VISCOSITY, TIME, || bar.inc(1));
    let last = checkpoints.forward(&mut flow, initial())?;
    let energy = flow.seed(&last);
    let work = checkpoints.backward(&mut flow)?;
    Ok(outcome(energy, flow, work))
}

/// The gradient with a schedule that does not know the number of steps.
fn online(bar: &ProgressBar) -> Outcome {
    let mut flow = Flow::new(VISCOSITY, TIME, || bar.inc(1));
    let mut checkpoints = Checkpoints::new(Online::new(SNAPSHOTS));
    let Ok(last) = checkpoints.forward_while(&mut flow, initial(), |_, step| step < STEPS);
    let energy = flow.seed(&last);
    let Ok(work) = checkpoints.backward(&mut flow);
    outcome(energy, flow, work)
}

fn outcome(energy: f64, flow: Flow<impl FnMut()>, work: Work) -> Outcome {
    let Flow { velocities_b, viscosity_b, .. } = flow;
    Outcome { energy, velocities_g: velocities_b, viscosity_g: viscosity_b, work }
}

/// The energy after all steps.
fn last_energy(viscosity: f64) -> f64 {
    let [mut u, mut v] = initial();
    for _ in 0..STEPS {
        step(&mut u, &mut v, viscosity, TIME);
    }
    energy(&u, &v)
}

fn main() -> Result<(), Box<dyn Error>> {
    let least = STEPS as u64 + u64::try_from(Binomial::advances(STEPS, SNAPSHOTS))?;
    let directory = std::env::temp_dir().join("backsweep-burgers");
    let state = 2 * CELLS * size_of::<f64>();
    let mut outcomes = Vec::new();

    let progress = bar("binomial", least);
    let Ok(found) = offline(&progress, Checkpoints::new(Binomial::new(STEPS, SNAPSHOTS)));
    assert_eq!(found.work.runs() as u64, least);
    outcomes.push(("binomial", found));
    progress.finish();

    let progress = bar("disk", least);
    let schedule = Multistage::new(STEPS, IN_MEMORY, SNAPSHOTS - IN_MEMORY);
    let store = Tiered::new(&schedule, &directory)?;
    let found = offline(&progress, Checkpoints::with_store(schedule, store))?;
    assert_eq!(found.work.runs() as u64, least);
    outcomes.push(("disk", found));
    progress.finish();

    let progress = bar("online", least + least / 5);
    outcomes.push(("online", online(&progress)));
    progress.finish();

    let progress = bar("periodic", 2 * STEPS as u64 - EVERY as u64);
    let Ok(found) = offline(&progress, Checkpoints::new(Periodic::new(STEPS, EVERY)));
    assert_eq!(found.work.runs(), 2 * STEPS - EVERY);
    outcomes.push(("periodic", found));
    progress.finish();

    println!("\n{STEPS} steps, a state is {} kB, and so is about what a step stores", state / 1000);
    println!("             runs per step   snapshots   steps stored    memory      disk");
    for (name, outcome) in &outcomes {
        let Work { most_stored, most_taped, .. } = outcome.work;
        let in_memory = if *name == "disk" { IN_MEMORY } else { most_stored };
        println!(
            "{name:10}{:>16.3}{most_stored:>12}{most_taped:>15}{:>7.1} MB{:>7.1} MB",
            outcome.work.runs() as f64 / STEPS as f64,
            ((in_memory + most_taped) * state) as f64 / 1e6,
            ((most_stored - in_memory) * state) as f64 / 1e6,
        );
    }
    println!("everything{:>16.3}{:>12}{STEPS:>15}{:>7.1} MB", 1.0, 0, (STEPS * state) as f64 / 1e6);

    let (_, first) = &outcomes[0];
    for (name, outcome) in &outcomes {
        assert_eq!(outcome.energy.to_bits(), first.energy.to_bits(), "{name}");
        assert_eq!(outcome.viscosity_g.to_bits(), first.viscosity_g.to_bits(), "{name}");
        assert_eq!(outcome.velocities_g, first.velocities_g, "{name}");
    }
    let by = 1e-5 * VISCOSITY;
    let difference = (last_energy(VISCOSITY + by) - last_energy(VISCOSITY - by)) / (2.0 * by);
    println!("\nenergy left        {:.9}", first.energy);
    println!("by the viscosity   {:.9}  (differences: {difference:.9})", first.viscosity_g);
    assert!((first.viscosity_g / difference - 1.0).abs() < 1e-6);
    let largest = first.velocities_g.iter().flatten().fold(0.0, |most: f64, g| most.max(g.abs()));
    println!("by a velocity      at most {largest:.3e}");
    Ok(())
}
