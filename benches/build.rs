//! Makes modules of the functions of the corpus that the bench `general` mentions.

use corpus_build::files::write;
use corpus_build::{source, variants};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::path::Path;

const BENCH: &str = "benches/general.rs";
const FUNCTIONS: &str = "../corpus/functions";

fn main() {
    println!("cargo::rerun-if-changed={BENCH}\ncargo::rerun-if-changed={FUNCTIONS}");
    let bench = std::fs::read_to_string(BENCH).expect("the bench can be read");
    let bench: TokenStream = bench.parse().expect("the bench is Rust");
    let mut names = BTreeSet::new();
    source::identifiers(bench, &mut names);
    let is_wanted = |root: &str| names.contains(root);
    let sources = source::read(Path::new(FUNCTIONS));
    let mut kept = source::with_roots(&sources, &|_, root| is_wanted(&root.name.to_string()));
    kept.retain(|source| is_wanted(&source.name.to_string()));
    write("timed.rs", variants::named("all").modules(&kept));
}
