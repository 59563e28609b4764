//! Programs of many functions against dual numbers: calls split and joint, each with all optimisations and
//! without any.

include!(concat!(env!("OUT_DIR"), "/programs_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_all.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_split.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_joint.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_no_all_split.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_no_all_joint.rs"));

use testkit::corpus::{Variant, check};

static VARIANTS: [&Variant; 5] = [&ALL, &SPLIT, &JOINT, &NO_ALL_SPLIT, &NO_ALL_JOINT];

#[test]
fn the_mode_of_calls_changes_no_derivative() {
    let report = check(CASES, &VARIANTS);
    report.assert_passed();
    println!("{} programs, {} checks", CASES.len(), report.checks());
}
