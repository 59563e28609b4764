//! The corpus of real functions against dual numbers, with all calls split or joint.

// The lints have seen the functions in the other forms.
#![cfg(not(clippy))]

use backsweep_corpus::{CASES, cases};
use corpus_optimised_early::ALL as EARLY;
use corpus_optimised_late::ALL as LATE;
use testkit::corpus::check;

include!(concat!(env!("OUT_DIR"), "/corpus_split.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_joint.rs"));

#[test]
fn the_mode_of_calls_changes_no_derivative() {
    let report = check(CASES, &[&EARLY, &LATE, &SPLIT, &JOINT]);
    report.assert_passed();
    println!("{} functions, {} checks", CASES.len(), report.checks());
}
