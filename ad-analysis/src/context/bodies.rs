//! Functions of the crate with their bodies.

use super::meaning::{Found, Meaning, Named, Unknown};
use super::methods::Around;
use super::names::Names;
use super::resolve::Wanted;
use super::scan::Kind;

/// A function, and the module in which its names have their meanings.
#[derive(Clone, Debug)]
pub struct Function {
    pub(super) found: Found,
    /// Where it stands, if it is one of a type.
    pub(super) around: Option<Around>,
}

impl Names {
    /// The function that a path leads to; nothing if that is not known.
    pub fn function(&self, path: &[String]) -> Option<Function> {
        match self.meaning(path) {
            Ok(Meaning::Item(found)) if found.item.kind == Kind::Fn => Some(Function::free(found)),
            Ok(Meaning::Item(_) | Meaning::Foreign(_)) | Err(_) => None,
        }
    }
}

impl Names {
    /// The item itself, if it is a function that has its name alone.
    pub fn own_function(&self, name: &str) -> Option<Function> {
        let function = self.function(&[name.to_owned()])?;
        let is_own = function.is_in(self) && self.is_at(function.found.item.whole.start);
        is_own.then_some(function)
    }
}

impl Function {
    fn free(found: Found) -> Self {
        Self { found, around: None }
    }

    pub(super) fn of_type(found: Found, around: Around) -> Self {
        Self { found, around: Some(around) }
    }

    /// What is inside of the brackets of its attributes.
    pub fn attributes(&self) -> Vec<&str> {
        let Found { scope, item, .. } = &self.found;
        let whole = scope.text_of(item);
        let inside = item.attributes.iter();
        inside
            .map(|range| &whole[range.start - item.whole.start..range.end - item.whole.start])
            .collect()
    }

    /// Its text, without its attributes.
    pub fn text(&self) -> &str {
        self.found.text()
    }

    /// What a path means in its module.
    pub fn meaning(&self, path: &[String], wanted: Wanted) -> Result<Meaning, Unknown> {
        self.found.scope.meaning(path, wanted)
    }

    /// The paths of something that may be used in its module.
    pub fn usable_paths(&self, found: &Found) -> Vec<Named> {
        let all = found.paths.iter().cloned().chain(found.handed_on());
        all.filter(|named| named.may_be_used_in(&self.found.scope)).collect()
    }

    /// Its own. A function of a type is found by way of the type.
    pub fn own_paths(&self) -> Vec<Named> {
        if self.around.is_some() {
            return Vec::new();
        }
        self.usable_paths(&Found { paths: self.found.paths[..1].to_vec(), ..self.found.clone() })
    }

    /// Whether it stands in the same module.
    pub fn is_in(&self, names: &Names) -> bool {
        self.found.scope.place() == names.own.place()
    }

    /// The path of its declaration.
    pub fn path(&self) -> &[String] {
        &self.found.paths[0].path
    }
}

impl Found {
    /// Whether it is a value: a function, a constant, a struct that is one.
    pub fn is_value(&self) -> bool {
        let is = |word: &str| self.text().split_whitespace().take(4).any(|first| first == word);
        match self.item.kind {
            Kind::Fn => true,
            Kind::Other => ["const", "static", "struct"].into_iter().any(is),
            Kind::Mod
            | Kind::MacroRules
            | Kind::MacroCall
            | Kind::Use
            | Kind::Impl
            | Kind::Inner => false,
        }
    }

    /// Whether it is a function.
    pub fn is_function(&self) -> bool {
        self.item.kind == Kind::Fn
    }
}
