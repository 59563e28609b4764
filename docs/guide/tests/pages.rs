//! The guide is whole: its pages are listed and tested, links lead somewhere, and the code that it shows is what is generated.

use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, ItemFn, Meta};

const REPOSITORY: &str = "https://github.com/backsweep/backsweep/blob/main/";

fn guide() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn root() -> PathBuf {
    guide().join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files with this ending in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

/// The names of the pages.
fn pages() -> BTreeSet<String> {
    let names = files(&guide().join("src")).into_iter();
    let names = names.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned());
    names.filter(|name| name != "SUMMARY.md").collect()
}

/// The lines of a document outside of its programs.
fn prose(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut is_prose = |line: &str| {
        let is_fence = line.trim_start().starts_with("```");
        inside ^= is_fence;
        !inside && !is_fence
    };
    text.lines().filter(|line| is_prose(line)).collect()
}

/// Where the links of a document lead.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        found.extend(inline.map(str::to_owned));
        let reference = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        found.extend(reference.map(|(_, target)| target.trim().to_owned()));
    }
    found
}

/// The names that the headings of a document have in links.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).into_iter().filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    };
    headings.map(name).collect()
}

/// The programs of a document, with the words behind their fences.
fn programs(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("```") {
            let program: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((words.to_owned(), program.join("\n")));
        }
    }
    found
}

#[test]
fn all_pages_are_listed() {
    let summary = links(&read(&guide().join("src/SUMMARY.md")));
    assert_eq!(summary.iter().cloned().collect::<BTreeSet<_>>(), pages());
    assert_eq!(summary.len(), pages().len(), "a page is listed twice");
}

#[test]
fn all_pages_are_tested() {
    let library = read(&guide().join("lib.rs"));
    for page in pages() {
        let test = format!("#[doc = include_str!(\"src/{page}\")]");
        assert_eq!(library.matches(&test).count(), 1, "{page} in lib.rs");
    }
}

#[test]
fn links_lead_somewhere() {
    let root = root();
    let mut documents: Vec<PathBuf> = ["", "docs", "docs/guide/src", "tests"]
        .map(|folder| root.join(folder))
        .iter()
        .flat_map(|f| files(f))
        .collect();
    documents.sort();
    for document in documents {
        let text = read(&document);
        for link in links(&text) {
            let (target, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = match target.strip_prefix(REPOSITORY) {
                Some(path) => root.join(path),
                None if target.contains("://") => continue,
                None if target.is_empty() => document.clone(),
                None => document.parent().expect("a folder").join(target),
            };
            let from = document.display();
            assert!(path.exists(), "{from}: there is no {target}");
            let is_there = anchor.is_empty() || anchors(&read(&path)).contains(anchor);
            assert!(is_there, "{from}: there is no heading for {link}");
        }
    }
}

/// Tables have lines as long as their rows, and links stand alone.
#[test]
fn lines_are_short() {
    let root = root();
    let mut documents = files(&guide().join("src"));
    documents.extend(files(&root.join("ad-macros/src")));
    documents.extend(["README.md", "CONTRIBUTING.md", "docs/cost.md"].map(|name| root.join(name)));
    for document in documents {
        for line in read(&document).lines().filter(|line| !line.starts_with(['|', '['])) {
            assert!(line.chars().count() <= 120, "{}: {line}", document.display());
        }
    }
}

/// What is not run is compared with what it shows, in the next test.
#[test]
fn programs_are_run() {
    for page in pages().into_iter().filter(|page| page != "generated-code.md") {
        for (words, program) in programs(&read(&guide().join("src").join(&page))) {
            let is_run = ["rust", "rust,compile_fail", "toml", "sh"].contains(&words.as_str());
            assert!(is_run, "{page}, {words}:\n{program}");
        }
    }
}

#[test]
fn generated_code_is_what_is_generated() {
    let page = programs(&read(&guide().join("src/generated-code.md")));
    let shown = |words: &str| {
        let programs = page.iter().filter(move |(own, _)| own == words);
        programs.map(|(_, program)| program.as_str()).collect::<Vec<&str>>()
    };
    let [program] = shown("rust")[..] else { panic!("there is one function") };
    let visible: Vec<&str> = program.lines().filter(|line| !line.starts_with("# ")).collect();
    let mut function: ItemFn = syn::parse_str(&visible.join("\n")).expect("a function");
    let arguments = arguments_of(function.attrs.remove(0));

    let phases = ad_analysis::sweeps(arguments.clone(), &function).expect("sweeps").to_string();
    let generated = ad_analysis::differentiate(arguments, &function).expect("derivatives");
    let generated = prettyplease::unparse(&syn::parse2(generated).expect("Rust"));
    assert_eq!((shown("text").len(), shown("rust,ignore").len()), (1, 2));
    for part in shown("text") {
        assert!(lines(&phases).contains(&lines(part)), "{part}\nis no part of\n{phases}");
    }
    for part in shown("rust,ignore") {
        assert!(lines(&generated).contains(&lines(part)), "{part}\nis no part of\n{generated}");
    }
}

/// A text without what its lines begin with.
fn lines(text: &str) -> String {
    text.lines().map(|line| line.trim().to_owned() + "\n").collect()
}

fn arguments_of(attribute: Attribute) -> TokenStream {
    match attribute.meta {
        Meta::List(list) => list.tokens,
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}
