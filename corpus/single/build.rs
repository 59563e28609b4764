//! Makes the variant of the functions of the corpus that `CORPUS_VARIANT` names, if it is set.

use corpus_build::cases::Entries;
use corpus_build::files::{Group, write};
use corpus_build::variants;
use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../functions");
    println!("cargo::rerun-if-env-changed=CORPUS_VARIANT");
    println!("cargo::rustc-check-cfg=cfg(has_variant)");
    let Ok(name) = env::var("CORPUS_VARIANT") else { return };
    println!("cargo::rustc-cfg=has_variant");
    let functions = Group::of(Path::new("../functions"));
    let mut file = functions.variant(variants::named(&name), &functions.sources, Entries::Sweeps);
    let table = quote::format_ident!("{}", name.to_uppercase());
    file.extend(quote::quote!(use #table as VARIANT;));
    write("variant.rs", file);
}
