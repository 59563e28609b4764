//! What names mean in a module, imports of all names of other modules included. A name that several items have, or one under a
//! condition, means nothing that is known.

use super::names::{Import, Names, Part, Scope};
use super::scan::{Item, Kind};
use super::source::Source;
use std::collections::HashMap;
use syn::Visibility;

/// Who sees an item or an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// All of the crate.
    Crate,
    /// The module that it stands in, and those inside of it.
    Module,
}

/// What a name means.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// An item of the crate.
    Item(Found),
    /// What another crate has at a path.
    Foreign(Vec<String>),
}

/// An item of the crate, and the paths that it has.
#[derive(Clone, Debug)]
pub struct Found {
    pub(super) scope: Scope,
    pub(super) item: Item,
    /// That of its declaration, and those of imports on the way.
    pub paths: Vec<Named>,
}

/// A path from the root of the crate.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its names.
    pub path: Vec<String>,
    /// Modules in which one has to be to use it.
    within: Vec<(*const Source, usize)>,
}

/// Why a name means nothing that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The module does not have it, as far as its text tells.
    Absent,
    /// There are several items of that name, or conditions.
    Unclear,
}

/// The modules in which a name has been looked up on the way, and with what result; with none as long as it is looked for.
type Seen = HashMap<((*const Source, usize), String, Wanted), Option<Result<Meaning, Unknown>>>;

/// What is looked for under a name, where a module and something else may have it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wanted {
    /// A module.
    Module,
    /// Anything else.
    Item,
}

impl Reach {
    pub(super) fn of_visibility(visibility: &Visibility) -> Self {
        match visibility {
            Visibility::Public(_) => Reach::Crate,
            Visibility::Restricted(restricted) if restricted.path.is_ident("crate") => Reach::Crate,
            Visibility::Restricted(_) | Visibility::Inherited => Reach::Module,
        }
    }

    /// Of an item: what is said in other ways than the usual ones is taken for the narrower.
    pub(super) fn of(source: &Source, item: &Item) -> Self {
        let start = item.attributes.last().map_or(item.whole.start, |last| last.end + 1);
        let head: String = source.text[start..item.keyword.max(start)].split_whitespace().collect();
        let is_open =
            head.starts_with("pub(crate)") || head.starts_with("pub") && !head.starts_with("pub(");
        if is_open { Reach::Crate } else { Reach::Module }
    }
}

impl Names {
    /// What a path means in the module of the item.
    pub fn meaning(&self, path: &[String]) -> Result<Meaning, Unknown> {
        self.own.meaning_of_path(path, Wanted::Item, &mut Seen::new())
    }
}

impl Found {
    /// More paths of an item that is hidden in its module: the modules around that may hand it on.
    pub(super) fn handed_on(&self) -> Vec<Named> {
        let (Some(declared), name) = (self.paths.first(), self.scope.name(&self.item)) else {
            return Vec::new();
        };
        if declared.within.is_empty() {
            return Vec::new();
        }
        let around = (1..self.scope.path.len()).rev();
        let around = around.map(|depth| Scope::new(self.scope.path[..depth].to_vec()));
        let found =
            around.filter_map(|scope| match scope.meaning(name, Wanted::Item, &mut Seen::new()) {
                Ok(Meaning::Item(found)) if found.is(self) => found.paths.last().cloned(),
                Ok(_) | Err(_) => None,
            });
        found.collect()
    }

    /// Whether it is a module.
    pub fn is_module(&self) -> bool {
        self.item.kind == Kind::Mod
    }

    /// Its text, without its attributes.
    pub fn text(&self) -> &str {
        let whole = self.scope.text_of(&self.item);
        let start =
            self.item.attributes.last().map_or(0, |last| last.end + 1 - self.item.whole.start);
        whole[start..].trim_start()
    }
}

impl Named {
    /// Whether it may be used in the module of an item.
    pub fn may_be_used(&self, names: &Names) -> bool {
        self.may_be_used_in(&names.own)
    }

    pub(super) fn may_be_used_in(&self, scope: &Scope) -> bool {
        let around: Vec<_> = scope.path.iter().map(Part::place).collect();
        self.within.iter().all(|module| around.contains(module))
    }
}

impl Scope {
    /// The path of something in it that is seen so far.
    fn named(&self, name: &str, reach: Reach) -> Named {
        let modules = self.path.iter().map(|part| part.name.clone());
        let path = modules.chain([name.to_owned()]).collect();
        let own = (reach == Reach::Module).then(|| self.path.last().map(Part::place)).flatten();
        let hidden = self.path.windows(2).filter_map(|pair| match pair {
            [around, inner] if inner.reach == Reach::Module => Some(around.place()),
            _ => None,
        });
        // What the root has is seen in all of the crate.
        let root = self.path.first().map(Part::place);
        let within = hidden.chain(own).filter(|module| Some(*module) != root).collect();
        Named { path, within }
    }

    pub(super) fn meaning_of_path(
        &self,
        path: &[String],
        wanted: Wanted,
        seen: &mut Seen,
    ) -> Result<Meaning, Unknown> {
        let (last, before) = path.split_last().ok_or(Unknown::Absent)?;
        match self.module_at(before, seen)? {
            Module::Of(scope) => scope.meaning(last, wanted, seen),
            Module::Foreign(before) => {
                Ok(Meaning::Foreign(before.into_iter().chain([last.clone()]).collect()))
            }
        }
    }

    /// The module that a path leads to.
    fn module_at(&self, path: &[String], seen: &mut Seen) -> Result<Module, Unknown> {
        let mut scope = self.clone();
        for (position, segment) in path.iter().enumerate() {
            scope = match segment.as_str() {
                "self" => scope,
                "crate" => Self::new(scope.path[..1].to_vec()),
                "super" => match scope.path.split_last() {
                    Some((_, around)) if !around.is_empty() => Self::new(around.to_vec()),
                    Some(_) | None => return Err(Unknown::Absent),
                },
                name => match scope.meaning(name, Wanted::Module, seen) {
                    Ok(Meaning::Item(found)) if found.is_module() => {
                        found.scope.enter(&found.item).ok_or(Unknown::Unclear)?
                    }
                    Ok(Meaning::Item(_)) => return Err(Unknown::Unclear),
                    Ok(Meaning::Foreign(before)) => {
                        let rest = path[position + 1..].iter().cloned();
                        return Ok(Module::Foreign(before.into_iter().chain(rest).collect()));
                    }
                    // The name of another crate.
                    Err(Unknown::Absent) if position == 0 => {
                        return Ok(Module::Foreign(path.to_vec()));
                    }
                    Err(unknown) => return Err(unknown),
                },
            };
        }
        Ok(Module::Of(scope))
    }

    /// What a name means in it.
    fn meaning(&self, name: &str, wanted: Wanted, seen: &mut Seen) -> Result<Meaning, Unknown> {
        let place = self.place().ok_or(Unknown::Unclear)?;
        // Modules import all names of each other: each is asked once, or there would be as many ways as paths through the crate.
        let key = (place, name.to_owned(), wanted);
        if let Some(before) = seen.get(&key) {
            return before.clone().unwrap_or(Err(Unknown::Absent));
        }
        seen.insert(key.clone(), None);
        let meaning = match self.declared(name) {
            Err(Unknown::Absent) => self.imported_meaning(name, wanted, seen),
            // A function may be imported beside the module of its name.
            Ok(Meaning::Item(module)) if module.is_module() && wanted == Wanted::Item => {
                match self.imported_meaning(name, wanted, seen) {
                    Ok(imported) => Ok(imported),
                    Err(_) => Ok(Meaning::Item(module)),
                }
            }
            declared => declared,
        };
        seen.insert(key, Some(meaning.clone()));
        meaning
    }

    /// The item of that name that stands in it.
    fn declared(&self, name: &str) -> Result<Meaning, Unknown> {
        let part = self.path.last().ok_or(Unknown::Unclear)?;
        let has_name = |item: &&Item| match item.kind {
            Kind::Mod | Kind::Fn | Kind::Other => true,
            Kind::Impl => part.source.text[item.keyword..].starts_with("trait"),
            Kind::MacroRules | Kind::MacroCall | Kind::Use | Kind::Inner => false,
        };
        let items: Vec<&Item> = self.items_called(name).filter(has_name).collect();
        let is_conditional = |item: &&Item| {
            let mut attributes =
                item.attributes.iter().map(|range| &part.source.text[range.clone()]);
            attributes.any(|attribute| attribute.trim_start().starts_with("cfg"))
        };
        let Some(first) = items.first() else { return Err(Unknown::Absent) };
        // A function and a module may have one name.
        let is_double =
            |item: &&Item| items.iter().filter(|other| other.kind == item.kind).count() > 1;
        // What is in a module that is not there is mentioned nowhere.
        let is_open = |item: &&Item| item.kind != Kind::Mod && is_conditional(item);
        if items.iter().any(is_double) || items.iter().any(is_open) {
            return Err(Unknown::Unclear);
        }
        let is_hidden = items.iter().any(|item| Reach::of(&part.source, item) == Reach::Module);
        let reach = if is_hidden { Reach::Module } else { Reach::Crate };
        let item = items.iter().find(|item| item.kind == Kind::Fn).unwrap_or(first);
        let paths = vec![self.named(name, reach)];
        Ok(Meaning::Item(Found { scope: self.clone(), item: (*item).clone(), paths }))
    }

    fn imported_meaning(
        &self,
        name: &str,
        wanted: Wanted,
        seen: &mut Seen,
    ) -> Result<Meaning, Unknown> {
        let imports = self.imports();
        let binding: Vec<&Import> =
            imports.iter().filter(|import| import.binds.as_deref() == Some(name)).collect();
        match binding.as_slice() {
            [] => self.meaning_by_globs(name, wanted, &imports, seen),
            [import] => {
                let path = match import.path.as_slice() {
                    [before @ .., last] if last == "self" => before,
                    path => path,
                };
                let named = self.named(name, import.reach);
                Ok(by_way_of(self.meaning_of_path(path, wanted, seen)?, named))
            }
            [_, _, ..] => Err(Unknown::Unclear),
        }
    }

    /// What modules have of which it imports all names.
    fn meaning_by_globs(
        &self,
        name: &str,
        wanted: Wanted,
        imports: &[Import],
        seen: &mut Seen,
    ) -> Result<Meaning, Unknown> {
        let mut known: Option<(Found, Reach)> = None;
        for import in imports.iter().filter(|import| import.binds.is_none()) {
            let Ok(Module::Of(scope)) = self.module_at(&import.path, seen) else { continue };
            let found = match scope.meaning(name, wanted, seen) {
                Ok(Meaning::Item(found)) => found,
                Ok(Meaning::Foreign(_)) | Err(Unknown::Absent) => continue,
                Err(Unknown::Unclear) => return Err(Unknown::Unclear),
            };
            let is_seen = found.paths.last().is_some_and(|named| named.may_be_used_in(self));
            match &known {
                _ if !is_seen => {}
                Some((other, _)) if !other.is(&found) => return Err(Unknown::Unclear),
                Some((_, Reach::Crate)) => {}
                Some((_, Reach::Module)) | None => known = Some((found, import.reach)),
            }
        }
        let (found, reach) = known.ok_or(Unknown::Absent)?;
        let named = self.named(name, reach);
        Ok(by_way_of(Meaning::Item(found), named))
    }
}

/// The meaning of a name that is imported, which gives it one more path.
fn by_way_of(meaning: Meaning, named: Named) -> Meaning {
    match meaning {
        Meaning::Item(mut found) => {
            found.paths.push(named);
            Meaning::Item(found)
        }
        foreign @ Meaning::Foreign(_) => foreign,
    }
}

/// Where a path leads that stands before a name.
enum Module {
    Of(Scope),
    Foreign(Vec<String>),
}

impl Found {
    fn is(&self, other: &Self) -> bool {
        self.scope.place() == other.scope.place() && self.item.whole == other.item.whole
    }
}
