//! Checks random programs without the test harness, for long runs and for [mutants](../mutants):
//!
//! ```text
//! RANDOM_PROGRAMS=1000000 RANDOM_SEED=20000 cargo run --release -p backsweep-tests --bin random
//! ```
//!
//! With `RANDOM_BRIEFLY` set it stops at the first failure and does not make the program smaller.

use std::process::ExitCode;
use std::time::Instant;
use testkit::campaign::Campaign;

fn main() -> ExitCode {
    let mut campaign = Campaign::from_environment(20_000);
    if std::env::var_os("RANDOM_BRIEFLY").is_some() {
        campaign.patience = 1;
        campaign.shrinks = false;
    }
    if std::env::var_os("DIST").is_some() {
        let all = testkit::distribution::Distribution::of(0, 2_000);
        println!("{} {} {} {} {} {}", all.median_statements(), all.percentage(|p| p.overwrites_in_loop), all.percentage(|p| p.exits_early), all.percentage(|p| p.has_equal_indices), all.percentage(|p| p.has_empty_loop), all.percentage(|p| p.has_gradient));
    }
    let start = Instant::now();
    let summary = campaign.run();
    for failure in &summary.failures {
        println!("seed {}: {}", failure.seed, failure.text);
    }
    println!(
        "{} programs from seed {} on, {} compared, {} wrong, {:.0} s",
        summary.checked,
        campaign.first,
        summary.compared,
        summary.failures.len(),
        start.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(!summary.failures.is_empty()))
}
