//! Tangents in several directions and sparse Jacobians of the functions of the corpus, against dual numbers.

include!(concat!(env!("OUT_DIR"), "/corpus_cases.rs"));
include!(concat!(env!("OUT_DIR"), "/corpus_several.rs"));

use testkit::corpus::check_several;

#[test]
fn tangents_in_several_directions_are_those_of_dual_numbers() {
    let (report, sparse) = check_several(CASES, SEVERAL);
    report.assert_passed();
    println!("{} functions, {sparse} sparse Jacobians, {} checks", SEVERAL.len(), report.checks());
    assert!(SEVERAL.len() >= 300 && sparse >= 40, "too little has been compared");
}
