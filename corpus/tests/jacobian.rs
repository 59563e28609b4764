//! Jacobians of the functions of the corpus, dense and sparse, tangents in several directions, and adjoints for several seeds, against dual
//! numbers.

use backsweep_corpus::CASES;
use corpus_optimised::{JACOBIANS, SEEDS, SEVERAL};
use testkit::corpus::{Compared, check_jacobians, check_seeds, check_several};

#[test]
fn jacobians_are_those_of_dual_numbers() {
    let (report, compared) = check_jacobians(CASES, JACOBIANS);
    report.assert_passed();
    println!("{} functions, {compared} numbers, {} checks", JACOBIANS.len(), report.checks());
    assert!(JACOBIANS.len() >= 70 && compared >= 2000, "too little has been compared");
}

#[test]
fn tangents_in_several_directions_are_those_of_dual_numbers() {
    let (report, Compared { sparse, validity: [followed, ends] }) = check_several(CASES, SEVERAL);
    report.assert_passed();
    println!("{} functions, {sparse} sparse Jacobians, {} checks", SEVERAL.len(), report.checks());
    println!(
        "{followed} functions with all tests followed, {ends} of which do not go the same way everywhere"
    );
    assert!(SEVERAL.len() >= 300 && sparse >= 40, "too little has been compared");
    assert!(followed >= 250 && ends >= 60, "too little has been compared");
}

#[test]
fn adjoints_for_several_seeds_are_those_of_dual_numbers() {
    let report = check_seeds(CASES, SEEDS);
    report.assert_passed();
    println!("{} functions with several seeds, {} checks", SEEDS.len(), report.checks());
    assert!(SEEDS.len() >= 250, "too little has been compared");
}
