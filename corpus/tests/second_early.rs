//! Second derivatives of the functions of the corpus, against dual numbers of second order: the first half of the files.

// The lints have seen the functions in the other forms.
#![cfg(not(clippy))]

use backsweep_corpus::{CASES, cases};
use testkit::corpus::check_hessians;

include!(concat!(env!("OUT_DIR"), "/second_early.rs"));

#[test]
fn hessians_are_those_of_dual_numbers() {
    let (report, [compared, sparse]) = check_hessians(CASES, SECOND);
    report.assert_passed();
    let (all, checks) = (SECOND.len(), report.checks());
    println!("{compared} of {all} functions, {sparse} of them sparse, {checks} checks");
    assert!(compared >= 160 && sparse >= 145, "too few functions have been compared");
}
