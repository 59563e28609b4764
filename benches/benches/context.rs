//! What the files around an annotated function cost: one that calls 20 functions and a macro, in a crate of 10,000 and of 50,000
//! lines. The first item of a crate reads its files, those after it find them read.
//!
//! * Optimised: `cargo bench -p backsweep-benches --bench context`.
//! * As users get it: `cargo bench -p backsweep-benches --bench context --profile dev`.

use ad_analysis::context::Place;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use proc_macro2::TokenStream;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The annotated function: what it calls is imported, in the module, or in a module of its name.
fn function() -> String {
    let mut text = "fn annotated(x: f64) -> f64 { let mut y = scaled!(x);\n".to_owned();
    for k in 0..20 {
        let _ = writeln!(text, "y = f{k}(y);");
    }
    text + "y }"
}

/// A crate of that many lines, written anew, and where the function stands in it.
fn written(lines: usize) -> Place {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir()
        .join(format!("backsweep-context-{}", std::process::id()))
        .join(number.to_string());
    fs::create_dir_all(folder.join("src")).expect("a folder");
    fs::write(folder.join("Cargo.toml"), "[package]\nname = \"a\"\nedition = \"2024\"\n")
        .expect("a manifest");
    let file: PathBuf = folder.join("src/lib.rs");
    let mut text = String::from(
        "use self::own::{f0, f1};\nmacro_rules! scaled { ($x:expr) => { 2.0 * $x }; }\nmod own;\n",
    );
    for k in 2..20 {
        let _ = write!(text, "#[adjoint]\nfn f{k}(x: f64) -> f64 {{\n    x * x\n}}\n");
    }
    let before = lines.saturating_sub(text.lines().count());
    for k in 0..before / 6 {
        let _ = write!(
            text,
            "/// It does this and that.\npub fn g{k}(x: &[f64]) -> f64 {{\n    let s = \"text }}\"; // {{\n    \
             x.iter().map(|v| v * {k}.0).sum::<f64>()\n}}\n\n"
        );
    }
    let line = text.lines().count() + 1;
    text.push_str(&function());
    fs::write(&file, text).expect("a file");
    let own = "#[adjoint]\npub fn f0(x: f64) -> f64 { x }\npub fn f1(x: f64) -> f64 { x }\n";
    fs::write(folder.join("src/own.rs"), own).expect("a file");
    Place { file, line, column: 1 }
}

fn context(criterion: &mut Criterion) {
    let item: TokenStream = function().parse().expect("tokens");
    let expand =
        |place: Option<&Place>| ad_analysis::expand_in(TokenStream::new(), item.clone(), place);
    let mut group = criterion.benchmark_group("context");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    // The macro is not known then: it is the price of everything else, and more.
    group.bench_function("without", |bencher| bencher.iter(|| expand(None)));
    for lines in [10_000, 50_000] {
        let place = written(lines);
        let found = expand(Some(&place)).to_string();
        assert!(!found.contains("compile_error"), "{found}");
        assert!(found.contains("without_entries"), "`f1` is not annotated");
        group.bench_function(format!("first of {lines} lines"), |bencher| {
            bencher.iter_batched(
                || written(lines),
                |place| expand(Some(&place)),
                BatchSize::PerIteration,
            );
        });
        group.bench_function(format!("next of {lines} lines"), |bencher| {
            bencher.iter(|| expand(Some(&place)));
        });
    }
    group.finish();
    let _ = fs::remove_dir_all(
        std::env::temp_dir().join(format!("backsweep-context-{}", std::process::id())),
    );
}

criterion_group!(benches, context);
criterion_main!(benches);
