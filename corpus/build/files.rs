//! What the build scripts write.

use crate::cases::{self, Entries};
use crate::source::{self, Source};
use crate::variants::Variant;
use crate::{dual, jacobian, seeds, several};
use proc_macro2::TokenStream;
use quote::format_ident;
use std::path::Path;
use std::{env, fs};

/// What is tested together.
pub struct Group {
    /// The files.
    pub sources: Vec<Source>,
    /// The crates whose functions are called: each has the modules of its functions in all variants.
    pub libraries: Vec<&'static str>,
}

impl Group {
    /// The files of a directory, which call nothing outside.
    pub fn of(directory: &Path) -> Self {
        Self { sources: source::read(directory), libraries: Vec::new() }
    }

    /// The plain functions, those in dual numbers, and the table of cases.
    pub fn cases(&self) -> TokenStream {
        let plain = self.with_libraries("plain");
        let plain = source::modules("plain", &plain, |source| source.without_attributes().items);
        let dual = dual::modules(&self.with_libraries("dual"));
        [plain, dual, cases::cases(&self.sources)].into_iter().collect()
    }

    /// A variant of the files, or of the same files with some of their roots, and what runs these.
    pub fn variant(&self, variant: &Variant, kept: &[Source], entries: Entries) -> TokenStream {
        let modules = variant.modules(&self.beside_libraries(kept, variant.name));
        [modules, cases::runs(variant.name, &self.sources, kept, entries)].into_iter().collect()
    }

    /// What runs the entries for several directions and seeds, and those for Jacobians.
    pub fn several(&self, half: Half) -> TokenStream {
        let parts = [several::several_directions, jacobian::jacobians, seeds::several_seeds];
        parts.iter().map(|of| of(&self.sources, half)).collect()
    }

    /// The sources, and what stands for the libraries beside them.
    fn with_libraries(&self, variant: &str) -> Vec<Source> {
        self.beside_libraries(&self.sources, variant)
    }

    fn beside_libraries(&self, sources: &[Source], variant: &str) -> Vec<Source> {
        let variant = format_ident!("{variant}");
        let libraries = self.libraries.iter().map(|name| {
            let library = format_ident!("corpus_{name}");
            Source::of(name, vec![syn::parse_quote!(pub use #library::#variant::*;)])
        });
        sources.iter().cloned().chain(libraries).collect()
    }
}

/// A half of the files by name: one rustc is not asked for more than it has memory for on a laptop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The first names.
    Early,
    /// The other ones.
    Late,
}

impl Half {
    /// Both, with what they are called.
    pub const BOTH: [(&str, Half); 2] = [("early", Half::Early), ("late", Half::Late)];

    /// Whether a file is one of them.
    pub fn has(self, source: &Source) -> bool {
        let is_early = source.name.to_string().as_str() < "j";
        is_early == (self == Half::Early)
    }
}

/// Writes a file to where crates include it from.
pub fn write(name: &str, file: TokenStream) {
    let file = syn::parse2(file).expect("what is generated is Rust");
    let directory = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&directory).join(name), prettyplease::unparse(&file))
        .expect("the output directory can be written");
}
