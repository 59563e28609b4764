//! Makes the variant with all optimisations of half of the functions of the corpus, the half that the name of the package says, and what runs
//! it.

use corpus_build::cases::Entries;
use corpus_build::files::{Group, Half, write};
use corpus_build::{source, variants};
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../../functions");
    let package = env!("CARGO_PKG_NAME");
    let is_meant = |(name, _): &(&str, Half)| package.ends_with(name);
    let (_, half) = Half::BOTH.into_iter().find(is_meant).expect("the name of the package ends so");
    let functions = Group::of(Path::new("../../functions"));
    let kept = source::with_roots(&functions.sources, &|source, _| half.has(source));
    let mut file = functions.variant(variants::named("all"), &kept, Entries::All);
    file.extend(functions.several(half));
    write("optimised.rs", file);
}
