//! Makes tests of the files of `functions/`.

use corpus_build::cases::Entries;
use corpus_build::source::{self, Source};
use corpus_build::{cases, dual, variants};
use proc_macro2::TokenStream;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=functions");
    let sources = source::read(Path::new("functions"));
    write("corpus_cases.rs", [plain(&sources), dual::modules(&sources), cases::cases(&sources)]);
    for variant in &variants::ALL {
        let file = format!("corpus_{}.rs", variant.name);
        let modules = variant.modules(&sources);
        write(&file, [modules, cases::runs(variant.name, &sources, Entries::All)]);
    }
}

/// The functions as they are.
fn plain(sources: &[Source]) -> TokenStream {
    source::modules("plain", sources, |source| source.without_attributes().items)
}

fn write(name: &str, parts: impl IntoIterator<Item = TokenStream>) {
    let file: TokenStream = parts.into_iter().collect();
    let file = syn::parse2(file).expect("what is generated is Rust");
    let directory = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&directory).join(name), prettyplease::unparse(&file))
        .expect("the output directory can be written");
}
