//! Makes the variant of the functions of the corpus with all optimisations, and what runs it.

use corpus_build::cases::Entries;
use corpus_build::files::{Group, write};
use corpus_build::variants;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../functions");
    let functions = Group::of(Path::new("../functions"));
    let mut file = functions.variant(variants::named("all"), &functions.sources, Entries::All);
    file.extend(functions.several());
    write("optimised.rs", file);
}
