//! What paths mean in the modules of a crate, as its files tell it: one resolver for functions, traits and macros.

use ad_analysis::context::{Meaning, Names, Place, Unknown};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Around the only function `here` of a crate with these files.
fn around(files: &[(&str, &str)]) -> Names {
    written(&new_folder(), files)
}

/// A folder for a crate.
fn new_folder() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder: PathBuf = std::env::temp_dir()
        .join(format!("backsweep-paths-{}", std::process::id()))
        .join(number.to_string());
    fs::create_dir_all(folder.join("src")).expect("a folder");
    folder
}

/// Writes these files of a crate.
fn written(folder: &Path, files: &[(&str, &str)]) -> Names {
    let manifest = "[package]\nname = \"a\"\nedition = \"2024\"\n";
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    let mut place = None;
    for (file, text) in files {
        let path = folder.join("src").join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        if let Some(at) = text.find("fn here") {
            let line = text[..at].matches('\n').count() + 1;
            let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
            place = Some(Place { file: path, line, column });
        }
    }
    Names::at(&place.expect("a function `here`")).expect("a place in the crate")
}

fn path(text: &str) -> Vec<String> {
    text.split("::").map(str::to_owned).collect()
}

/// The path of the declaration that a path leads to.
fn declared(names: &Names, text: &str) -> Result<String, Unknown> {
    match names.meaning(&path(text))? {
        Meaning::Item(found) => Ok(found.paths[0].path.join("::")),
        Meaning::Foreign(path) => Ok(format!("::{}", path.join("::"))),
    }
}

#[test]
fn imports_are_followed() {
    let names = around(&[
        ("lib.rs", "mod a; mod b; pub use a::deep as shallow; fn here() {}"),
        (
            "a.rs",
            "pub mod deep { pub fn f() {} pub trait T {} pub mod filed; }\npub use self::deep::*;",
        ),
        ("a/deep/filed.rs", "pub fn i() {}"),
        ("a/filed.rs", "pub fn j() {}"),
        (
            "b.rs",
            "use super::a::{self, deep::{self as below, f as g}};\npub use rand;\npub use std::f64::consts;\npub fn h() {}",
        ),
    ]);
    assert_eq!(declared(&names, "a::f"), Ok("crate::a::deep::f".to_owned()));
    assert_eq!(declared(&names, "shallow::f"), Ok("crate::a::deep::f".to_owned()));
    assert_eq!(declared(&names, "b::a::deep::f"), Ok("crate::a::deep::f".to_owned()));
    assert_eq!(declared(&names, "b::below::f"), Ok("crate::a::deep::f".to_owned()));
    assert_eq!(declared(&names, "b::g"), Ok("crate::a::deep::f".to_owned()));
    assert_eq!(declared(&names, "b::consts::PI"), Ok("::std::f64::consts::PI".to_owned()));
    assert_eq!(declared(&names, "b::rand::random"), Ok("::rand::random".to_owned()));
    assert_eq!(declared(&names, "a::filed::i"), Ok("crate::a::deep::filed::i".to_owned()));
    assert_eq!(declared(&names, "a::filed::j"), Err(Unknown::Absent));
    assert_eq!(declared(&names, "b::nothing"), Err(Unknown::Absent));
    assert_eq!(names.trait_at(&path("shallow::T")).as_deref(), Some("pub trait T {}"));
    assert_eq!(names.trait_at(&path("b::h")), None);
}

/// What was found out is kept from item to item, but not longer than the files are the same.
#[test]
fn files_that_change_are_read_again() {
    let root = ("lib.rs", "mod a; mod b; use a::*; fn here() {}");
    let folder = new_folder();
    let of_a = |names: Names| declared(&names, "f");
    let before = of_a(written(&folder, &[root, ("a.rs", "pub fn f() {}"), ("b.rs", "")]));
    assert_eq!(before, Ok("crate::a::f".to_owned()));
    let imported = ("a.rs", "pub use super::b::f;");
    let after = of_a(written(&folder, &[root, imported, ("b.rs", "pub(crate) fn f() {}")]));
    assert_eq!(after, Ok("crate::b::f".to_owned()));
    // A module that has two files has none.
    let file_of_b = ("b/mod.rs", "");
    let ambiguous = of_a(written(&folder, &[root, imported, file_of_b]));
    assert_ne!(ambiguous, Ok("crate::b::f".to_owned()));
    fs::remove_file(folder.join("src/b.rs")).expect("a file");
    let moved = of_a(written(&folder, &[root, imported, ("b/mod.rs", "pub fn f() {} ")]));
    assert_eq!(moved, Ok("crate::b::f".to_owned()));
}

#[test]
fn modules_that_import_each_other() {
    let names = around(&[(
        "lib.rs",
        "mod a { pub use crate::b::*; pub fn f() {} } mod b { pub use crate::a::*; pub fn g() {} }\nfn here() {}",
    )]);
    assert_eq!(declared(&names, "a::g"), Ok("crate::b::g".to_owned()));
    assert_eq!(declared(&names, "b::f"), Ok("crate::a::f".to_owned()));
    assert_eq!(declared(&names, "b::h"), Err(Unknown::Absent));
}

#[test]
fn functions_with_the_names_of_modules() {
    let names = around(&[(
        "lib.rs",
        "mod a { pub mod turn { pub fn turn() {} pub fn f() {} } } use a::*; use turn::{turn, f};
        mod b { pub use super::turn::f as g; }
        fn here() {}",
    )]);
    assert_eq!(declared(&names, "turn"), Ok("crate::a::turn::turn".to_owned()));
    assert_eq!(declared(&names, "f"), Ok("crate::a::turn::f".to_owned()));
    assert_eq!(declared(&names, "turn::f"), Ok("crate::a::turn::f".to_owned()));
    assert_eq!(declared(&names, "b::g"), Ok("crate::a::turn::f".to_owned()));
}

#[test]
fn what_conditions_choose_is_not_guessed() {
    let names = around(&[(
        "lib.rs",
        "#[cfg(a)] mod wide { pub fn f() {} pub fn g() {} pub trait T {} }
        #[cfg(not(a))] mod narrow { pub fn f() {} pub trait T {} }
        #[cfg(a)] use wide::*;
        #[cfg(not(a))] use narrow::*;
        #[cfg(a)] mod same { pub fn f() {} }
        #[cfg(not(a))] mod same { pub fn f() {} }
        #[cfg(a)] use wide::f as renamed;
        #[cfg(not(a))] use hidden_in_a_macro::f as renamed;
        #[cfg(a)] mod filed { pub fn f() {} }
        #[cfg(not(a))] #[path = \"other.rs\"] mod filed;
        #[cfg(a)] fn own() {}
        fn here() {}",
    )]);
    assert_eq!(declared(&names, "f"), Err(Unknown::Unclear));
    assert_eq!(declared(&names, "same::f"), Err(Unknown::Unclear));
    assert_eq!(declared(&names, "renamed"), Err(Unknown::Unclear));
    assert_eq!(declared(&names, "filed::f"), Err(Unknown::Unclear));
    assert_eq!(declared(&names, "own"), Err(Unknown::Unclear));
    // What is mentioned is there.
    assert_eq!(declared(&names, "g"), Ok("crate::wide::g".to_owned()));
    assert_eq!(declared(&names, "narrow::f"), Ok("crate::narrow::f".to_owned()));
    assert_eq!(names.trait_at(&path("T")), None);
}

#[test]
fn what_comes_first_hides_the_rest() {
    let names = around(&[(
        "lib.rs",
        "mod a { pub fn f() {} pub fn g() {} pub fn h() {} } mod b { pub fn g() {} }
        use a::*; use b::{g, h}; fn f() {} fn here() {}",
    )]);
    assert_eq!(declared(&names, "f"), Ok("crate::f".to_owned()));
    assert_eq!(declared(&names, "g"), Ok("crate::b::g".to_owned()));
    // A macro may have written it.
    assert_eq!(declared(&names, "h"), Err(Unknown::Absent));
}

#[test]
fn macros_have_no_conditions_on_the_way() {
    let names = around(&[(
        "lib.rs",
        "mod a { macro_rules! m { () => { 1 }; } pub(crate) use m; }
        mod b { pub(crate) use crate::a::m; pub(crate) use crate::a::m as n; }
        #[cfg(c)] mod c { pub(crate) use crate::a::m; }
        #[cfg(c)] use crate::a::m as o;
        mod d { pub(crate) use super::b::*; #[macro_export] macro_rules! q { () => { 2 }; } }
        fn here() {}",
    )]);
    let has = |path: &[&str]| names.macros(path).is_some_and(|found| found.len() == 1);
    for path in [&["a", "m"], &["b", "m"], &["b", "n"], &["d", "m"], &["crate", "q"]] {
        assert!(has(path), "{path:?}");
    }
    for path in [&["c", "m"], &["self", "o"], &["d", "q"], &["b", "q"]] {
        assert!(!has(path), "{path:?}");
    }
}

trait Half: Sized {
    fn half(self) -> Self;
}

impl Half for f64 {
    fn half(self) -> f64 {
        0.5 * self
    }
}

mod sizes {
    pub(super) trait Size {
        fn size(&self) -> f64;
    }

    impl Size for f64 {
        fn size(&self) -> f64 {
            self.abs()
        }
    }
}

/// What is tested only is called as it is written.
#[backsweep::adjoint]
fn tested_through_a_trait(x: f64) -> f64 {
    if sizes::Size::size(&x) > Half::half(1.0) { x * x } else { x }
}

/// The manifest may have other files for the roots of crates than cargo's conventions.
#[test]
fn roots_are_those_of_the_manifest() {
    let manifest = "[package]\nname = \"a\"\nedition = \"2024\"\n[dependencies.b]\npath = \"src/b.rs\"\n[lib]\npath = \"src/all.rs\"\n\n[[test]]\nname = \"checks\"\npath = 'src/checks.rs'\n";
    let of_lib = [
        ("../Cargo.toml", manifest),
        ("all.rs", "mod a; mod b;"),
        ("a.rs", "pub fn f() {}"),
        ("b.rs", "use super::a::f as g; fn here() {}"),
    ];
    assert_eq!(declared(&around(&of_lib), "g"), Ok("crate::a::f".to_owned()));
    let of_test = [
        ("../Cargo.toml", manifest),
        ("checks.rs", "mod a; use self::a::f as g; fn here() {}"),
        ("checks/a.rs", "pub fn e() {}"),
        ("a.rs", "pub fn f() {}"),
    ];
    assert_eq!(declared(&around(&of_test), "g"), Ok("crate::a::f".to_owned()));
}

/// A function of a trait is of whatever type it is found for: no type has entries for it.
#[test]
fn calls_through_traits_are_refused_where_derivatives_pass() {
    assert_eq!(tested_through_a_trait::gradient(3.0), (9.0, 6.0));
    assert_eq!(tested_through_a_trait::gradient(0.25), (0.25, 1.0));
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("it/what_paths_mean.rs");
    let text = std::fs::read_to_string(&path).expect("this file");
    let at = text.find("fn tested_through_a_trait").expect("the function");
    let line = text[..at].matches('\n').count() + 1;
    let place = ad_analysis::context::Place { file: path, line, column: 1 };
    let expanded = |item: &str| {
        let item = item.parse().expect("tokens");
        ad_analysis::expand_in(Default::default(), item, Some(&place)).to_string()
    };
    for call in ["Half::half(x)", "sizes::Size::size(&x)", "self::sizes::Size::size(&x)"] {
        let code = expanded(&format!("fn tested_through_a_trait(x: f64) -> f64 {{ {call} * x }}"));
        let called = call.split('(').next().expect("a path");
        assert!(code.contains(&format!("a call of `{called}` is not supported")), "{code}");
    }
    // Of elementary functions the value is compared with that of the standard library.
    let code =
        expanded("fn tested_through_a_trait<T: num::Float>(x: T) -> T { num::Float::abs(x) * x }");
    assert!(code.contains("elementary :: of_traits :: abs"), "{code}");
    let code =
        expanded("fn tested_through_a_trait<T: num::Float>(x: T) -> T { num::Float::size(x) * x }");
    assert!(code.contains("a call of `num::Float::size` is not supported"), "{code}");
}
