//! Makes tests of the corpus: each file of `functions/` becomes a module of plain functions, one in dual
//! numbers, and one for each variant of the options of `#[adjoint(…)]`; and each function with samples
//! becomes a case that the tests can run by its position.
#![allow(clippy::wildcard_enum_match_arm, reason = "syn's enums may grow")]

mod cases;
mod dual;
mod source;
mod variants;

use proc_macro2::TokenStream;
use source::Source;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=functions");
    println!("cargo::rerun-if-changed=build");
    let sources = source::read(Path::new("functions"));
    write("corpus_cases.rs", [plain(&sources), dual::modules(&sources), cases::cases(&sources)]);
    for variant in &variants::ALL {
        let file = format!("corpus_{}.rs", variant.name);
        let modules = variant.modules(&sources);
        write(&file, [modules, cases::runs(variant.name, &sources)]);
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
