//! The search for what names lead to in the modules of the crate: by declarations, by imports, by imports of all names. Whoever wants to
//! know what a path means asks here.
//!
//! Conditions are not evaluated. What has some hides nothing, so all that a name may lead to is found; who uses it says what is to be
//! done if that is more than one thing.

use super::meaning::{Found, Named, Reach, Unknown};
use super::names::{Import, Scope};
use super::scan::{Item, Kind};
use super::scope::{Attributes, Definition};
use super::source::Source;
use super::standard::has_uniform_paths;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is looked for under a name, which may be that of several things of different kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wanted {
    /// A module, or a type: what may stand before the next name of a path.
    Module,
    /// A function, or anything else that is neither a module nor a macro.
    Item,
    /// A type or a trait.
    Type,
    /// A `macro_rules!`, by way of modules.
    Macro,
}

/// Something that a name may lead to.
#[derive(Clone, Debug)]
pub(super) struct Lead {
    pub(super) to: Target,
    /// The path of its declaration, and those of imports on the way.
    paths: Vec<Named>,
    /// Whether it is there whatever the conditions are.
    pub(super) is_certain: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    /// An item in a module.
    Item(Scope, Item),
    /// The definitions of a macro, of which one is there.
    Macro(Vec<Definition>),
    /// What another crate has at a path.
    Foreign(Vec<String>),
    /// Something of which the files do not tell enough: in a type, in a module whose file is not known.
    Hidden,
}

/// A place in a file where a module begins.
pub(super) type Place = (*const Source, usize);

/// A module, by where it is declared.
type Declared = (Place, usize);

/// What was found out about the modules of a crate. It is kept from item to item as long as the files are the same.
#[derive(Default, Debug)]
pub(super) struct Known {
    /// Modules, by where they are declared.
    pub(super) modules: RefCell<HashMap<Declared, Option<Scope>>>,
    /// What names lead to.
    leads: RefCell<HashMap<Key, Vec<Lead>>>,
    /// The modules that imports of all names lead to, by their positions among the imports of a module: every name that is not declared
    /// is looked for in them.
    steps: RefCell<HashMap<Declared, Rc<[Step]>>>,
}

thread_local! {
    /// By the files that crates begin with.
    static KNOWN: RefCell<HashMap<PathBuf, Rc<Known>>> = RefCell::default();
}

impl Known {
    /// What is known of the crate that begins with a file.
    pub(super) fn of_crate(root: &Path) -> Rc<Self> {
        KNOWN.with_borrow_mut(|known| known.entry(root.to_owned()).or_default().clone())
    }

    /// Forgets everything if a file has changed: places in files are told by where these lie in memory.
    pub(super) fn look_again() {
        if Source::look_again() {
            KNOWN.with_borrow_mut(HashMap::clear);
        }
    }
}

/// A name in a module.
type Key = (Place, String, Wanted);

/// What names were found to lead to on the way. Modules import all names of each other: each is asked once, or there would be as many
/// ways as paths through the crate.
#[derive(Default)]
struct Search {
    /// Nothing as long as a name is looked for.
    found: HashMap<Key, Option<Answer>>,
    /// How often something was asked that is being looked for: it does not lead to itself.
    circles: usize,
    /// What was asked so, and is still looked for.
    open: HashSet<Key>,
    /// How often something was made use of that may not be all: a circle, or what depends on one that is still open.
    provisional: usize,
}

/// What a name leads to, as far as it was found.
struct Answer {
    leads: Vec<Lead>,
    is_final: bool,
}

/// Where a path leads that stands before a name.
#[derive(Clone, Debug)]
struct Step {
    to: Module,
    is_certain: bool,
}

#[derive(Clone, Debug)]
enum Module {
    Of(Scope),
    Foreign(Vec<String>),
    Hidden,
}

impl Scope {
    /// All that a path may lead to from here.
    pub(super) fn leads(&self, path: &[String], wanted: Wanted) -> Vec<Lead> {
        self.leads_of_path(path, wanted, &mut Search::default())
    }

    /// What a path leads to, if that is one thing.
    pub(super) fn lead(&self, path: &[String], wanted: Wanted) -> Result<Lead, Unknown> {
        let mut leads = self.leads(path, wanted);
        match (leads.pop(), leads.is_empty()) {
            (None, _) => Err(Unknown::Absent),
            (Some(Lead { to: Target::Hidden, .. }), _) | (Some(_), false) => Err(Unknown::Unclear),
            (Some(lead), true) => Ok(lead),
        }
    }

    /// The module that a path leads to, if there is one.
    pub(super) fn module_at(&self, path: &[String]) -> Option<Self> {
        let mut steps = self.steps(path, &mut Search::default());
        match (steps.pop(), steps.is_empty()) {
            (Some(Step { to: Module::Of(scope), .. }), true) => Some(scope),
            (_, _) => None,
        }
    }

    fn leads_of_path(&self, path: &[String], wanted: Wanted, search: &mut Search) -> Vec<Lead> {
        let Some((name, before)) = path.split_last() else { return Vec::new() };
        let mut found = Vec::new();
        for Step { to, is_certain } in self.steps(before, search) {
            let leads = match to {
                Module::Of(scope) => scope.leads_of_name(name, wanted, search),
                Module::Foreign(before) => {
                    let path = before.into_iter().chain([name.clone()]).collect();
                    vec![Lead::to(Target::Foreign(path))]
                }
                Module::Hidden => vec![Lead::to(Target::Hidden)],
            };
            found.extend(leads.into_iter().map(|lead| lead.under(is_certain)));
        }
        found
    }

    /// The modules that a path may lead to: one, where conditions do not choose.
    fn steps(&self, path: &[String], search: &mut Search) -> Vec<Step> {
        let mut steps = vec![Step { to: Module::Of(self.clone()), is_certain: true }];
        for position in 0..path.len() {
            let next = steps.into_iter().flat_map(|Step { to, is_certain }| {
                let next = match to {
                    Module::Of(scope) => scope.step(path, position, search),
                    Module::Foreign(before) => {
                        let longer = before.into_iter().chain([path[position].clone()]).collect();
                        vec![Step { to: Module::Foreign(longer), is_certain }]
                    }
                    Module::Hidden => vec![Step { to: Module::Hidden, is_certain }],
                };
                next.into_iter()
                    .map(move |step| Step { is_certain: step.is_certain && is_certain, ..step })
                    .collect::<Vec<_>>()
            });
            steps = next.collect();
        }
        steps
    }

    /// The same of one of its imports, the one at a position among them, if it is of all names.
    fn steps_of_import(&self, position: usize, import: &Import, search: &mut Search) -> Rc<[Step]> {
        let steps = |search: &mut Search| self.steps(&import.path, search).into();
        let (Some(known), Some(place)) = (self.known.upgrade(), self.place()) else {
            return steps(search);
        };
        let key = (place, position);
        if let Some(steps) = known.steps.borrow().get(&key) {
            return steps.clone();
        }
        let provisional = search.provisional;
        let steps: Rc<[Step]> = steps(search);
        if search.provisional == provisional {
            known.steps.borrow_mut().insert(key, steps.clone());
        }
        steps
    }

    /// Where one name of a path leads.
    fn step(&self, path: &[String], position: usize, search: &mut Search) -> Vec<Step> {
        let certain = |to| vec![Step { to, is_certain: true }];
        let around = match path[position].as_str() {
            "self" => return certain(Module::Of(self.clone())),
            "crate" => self.around(1),
            "super" => self.parent(),
            name => {
                let circles = search.circles;
                let leads = self.leads_of_name(name, Wanted::Module, search);
                // The name of another crate.
                return match leads.is_empty() && position == 0 && search.circles == circles {
                    true => certain(Module::Foreign(vec![name.to_owned()])),
                    false => leads.into_iter().map(Lead::entered).collect(),
                };
            }
        };
        around.map_or_else(Vec::new, |around| certain(Module::Of(around)))
    }

    /// What a name may lead to in it. What is declared comes before what is imported by its name, and that before what is imported with
    /// all of a module.
    fn leads_of_name(&self, name: &str, wanted: Wanted, search: &mut Search) -> Vec<Lead> {
        let Some(place) = self.place() else { return Vec::new() };
        let key = (place, name.to_owned(), wanted);
        let known = self.known.upgrade();
        if let Some(found) =
            known.as_ref().and_then(|known| known.leads.borrow().get(&key).cloned())
        {
            return found;
        }
        match search.found.get(&key) {
            Some(Some(answer)) => {
                search.provisional += usize::from(!answer.is_final);
                return answer.leads.clone();
            }
            Some(None) => {
                search.circles += 1;
                search.provisional += 1;
                search.open.insert(key);
                return Vec::new();
            }
            None => search.found.insert(key.clone(), None),
        };
        let provisional = search.provisional;
        let mut found = self.declared(name, wanted);
        let mut is_hidden = found.iter().any(|lead| lead.is_certain);
        let imports = self.imports();
        if !is_hidden {
            for import in imports.iter().filter(|import| import.binds.as_deref() == Some(name)) {
                let circles = search.circles;
                let leads = self.imported_by(import, name, wanted, search);
                // `use quat::quat;` imports a function only, if it is by this import that `quat` would be a module.
                let is_circle = leads.is_empty() && search.circles > circles;
                is_hidden |= !import.is_conditional && !is_circle;
                found.extend(leads);
            }
        }
        if !is_hidden {
            for (position, import) in imports.iter().enumerate() {
                if import.binds.is_none() {
                    let steps = self.steps_of_import(position, import, search);
                    found.extend(self.imported_with_all(import, &steps, name, wanted, search));
                }
            }
        }
        let found = merged(found);
        // What depends on something that is still looked for may not be all.
        search.open.remove(&key);
        let is_final = search.open.is_empty() || search.provisional == provisional;
        if let Some(known) = known.filter(|_| is_final) {
            known.leads.borrow_mut().insert(key.clone(), found.clone());
        }
        search.found.insert(key, Some(Answer { leads: found.clone(), is_final }));
        found
    }

    /// The items of that name that stand in it.
    fn declared(&self, name: &str, wanted: Wanted) -> Vec<Lead> {
        let Some(part) = self.path.last() else { return Vec::new() };
        if wanted == Wanted::Macro {
            return self.exported(name).into_iter().collect();
        }
        let mut items: Vec<&Item> =
            self.items_called(name).filter(|item| self.may_be(item, wanted)).collect();
        if wanted == Wanted::Item && items.iter().any(|item| item.kind == Kind::Fn) {
            items.retain(|item| item.kind == Kind::Fn);
        }
        let lead = |item: &Item| {
            let to = Target::Item(self.clone(), item.clone());
            let paths = vec![self.named(name, Reach::of(&part.source, item))];
            Lead { to, paths, is_certain: is_unconditional(&part.source, item) }
        };
        items.into_iter().map(lead).collect()
    }

    fn may_be(&self, item: &Item, wanted: Wanted) -> bool {
        match (item.kind, wanted) {
            (Kind::Mod, Wanted::Module) | (Kind::Fn, Wanted::Item) => true,
            (Kind::Other, Wanted::Item) => true,
            (Kind::Other, _) => self.begins_with(item, &["struct", "enum", "union", "type"]),
            (Kind::Impl, _) => self.begins_with(item, &["trait"]),
            (Kind::Mod | Kind::Fn, _) => false,
            (Kind::MacroRules | Kind::MacroCall | Kind::Use | Kind::Inner, _) => false,
        }
    }

    /// Whether the word that says what an item is is one of these.
    pub(super) fn begins_with(&self, item: &Item, words: &[&str]) -> bool {
        let text = self.text_of(item).get(item.keyword - item.whole.start..).unwrap_or_default();
        words.iter().any(|word| text.starts_with(word))
    }

    /// What an import of the name leads to.
    fn imported_by(
        &self,
        import: &Import,
        name: &str,
        wanted: Wanted,
        search: &mut Search,
    ) -> Vec<Lead> {
        let circles = search.circles;
        let mut leads = match (wanted, import.path.as_slice()) {
            (Wanted::Macro, [own]) => self.textual(own, import),
            (_, path) => self.leads_of_path(path, wanted, search),
        };
        match import.path.as_slice() {
            [foreign] if leads.is_empty() && wanted == Wanted::Module => {
                leads.push(Lead::to(Target::Foreign(vec![foreign.clone()])));
            }
            // If it is there, it hides what is found elsewhere.
            _ if leads.is_empty() && import.is_conditional && search.circles == circles => {
                leads.push(Lead::to(Target::Hidden));
            }
            _ => {}
        }
        let is_certain = self.is_certain(import, wanted);
        let by_import = |lead: Lead| lead.by_way_of(self.named(name, import.reach));
        leads.into_iter().map(|lead| by_import(lead).under(is_certain)).collect()
    }

    /// What an import of all names of a module leads to. Where two lead to different things, rustc wants to know which is meant: what other
    /// crates have is no matter if there is something else.
    fn imported_with_all(
        &self,
        import: &Import,
        steps: &[Step],
        name: &str,
        wanted: Wanted,
        search: &mut Search,
    ) -> Vec<Lead> {
        let is_certain = self.is_certain(import, wanted);
        let by_import = |lead: Lead| lead.by_way_of(self.named(name, import.reach));
        let mut found = Vec::new();
        for step in steps {
            let Module::Of(scope) = &step.to else { continue };
            let leads = scope.leads_of_name(name, wanted, search).into_iter();
            let seen = leads.filter(|lead| match lead.to {
                Target::Item(..) | Target::Macro(_) => {
                    lead.paths.last().is_some_and(|named| named.may_be_used_in(self))
                }
                Target::Foreign(_) => false,
                Target::Hidden => true,
            });
            let is_certain = is_certain && step.is_certain;
            found.extend(seen.map(|lead| by_import(lead).under(is_certain)));
        }
        found
    }

    /// Whether an import is there whatever the conditions are. Nothing proves which macro is meant: there the path must not depend on the
    /// edition either.
    fn is_certain(&self, import: &Import, wanted: Wanted) -> bool {
        let has_uniform_paths =
            || self.path.last().is_some_and(|own| has_uniform_paths(&own.source.path));
        let is_plain = self.path.len() == 1
            || import.path.first().is_some_and(|first| {
                ["crate", "self", "super"].contains(&first.as_str()) || import.path.len() == 1
            });
        !import.is_conditional && (is_plain || wanted != Wanted::Macro || has_uniform_paths())
    }
}

/// Whether an item is there whatever the conditions are.
pub(super) fn is_unconditional(source: &Source, item: &Item) -> bool {
    Attributes::of(source, item).is_ok_and(|attributes| attributes.conditions.is_empty())
}

/// Each definition once, by the path that others see best.
fn merged(leads: Vec<Lead>) -> Vec<Lead> {
    let mut all: Vec<Lead> = Vec::new();
    for lead in leads {
        match all.iter_mut().find(|other| other.to.is(&lead.to)) {
            Some(known) => {
                let is_certain = known.is_certain || lead.is_certain;
                if lead.hidden_in() < known.hidden_in() {
                    *known = lead;
                }
                known.is_certain = is_certain;
            }
            None => all.push(lead),
        }
    }
    all
}

impl Target {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Target::Item(scope, item), Target::Item(other, its)) => {
                scope.place() == other.place() && item.whole == its.whole
            }
            (Target::Macro(one), Target::Macro(other)) => one == other,
            (Target::Foreign(path), Target::Foreign(other)) => path == other,
            (Target::Hidden, Target::Hidden) => true,
            (
                Target::Item(..) | Target::Macro(_) | Target::Foreign(_) | Target::Hidden,
                Target::Item(..) | Target::Macro(_) | Target::Foreign(_) | Target::Hidden,
            ) => false,
        }
    }
}

impl Lead {
    pub(super) fn to(to: Target) -> Self {
        Self { to, paths: Vec::new(), is_certain: true }
    }

    /// What is found at a path that is more certain than the path.
    fn under(mut self, is_certain: bool) -> Self {
        self.is_certain &= is_certain;
        self
    }

    /// The meaning of a name that is imported, which gives it one more path.
    pub(super) fn by_way_of(mut self, named: Named) -> Self {
        self.paths.push(named);
        self
    }

    /// In how many modules one has to be to use it.
    fn hidden_in(&self) -> usize {
        self.paths.last().map_or(0, Named::hidden_in)
    }

    /// An item, and its paths.
    pub(super) fn found(self) -> Option<Found> {
        match self.to {
            Target::Item(scope, item) => Some(Found { scope, item, paths: self.paths }),
            Target::Macro(_) | Target::Foreign(_) | Target::Hidden => None,
        }
    }

    fn entered(self) -> Step {
        let to = match self.to {
            Target::Item(scope, item) if item.kind == Kind::Mod => {
                scope.enter(&item).map_or(Module::Hidden, Module::Of)
            }
            Target::Foreign(path) => Module::Foreign(path),
            Target::Item(..) | Target::Macro(_) | Target::Hidden => Module::Hidden,
        };
        Step { to, is_certain: self.is_certain }
    }
}
