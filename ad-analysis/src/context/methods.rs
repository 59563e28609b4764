//! Functions of types: those in `impl` blocks without a trait, of types without parameters.

use super::bodies::Function;
use super::meaning::{Found, Named, Reach};
use super::names::{Names, Scope};
use super::resolve::is_unconditional;
use super::scan::{Item, Kind};
use super::spelling::{At, Owner, Speller};
use super::written::Written;
use std::collections::BTreeSet;
use syn::{ImplItemFn, ItemImpl, ItemStruct};

/// Where a function of a type stands.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// The `impl` block.
    block: Item,
    /// The definition of the type.
    of: Found,
}

impl Names {
    /// The function of a type that a path leads to; nothing if there are several of its name, or conditions.
    pub fn method(&self, path: &[String]) -> Option<Function> {
        let (name, of) = path.split_last()?;
        let of = match of {
            [own] if own == "Self" => self.own.head(self.innermost()?)?.of.clone(),
            [] => return None,
            of => Written::Path(of.to_vec()),
        };
        let hidden = BTreeSet::new();
        let mut speller = Speller::new(self.own.clone(), &hidden);
        let spelled = speller.spelled(&of, At::module(&self.own))?;
        let owner = speller.owners_in(&spelled).next().filter(|owner| owner.name == spelled)?;
        let owner = owner.clone();
        let [definition] = &*owner.definitions else { return None };
        let is_elsewhere = self.own.place() != definition.scope.place();
        let elsewhere = is_elsewhere.then(|| definition.scope.clone());
        let mut found = Vec::new();
        for scope in elsewhere.into_iter().chain([self.own.clone()]) {
            found.extend(functions_of(&mut speller, &owner, &scope, name));
        }
        let (Some((scope, block, item)), true) = (found.pop(), found.is_empty()) else {
            return None;
        };
        let path = definition.paths.first()?.clone().inside(name);
        let around = Around { block, of: definition.clone() };
        Some(Function::of_type(Found { scope, item, paths: vec![path] }, around))
    }

    /// The item itself, or a function in it, if it is one of a type.
    pub fn own_method(&self, name: &str) -> Option<Function> {
        let own = self.innermost().filter(|item| item.kind == Kind::Impl)?;
        let function = self.method(&["Self".to_owned(), name.to_owned()])?;
        let around = function.around.as_ref()?;
        let is_own = function.is_in(self) && around.block.whole == own.whole;
        is_own.then_some(function)
    }
}

/// The functions of that name of a type, in the blocks of a module.
fn functions_of(
    speller: &mut Speller<'_>,
    owner: &Owner,
    scope: &Scope,
    name: &str,
) -> Vec<(Scope, Item, Item)> {
    let mut found = Vec::new();
    for (block, head) in scope.heads() {
        let is_own = head.of_trait.is_none()
            && speller.spelled(&head.of, At::module(scope)).as_ref() == Some(&owner.name);
        if !is_own {
            continue;
        }
        let items = scope.items_inside(block);
        let functions = items.iter().filter(|item| item.kind == Kind::Fn);
        let called = functions.filter(|item| scope.name(item) == name);
        found.extend(called.map(|item| (scope.clone(), block.clone(), item.clone())));
    }
    let source = scope.path.last().map(|part| &part.source);
    let is_there = |item: &Item| source.is_some_and(|source| is_unconditional(source, item));
    match found.iter().all(|(_, block, item)| is_there(block) && is_there(item)) {
        true => found,
        // One more that is not known: there is no only one.
        false => found.iter().chain(&found).cloned().collect(),
    }
}

impl Function {
    fn scope(&self) -> &Scope {
        &self.found.scope
    }

    /// Whether it is one of a type.
    pub fn is_of_type(&self) -> bool {
        self.around.is_some()
    }

    /// The type, as the `impl` block around it spells it.
    pub fn own_type(&self) -> Option<syn::Type> {
        let block = &self.around.as_ref()?.block;
        let body = block.body.clone()?;
        let head = self.scope().text_between(block.keyword, body.start.checked_sub(1)?);
        let block = syn::parse_str::<ItemImpl>(&format!("{head} {{}}")).ok()?;
        Some(*block.self_ty)
    }

    /// What is inside of the brackets of the attributes of the block around it, if that is about all functions in it: none of
    /// them has one of its own that is `wanted`.
    pub fn attributes_around(&self, wanted: impl Fn(&str) -> bool) -> Vec<&str> {
        let Some(Around { block, .. }) = &self.around else { return Vec::new() };
        let scope = self.scope();
        let text = |range: &std::ops::Range<usize>| scope.text_between(range.start, range.end);
        let items = scope.items_inside(block);
        if items.iter().any(|item| item.attributes.iter().any(|range| wanted(text(range)))) {
            return Vec::new();
        }
        block.attributes.iter().map(text).collect()
    }

    /// The functions in the block around it, without their attributes.
    pub fn siblings(&self) -> Vec<ImplItemFn> {
        let Some(Around { block, .. }) = &self.around else { return Vec::new() };
        let scope = self.scope();
        let items = scope.items_inside(block);
        let functions = items.iter().filter(|item| item.kind == Kind::Fn);
        let parsed = functions.filter_map(|item| {
            let start = item.attributes.last().map_or(item.whole.start, |last| last.end + 1);
            syn::parse_str(scope.text_between(start, item.whole.end)).ok()
        });
        parsed.collect()
    }

    /// The constants and functions in the block around it that another module does not see.
    pub fn items_hidden_from(&self, names: &Names) -> Vec<String> {
        let (Some(Around { block, .. }), scope) = (&self.around, self.scope()) else {
            return Vec::new();
        };
        let Some(part) = scope.path.last().filter(|_| !names.are_in(scope)) else {
            return Vec::new();
        };
        let items = scope.items_inside(block);
        let hidden = items.iter().filter(|item| Reach::of(&part.source, item) == Reach::Module);
        hidden.map(|item| scope.name(item).to_owned()).collect()
    }

    /// The fields of its type that another module does not see.
    pub fn fields_hidden_from(&self, names: &Names) -> Vec<String> {
        let Some(Around { of, .. }) = &self.around else { return Vec::new() };
        let Ok(item) = syn::parse_str::<ItemStruct>(of.text()) else { return Vec::new() };
        if names.are_in(&of.scope) {
            return Vec::new();
        }
        let fields = item.fields.iter().enumerate();
        let hidden = fields.filter(|(_, field)| Reach::of_visibility(&field.vis) == Reach::Module);
        let name = |(position, field): (usize, &syn::Field)| match &field.ident {
            Some(name) => name.to_string(),
            None => position.to_string(),
        };
        hidden.map(name).collect()
    }
}

impl Names {
    /// Whether the item stands in a module, or in one inside of it.
    fn are_in(&self, scope: &Scope) -> bool {
        self.own.path.iter().any(|part| Some(part.place()) == scope.place())
    }
}

impl Named {
    /// The path of something inside.
    fn inside(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }
}
