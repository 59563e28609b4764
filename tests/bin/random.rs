//! Checks random programs without the test harness, for long runs and for [mutants](../mutants):
//!
//! ```text
//! RANDOM_PROGRAMS=1000000 RANDOM_SEED=20000 cargo run --release -p backsweep-tests --bin random
//! ```
//!
//! With `RANDOM_BRIEFLY` set it stops at the first failure and does not make the program smaller. What has
//! been checked so far is said now and then: a run that was broken off goes on from there.

use std::process::ExitCode;
use std::time::Instant;
use testkit::campaign::{Campaign, Summary};

/// After how many programs it is said how far the run is.
const PORTION: u64 = 50_000;

fn main() -> ExitCode {
    let mut campaign = Campaign::from_environment(20_000);
    if std::env::var_os("RANDOM_BRIEFLY").is_some() {
        campaign.patience = 1;
        campaign.shrinks = false;
    }
    let start = Instant::now();
    let mut all = Summary::default();
    while all.checked < campaign.programs && all.failures.len() < campaign.patience {
        let portion = Campaign {
            first: campaign.first + all.checked,
            programs: PORTION.min(campaign.programs - all.checked),
            patience: campaign.patience - all.failures.len(),
            ..campaign
        };
        let Summary { checked, compared, failures } = portion.run();
        for failure in &failures {
            println!("seed {}: {}", failure.seed, failure.text);
        }
        all.checked += checked;
        all.compared += compared;
        all.failures.extend(failures);
        println!(
            "{} programs from seed {} on, {} compared, {} wrong, {:.0} s",
            all.checked,
            campaign.first,
            all.compared,
            all.failures.len(),
            start.elapsed().as_secs_f64()
        );
    }
    ExitCode::from(u8::from(!all.failures.is_empty()))
}
