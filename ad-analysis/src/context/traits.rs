//! The traits that `impl` blocks are of. That a trait is the one that is meant, and has what it is taken to have, rustc says: an `impl` block
//! that has something its trait has not is an error.

use super::heads::Head;
use super::names::{Import, Names, Scope};
use super::resolve::{Lead, Wanted};
use super::scan::{Item, Kind};
use super::written::Written;
use syn::{ItemTrait, Type, TypeParamBound};

impl Names {
    /// The text of the trait at a path, attributes included.
    pub fn trait_at(&self, path: &[String]) -> Option<String> {
        self.own.trait_at(path)
    }

    /// Whether a type implements the trait of that name several times in the module, with several arguments.
    pub fn implements_again(&self, name: &str, of: &Type) -> bool {
        let of = Written::of(of);
        let argument_of = |head: &Head| {
            let of_trait = head.of_trait.as_ref().filter(|of_trait| of_trait.name == name)?;
            (Some(&head.of) == of.as_ref()).then(|| of_trait.argument.clone())
        };
        let mut arguments = self.own.heads().filter_map(|(_, head)| argument_of(&head));
        // Two of one argument are under conditions, of which one holds.
        arguments.next().is_some_and(|first| arguments.any(|other| other != first))
    }

    /// Whether a trait of the crate has one of these for a supertrait, or has one that has.
    pub fn has_supertrait(&self, path: &[String], is_meant: &dyn Fn(&str) -> bool) -> bool {
        self.own.has_supertrait(path, is_meant, &mut Vec::new())
    }

    /// The texts of the traits of the crate whose methods may be called on anything that has them: those of the module, and those that it
    /// imports. Some may be missing.
    pub fn traits_in_scope(&self) -> Vec<String> {
        let own = &self.own;
        let imports = own.imports();
        let (all_of, named): (Vec<&Import>, Vec<&Import>) =
            imports.iter().partition(|import| import.binds.is_none());
        let imported = named.iter().filter_map(|import| own.trait_at(&import.path));
        let modules = all_of.iter().filter_map(|import| own.module_at(&import.path));
        let of_modules = modules.flat_map(|module| module.own_traits());
        let mut all: Vec<String> = own.own_traits().into_iter().chain(imported).collect();
        all.extend(of_modules);
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Scope {
    fn trait_at(&self, path: &[String]) -> Option<String> {
        let found = self.lead(path, Wanted::Type).ok()?.found()?;
        found.scope.is_trait(&found.item).then(|| found.scope.text_of(&found.item).to_owned())
    }

    fn has_supertrait(
        &self,
        path: &[String],
        is_meant: &dyn Fn(&str) -> bool,
        seen: &mut Vec<String>,
    ) -> bool {
        let found = self.lead(path, Wanted::Type).ok().and_then(Lead::found);
        let Some(found) = found.filter(|found| found.scope.is_trait(&found.item)) else {
            return false;
        };
        let text = found.scope.text_of(&found.item).to_owned();
        let Ok(item) = syn::parse_str::<ItemTrait>(&text) else { return false };
        if seen.contains(&text) {
            return false;
        }
        seen.push(text);
        item.supertraits.iter().any(|bound| {
            let TypeParamBound::Trait(bound) = bound else { return false };
            let path = &bound.path.segments;
            let path: Vec<String> = path.iter().map(|segment| segment.ident.to_string()).collect();
            path.last().is_some_and(|name| is_meant(name))
                || found.scope.has_supertrait(&path, is_meant, seen)
        })
    }

    fn own_traits(&self) -> Vec<String> {
        let all = self.items_of_kind(Kind::Impl).map(|(_, item)| item);
        let traits = all.filter(|item| self.is_trait(item));
        traits.map(|item| self.text_of(item).to_owned()).collect()
    }

    fn is_trait(&self, item: &Item) -> bool {
        item.kind == Kind::Impl && self.begins_with(item, &["trait"])
    }
}
