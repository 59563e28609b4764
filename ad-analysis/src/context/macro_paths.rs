//! The `macro_rules!` that paths lead to: by way of imports (`use crate::checks::check;`, where there is a `pub(crate) use check;`), and those with
//! `#[macro_export]`, which are in the root of the crate.
//!
//! rustc finds macros by the order of the text first, and calls a name ambiguous (E0659) that means another one in the module; so it does
//! with what a macro has written. What has conditions is not followed, but for definitions themselves: what else there is might be meant.

use super::meaning::Reach;
use super::names::{Followed, Import, Names, Part, Scope, add_imports};
use super::scan::{Item, Kind};
use super::scope::{Attributes, Definition, defined_before, inside};
use super::source::{Place, Source};
use std::ops::Range;
use std::sync::Arc;

/// The macros that an item may call by way of the module that it stands in.
#[derive(Debug)]
pub struct PathMacros {
    own: Scope,
}

/// How deep modules stand in each other.
const DEEPEST: usize = 16;

/// An import of one name, or of all.
struct Found<'i> {
    item: &'i Item,
    import: Import,
    is_public: bool,
}

impl PathMacros {
    /// Around the item at a place; nothing if it is not found.
    pub fn at(place: &Place) -> Option<Self> {
        Some(Self { own: Names::at(place)?.own })
    }

    /// The definitions of the macro at a path: the one whose conditions hold is meant. Nothing if that is not known.
    pub fn definitions(&self, path: &[&str]) -> Option<Vec<Definition>> {
        let (name, before) = path.split_last()?;
        let module = self.follow(&self.own, before.iter().copied())?;
        self.found_in(&module, name, &mut Followed::new())
    }

    /// The definitions of a name that a module has.
    fn found_in(
        &self,
        module: &Scope,
        name: &str,
        followed: &mut Followed,
    ) -> Option<Vec<Definition>> {
        // Modules import all names of each other: each is asked once.
        if !followed.insert((module.place()?, name.to_owned())) {
            return None;
        }
        let imports = imports_of(module, name);
        let of_name: Vec<&Found<'_>> =
            imports.iter().filter(|found| found.import.binds.is_some()).collect();
        match of_name.as_slice() {
            [] => {}
            [found] if self.is_seen(module, found) => {
                return self.imported(module, found, followed);
            }
            _ => return None,
        }
        if module.path.len() == 1 {
            let exported = exported(module, name);
            if !exported.is_empty() {
                return Some(exported);
            }
        }
        // Another glob import that has it, too, makes the name ambiguous.
        imports.iter().filter(|found| self.is_seen(module, found)).find_map(|found| {
            let path = self.steps(module, &found.import.path)?;
            self.found_in(&self.follow(module, path)?, name, followed)
        })
    }

    /// What an import leads to.
    fn imported(
        &self,
        module: &Scope,
        found: &Found<'_>,
        followed: &mut Followed,
    ) -> Option<Vec<Definition>> {
        let (name, before) = found.import.path.split_last()?;
        if before.is_empty() {
            let source = &module.path.last()?.source;
            let earlier =
                module.items.iter().take_while(|item| item.whole.start < found.item.whole.start);
            let earlier: Vec<Item> = earlier.cloned().collect();
            // In the edition of 2015 it would be the one of the root.
            let root = Scope::new(module.path[..1].to_vec());
            let is_textual = module.path.len() == 1 || exported(&root, name).is_empty();
            return is_textual.then(|| defined_before(source, &earlier, name)).flatten();
        }
        let path = self.steps(module, before)?;
        self.found_in(&self.follow(module, path)?, name, followed)
    }

    /// The steps of the path of an import, if it does not depend on the edition where they begin.
    fn steps<'p>(
        &self,
        module: &Scope,
        path: &'p [String],
    ) -> Option<impl Iterator<Item = &'p str> + use<'p>> {
        let is_plain = ["crate", "self", "super"].contains(&path.first()?.as_str());
        (is_plain || module.path.len() == 1).then(|| path.iter().map(String::as_str))
    }

    /// The module that a path leads to.
    fn follow<'p>(&self, from: &Scope, path: impl Iterator<Item = &'p str>) -> Option<Scope> {
        let mut scope = Scope::new(from.path.clone());
        for segment in path {
            scope = match segment {
                "self" => scope,
                "crate" => Scope::new(scope.path[..1].to_vec()),
                "super" => {
                    let (_, around) = scope.path.split_last()?;
                    (!around.is_empty()).then(|| Scope::new(around.to_vec()))?
                }
                name => {
                    let mut modules = scope
                        .items
                        .iter()
                        .filter(|item| item.kind == Kind::Mod && scope.name(item) == name);
                    let module = modules.next()?;
                    let source = &scope.path.last()?.source;
                    let is_there = modules.next().is_none() && is_unconditional(source, module);
                    is_there.then(|| scope.enter(module)).flatten()?
                }
            };
        }
        Some(scope)
    }

    /// Whether an import of a module is seen from the item, whatever the conditions are.
    fn is_seen(&self, module: &Scope, found: &Found<'_>) -> bool {
        let place = |part: &Part| (Arc::as_ptr(&part.source), part.range.start);
        let is_around = module.path.len() <= self.own.path.len()
            && module.path.iter().zip(&self.own.path).all(|(a, b)| place(a) == place(b));
        let source = module.path.last().map(|part| &part.source);
        let is_there = source.is_some_and(|source| is_unconditional(source, found.item));
        is_there && (found.is_public || is_around)
    }
}

fn is_unconditional(source: &Source, item: &Item) -> bool {
    Attributes::of(source, item).is_ok_and(|attributes| attributes.conditions.is_empty())
}

/// The imports of a module by which it may have a name.
fn imports_of<'m>(module: &'m Scope, name: &str) -> Vec<Found<'m>> {
    let mut all = Vec::new();
    for item in module.items.iter().filter(|item| item.kind == Kind::Use) {
        let Ok(parsed) = syn::parse_str::<syn::ItemUse>(module.text_of(item)) else { continue };
        let is_public = match &parsed.vis {
            syn::Visibility::Public(_) => true,
            syn::Visibility::Restricted(within) => within.path.is_ident("crate"),
            syn::Visibility::Inherited => false,
        };
        let mut imports = Vec::new();
        let reach = Reach::of_visibility(&parsed.vis);
        add_imports(&parsed.tree, reach, &mut Vec::new(), &mut imports);
        imports.retain(|import| import.binds.as_deref().is_none_or(|bound| bound == name));
        all.extend(imports.into_iter().map(|import| Found { item, import, is_public }));
    }
    all
}

/// The definitions of a name with `#[macro_export]`, anywhere in the crate: rustc accepts one.
fn exported(root: &Scope, name: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    if let Some(part) = root.path.first() {
        add_exported(&part.source, part.range.clone(), name, &[], &mut found);
    }
    found
}

fn add_exported(
    source: &Arc<Source>,
    part: Range<usize>,
    name: &str,
    around: &[String],
    found: &mut Vec<Definition>,
) {
    for item in source.items(part).iter() {
        let is_meant = match item.kind {
            Kind::Mod => true,
            Kind::MacroRules => &source.text[item.name.clone()] == name,
            Kind::MacroCall | Kind::Use | Kind::Fn | Kind::Impl | Kind::Inner | Kind::Other => {
                false
            }
        };
        let Some(Ok(attributes)) = is_meant.then(|| Attributes::of(source, item)) else { continue };
        let conditions = [around, &attributes.conditions].concat();
        match (item.kind, &item.body) {
            (Kind::MacroRules, Some(body)) if attributes.exports_macro => {
                let rules = source.text[body.clone()].to_owned();
                found.push(Definition { conditions, rules });
            }
            (Kind::Mod, _) if around.len() < DEEPEST => {
                if let Ok((inner, part)) = inside(source, item) {
                    add_exported(&inner, part, name, &conditions, found);
                }
            }
            (_, _) => {}
        }
    }
}
