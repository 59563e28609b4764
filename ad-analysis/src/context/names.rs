//! What the names of functions lead to. The entries of a function are in a struct of its name: a module may have that name, and a
//! function without entries may hide another function while the struct of that stays in scope.

use super::meaning::Reach;
use super::resolve::{Known, is_unconditional};
use super::scan::{Item, Kind};
use super::scope::inside;
use super::source::{Module, Place, Source, modules_around};
use std::collections::HashSet;
use std::ops::Range;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use syn::{Ident, UseTree};

/// Where the entries of a function are, if not where its name leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entries {
    /// In the module of its name, beside the function: `use acos::acos;` stands where `mod acos;` does.
    Beside,
    /// In a struct, or a module, at a path.
    At(Vec<String>),
    /// Nowhere: the function is not annotated, whatever else has its name.
    Missing,
}

/// The modules around an annotated item, where names are looked up.
#[derive(Debug)]
pub struct Names {
    pub(super) own: Scope,
    /// Where each module around it has the next one, and the innermost the item.
    pub(super) places: Vec<usize>,
    #[expect(dead_code, reason = "modules have it as long as it is here")]
    known: Rc<Known>,
}

/// A module: its braces, or its file.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) source: Arc<Source>,
    pub(super) range: Range<usize>,
    /// What it is called.
    pub(super) name: String,
    /// Who sees it.
    pub(super) reach: Reach,
    /// Whether it is there under a condition only.
    pub(super) is_conditional: bool,
    /// Whether it, or a module around it, may have been annotated with all that is in it.
    may_be_annotated: bool,
    /// Whether that is so.
    pub(super) is_annotated: bool,
}

/// A module with its items.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) items: Arc<[Item]>,
    /// The modules around it, from the outside to the inside, and it.
    pub(super) path: Rc<[Part]>,
    /// What was found out about modules.
    pub(super) known: Weak<Known>,
}

impl Names {
    /// Around the item at a place; nothing if it is not found.
    pub fn at(place: &Place) -> Option<Self> {
        Known::look_again();
        let (mut modules, mut places) = (Vec::<Part>::new(), Vec::new());
        for Module { source, part, at } in modules_around(place)? {
            let declaration = match (modules.last(), places.last()) {
                (Some(around), Some(&place)) => Some((around, around.item_at(place)?)),
                (_, _) => None,
            };
            let part = match declaration {
                Some((around, item)) => Part::declared(around, &item, source, part),
                None => Part::root(source, part),
            };
            modules.push(part);
            places.push(at);
        }
        let known = Known::of_crate(&modules.first()?.source.path);
        let own = Scope::new(modules.into(), Rc::downgrade(&known));
        Some(Self { own, places, known })
    }

    /// The item, or the `impl` block around it.
    pub(super) fn innermost(&self) -> Option<&Item> {
        let place = *self.places.last()?;
        self.own.items.iter().find(|item| item.whole.start == place)
    }

    /// The head of the `impl` block that the item stands in, if it does, as it is written.
    pub fn block_around(&self) -> Option<&str> {
        let block = self.innermost().filter(|item| item.kind == Kind::Impl)?;
        let text = &self.own.path.last()?.source.text;
        let inside = block.body.as_ref()?;
        let head = text[block.keyword..inside.start].strip_suffix('{')?;
        head.starts_with("impl").then_some(head)
    }

    /// Whether the item begins there.
    pub(super) fn is_at(&self, place: usize) -> bool {
        self.places.last() == Some(&place)
    }

    /// Where the entries of an annotated function of this name are to be, if not in a struct of its name.
    pub fn entries(&self, function: &str) -> Option<Entries> {
        let own = &self.own;
        if own.module(function).is_some() {
            return Some(Entries::At(vec![renamed(function)]));
        }
        let parent = own.parent()?;
        let (_, [.., place]) = self.places.split_last()? else { return None };
        let own_module = parent.items.iter().find(|item| item.whole.start == *place)?;
        (parent.name(own_module) == function && parent.imports_from_its_module(function))
            .then_some(Entries::Beside)
    }

    /// Where the entries of a function are that the item calls by a path, if that is not where the path leads.
    pub fn callee(&self, path: &[String]) -> Option<Entries> {
        let (name, before) = path.split_last()?;
        let own = &self.own;
        if !before.is_empty() || own.functions(name).next().is_some() {
            return own.module_at(before)?.entries(before, name, own, &mut Followed::new());
        }
        let path = own.imported(name)?;
        let (name, before) = path.split_last()?;
        let scope = own.module_at(before);
        let entries =
            scope.and_then(|scope| scope.entries(before, name, own, &mut Followed::new()));
        // A struct of the name may be there by way of `use …::*;`.
        Some(entries.unwrap_or_else(|| Entries::At(path.to_vec())))
    }

    /// Whether the module imports a trait of operators from the standard library, so that the operator may be called as a method.
    pub fn imports_operator(&self, operator: &str) -> bool {
        self.own.imports().iter().any(|import| {
            let path: Vec<&str> = import.path.iter().map(String::as_str).collect();
            match (path.as_slice(), &import.binds) {
                (["std" | "core", "ops"], None) => true,
                (["std" | "core", "ops", name], Some(_)) => *name == operator,
                (_, _) => false,
            }
        })
    }
}

/// What a struct is called whose function is called as a module beside it.
fn renamed(function: &str) -> String {
    format!("{}_derivatives", function.trim_start_matches("r#"))
}

impl Part {
    fn root(source: Arc<Source>, range: Range<usize>) -> Self {
        let (name, reach) = ("crate".to_owned(), Reach::Crate);
        let (is_conditional, may_be_annotated, is_annotated) = (false, false, false);
        Self { source, range, name, reach, is_conditional, may_be_annotated, is_annotated }
    }

    /// A module that an item of another one declares.
    fn declared(around: &Self, item: &Item, source: Arc<Source>, range: Range<usize>) -> Self {
        let name = around.source.text[item.name.clone()].to_owned();
        let reach = Reach::of(&around.source, item);
        let is_conditional = !is_unconditional(&around.source, item);
        let may_be_annotated = around.may_be_annotated || may_be_annotated(&around.source, item);
        let is_annotated = around.is_annotated || is_annotated(&around.source, item);
        Self { source, range, name, reach, is_conditional, may_be_annotated, is_annotated }
    }

    fn item_at(&self, place: usize) -> Option<Item> {
        let items = self.source.items(self.range.clone());
        items.iter().find(|item| item.whole.start == place).cloned()
    }

    /// The file, and where in it the module is.
    pub(super) fn place(&self) -> (*const Source, usize) {
        (Arc::as_ptr(&self.source), self.range.start)
    }
}

/// Imports that were followed on the way to a function: where each stands, and of what name. Modules may import the same name from each
/// other, where it is a module in one and a function in the other.
pub(super) type Followed = HashSet<((*const Source, usize), String)>;

impl Scope {
    fn new(path: Rc<[Part]>, known: Weak<Known>) -> Self {
        let items =
            path.last().map_or_else(|| Arc::from([]), |part| part.source.items(part.range.clone()));
        Self { items, path, known }
    }

    /// The module at a depth among those around it: the root of the crate is at 1.
    pub(super) fn around(&self, depth: usize) -> Option<Self> {
        match self.path.get(..depth)? {
            [] => None,
            _ if depth == self.path.len() => Some(self.clone()),
            path => Some(Self::new(path.into(), self.known.clone())),
        }
    }

    /// The module around it.
    pub(super) fn parent(&self) -> Option<Self> {
        self.around(self.path.len().checked_sub(1)?)
    }

    pub(super) fn name(&self, item: &Item) -> &str {
        self.path.last().map_or("", |part| &part.source.text[item.name.clone()])
    }

    /// The file, and where in it the module is.
    pub(super) fn place(&self) -> Option<(*const Source, usize)> {
        self.path.last().map(Part::place)
    }

    pub(super) fn items_called(&self, name: &str) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| self.name(item) == name)
    }

    /// With the file that they stand in.
    pub(super) fn items_of_kind(&self, kind: Kind) -> impl Iterator<Item = (&Source, &Item)> {
        let source = self.path.last().map(|part| &*part.source);
        let items = self.items.iter().filter(move |item| item.kind == kind);
        items.filter_map(move |item| Some((source?, item)))
    }

    pub(super) fn text_of(&self, item: &Item) -> &str {
        self.path.last().map_or("", |part| &part.source.text[item.whole.clone()])
    }

    fn module(&self, name: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.kind == Kind::Mod && self.name(item) == name)
    }

    fn functions(&self, name: &str) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.kind == Kind::Fn && self.name(item) == name)
    }

    /// Whether a function in it may have been annotated; nothing if there is none of that name.
    fn has_annotated(&self, name: &str) -> Option<bool> {
        let part = self.path.last()?;
        let mut functions = self.functions(name).peekable();
        functions.peek()?;
        // Somebody may have written the struct by hand.
        let mut others = self.items.iter().filter(|item| item.kind == Kind::Other);
        if others.any(|item| self.name(item) == name) {
            return Some(true);
        }
        Some(part.may_be_annotated || functions.any(|item| may_be_annotated(&part.source, item)))
    }

    /// Where the entries of a function are that is found in it under a name, if not under that name. `before` leads to the scope, `from` is
    /// the module that looks for it.
    fn entries(
        &self,
        before: &[String],
        name: &str,
        from: &Self,
        followed: &mut Followed,
    ) -> Option<Entries> {
        match (self.has_annotated(name), self.module(name)) {
            (Some(false), _) => Some(Entries::Missing),
            (Some(true), Some(_)) => {
                let path = before.iter().cloned().chain([renamed(name)]).collect();
                Some(Entries::At(path))
            }
            (Some(true), None) => {
                let parent = self.parent()?;
                let own = before.last().map_or(&self.path.last()?.name, |own| own);
                let path = match before {
                    [] => vec!["super".to_owned(), own.clone()],
                    before => before.to_vec(),
                };
                (own == name && parent.imports_from_its_module(name)).then_some(Entries::At(path))
            }
            (None, module) => self.entries_of_imported(name, module, from, followed),
        }
    }

    /// The same for a function that it imports.
    fn entries_of_imported(
        &self,
        name: &str,
        module: Option<&Item>,
        from: &Self,
        followed: &mut Followed,
    ) -> Option<Entries> {
        let imported = self.imported(name);
        let is_beside = match imported.as_deref() {
            None => self.imports_from_its_module(name),
            Some([.., of, it]) => of == name && it == name,
            Some([] | [_]) => false,
        };
        if let Some(module) = module.filter(|_| is_beside) {
            let is_annotated = self.enter(module)?.has_annotated(name)?;
            return Some(if is_annotated { Entries::Beside } else { Entries::Missing });
        }
        let imported = imported?;
        let (name, before) = imported.split_last()?;
        if !followed.insert((self.place()?, name.clone())) {
            return None;
        }
        let scope = self.module_at(before)?;
        match scope.entries(before, name, from, followed)? {
            // The module is found by its name in that scope only, and in those inside of it.
            Entries::Beside if scope.contains(from) => Some(Entries::At(scope.path_to(name))),
            Entries::Missing => Some(Entries::Missing),
            Entries::Beside | Entries::At(_) => None,
        }
    }

    /// Whether another module is this one, or stands in it.
    fn contains(&self, other: &Self) -> bool {
        let places = |scope: &Self| scope.path.iter().map(Part::place).collect::<Vec<_>>();
        places(other).starts_with(&places(self))
    }

    /// The path of something in it from the root of the crate.
    fn path_to(&self, name: &str) -> Vec<String> {
        let modules = self.path.iter().map(|part| part.name.clone());
        modules.chain([name.to_owned()]).collect()
    }

    pub(super) fn enter(&self, module: &Item) -> Option<Self> {
        let known = self.known.upgrade();
        let key = (self.place()?, module.whole.start);
        let before = known.as_ref().and_then(|known| known.modules.borrow().get(&key).cloned());
        if let Some(before) = before {
            return before;
        }
        let part = self.path.last()?;
        let inner = inside(&part.source, module).ok().map(|(source, range)| {
            let inner = Part::declared(part, module, source, range);
            let path = self.path.iter().cloned().chain([inner]).collect();
            Self::new(path, self.known.clone())
        });
        if let Some(known) = known {
            known.modules.borrow_mut().insert(key, inner.clone());
        }
        inner
    }

    /// Whether it imports a function from the module of its name.
    pub(super) fn imports_from_its_module(&self, name: &str) -> bool {
        self.imports().iter().any(|import| match (import.path.as_slice(), &import.binds) {
            ([.., module, function], Some(binds)) => {
                module == name && function == name && binds == name
            }
            ([.., module], None) => module == name,
            ([] | [_], _) => false,
        })
    }

    pub(super) fn imports(&self) -> Arc<[Import]> {
        let Some(part) = self.path.last() else { return Arc::from([]) };
        part.source.imports(part.range.clone(), |items| {
            let mut found = Vec::new();
            for item in items.iter().filter(|item| item.kind == Kind::Use) {
                let text = &part.source.text[item.whole.clone()];
                if let Ok(parsed) = syn::parse_str::<syn::ItemUse>(text) {
                    let reach = Reach::of_visibility(&parsed.vis);
                    let is_conditional = !is_unconditional(&part.source, item);
                    let import = |path, binds| {
                        let at = item.whole.start;
                        found.push(Import { path, binds, reach, is_conditional, at });
                    };
                    each_import(&parsed.tree, &mut Vec::new(), &mut { import });
                }
            }
            found
        })
    }

    /// The path that it imports a name by; nothing if there are several, of which conditions choose one.
    pub(super) fn imported(&self, name: &str) -> Option<Vec<String>> {
        let imports = self.imports();
        let mut imports = imports.iter().filter(|import| import.binds.as_deref() == Some(name));
        match (imports.next(), imports.next()) {
            (Some(import), None) => Some(import.path.clone()),
            (_, _) => None,
        }
    }
}

/// A name that a module imports.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) path: Vec<String>,
    /// What it is called there; nothing if all names of the path are imported.
    pub(super) binds: Option<String>,
    /// Who sees it.
    pub(super) reach: Reach,
    /// Whether it is there under a condition only.
    pub(super) is_conditional: bool,
    /// Where it begins.
    pub(super) at: usize,
}

/// The paths of an import, and what each binds: nothing if all names of the path are imported.
pub fn paths_of_import(tree: &UseTree) -> Vec<(Vec<String>, Option<String>)> {
    let mut imports = Vec::new();
    each_import(tree, &mut Vec::new(), &mut |path, binds| imports.push((path, binds)));
    imports
}

fn each_import(
    tree: &UseTree,
    path: &mut Vec<String>,
    add: &mut impl FnMut(Vec<String>, Option<String>),
) {
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            each_import(&step.tree, path, add);
            path.pop();
        }
        UseTree::Name(name) => add_name(path, &name.ident, &name.ident, add),
        UseTree::Rename(rename) => add_name(path, &rename.ident, &rename.rename, add),
        UseTree::Glob(_) => add(path.clone(), None),
        UseTree::Group(group) => group.items.iter().for_each(|tree| each_import(tree, path, add)),
    }
}

/// `use a::b::{self};` imports the module `a::b`.
fn add_name(
    path: &[String],
    name: &Ident,
    binds: &Ident,
    add: &mut impl FnMut(Vec<String>, Option<String>),
) {
    let is_module = name == "self" && !path.is_empty();
    let last = (!is_module).then(|| name.to_string());
    let binds = if binds == "self" { path.last().cloned() } else { Some(binds.to_string()) };
    add(path.iter().cloned().chain(last).collect(), binds);
}

/// Attributes of which it is known that they differentiate nothing.
const INERT: [&str; 16] = [
    "allow",
    "cfg",
    "clippy",
    "cold",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "rustfmt",
    "target_feature",
    "track_caller",
    "unsafe",
    "warn",
];

/// Whether an item has the attribute, and is not left out by it.
pub(super) fn is_annotated(source: &Source, item: &Item) -> bool {
    let is_word = |char: char| char == '_' || char.is_alphanumeric();
    let mut attributes = item.attributes.iter().map(|range| &source.text[range.clone()]);
    attributes.any(|text| {
        let words = || text.split(|char| !is_word(char));
        words().any(|word| word == "adjoint") && !words().any(|word| word == "skip")
    })
}

/// Whether an item may have been annotated.
fn may_be_annotated(source: &Source, item: &Item) -> bool {
    let mut attributes = item.attributes.iter().map(|range| source.text[range.clone()].trim());
    attributes.any(|text| {
        let name =
            text.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap_or_default();
        match name {
            "cfg_attr" => text.contains("adjoint"),
            name => !INERT.contains(&name),
        }
    })
}
