//! Makes modules of the files of `functions/`: as they are, in dual numbers, and in the variants of modes.

use corpus_build::{dual, source, variants};
use proc_macro2::TokenStream;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=functions");
    let sources = source::read(Path::new("functions"));
    let mut file = source::modules("plain", &sources, |source| source.without_attributes().items);
    file.extend(dual::modules(&sources));
    file.extend(variants::MODES.iter().map(|variant| variant.modules(&sources)));
    write(file);
}

fn write(file: TokenStream) {
    let file = syn::parse2(file).expect("what is generated is Rust");
    let directory = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&directory).join("library.rs"), prettyplease::unparse(&file))
        .expect("the output directory can be written");
}
