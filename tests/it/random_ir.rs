//! Random programs against dual numbers and against each other.
//!
//! `RANDOM_PROGRAMS` says how many, `RANDOM_SEED` from which seed on. A failure is reported with a
//! smaller program that fails in the same way.

use testkit::campaign::Campaign;
use testkit::distribution::Distribution;

#[test]
fn random_programs() {
    let summary = Campaign::from_environment(20_000).run();
    println!("{} programs, {} of them compared", summary.checked, summary.compared);
    for failure in &summary.failures {
        println!("seed {}: {}", failure.seed, failure.text);
    }
    assert!(summary.failures.is_empty(), "random programs are differentiated wrongly");
    assert!(100 * summary.compared >= 90 * summary.checked, "too many programs overflow");
}

/// What the programs are like that the analyses are trusted for.
#[test]
fn random_programs_are_worth_something() {
    let all = Distribution::of(0, 2_000);
    let median = all.median_statements();
    println!("median of the statements: {median}");
    assert!(median >= 12, "the programs are too small: {median}");
    let at_least = |least: f64, what: &str, found: f64| {
        println!("{what}: {found:.1} %");
        assert!(found >= least, "{what}: {found:.1} %, at least {least} % are wanted");
    };
    at_least(30.0, "overwrite a needed value in a loop", all.percentage(|p| p.overwrites_in_loop));
    at_least(10.0, "take an early exit", all.percentage(|p| p.exits_early));
    at_least(20.0, "meet equal indices", all.percentage(|p| p.has_equal_indices));
    at_least(10.0, "resize a list in a loop", all.percentage(|p| p.resizes_in_loop));
    at_least(10.0, "skip a loop", all.percentage(|p| p.has_empty_loop));
    at_least(1.0, "are differentiated in a single pass", all.percentage(|p| p.has_single_pass));
    at_least(90.0, "have a finite gradient that is not zero", all.percentage(|p| p.has_gradient));
}
