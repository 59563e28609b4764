//! The functions of the corpus without one of the optimisations, compiled. It takes a minute for each, so tests interpret them, and the long
//! run compiles them, one after the other:
//!
//! ```text
//! CORPUS_VARIANT=no_tbr cargo test -p backsweep-corpus-single
//! ```

#![cfg(all(test, has_variant))]

use backsweep_corpus::{CASES, cases};
use corpus_optimised_early::ALL as EARLY;
use corpus_optimised_late::ALL as LATE;
use testkit::corpus::check;

include!(concat!(env!("OUT_DIR"), "/variant.rs"));

#[test]
fn the_optimisation_changes_no_derivative() {
    let report = check(CASES, &[&EARLY, &LATE, &VARIANT]);
    report.assert_passed();
    println!("{}: {} functions, {} checks", VARIANT.name, CASES.len(), report.checks());
}
