//! Functions that the macro accepts compile, and have the derivatives of dual numbers. They need
//! minutes of rustc, so they run by name: `cargo test -p backsweep-fuzz --test derivatives -- --ignored --nocapture`.

use fuzz::harness::{Depth, Report, examine, folder};
use fuzz::{generate, mutate, program};

fn assert_nothing_found(report: &Report) {
    println!("{}", report.summary());
    for finding in &report.findings {
        println!("// {}: {}\n{}", finding.program.origin, finding.what, finding.program.text());
    }
    assert!(report.findings.is_empty());
}

/// rustc has nothing against the derivatives of mutants that it has not against the mutants.
#[test]
#[ignore = "compiles some hundred functions"]
fn accepted_mutants_compile() {
    let mutant = mutate::of_seed(program::all());
    let report = examine((0..820).map(mutant).collect(), &folder().join("mutants"), Depth::Compile);
    assert_nothing_found(&report);
    assert!(report.compiled >= 300, "too few functions have been compiled");
}

/// The derivatives of generated functions are those of dual numbers.
#[test]
#[ignore = "compiles some hundred functions"]
fn generated_functions_are_differentiated() {
    let programs = (0..100).map(generate::function).collect();
    let report = examine(programs, &folder().join("generated"), Depth::Compare);
    assert_nothing_found(&report);
    assert!(report.compared >= 80, "too few functions have been compared");
}

/// So are those of functions with checkpointed blocks and loops.
#[test]
#[ignore = "compiles some hundred functions"]
fn checkpointed_functions_are_differentiated() {
    let programs = (0..60).map(generate::function_with_checkpoints).collect();
    let report = examine(programs, &folder().join("checkpointed"), Depth::Compare);
    assert_nothing_found(&report);
    assert!(report.compared >= 30, "too few functions have been compared");
}

/// The Hessians of generated functions are those of dual numbers of second order.
#[test]
#[ignore = "compiles some hundred functions"]
fn generated_functions_have_second_derivatives() {
    let programs = (0..400).map(generate::function).collect();
    let report = examine(programs, &folder().join("second"), Depth::CompareSecond);
    assert_nothing_found(&report);
    assert!(report.compared >= 80, "too few functions have been compared");
}
