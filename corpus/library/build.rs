//! Makes modules of the files of `functions/`: as they are, in dual numbers, and in the variants of modes.

use corpus_build::files::write;
use corpus_build::{dual, source, variants};
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=functions");
    let sources = source::read(Path::new("functions"));
    let mut file = source::modules("plain", &sources, |source| source.without_attributes().items);
    file.extend(dual::modules(&sources));
    file.extend(variants::MODES.iter().map(|variant| variant.modules(&sources)));
    write("library.rs", file);
}
