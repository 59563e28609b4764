//! What a user sees for every kind of mistake.

use trybuild::TestCases;

/// Every file in `ui/` is refused with the text beside it: by the macro, or, in `ui/rustc/`, by rustc,
/// where only rustc can know. `TRYBUILD=overwrite` writes the texts; they are reviewed as code is.
#[test]
fn mistakes_are_reported() {
    let cases = TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.compile_fail("ui/rustc/*.rs");
    // Where cargo has binaries: the files of the crate tell something here.
    cases.compile_fail("ui/src/bin/*.rs");
}
