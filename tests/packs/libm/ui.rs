//! What is refused, and in which words.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/libm/*.rs");
}
