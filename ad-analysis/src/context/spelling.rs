//! Types as the module of an item may spell them, wherever they are mentioned.

use super::declared::names_of_params;
use super::meaning::Found;
use super::names::{Part, Scope};
use super::resolve::{Lead, Place, Wanted, is_unconditional};
use super::scope::Attributes;
use super::written::{Written, target_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use syn::ItemType;

/// The primitive types of numbers, and of truth values.
const PRIMITIVE: [&str; 15] = [
    "f64", "f32", "bool", "usize", "isize", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64",
    "u128", "i128",
];

/// Types of the standard library with arguments.
const OF_LIBRARY: [&str; 4] = ["Vec", "Option", "Result", "Box"];

/// Traits without methods that every module has by their names.
const OF_ALL_MODULES: [&str; 3] = ["Send", "Sync", "Unpin"];

/// What a path may lead to: what conditions choose from. Rustc has one of them.
pub(super) type Definitions = Rc<[Found]>;

/// A type of the user's.
#[derive(Clone)]
pub(super) struct Owner {
    /// What the module of the item calls it.
    pub(super) name: String,
    pub(super) definitions: Definitions,
}

/// Where a type is mentioned, and what `Self` means there.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) scope: &'a Scope,
    pub(super) own: Option<&'a str>,
    /// Type parameters.
    pub(super) params: &'a [String],
    /// Type parameters that arguments tell, and what they are called then.
    pub(super) told: &'a [(String, String)],
}

impl<'a> At<'a> {
    /// At an item of a module.
    pub(super) fn module(scope: &'a Scope) -> Self {
        Self { scope, own: None, params: &[], told: &[] }
    }
}

/// Spells types, and notes those of the user's.
pub(super) struct Speller<'a> {
    /// The module of the item.
    pub(super) own: Scope,
    /// Names that mean something else in a part of the item.
    hidden: &'a BTreeSet<String>,
    /// What paths lead to from modules; nothing where that is not known.
    known: HashMap<(Place, Vec<String>, Wanted), Option<Definitions>>,
    /// The types of the user's that were spelled, by what they are called.
    owners: HashMap<String, Owner>,
    /// The structs with parameters that were spelled with arguments, by what they are called.
    generic: HashMap<String, Owner>,
    /// Aliases of which conditions choose one, by what they are called.
    alternatives: BTreeMap<String, Vec<Alternative>>,
}

/// What an alias stands for under a condition.
#[derive(Clone)]
pub(super) struct Alternative {
    pub(super) condition: String,
    pub(super) ty: String,
}

impl<'a> Speller<'a> {
    pub(super) fn new(own: Scope, hidden: &'a BTreeSet<String>) -> Self {
        let (known, owners, generic, alternatives) = Default::default();
        Self { own, hidden, known, owners, generic, alternatives }
    }

    /// What a path leads to from a module: items of the crate only, or none; nothing where that is not known.
    pub(super) fn definitions(
        &mut self,
        from: &Scope,
        path: &[String],
        wanted: Wanted,
    ) -> Option<Definitions> {
        let key = (from.place()?, path.to_vec(), wanted);
        let found = self.known.entry(key).or_insert_with(|| {
            let leads = from.leads(path, wanted).into_iter();
            let found = leads.map(Lead::found).collect::<Option<Definitions>>();
            found.filter(|found| !is_half_known(found))
        });
        found.clone()
    }

    /// A type as the module of the item may spell it.
    pub(super) fn spelled(&mut self, ty: &Written, at: At<'_>) -> Option<String> {
        match ty {
            Written::Reference(_) => None,
            Written::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.spelled(part, at));
                let parts: Vec<String> = parts.collect::<Option<_>>()?;
                let parts = parts.iter().map(|part| format!("{part}, "));
                Some(format!("({})", parts.collect::<String>()))
            }
            Written::Dyn(traits) => {
                let traits = traits.iter().map(|path| self.spelled_trait(path, at));
                let traits: Vec<String> = traits.collect::<Option<_>>()?;
                Some(format!("dyn {}", traits.join(" + ")))
            }
            Written::Array(of, len) => {
                let of = self.spelled(of, at)?;
                let is_number = len.starts_with(|first: char| first.is_ascii_digit());
                if let Some((_, told)) = at.told.iter().find(|(param, _)| param == len) {
                    return Some(format!("[{of}; {told}]"));
                }
                (is_number || self.is_constant_of_both(len, at)).then(|| format!("[{of}; {len}]"))
            }
            Written::With(name, args) => {
                let is_of_library = OF_LIBRARY.contains(&name.as_str())
                    && !self.hidden.contains(name)
                    && !self.is_declared(at.scope, name)
                    && !self.is_declared(&self.own.clone(), name);
                // What a function fails with is of no interest where arguments tell what it returns.
                let with_error = name == "Result" && !at.told.is_empty();
                let wanted = if with_error { &args[..1] } else { args };
                let args = wanted.iter().filter(|_| is_of_library).map(|arg| self.spelled(arg, at));
                let spelled: Vec<String> = args.collect::<Option<_>>()?;
                match is_of_library {
                    true => (!spelled.is_empty()).then(|| with_arguments(name, &spelled)),
                    false => self.spelled_generic(name, wanted, at),
                }
            }
            Written::Number(number) => Some(number.clone()),
            Written::Path(names) => match names.as_slice() {
                [name] if name == "Self" => at.own.map(str::to_owned),
                [name] if at.params.contains(name) => {
                    let told = at.told.iter().find(|(param, _)| param == name);
                    told.map(|(_, called)| called.clone())
                }
                [name] if is_primitive(name) => Some(name.clone()),
                names => {
                    let definitions = self.definitions(at.scope, names, Wanted::Type)?;
                    self.spelled_definitions(&definitions)
                }
            },
        }
    }

    /// A struct of the user's with arguments.
    fn spelled_generic(&mut self, name: &str, args: &[Written], at: At<'_>) -> Option<String> {
        let definitions = self.definitions(at.scope, &[name.to_owned()], Wanted::Type)?;
        if let [alias] = &*definitions
            && let Some(alias_of) = alias_with_params(alias)
        {
            return self.spelled_alias(alias, &alias_of, args, at);
        }
        let are_structs = definitions
            .iter()
            .all(|Found { scope, item, .. }| scope.begins_with(item, &["struct"]));
        if !are_structs || definitions.iter().any(is_plain) || args.is_empty() {
            return None;
        }
        let owner = self.owner(&definitions)?;
        let args: Vec<String> =
            args.iter().map(|arg| self.spelled(arg, at)).collect::<Option<_>>()?;
        let spelled = with_arguments(&owner.name, &args);
        self.generic.entry(owner.name.clone()).or_insert(owner);
        Some(spelled)
    }

    /// What an alias with parameters stands for, with these arguments.
    fn spelled_alias(
        &mut self,
        alias: &Found,
        ItemType { generics, ty, .. }: &ItemType,
        args: &[Written],
        at: At<'_>,
    ) -> Option<String> {
        let args: Vec<String> =
            args.iter().map(|arg| self.spelled(arg, at)).collect::<Option<_>>()?;
        let params = names_of_params(generics);
        if params.len() != args.len() {
            return None;
        }
        let told: Vec<(String, String)> = params.iter().cloned().zip(args).collect();
        let inside = At { scope: &alias.scope, own: None, params: &params, told: &told };
        self.spelled(&Written::of(ty)?, inside)
    }

    /// Whether a name is that of a constant of the crate, and the same one in the module of the item.
    fn is_constant_of_both(&mut self, name: &str, at: At<'_>) -> bool {
        let path = [name.to_owned()];
        if self.hidden.contains(name) || at.params.contains(&path[0]) {
            return false;
        }
        let own = self.own.clone();
        let found = [at.scope, &own].map(|scope| self.definitions(scope, &path, Wanted::Item));
        let [Some(there), Some(here)] = found else { return false };
        !there.is_empty()
            && there.len() == here.len()
            && there.iter().all(|one| here.iter().any(|other| other.is(one)))
    }

    /// The trait of a `dyn`: one of the user's without parameters, or one that all modules have by its name.
    fn spelled_trait(&mut self, path: &[String], at: At<'_>) -> Option<String> {
        if let [name] = path
            && OF_ALL_MODULES.contains(&name.as_str())
            && !self.is_declared(at.scope, name)
            && !self.is_declared(&self.own.clone(), name)
        {
            return Some(name.clone());
        }
        let definitions = self.definitions(at.scope, path, Wanted::Type)?;
        let is_trait = definitions.iter().all(|Found { scope, item, .. }| {
            let after = scope.text_between(item.name.end, item.whole.end).trim_start();
            scope.begins_with(item, &["trait"]) && !after.starts_with('<')
        });
        self.owner(&definitions).filter(|_| is_trait).map(|owner| owner.name)
    }

    /// Whether a name of a type of the standard library may mean something else.
    fn is_declared(&mut self, scope: &Scope, name: &str) -> bool {
        let found = self.definitions(scope, &[name.to_owned()], Wanted::Type);
        found.is_none_or(|found| !found.is_empty())
    }

    /// A type by its definitions. Aliases are what they stand for; if conditions choose from several, these are one.
    fn spelled_definitions(&mut self, definitions: &Definitions) -> Option<String> {
        let aliases = definitions.iter().map(|definition| target_of(definition.text()));
        if let Some(targets) = aliases.collect::<Option<Vec<syn::Type>>>() {
            let all = definitions.iter().zip(&targets);
            let spelled =
                all.map(|(of, target)| self.spelled(&Written::of(target)?, At::module(&of.scope)));
            let spelled: Vec<String> = spelled.collect::<Option<_>>()?;
            let first = spelled.first()?.clone();
            if spelled.iter().all(|other| *other == first) {
                return Some(first);
            }
            return self.alias_by_conditions(definitions, spelled);
        }
        let owner = self.owner(definitions).filter(|_| definitions.iter().all(is_plain))?;
        let name = owner.name.clone();
        self.owners.entry(name.clone()).or_insert(owner);
        Some(name)
    }

    /// What an alias is called that stands for one of several types, as conditions say which rustc decides.
    fn alias_by_conditions(
        &mut self,
        definitions: &Definitions,
        targets: Vec<String>,
    ) -> Option<String> {
        let name = self.owner(definitions)?.name;
        let conditions = definitions.iter().map(condition_of);
        let conditions: Vec<String> = conditions.collect::<Option<_>>()?;
        let all = conditions.into_iter().zip(targets);
        let alternatives = all.map(|(condition, ty)| Alternative { condition, ty }).collect();
        self.alternatives.insert(name.clone(), alternatives);
        Some(name)
    }

    /// The aliases of which conditions choose one, and what they stand for.
    pub(super) fn alternatives(&self) -> impl Iterator<Item = (&String, &Alternative)> {
        let all = self.alternatives.iter();
        all.flat_map(|(name, alternatives)| alternatives.iter().map(move |one| (name, one)))
    }

    /// The types of the user's in a type as it is spelled.
    pub(super) fn owners_in(&self, spelled: &str) -> impl Iterator<Item = &Owner> {
        names_in(spelled).filter_map(|name| self.owners.get(name))
    }

    /// The structs with parameters in it.
    pub(super) fn generic_owners_in(&self, spelled: &str) -> Vec<Owner> {
        names_in(spelled).filter_map(|name| self.generic.get(name).cloned()).collect()
    }

    /// What the module of the item may call a type: by its name alone, or by the shortest path through the modules around it.
    pub(super) fn owner(&mut self, definitions: &Definitions) -> Option<Owner> {
        let first = definitions.first()?;
        let alone = [first.scope.name(&first.item).to_owned()];
        let own = self.own.clone();
        if !self.hidden.contains(&alone[0])
            && let Some(owner) = self.found_from(&own, &alone, definitions)
        {
            let [name] = alone;
            return Some(Owner { name, ..owner });
        }
        let own: Vec<Place> = self.own.path.iter().map(Part::place).collect();
        let is_there = |part: &&Part| !part.is_conditional || own.contains(&part.place());
        let depth = first.scope.path.iter().take_while(is_there).count();
        let mut around = (1..=depth).filter_map(|depth| first.scope.around(depth));
        around.find_map(|around| self.found_from(&around, &alone, definitions))
    }

    /// The type that has a name in a module, if the module of the item may use it there, and if it is the one with these definitions.
    /// If the name has more of them, conditions choose: those that are looked for are not there unless they are chosen.
    fn found_from(
        &mut self,
        from: &Scope,
        name: &[String; 1],
        definitions: &Definitions,
    ) -> Option<Owner> {
        let found = self.definitions(from, name, Wanted::Type)?;
        let is_there = |one: &Found| found.iter().any(|other| other.is(one));
        let is_one = found.len() == definitions.len() || definitions.iter().all(is_conditional);
        let may_be_used =
            |found: &Found| found.paths.last().is_some_and(|named| named.may_be_used_in(&self.own));
        if !is_one || !definitions.iter().all(is_there) || !found.iter().all(may_be_used) {
            return None;
        }
        let name = found.first()?.paths.last()?.path.join("::");
        Some(Owner { name, definitions: found })
    }
}

/// An alias with parameters, if a definition is one.
fn alias_with_params(definition: &Found) -> Option<ItemType> {
    let text = definition.text();
    let alias = syn::parse_str::<ItemType>(&text[text.find("type ")?..]).ok()?;
    (!alias.generics.params.is_empty()).then_some(alias)
}

fn names_in(spelled: &str) -> impl Iterator<Item = &str> {
    spelled.split([' ', '(', ')', '[', ']', '<', '>', ',', ';'])
}

fn with_arguments(name: &str, args: &[String]) -> String {
    format!("{name}<{}>", args.join(", "))
}

/// Whether a name has one definition, under a condition: a macro may write the other.
fn is_half_known(definitions: &Definitions) -> bool {
    match &**definitions {
        [Found { scope, item, .. }] => {
            scope.path.last().is_some_and(|own| !is_unconditional(&own.source, item))
        }
        _ => false,
    }
}

/// The condition under which a definition is there, in a module that is there anyway.
fn condition_of(definition: &Found) -> Option<String> {
    let Found { scope, item, .. } = definition;
    let own = scope.path.last().filter(|_| !scope.path.iter().any(|part| part.is_conditional))?;
    let conditions = Attributes::of(&own.source, item).ok()?.conditions;
    (!conditions.is_empty()).then(|| format!("all({})", conditions.join(", ")))
}

/// Whether a definition is there under a condition only.
fn is_conditional(definition: &Found) -> bool {
    let Found { scope, item, .. } = definition;
    let is_of_item = scope.path.last().is_some_and(|own| !is_unconditional(&own.source, item));
    is_of_item || scope.path.iter().any(|part| part.is_conditional)
}

/// Whether a definition is that of a type with a name of its own and without parameters.
pub(super) fn is_plain(definition: &Found) -> bool {
    let Found { scope, item, .. } = definition;
    let after = scope.text_between(item.name.end, item.whole.end).trim_start();
    scope.begins_with(item, &["struct", "enum", "union"]) && !after.starts_with('<')
}

/// Whether a name is that of a primitive number, or of truth values.
pub fn is_primitive(name: &str) -> bool {
    PRIMITIVE.contains(&name)
}
