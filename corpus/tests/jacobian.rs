//! Jacobians of the functions of the corpus, dense and sparse, tangents in several directions, and adjoints for several seeds, against dual
//! numbers.

use backsweep_corpus::CASES;
use corpus_optimised_early as early;
use corpus_optimised_late as late;
use testkit::corpus::{Compared, check_jacobians, check_seeds, check_several};

#[test]
fn jacobians_are_those_of_dual_numbers() {
    let all = [early::JACOBIANS, late::JACOBIANS].concat();
    let (report, compared) = check_jacobians(CASES, &all);
    report.assert_passed();
    println!("{} functions, {compared} numbers, {} checks", all.len(), report.checks());
    assert!(all.len() >= 70 && compared >= 2000, "too little has been compared");
}

#[test]
fn tangents_in_several_directions_are_those_of_dual_numbers() {
    let all = [early::SEVERAL, late::SEVERAL].concat();
    let (report, Compared { sparse, validity: [followed, ends] }) = check_several(CASES, &all);
    report.assert_passed();
    println!("{} functions, {sparse} sparse Jacobians, {} checks", all.len(), report.checks());
    println!(
        "{followed} functions with all tests followed, {ends} of which do not go the same way everywhere"
    );
    assert!(all.len() >= 300 && sparse >= 40, "too little has been compared");
    assert!(followed >= 250 && ends >= 60, "too little has been compared");
}

#[test]
fn adjoints_for_several_seeds_are_those_of_dual_numbers() {
    let all = [early::SEEDS, late::SEEDS].concat();
    let report = check_seeds(CASES, &all);
    report.assert_passed();
    println!("{} functions with several seeds, {} checks", all.len(), report.checks());
    assert!(all.len() >= 250, "too little has been compared");
}
