//! The files of a crate, each read once.

use super::heads::Head;
use super::names::Import;
use super::scan::{Item, Kind, items};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// Where an annotated item stands: the file, and the line and column, from 1 on, of the word that says what it is (`fn`, `impl`, `mod`).
#[derive(Clone, Debug)]
pub struct Place {
    /// The path of the file.
    pub file: PathBuf,
    /// The line, from 1 on.
    pub line: usize,
    /// The column, from 1 on, in characters.
    pub column: usize,
}

/// A file as it was read.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) text: String,
    state: State,
    /// What has been found in its parts.
    parts: Mutex<HashMap<Range<usize>, Arc<[Item]>>>,
    /// What they import.
    imports: Mutex<HashMap<Range<usize>, Arc<[Import]>>>,
    /// What its `impl` blocks are for, by where they begin.
    heads: Mutex<HashMap<usize, Option<Arc<Head>>>>,
}

/// What tells whether a file has changed: when it was written, if the system says so, and its length.
type State = (Option<SystemTime>, u64);

/// The state of a file; nothing if there is none.
fn state_of(path: &Path) -> Option<State> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok(), metadata.len()))
}

static FILES: LazyLock<Mutex<HashMap<PathBuf, Arc<Source>>>> = LazyLock::new(Mutex::default);

thread_local! {
    /// The files that were asked for, those that are missing, too: as they were when `Source::look_again` was last called.
    static SEEN: RefCell<HashMap<PathBuf, Option<Arc<Source>>>> = RefCell::default();
}

impl Source {
    /// A file, as this thread has seen it before if it has.
    pub(super) fn read(path: &Path) -> Option<Arc<Source>> {
        if let Some(seen) = SEEN.with_borrow(|seen| seen.get(path).cloned()) {
            return seen;
        }
        let found = Self::read_anew(path);
        SEEN.with_borrow_mut(|seen| seen.insert(path.to_owned(), found.clone()));
        found
    }

    /// Looks whether a file that was asked for has changed, has come or has gone. If so, all are read again, and it says so.
    pub(super) fn look_again() -> bool {
        SEEN.with_borrow_mut(|seen| {
            let is_other = |(path, source): (&PathBuf, &Option<Arc<Source>>)| {
                state_of(path) != source.as_ref().map(|source| source.state)
            };
            let has_changed = seen.iter().any(is_other);
            if has_changed {
                seen.clear();
            }
            has_changed
        })
    }

    fn read_anew(path: &Path) -> Option<Arc<Source>> {
        let state = state_of(path)?;
        let mut files = FILES.lock().ok()?;
        if let Some(known) = files.get(path)
            && known.state == state
        {
            return Some(known.clone());
        }
        let text = std::fs::read_to_string(path).ok()?;
        let (parts, imports, heads) = (Mutex::default(), Mutex::default(), Mutex::default());
        let path = path.to_owned();
        let source = Arc::new(Source { path: path.clone(), text, state, parts, imports, heads });
        files.insert(path, source.clone());
        Some(source)
    }

    /// The items of the file, or of a module in it.
    pub(super) fn items(&self, part: Range<usize>) -> Arc<[Item]> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            parts.entry(part).or_insert_with_key(|part| items(&self.text, part.clone()).into());
        found.clone()
    }

    /// What the file, or a module in it, imports, as `find` finds it in the items.
    pub(super) fn imports(
        &self,
        part: Range<usize>,
        find: impl FnOnce(&[Item]) -> Vec<Import>,
    ) -> Arc<[Import]> {
        let items = self.items(part.clone());
        let mut imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        imports.entry(part).or_insert_with(|| find(&items).into()).clone()
    }

    /// What the `impl` block at a byte is for, as `find` finds it.
    pub(super) fn head(
        &self,
        block: usize,
        find: impl FnOnce() -> Option<Head>,
    ) -> Option<Arc<Head>> {
        let mut heads = self.heads.lock().unwrap_or_else(PoisonError::into_inner);
        heads.entry(block).or_insert_with(|| find().map(Arc::new)).clone()
    }

    /// The byte at a line and column.
    fn offset(&self, place: &Place) -> Option<usize> {
        let line_start = match place.line.checked_sub(1)? {
            0 => 0,
            before => self.text.match_indices('\n').nth(before - 1)?.0 + 1,
        };
        let line = self.text.get(line_start..)?.lines().next()?;
        let column = place.column.checked_sub(1)?;
        let (inside, _) = line.char_indices().nth(column)?;
        Some(line_start + inside)
    }
}

/// A module, from the outside to the inside: where its items stand.
#[derive(Clone, Debug)]
pub(super) struct Module {
    pub(super) source: Arc<Source>,
    pub(super) part: Range<usize>,
    /// Where in it the next module is, or the annotated item.
    pub(super) at: usize,
}

/// The modules around an item, from the root of the crate to the innermost; nothing if one of them is not found.
pub(super) fn modules_around(place: &Place) -> Option<Vec<Module>> {
    let source = Source::read(&place.file)?;
    let at = source.offset(place)?;
    let mut inside = modules_in_file(&source, at)?;
    let mut file = source;
    for _ in 0..64 {
        if is_root(&file.path) {
            return Some(inside);
        }
        let (parent, declaration) = parent_of(&file.path)?;
        let mut around = modules_in_file(&parent, declaration)?;
        around.append(&mut inside);
        inside = around;
        file = parent;
    }
    None
}

/// The modules of a file around a byte in it.
fn modules_in_file(source: &Arc<Source>, at: usize) -> Option<Vec<Module>> {
    let (mut part, mut modules) = (0..source.text.len(), Vec::new());
    loop {
        let items = source.items(part.clone());
        // A module that the call of a macro declares comes behind the call.
        let item = items.iter().rfind(|item| item.whole.contains(&at))?;
        modules.push(Module { source: source.clone(), part, at: item.whole.start });
        let Some(body) = item.body.clone().filter(|body| body.contains(&at)) else {
            return (item.keyword == at).then_some(modules);
        };
        match item.kind {
            Kind::Mod => part = body,
            Kind::Impl => {
                let methods = source.items(body);
                let mut methods = methods.iter();
                return methods.any(|method| method.keyword == at).then_some(modules);
            }
            // What stands in a function sees what is in it first.
            Kind::Inner
            | Kind::MacroRules
            | Kind::MacroCall
            | Kind::Use
            | Kind::Fn
            | Kind::Other => return None,
        }
    }
}

/// Whether a crate begins with this file: by the manifest of the package, or by cargo's conventions.
pub(super) fn is_root(path: &Path) -> bool {
    is_named_root(path) || is_conventional_root(path)
}

/// Whether the manifest of the package has the file for a target.
fn is_named_root(path: &Path) -> bool {
    named_roots(path).iter().any(|root| root == path)
}

/// The files that the manifest of the package around a file has for targets.
fn named_roots(path: &Path) -> Vec<PathBuf> {
    let mut folders = path.ancestors().skip(1).map(|folder| (folder, folder.join("Cargo.toml")));
    let package = folders.find(|(_, manifest)| manifest.is_file());
    let manifest = package.and_then(|(folder, manifest)| Some((folder, Source::read(&manifest)?)));
    let targets = |(folder, manifest): (&Path, Arc<Source>)| {
        paths_of_targets(&manifest.text).map(|target| folder.join(target)).collect()
    };
    manifest.map(targets).unwrap_or_default()
}

/// The paths that a manifest has for targets, as far as they are written in tables of their own.
fn paths_of_targets(manifest: &str) -> impl Iterator<Item = &str> {
    let mut is_target = false;
    manifest.lines().map(str::trim).filter_map(move |line| {
        if line.starts_with('[') {
            let table = line.trim_start_matches('[').split(']').next().unwrap_or_default();
            is_target = ["lib", "bin", "test", "example", "bench"].contains(&table.trim());
            return None;
        }
        let (key, value) = line.split_once('=').filter(|_| is_target)?;
        let quotes = ['"', '\''];
        let value = value.trim().strip_prefix(quotes)?.split(quotes).next();
        value.filter(|_| key.trim() == "path")
    })
}

fn is_conventional_root(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return true };
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let named =
        |folder: &Path| folder.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let of_package = |folder: &Path| folder.join("Cargo.toml").is_file();
    match named(folder).as_deref() {
        Some("src") => ["lib.rs", "main.rs"].contains(&name),
        Some("tests" | "examples" | "benches") => folder.parent().is_some_and(of_package),
        Some("bin") => folder.parent().and_then(named).as_deref() == Some("src"),
        Some(_) | None => {
            name == "build.rs" && of_package(folder)
                || name == "main.rs"
                    && folder.parent().and_then(named).is_some_and(|outer| {
                        ["bin", "tests", "examples", "benches"].contains(&outer.as_str())
                    })
        }
    }
}

/// The file in which the module of another file is declared, and where: of the several files that it may be by the conventions, the one
/// that declares it. Two are one too many.
fn parent_of(path: &Path) -> Option<(Arc<Source>, usize)> {
    let folder = path.parent()?;
    let stem = path.file_stem()?.to_str()?;
    let (name, folder) = match stem {
        "mod" => (folder.file_name()?.to_str()?, folder.parent()?),
        stem => (stem, folder),
    };
    let mut candidates: Vec<PathBuf> =
        ["lib.rs", "main.rs", "mod.rs"].iter().map(|file| folder.join(file)).collect();
    candidates.push(folder.with_extension("rs"));
    candidates.extend(named_roots(path).into_iter().filter(|root| root.parent() == Some(folder)));
    candidates.sort();
    candidates.dedup();
    let mut found: Vec<(Arc<Source>, usize)> = Vec::new();
    for candidate in candidates.iter().filter(|candidate| *candidate != path) {
        let Some(source) = Source::read(candidate) else { continue };
        let declarations = declarations_of(&source, name)?;
        found.extend(declarations.into_iter().map(|at| (source.clone(), at)));
    }
    match found.len() {
        1 => found.pop(),
        _ => None,
    }
}

/// Where a file declares a module that stands in a file of its own beside it. Nothing is known if the declaration names a path.
fn declarations_of(source: &Source, name: &str) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for item in source.items(0..source.text.len()).iter() {
        let is_meant = item.kind == Kind::Mod && &source.text[item.name.clone()] == name;
        if !is_meant || item.body.is_some() {
            continue;
        }
        let mut attributes = item.attributes.iter().map(|range| &source.text[range.clone()]);
        if attributes.any(|attribute| attribute.contains("path")) {
            return None;
        }
        found.push(item.keyword);
    }
    Some(found)
}
