//! What a user sees for every kind of mistake.

use trybuild::TestCases;

/// Every file in `ui/` is refused with the text beside it: by the macro, or, in `ui/rustc/`, by rustc,
/// where only rustc can know. `TRYBUILD=overwrite` writes the texts; they are reviewed as code is.
#[test]
fn mistakes_are_reported() {
    let cases = TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.compile_fail("ui/rustc/*.rs");
}

/// What is known only when the derivatives are instantiated. That one file is to be run makes trybuild
/// build all of them, instead of checking them.
#[test]
fn mistakes_are_reported_when_instantiated() {
    let cases = TestCases::new();
    cases.pass("ui/instantiated/split_of_once.rs");
    cases.compile_fail("ui/instantiated/checkpoint_of_once.rs");
}

/// Mistakes that are not reported yet, or not in words that help.
#[test]
#[ignore = "these are not reported yet"]
fn mistakes_to_be_reported() {
    TestCases::new().compile_fail("ui/waiting/*.rs");
}
