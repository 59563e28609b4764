//! Second derivatives of the functions of the corpus, against dual numbers of second order.

include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_second.rs"));

use testkit::corpus::check_hessians;

#[test]
fn hessians_are_those_of_dual_numbers() {
    let (report, [compared, sparse]) = check_hessians(CASES, SECOND);
    report.assert_passed();
    let (all, checks) = (SECOND.len(), report.checks());
    println!("{compared} of {all} functions, {sparse} of them sparse, {checks} checks");
    assert!(compared >= 40 && sparse >= 40, "too few functions have been compared");
}
