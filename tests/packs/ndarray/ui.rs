//! What is refused, in which words.

#[test]
fn what_has_no_rule_is_refused() {
    trybuild::TestCases::new().compile_fail("ui/ndarray/*.rs");
}
