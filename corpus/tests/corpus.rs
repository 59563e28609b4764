//! The corpus of real functions against dual numbers: with all optimisations and without any.

use backsweep_corpus::{CASES, cases};
use corpus_optimised_early::ALL as EARLY;
use corpus_optimised_late::ALL as LATE;
use testkit::corpus::check;

include!(concat!(env!("OUT_DIR"), "/corpus_no_all.rs"));

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let report = check(CASES, &[&EARLY, &LATE, &NO_ALL]);
    report.assert_passed();
    println!("{} functions, {} checks", CASES.len(), report.checks());
}
