//! Measuring side by side.

use criterion::Criterion;
use std::time::{Duration, Instant};

/// A name and what to time under it.
pub type Contestant<'c> = (&'c str, &'c mut dyn FnMut());

/// Lets criterion measure all contestants, then prints the best time of each and its ratio to the
/// first, from rounds in turn: on a busy machine all suffer alike.
pub fn side_by_side(criterion: &mut Criterion, group: &str, contestants: &mut [Contestant<'_>]) {
    let mut measured = criterion.benchmark_group(group);
    for (name, run) in contestants.iter_mut() {
        measured.bench_function(*name, |bencher| bencher.iter(&mut *run));
    }
    measured.finish();
    let mut runs: Vec<&mut dyn FnMut()> =
        contestants.iter_mut().map(|(_, run)| &mut **run as &mut dyn FnMut()).collect();
    let best = best_of(ROUNDS, &mut runs);
    println!("\n{group}: best of {ROUNDS} rounds");
    for ((name, _), time) in contestants.iter().zip(&best) {
        println!("  {name:<14}{time:>10.2?}   {:.2}", time.as_secs_f64() / best[0].as_secs_f64());
    }
    println!();
}

const ROUNDS: usize = 50;

/// The shortest time of a call of each, from rounds by turns.
pub fn best_of(rounds: usize, contestants: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; contestants.len()];
    for _ in 0..rounds {
        for (run, best) in contestants.iter_mut().zip(&mut best) {
            *best = (*best).min(time(run));
        }
    }
    best
}

/// The time of one call, from as many as take about a millisecond.
fn time(run: &mut dyn FnMut()) -> Duration {
    let start = Instant::now();
    run();
    let first = start.elapsed().max(Duration::from_nanos(50));
    let calls = (Duration::from_millis(1).as_nanos() / first.as_nanos()).clamp(1, 10_000) as u32;
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed() / calls
}
