//! Whether the standard library is found by its name in a crate.

use proc_macro2::{Group, Spacing, TokenStream, TokenTree};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

static CRATES: LazyLock<Mutex<HashMap<PathBuf, bool>>> = LazyLock::new(Mutex::default);

/// Whether `::std` and `::core` mean something in the crate of a file: not in those with `#![no_std]`, of which some have
/// `extern crate std` under a condition, nor `::core` in the edition of 2015. A hint: code that finds both in another way is right
/// everywhere.
pub fn has_standard_names(file: &Path) -> bool {
    let Some(package) = file.ancestors().find(|folder| folder.join("Cargo.toml").is_file()) else {
        return true;
    };
    let mut crates = CRATES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *crates.entry(package.to_owned()).or_insert_with(|| {
        let read = |name: &str| std::fs::read_to_string(package.join(name)).unwrap_or_default();
        let is_without = ["src/lib.rs", "src/main.rs"].iter().any(|root| lacks_std(&read(root)));
        !is_without && !is_of_2015(&read("Cargo.toml"))
    })
}

/// Whether the file of a crate's root has `#![no_std]`, under whatever conditions.
fn lacks_std(root: &str) -> bool {
    super::scan::items(root, 0..root.len())
        .iter()
        .filter(|item| item.kind == super::scan::Kind::Inner)
        .flat_map(|item| &item.attributes)
        .any(|attribute| root[attribute.clone()].contains("no_std"))
}

/// Whether a manifest has no edition, or the first.
fn is_of_2015(manifest: &str) -> bool {
    let mut keys = manifest.lines().filter_map(|line| line.split_once('='));
    let edition = keys.find(|(key, _)| ["edition", "edition.workspace"].contains(&key.trim()));
    manifest.contains("[package]") && edition.is_none_or(|(_, value)| value.contains("2015"))
}

/// Whether the manifests around a file say that the paths of imports mean what they mean elsewhere, as they do since the edition of 2018.
pub(super) fn has_uniform_paths(file: &Path) -> bool {
    static PACKAGES: LazyLock<Mutex<HashMap<PathBuf, bool>>> = LazyLock::new(Mutex::default);
    let mut folders = file.ancestors().filter(|folder| folder.join("Cargo.toml").is_file());
    let Some(package) = folders.next() else { return false };
    let mut packages = PACKAGES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    *packages.entry(package.to_owned()).or_insert_with(|| {
        let manifests = std::iter::once(package).chain(folders);
        let read = |folder: &Path| std::fs::read_to_string(folder.join("Cargo.toml"));
        let manifests: Vec<String> = manifests.filter_map(|folder| read(folder).ok()).collect();
        stated_edition(&manifests).is_some_and(|edition| edition > 2015)
    })
}

/// Whether no manifest around a file gives the name of a crate to another package, or to one that is not that of the registry.
pub(super) fn has_its_name(file: &Path, name: &str) -> bool {
    let folders = file.ancestors().map(|folder| folder.join("Cargo.toml"));
    let manifests = folders.filter_map(|manifest| std::fs::read_to_string(manifest).ok());
    manifests.into_iter().all(|manifest| !is_renamed(&manifest, name))
}

/// Whether a dependency of that name says of which package it is, or where: `name = { package = "other" }`, or in a table `[dependencies.name]`.
fn is_renamed(manifest: &str, name: &str) -> bool {
    let mut is_in_table = false;
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            is_in_table = line.trim_matches(['[', ']']).ends_with(&format!(".{name}"));
        }
        let begins = line.trim_start_matches('"').starts_with(name);
        let says_which = ["package", "path", "git"].iter().any(|key| line.contains(key));
        (is_in_table || begins) && says_which
    })
}

/// The edition of a package, by its manifest and those of the folders around it: one that hands it on says so.
fn stated_edition(manifests: &[String]) -> Option<u32> {
    let (own, around) = manifests.split_first()?;
    let value_of = |manifest: &str, names: &[&str]| {
        let mut keys = manifest.lines().filter_map(|line| line.split_once('='));
        let found = keys.find(|(key, _)| names.contains(&key.trim()));
        found.map(|(_, value)| value.trim().to_owned())
    };
    let value = value_of(own, &["edition", "edition.workspace"])?;
    let value = match value.contains("true") {
        true => {
            let workspace = around.iter().chain([own]).find(|text| text.contains("[workspace"))?;
            value_of(workspace, &["edition"])?
        }
        false => value,
    };
    value.trim_matches('"').parse().ok()
}

/// Code with paths through the runtime `rt` in place of `::std::…` and `::core::…`.
pub fn through_runtime(tokens: TokenStream, rt: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    let begins_path = |at: usize| {
        let follows_segment = at > 0
            && match &tokens[at - 1] {
                TokenTree::Ident(word) => {
                    !KEYWORDS.contains(&word.to_string().as_str()) && !is_lifetime(&tokens, at - 1)
                }
                TokenTree::Punct(punct) => punct.as_char() == '>' && !is_arrow(&tokens, at - 1),
                TokenTree::Group(_) | TokenTree::Literal(_) => false,
            };
        !follows_segment
    };
    let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        match (&tokens[at], tokens.get(at + 2)) {
            (_, Some(TokenTree::Ident(name)))
                if [0, 1, 3, 4].iter().all(|next| is_colon(at + next))
                    && (name == "std" || name == "core")
                    && begins_path(at) =>
            {
                let path = rt.clone().into_iter().chain(tokens[at..at + 3].iter().cloned());
                out.extend(path.map(|mut token| {
                    token.set_span(name.span());
                    token
                }));
                at += 3;
            }
            (TokenTree::Group(group), _) => {
                let inner = through_runtime(group.stream(), rt);
                let mut inner = Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
                at += 1;
            }
            (token, _) => {
                out.push(token.clone());
                at += 1;
            }
        }
    }
    out.into_iter().collect()
}

/// Words that stand before a path and are no part of it.
const KEYWORDS: [&str; 17] = [
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move",
    "mut", "return", "use", "where", "while",
];

/// Whether a word is the name of a lifetime.
fn is_lifetime(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == '\'')
}

/// Whether `>` ends `->` or `=>`.
fn is_arrow(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    matches!(before, Some(TokenTree::Punct(punct)) if ['-', '='].contains(&punct.as_char()) && punct.spacing() == Spacing::Joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_through_the_runtime() {
        let rt: TokenStream = "::a::rt".parse().unwrap();
        let of = |text: &str| through_runtime(text.parse().unwrap(), &rt).to_string();
        let same = |text: &str| text.parse::<TokenStream>().unwrap().to_string();
        let code =
            "fn f() -> ::std::vec::Vec<::core::T> { return ::std::vec![::core::mem::take(x)]; }";
        let through = "fn f() -> ::a::rt::std::vec::Vec<::a::rt::core::T> {
            return ::a::rt::std::vec![::a::rt::core::mem::take(x)];
        }";
        assert_eq!(of(code), same(through));
        assert_eq!(
            of("own::std::f(a::<T>::core::C, ::stdx::f)"),
            same("own::std::f(a::<T>::core::C, ::stdx::f)")
        );
        assert_eq!(of("|x| -> ::core::f::T"), same("|x| -> ::a::rt::core::f::T"));
        assert_eq!(of("&'static ::std::vec::Vec<u8>"), same("&'static ::a::rt::std::vec::Vec<u8>"));
    }

    #[test]
    fn packages_by_other_names() {
        let plain =
            "[package]\nname = \"a\"\n[dependencies]\nb = { package = \"c\" }\ncrunchy = \"0.2\"\n";
        assert!(!is_renamed(plain, "crunchy"));
        assert!(is_renamed(plain, "b"));
        assert!(!is_renamed(
            "[dependencies.crunchy]\nversion = \"0.2\"\n[b]\npath = \"c\"\n",
            "crunchy"
        ));
        for other in ["package = \"c\"", "path = \"../c\"", "git = \"c\""] {
            assert!(is_renamed(&format!("[dependencies.crunchy]\n{other}\n"), "crunchy"));
            assert!(is_renamed(&format!("crunchy = {{ version = \"1\", {other} }}\n"), "crunchy"));
        }
    }

    #[test]
    fn editions_and_attributes() {
        assert!(is_of_2015("[package]\nname = \"a\"\n"));
        assert!(is_of_2015("[package]\nedition = \"2015\"\n"));
        assert!(!is_of_2015("[package]\nedition = \"2021\"\n"));
        assert!(!is_of_2015("[package]\nedition.workspace = true\n"));
        assert!(!is_of_2015("[workspace]\n"));
        let edition = |texts: &[&str]| {
            stated_edition(&texts.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(edition(&["[package]\nname = \"a\"\n"]), None);
        assert_eq!(edition(&["[package]\nedition = \"2018\"\n"]), Some(2018));
        let workspace = "[workspace.package]\nedition = \"2021\"\n";
        assert_eq!(edition(&["[package]\nedition.workspace = true\n", workspace]), Some(2021));
        assert_eq!(edition(&["[package]\nedition.workspace = true\n"]), None);
        assert!(lacks_std(
            "//! text\n#![allow(unused)]\n#![cfg_attr(not(feature = \"std\"), no_std)]\nfn f() {}"
        ));
        assert!(!lacks_std("//! #![no_std]\n#![allow(unused)]\nfn f() { let no_std = 1; }"));
    }
}
