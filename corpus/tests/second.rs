//! Second derivatives of the functions of the corpus, against dual numbers of second order.

include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_second.rs"));

use testkit::corpus::check_hessians;

#[test]
fn hessians_are_those_of_dual_numbers() {
    let (report, compared) = check_hessians(CASES, SECOND);
    report.assert_passed();
    println!("{compared} of {} functions, {} checks", SECOND.len(), report.checks());
    assert!(compared >= 40, "too few functions have been compared");
}
