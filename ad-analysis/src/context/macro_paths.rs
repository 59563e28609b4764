//! The `macro_rules!` that paths lead to: by way of imports (`use crate::checks::check;`, where there is a `pub(crate) use check;`), and those with
//! `#[macro_export]`, which are in the root of the crate.
//!
//! rustc finds macros by the order of the text first, and calls a name ambiguous (E0659) that means another one in the module; so it does
//! with what a macro has written. What has conditions is not followed, but for definitions themselves: what else there is might be meant.

use super::meaning::Reach;
use super::names::{Import, Names, Scope};
use super::resolve::{Lead, Target, Wanted};
use super::scan::{Item, Kind};
use super::scope::{Attributes, Definition, defined_before, inside};
use super::source::Source;
use super::standard::has_its_name;
use std::ops::Range;
use std::sync::Arc;

/// How deep modules stand in each other.
const DEEPEST: usize = 16;

impl Names {
    /// The definitions of the macro at a path: the one whose conditions hold is meant. Nothing if that is not known.
    pub fn macros(&self, path: &[&str]) -> Option<Vec<Definition>> {
        let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
        match self.own.lead(&path, Wanted::Macro) {
            Ok(Lead { to: Target::Macro(definitions), is_certain: true, .. }) => Some(definitions),
            Ok(_) | Err(_) => None,
        }
    }
}

impl Names {
    /// The path of a macro of another crate, if a path leads to one by the name that its package has.
    pub fn macro_of_other_crate(&self, path: &[&str]) -> Option<Vec<String>> {
        let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
        match self.own.lead(&path, Wanted::Macro) {
            Ok(Lead { to: Target::Foreign(path), is_certain: true, .. }) => {
                let source = &self.own.path.last()?.source;
                has_its_name(&source.path, path.first()?).then_some(path)
            }
            Ok(_) | Err(_) => None,
        }
    }
}

impl Scope {
    /// The macro that is in the root of the crate: what has that name and `#[macro_export]`, anywhere in it. rustc accepts one.
    pub(super) fn exported(&self, name: &str) -> Option<Lead> {
        let [root] = &*self.path else { return None };
        let mut found = Vec::new();
        add_exported(&root.source, root.range.clone(), name, &[], &mut found);
        let named = self.named(name, Reach::Crate);
        (!found.is_empty()).then(|| Lead::to(Target::Macro(found)).by_way_of(named))
    }

    /// The macro that an import names which is in scope there by the order of the text.
    pub(super) fn textual(&self, name: &str, import: &Import) -> Vec<Lead> {
        // In the edition of 2015 it would be the one of the root.
        let root = self.around(1);
        let is_textual =
            self.path.len() == 1 || root.is_some_and(|root| root.exported(name).is_none());
        let earlier = self.items.iter().take_while(|item| item.whole.start < import.at);
        let earlier: Vec<Item> = earlier.cloned().collect();
        let source = self.path.last().map(|part| &part.source).filter(|_| is_textual);
        match source.and_then(|source| defined_before(source, &earlier, name)) {
            Some(definitions) => vec![Lead::to(Target::Macro(definitions))],
            None => vec![Lead::to(Target::Hidden)],
        }
    }
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
