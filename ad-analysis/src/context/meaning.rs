//! What names mean in a module, and by which paths others may name it. A name that several items have, or one under a condition, means
//! nothing that is known.

use super::names::{Names, Part, Scope};
use super::resolve::{Place, Target, Wanted, is_unconditional};
use super::scan::{Item, Kind};
use super::source::Source;
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
    within: Vec<Place>,
}

/// Why a name means nothing that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The module does not have it, as far as its text tells.
    Absent,
    /// There are several items of that name, or conditions.
    Unclear,
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
        self.own.meaning(path, Wanted::Item)
    }

    /// Whether a path leads to a trait of the crate.
    pub fn is_trait(&self, path: &[String]) -> bool {
        match self.meaning(path) {
            Ok(Meaning::Item(found)) => syn::parse_str::<syn::ItemTrait>(found.text()).is_ok(),
            Ok(Meaning::Foreign(_)) | Err(_) => false,
        }
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
        let around = around.filter_map(|depth| self.scope.around(depth));
        let found =
            around.filter_map(|scope| match scope.meaning(&[name.to_owned()], Wanted::Item) {
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
        let start = self
            .item
            .attributes
            .last()
            .map_or(0, |last| (last.end + 1).saturating_sub(self.item.whole.start));
        whole[start..].trim_start()
    }
}

impl Named {
    /// Whether it may be used in the module of an item.
    pub fn may_be_used(&self, names: &Names) -> bool {
        self.may_be_used_in(&names.own)
    }

    /// In how many modules one has to be to use it.
    pub(super) fn hidden_in(&self) -> usize {
        self.within.len()
    }

    pub(super) fn may_be_used_in(&self, scope: &Scope) -> bool {
        let around: Vec<_> = scope.path.iter().map(Part::place).collect();
        self.within.iter().all(|module| around.contains(module))
    }
}

impl Scope {
    /// What a path means, if that is known.
    pub(super) fn meaning(&self, path: &[String], wanted: Wanted) -> Result<Meaning, Unknown> {
        let lead = match self.lead(path, wanted) {
            Err(Unknown::Absent) if wanted == Wanted::Item => self.lead(path, Wanted::Module)?,
            lead => lead?,
        };
        match &lead.to {
            Target::Foreign(path) => Ok(Meaning::Foreign(path.clone())),
            // What is in a module that is not there is mentioned nowhere.
            Target::Item(scope, item) => {
                let source = scope.path.last().map(|part| &part.source);
                let is_there = source.is_some_and(|source| is_unconditional(source, item));
                let found = lead.found().filter(|found| is_there || found.is_module());
                found.map(Meaning::Item).ok_or(Unknown::Unclear)
            }
            Target::Macro(_) | Target::Hidden => Err(Unknown::Unclear),
        }
    }

    /// The path of something in it that is seen so far.
    pub(super) fn named(&self, name: &str, reach: Reach) -> Named {
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
}

impl Found {
    pub(super) fn is(&self, other: &Self) -> bool {
        self.scope.place() == other.scope.place() && self.item.whole == other.item.whole
    }
}
