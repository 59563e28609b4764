//! Jacobians of the functions of the corpus that have several dependents, against dual numbers.

include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_jacobians.rs"));

use testkit::corpus::check_jacobians;

#[test]
fn jacobians_are_those_of_dual_numbers() {
    let (report, compared) = check_jacobians(CASES, JACOBIANS);
    report.assert_passed();
    println!("{} functions, {compared} numbers, {} checks", JACOBIANS.len(), report.checks());
    assert!(JACOBIANS.len() >= 70 && compared >= 2000, "too little has been compared");
}
