//! The corpus of real functions against dual numbers: with all optimisations, without any, and with
//! all calls split or joint.

include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_all.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_no_all.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_split.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_joint.rs"));

use testkit::corpus::{Variant, check};

static VARIANTS: [&Variant; 4] = [&ALL, &NO_ALL, &SPLIT, &JOINT];

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let report = check(CASES, &VARIANTS);
    report.assert_passed();
    println!("{} functions, {} checks", CASES.len(), report.checks());
}
