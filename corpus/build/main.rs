//! Makes tests of the files of `functions/` and of `programs/`.

use corpus_build::cases::Entries;
use corpus_build::files::{Group, Half, write};
use corpus_build::source::{self, Source};
use corpus_build::{second, variants};
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=functions");
    println!("cargo::rerun-if-changed=programs");
    let functions = Group::of(Path::new("functions"));
    write("corpus_cases.rs", functions.cases());
    let known = second::Known::of(&functions.sources);
    for (name, half) in Half::BOTH {
        let is_meant = |source: &Source| half.has(source);
        let file = second::second_derivatives(&functions.sources, &known, &is_meant);
        write(&format!("second_{name}.rs"), file);
    }
    let no_all = variants::named("no_all");
    write("corpus_no_all.rs", functions.variant(no_all, &functions.sources, Entries::All));
    let with_calls = source::with_calls(&functions.sources);
    for name in ["split", "joint"] {
        let variant = functions.variant(variants::named(name), &with_calls, Entries::Sweeps);
        write(&format!("corpus_{name}.rs"), variant);
    }
    let sources = source::read(Path::new("programs"));
    let programs = Group { sources, libraries: vec!["library"] };
    write("programs_cases.rs", programs.cases());
    for variant in &variants::MODES {
        let is_main = variant.name == "all" || variant.name == "no_all";
        let entries = if is_main { Entries::All } else { Entries::Sweeps };
        write(
            &format!("programs_{}.rs", variant.name),
            programs.variant(variant, &programs.sources, entries),
        );
    }
}
