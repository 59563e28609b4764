//! The bits of all values and gradients of the corpus do not depend on the profile.

use backsweep_corpus::CASES;
use corpus_optimised_early::ALL as EARLY;
use corpus_optimised_late::ALL as LATE;

/// `cargo test -p backsweep-corpus --test digest -- --nocapture`, with and without `--release`, prints
/// the same.
#[test]
fn corpus_digest() {
    let digest = testkit::corpus::digest(CASES, &[&EARLY, &LATE]);
    println!("corpus digest: {digest:016x}");
}
