//! The corpus of real functions against dual numbers, without each of the optimisations. It is a
//! test of its own so that it is compiled beside the other one. The lints have seen the functions there.

#![cfg(not(clippy))]

include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_all.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_activity.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_adjoint_liveness.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_tbr.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_snapshot.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_recompute.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_retest.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_invert.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_cse.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_simplify.rs"));

use testkit::corpus::{Variant, check};

static VARIANTS: [&Variant; 10] = [
    &ALL,
    &NO_ACTIVITY,
    &NO_ADJOINT_LIVENESS,
    &NO_TBR,
    &NO_SNAPSHOT,
    &NO_RECOMPUTE,
    &NO_RETEST,
    &NO_INVERT,
    &NO_CSE,
    &NO_SIMPLIFY,
];

#[test]
fn no_optimisation_changes_a_derivative() {
    let report = check(CASES, &VARIANTS);
    report.assert_passed();
    println!("{} functions, {} checks", CASES.len(), report.checks());
}
