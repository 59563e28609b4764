//! Getters that the files of the crate declare: methods of types, with parameters or without, that return a reference to a part of what they are
//! called on.

use super::fields::{derives_bar, is_passive_field, type_of_field};
use super::heads::BlockOf;
use super::meaning::Found;
use super::names::{Scope, is_annotated};
use super::resolve::Wanted;
use super::scan::{Item, Kind};
use super::spelling::{At, Owner, Speller};
use super::written::Written;
use crate::getters::{Getter, Maker, Query, is_discrete_name, part_of_getter};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{GenericArgument, ItemImpl, PathArguments, Type};

/// A getter as the macro writes it.
pub(super) struct DeclaredGetter {
    /// `getter Owner, name`
    pub(super) of: String,
    /// The type, with the reference: that of a type with parameters calls the arguments `A0`, `A1`, …
    pub(super) ty: String,
    /// `passive Owner, name()` of a getter that leads to what has no derivative.
    pub(super) passive: Option<String>,
    /// The type of the user's with arguments that it refers to, if it does.
    pub(super) generic: Option<Owner>,
}

impl Speller<'_> {
    /// The getter that an item in an `impl` block is, if the attribute is about it.
    pub(super) fn getter(
        &mut self,
        owner: &Owner,
        (item, block): (&Item, &Item),
        at: At<'_>,
    ) -> Option<DeclaredGetter> {
        let scope = at.scope;
        if !scope.may_return_reference(item)
            || scope.is_without_context(item)
            || scope.is_without_context(block)
            || !scope.is_annotated(item) && !scope.is_annotated_around(block)
        {
            return None;
        }
        let start = item.attributes.last().map_or(item.whole.start, |last| last.end + 1);
        let function = syn::parse_str(scope.text_between(start, item.whole.end)).ok()?;
        let getter = Getter::of(&function)?.ok()?;
        if !owner.definitions.iter().all(derives_bar) {
            return None;
        }
        let is_passive = |field: &syn::Member| {
            let mut definitions = owner.definitions.iter();
            definitions.any(|definition| is_passive_field(definition, field))
        };
        let leads_to_passive = !getter.is_exclusive && getter.leads_through(is_passive);
        let getter = match leads_to_passive {
            true => getter,
            false if getter.fields().any(is_passive) => return None,
            false => getter.of_parts().ok()?,
        };
        let generic = self.generic_owner_of(&getter.found, at);
        let found = self.found_by(&getter.found, at).unwrap_or_else(|| "_".to_owned());
        let reference = if getter.is_exclusive { "&mut" } else { "&" };
        let kind = if getter.is_repeatable { "getter" } else { "getter_once" };
        let (owner, name) = (&owner.name, scope.name(item));
        let ty = match getter.is_optional {
            true => format!("Option<{reference} {found}>"),
            false => format!("{reference} {found}"),
        };
        let of = format!("{kind} {owner}, {name}");
        let passive =
            leads_to_passive.then(|| format!("passive {owner}, {}", part_of_getter(name)));
        Some(DeclaredGetter { of, ty, passive, generic })
    }

    /// The query or the maker that an item in an `impl` block is, if the attribute is about it: what it is called, and its type.
    pub(super) fn query(
        &mut self,
        owner: &Owner,
        (item, block): (&Item, &Item),
        scope: &Scope,
    ) -> Option<(String, String)> {
        if !scope.may_return_number(item, owner)
            || scope.is_without_context(item)
            || scope.is_without_context(block)
            || !scope.is_annotated_around(block)
        {
            return None;
        }
        let start = item.attributes.last().map_or(item.whole.start, |last| last.end + 1);
        let function = syn::parse_str(scope.text_between(start, item.whole.end)).ok()?;
        let spelled = |ty: &Type| ty.to_token_stream().to_string();
        let typed = |given: &[Type], told: &str| {
            let given: Vec<String> = given.iter().map(spelled).collect();
            let of = format!("query {}, {}", owner.name, scope.name(item));
            (of, format!("fn({}) -> {told}", given.join(", ")))
        };
        if let Some(maker) = Maker::of(&function) {
            return Some(typed(&maker.given, "Self"));
        }
        let query = Query::of(&function)?;
        let fits = |definition| query.fits(|field| type_of_field(definition, field));
        let is_told = !owner.definitions.is_empty() && owner.definitions.iter().all(fits);
        is_told.then(|| typed(&query.given, &spelled(&query.told)))
    }

    fn found_by(&mut self, found: &Type, at: At<'_>) -> Option<String> {
        match found {
            Type::Slice(list) => {
                let element = self.spelled(&Written::of(&list.elem)?, at)?;
                Some(format!("[{element}]"))
            }
            found => {
                let found = Written::of(found)?;
                self.spelled(&found, at).or_else(|| self.called_with_arguments(&found, at))
            }
        }
    }

    /// A type of the user's with arguments, lifetimes among them.
    fn called_with_arguments(&mut self, ty: &Written, at: At<'_>) -> Option<String> {
        let Written::With(_, args) = ty else { return None };
        let owner = self.owner_with_arguments(ty, at)?;
        let args: Vec<String> =
            args.iter().map(|arg| self.spelled(arg, at)).collect::<Option<_>>()?;
        Some(match args.is_empty() {
            true => owner.name,
            false => format!("{}<{}>", owner.name, args.join(", ")),
        })
    }

    fn generic_owner_of(&mut self, found: &Type, at: At<'_>) -> Option<Owner> {
        self.owner_with_arguments(&Written::of(found)?, at)
    }

    fn owner_with_arguments(&mut self, ty: &Written, at: At<'_>) -> Option<Owner> {
        let Written::With(name, _) = ty else { return None };
        let definitions = self.definitions(at.scope, std::slice::from_ref(name), Wanted::Type)?;
        self.owner(&definitions).filter(|_| !definitions.is_empty())
    }

    /// Those of a type with parameters, in the blocks of a module, whose names are mentioned.
    pub(super) fn getters_of_generic(
        &mut self,
        owner: &Owner,
        definition: &Found,
        scope: &Scope,
        words: &BTreeSet<String>,
    ) -> Vec<DeclaredGetter> {
        let mut found = Vec::new();
        let is_wanted =
            |item: &Item| words.contains(scope.name(item)) && scope.may_return_reference(item);
        for BlockOf { block, head, functions } in self.blocks_of(definition, scope, is_wanted) {
            if head.trait_.is_some() {
                continue;
            }
            let told = arguments_by_parameters(&head);
            let params: Vec<String> =
                head.generics.type_params().map(|param| param.ident.to_string()).collect();
            let at = At { scope, own: None, params: &params, told: &told };
            for item in &functions {
                found.extend(self.getter(owner, (item, block), at));
            }
        }
        found
    }
}

impl Scope {
    /// Whether the result of a function may be a reference, or one in an `Option`, as far as its text tells.
    fn may_return_reference(&self, item: &Item) -> bool {
        let Some(body) = &item.body else { return false };
        let signature = self.text_between(item.name.end, body.start);
        signature.rsplit_once("->").is_some_and(|(_, result)| result.contains('&'))
    }

    /// Whether the result of a function may be made of numbers and truth values, or of the type itself, as far as its text tells.
    fn may_return_number(&self, item: &Item, owner: &Owner) -> bool {
        let Some(body) = &item.body else { return false };
        let signature = self.text_between(item.name.end, body.start);
        let result = signature.rsplit_once("->").map(|(_, result)| result);
        let result = result.map(|result| result.trim_end_matches('{').trim());
        result.is_some_and(|result| {
            let own = owner.name.rsplit("::").next();
            let is_own = result == "Self" || own.is_some_and(|own| result.starts_with(own));
            let may_be_several = result.starts_with('(') || result.contains("Range<");
            is_own || may_be_several || is_discrete_name(result)
        })
    }

    /// Whether an item has the attribute.
    pub(super) fn is_annotated(&self, item: &Item) -> bool {
        self.path.last().is_some_and(|part| is_annotated(&part.source, item))
    }

    /// Whether an item says that nothing is taken from files: a block has no getters then but those that say so themselves.
    fn is_without_context(&self, item: &Item) -> bool {
        item.attributes.iter().any(|range| {
            let text = self.text_between(range.start, range.end);
            text.contains("adjoint") && text.contains("context")
        })
    }

    /// Whether the attribute is about all functions of a block: it stands on the block, or on the module, and on nothing inside of it.
    pub(super) fn is_annotated_around(&self, block: &Item) -> bool {
        let any_inside =
            |block: &Item| self.items_inside(block).iter().any(|item| self.is_annotated(item));
        let by_module = || {
            let is_marked = |item: &Item| {
                self.is_annotated(item) || item.kind == Kind::Impl && any_inside(item)
            };
            self.path.last().is_some_and(|part| part.is_annotated)
                && !self.items.iter().any(is_marked)
        };
        !any_inside(block) && (self.is_annotated(block) || by_module())
    }
}

/// The parameters of a block that are arguments of its type, and what these are called by their positions.
fn arguments_by_parameters(head: &ItemImpl) -> Vec<(String, String)> {
    let Type::Path(path) = &*head.self_ty else { return Vec::new() };
    let Some(PathArguments::AngleBracketed(args)) =
        path.path.segments.last().map(|last| &last.arguments)
    else {
        return Vec::new();
    };
    let types = args.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let told = types.enumerate().filter_map(|(position, ty)| match ty {
        Type::Path(path) => Some((path.path.get_ident()?.to_string(), format!("A{position}"))),
        _ => None,
    });
    told.collect()
}
