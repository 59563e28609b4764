//! The corpus of real functions against dual numbers: with all optimisations and without any.

use backsweep_corpus::{CASES, cases};
use corpus_optimised::ALL;
use testkit::corpus::check;

include!(concat!(env!("OUT_DIR"), "/corpus_no_all.rs"));

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let report = check(CASES, &[&ALL, &NO_ALL]);
    report.assert_passed();
    println!("{} functions, {} checks", CASES.len(), report.checks());
}
