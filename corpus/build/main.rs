//! Makes tests of the files of `functions/` and of `programs/`.

use corpus_build::cases::Entries;
use corpus_build::source::{self, Source};
use corpus_build::variants::{self, Variant};
use corpus_build::{cases, dual, jacobian, second, seeds, several};
use proc_macro2::TokenStream;
use quote::format_ident;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=functions");
    println!("cargo::rerun-if-changed=programs");
    let sources = source::read(Path::new("functions"));
    write("corpus_second.rs", [second::second_derivatives(&sources)]);
    let jacobians = [several::several_directions, jacobian::jacobians, seeds::several_seeds];
    let jacobians = jacobians.map(|of| of(&sources));
    write("corpus_jacobians.rs", jacobians);
    Group { prefix: "corpus", sources, libraries: Vec::new() }.write(&variants::ALL);
    let sources = source::read(Path::new("programs"));
    Group { prefix: "programs", sources, libraries: vec!["library"] }.write(&variants::MODES);
}

/// What is tested together.
struct Group {
    /// What the names of the files begin with.
    prefix: &'static str,
    sources: Vec<Source>,
    /// The crates whose functions are called: each has the modules of its functions in all variants.
    libraries: Vec<&'static str>,
}

impl Group {
    fn write(&self, variants: &[Variant]) {
        let plain = self.with_libraries("plain");
        let plain = source::modules("plain", &plain, |source| source.without_attributes().items);
        let dual = dual::modules(&self.with_libraries("dual"));
        write(&format!("{}_cases.rs", self.prefix), [plain, dual, cases::cases(&self.sources)]);
        for variant in variants {
            let file = format!("{}_{}.rs", self.prefix, variant.name);
            let modules = variant.modules(&self.with_libraries(variant.name));
            write(&file, [modules, cases::runs(variant.name, &self.sources, Entries::All)]);
        }
    }

    /// The sources, and what stands for the libraries beside them.
    fn with_libraries(&self, variant: &str) -> Vec<Source> {
        let variant = format_ident!("{variant}");
        let libraries = self.libraries.iter().map(|name| {
            let library = format_ident!("corpus_{name}");
            Source::of(name, vec![syn::parse_quote!(pub use #library::#variant::*;)])
        });
        self.sources.iter().cloned().chain(libraries).collect()
    }
}

fn write(name: &str, parts: impl IntoIterator<Item = TokenStream>) {
    let file: TokenStream = parts.into_iter().collect();
    let file = syn::parse2(file).expect("what is generated is Rust");
    let directory = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&directory).join(name), prettyplease::unparse(&file))
        .expect("the output directory can be written");
}
