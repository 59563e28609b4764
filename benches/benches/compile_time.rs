//! How much longer rustc checks functions that are annotated: `cargo bench -p backsweep-benches --bench compile_time`.
//!
//! Each program is written to two crates, with its attributes and without, in copies, so that what cargo does once does not count. After the
//! dependencies are compiled both are checked in turn, as users get it: the macro is not optimised.

use quote::{ToTokens, quote};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};
use syn::visit_mut::{VisitMut, visit_item_fn_mut};
use syn::{Attribute, File, Item, ItemFn, Meta};

const COPIES: usize = 12;
const ROUNDS: usize = 5;

/// What is compiled: the source, and what else it depends on.
const PROGRAMS: [(&str, &str, &str); 2] = [
    ("kernels", include_str!("../src/kernels.rs"), ""),
    ("matrices", include_str!("../programs/matrices.rs"), "nalgebra"),
];

/// How the functions are annotated.
#[derive(Clone, Copy)]
enum Annotated {
    Not,
    /// With the entries for users.
    Fully,
    /// For other annotated functions only.
    WithoutEntries,
}

impl VisitMut for Annotated {
    /// Leaves one attribute, or none.
    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        let mut left = usize::from(!matches!(self, Self::Not));
        function.attrs.retain(|attribute| {
            let is_left = !is_adjoint(attribute) || left > 0;
            left = left.saturating_sub(usize::from(is_adjoint(attribute)));
            is_left
        });
        if let Self::WithoutEntries = self {
            for attribute in function.attrs.iter_mut().filter(|attribute| is_adjoint(attribute)) {
                let Meta::List(arguments) = &mut attribute.meta else { panic!("it has arguments") };
                arguments.tokens.extend(quote!(, entries()));
            }
        }
        visit_item_fn_mut(self, function);
    }
}

fn is_adjoint(attribute: &Attribute) -> bool {
    attribute.path().is_ident("adjoint")
}

/// The source of a crate, and the number of functions in each of its copies.
fn source(program: &str, mut annotated: Annotated) -> (String, usize) {
    let mut file: File = syn::parse_file(program).expect("it is Rust");
    file.attrs.clear();
    annotated.visit_file_mut(&mut file);
    if let Annotated::Not = annotated {
        file.items.retain(|item| {
            !matches!(item, Item::Use(import) if import.to_token_stream().to_string().contains("backsweep"))
        });
    }
    let functions = file.items.iter().filter(|item| matches!(item, Item::Fn(_))).count();
    let text = file.into_token_stream().to_string();
    let copies = (0..COPIES).map(|copy| format!("pub mod copy_{copy} {{ {text} }}\n"));
    (copies.collect(), functions)
}

/// Writes a crate, and compiles what it depends on.
fn written(name: &str, source: &str, dependency: &str) -> PathBuf {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = benches.parent().expect("the workspace has it");
    let folder = root.join("target/compile_time").join(name);
    fs::create_dir_all(folder.join("src")).expect("the crate can be written");
    let (features, versions) = match dependency {
        "" => (String::new(), String::new()),
        _ => (format!("{dependency:?}"), version(root, dependency)),
    };
    let manifest = format!(
        "[package]\nname = \"compiled\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         backsweep = {{ path = {root:?}, features = [{features}] }}\n{versions}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("the crate can be written");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("there is a lock");
    fs::write(folder.join("src/lib.rs"), source).expect("the crate can be written");
    check(&folder);
    folder
}

/// The line of the workspace's manifest.
fn version(root: &Path, dependency: &str) -> String {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("there is a manifest");
    let prefix = format!("{dependency} = ");
    let mut lines = manifest.lines();
    lines.find(|line| line.starts_with(&prefix)).expect("the workspace has it").to_owned()
}

/// The time of a check, after the source has changed.
fn check(folder: &Path) -> Duration {
    let source = folder.join("src/lib.rs");
    let text = fs::read_to_string(&source).expect("it has been written");
    fs::write(&source, text).expect("the crate can be written");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["check", "--quiet"]).current_dir(folder).env("CARGO_INCREMENTAL", "0");
    cargo.env("CARGO_TARGET_DIR", folder.parent().expect("it is in one").join("target"));
    let start = Instant::now();
    assert!(cargo.status().expect("cargo runs").success(), "{} compiles", folder.display());
    start.elapsed()
}

fn main() {
    println!("program       functions     plain  annotated  ratio  for each  without entries");
    for (name, program, dependency) in PROGRAMS {
        let kinds = [
            (Annotated::Not, "plain"),
            (Annotated::Fully, "annotated"),
            (Annotated::WithoutEntries, "without_entries"),
        ];
        let crates = kinds.map(|(annotated, kind)| {
            let (source, functions) = source(program, annotated);
            (written(&format!("{name}_{kind}"), &source, dependency), functions)
        });
        let mut best = [Duration::MAX; 3];
        for _ in 0..ROUNDS {
            for (best, (folder, _)) in best.iter_mut().zip(&crates) {
                *best = (*best).min(check(folder));
            }
        }
        let functions = crates[0].1 * COPIES;
        let [plain, annotated, without_entries] = best.map(|time| time.as_secs_f64());
        let for_each = |time: f64| 1e3 * (time - plain) / functions as f64;
        println!(
            "{name:<12}  {functions:>9}  {plain:>7.2}s  {annotated:>8.2}s  {:>5.1}  {:>5.0} ms  {:>12.0} ms",
            annotated / plain,
            for_each(annotated),
            for_each(without_entries),
        );
    }
}
