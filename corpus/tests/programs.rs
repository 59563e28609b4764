//! Programs of many functions against dual numbers: calls inlined and as the library chooses, each with all
//! optimisations and without any.

include!(concat!(env!("OUT_DIR"), "/programs_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_all.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_no_all.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_inline.rs"));
include!(concat!(env!("OUT_DIR"), "/programs_no_all_inline.rs"));

use testkit::corpus::{Variant, check};

static VARIANTS: [&Variant; 4] = [&ALL, &NO_ALL, &INLINE, &NO_ALL_INLINE];

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let report = check(CASES, &VARIANTS);
    report.assert_passed();
    println!("{} programs, {} checks", CASES.len(), report.checks());
}
