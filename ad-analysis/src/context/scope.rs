//! The `macro_rules!` that are in scope by the order of the text.

use super::names::Names;
use super::scan::{Item, Kind};
use super::source::{Source, is_root};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A macro as it is defined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The conditions under which it is there: what is inside of `cfg(…)`.
    pub conditions: Vec<String>,
    /// What is inside of the braces of `macro_rules! name { … }`.
    pub rules: String,
}

impl Names {
    /// The definitions of a macro's name that are in scope at the item by the order of the text, the last first, up to one that is there
    /// whatever the conditions are: the first whose conditions hold is meant. Nothing if that is not known. A definition that a macro
    /// writes in between is no matter: rustc calls the name ambiguous then (E0659).
    pub fn textual_macros(&self, name: &str) -> Option<Vec<Definition>> {
        let mut search = Search { name, found: Vec::new(), is_closed: false };
        for (module, at) in self.own.path.iter().zip(&self.places).rev() {
            let items = module.source.items(module.range.clone());
            let before = items.iter().take_while(|item| item.whole.start < *at).count();
            search.items(&module.source, &items[..before], 0).ok()?;
            if search.is_closed {
                break;
            }
        }
        Some(search.found)
    }
}

/// The definitions of a name in a module, before a place in it.
pub(super) fn defined_before(
    source: &Arc<Source>,
    items: &[Item],
    name: &str,
) -> Option<Vec<Definition>> {
    let mut search = Search { name, found: Vec::new(), is_closed: false };
    search.items(source, items, 0).ok()?;
    Some(search.found)
}

/// What the text before an item says of a name.
struct Search<'n> {
    name: &'n str,
    found: Vec<Definition>,
    /// Whether the last found is there whatever the conditions are.
    is_closed: bool,
}

/// What is meant cannot be told.
pub(super) struct Unknown;

impl Search<'_> {
    /// Looks from the last item to the first.
    fn items(&mut self, source: &Arc<Source>, items: &[Item], depth: usize) -> Result<(), Unknown> {
        for item in items.iter().rev() {
            if self.is_closed {
                return Ok(());
            }
            self.item(source, item, depth)?;
        }
        Ok(())
    }

    fn item(&mut self, source: &Arc<Source>, item: &Item, depth: usize) -> Result<(), Unknown> {
        match item.kind {
            Kind::MacroRules if &source.text[item.name.clone()] == self.name => {
                let body = item.body.clone().ok_or(Unknown)?;
                let conditions = Attributes::of(source, item)?.conditions;
                self.is_closed = conditions.is_empty();
                self.found.push(Definition { conditions, rules: source.text[body].to_owned() });
            }
            Kind::Mod => self.module(source, item, depth)?,
            // A file that is there under a condition.
            Kind::Inner => match Attributes::of(source, item)?.conditions.is_empty() {
                true => {}
                false => return Err(Unknown),
            },
            Kind::MacroRules
            | Kind::MacroCall
            | Kind::Use
            | Kind::Fn
            | Kind::Impl
            | Kind::Other => {}
        }
        Ok(())
    }

    /// A module hands its macros on if it has `#[macro_use]`.
    fn module(&mut self, source: &Arc<Source>, item: &Item, depth: usize) -> Result<(), Unknown> {
        let attributes = Attributes::of(source, item)?;
        if !attributes.uses_macros {
            return Ok(());
        }
        if depth > DEEPEST {
            return Err(Unknown);
        }
        let ((inner, part), before) = (inside(source, item)?, self.found.len());
        self.items(&inner, &inner.items(part), depth + 1)?;
        self.is_closed &= attributes.conditions.is_empty();
        for definition in &mut self.found[before..] {
            definition.conditions.extend(attributes.conditions.iter().cloned());
        }
        Ok(())
    }
}

/// How deep modules stand in each other.
const DEEPEST: usize = 16;

/// The attributes of an item, as far as they matter.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) conditions: Vec<String>,
    /// `#[macro_use]`
    uses_macros: bool,
    /// `#[macro_export]`
    pub(super) exports_macro: bool,
}

impl Attributes {
    pub(super) fn of(source: &Source, item: &Item) -> Result<Self, Unknown> {
        let mut attributes = Self::default();
        for range in &item.attributes {
            let text = source.text[range.clone()].trim();
            let name = text.split(|c: char| c != '_' && !c.is_alphanumeric()).next();
            let rest = text[name.map_or(0, str::len)..].trim();
            let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            match (name.unwrap_or_default(), inside) {
                ("cfg", Some(condition)) => attributes.conditions.push(condition.to_owned()),
                ("macro_use", None) => attributes.uses_macros = true,
                ("macro_export", _) => attributes.exports_macro = true,
                // What matters may be there or not.
                ("cfg_attr", Some(inside)) if matters(inside) => {
                    return Err(Unknown);
                }
                _ => {}
            }
        }
        Ok(attributes)
    }
}

/// Whether a list of attributes has one that says what is there, and which macros there are.
fn matters(attributes: &str) -> bool {
    let mut words = attributes.split(|c: char| c != '_' && !c.is_alphanumeric());
    words.any(|word| ["cfg", "cfg_attr", "macro_use", "path"].contains(&word))
}

/// The items of a module: in its braces, or in its file.
pub(super) fn inside(
    source: &Arc<Source>,
    item: &Item,
) -> Result<(Arc<Source>, Range<usize>), Unknown> {
    if let Some(body) = &item.body {
        return Ok((source.clone(), body.clone()));
    }
    let name = &source.text[item.name.clone()];
    let has_path = item.attributes.iter().any(|range| source.text[range.clone()].contains("path"));
    let mut folder = folder_of(&source.path).ok_or(Unknown)?;
    folder.extend(modules_in_braces(source, item.whole.start));
    let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    let mut found = files.iter().filter_map(|file| Source::read(file));
    match (found.next(), found.next()) {
        (Some(inner), None) if !has_path => {
            let len = inner.text.len();
            Ok((inner, 0..len))
        }
        _ => Err(Unknown),
    }
}

/// The names of the modules in a file that a byte is in, from the outside to the inside.
fn modules_in_braces(source: &Source, at: usize) -> Vec<String> {
    let (mut part, mut names) = (0..source.text.len(), Vec::new());
    loop {
        let items = source.items(part);
        let around = items
            .iter()
            .filter(|item| item.kind == Kind::Mod)
            .find_map(|item| Some((item, item.body.clone().filter(|body| body.contains(&at))?)));
        let Some((item, body)) = around else { return names };
        names.push(source.text[item.name.clone()].to_owned());
        part = body;
    }
}

/// The folder with the modules that a file declares.
fn folder_of(path: &Path) -> Option<std::path::PathBuf> {
    let folder = path.parent()?;
    match path.file_stem()?.to_str()? {
        "lib" | "main" | "mod" => Some(folder.to_owned()),
        _ if is_root(path) => Some(folder.to_owned()),
        stem => Some(folder.join(stem)),
    }
}
