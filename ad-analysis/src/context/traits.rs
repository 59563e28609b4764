//! The traits that `impl` blocks are of. That a trait is the one that is meant, and has what it is taken to have, rustc says: an `impl` block
//! that has something its trait has not is an error.

use super::names::{Followed, Import, Names, Scope};
use super::scan::{Item, Kind};

impl Names {
    /// The text of the trait at a path, attributes included.
    pub fn trait_at(&self, path: &[String]) -> Option<String> {
        self.own.trait_at(path, &mut Followed::new())
    }

    /// The texts of the traits of the crate whose methods may be called on anything that has them: those of the module, and those that it
    /// imports. Some may be missing.
    pub fn traits_in_scope(&self) -> Vec<String> {
        let own = &self.own;
        let imports = own.imports();
        let (all_of, named): (Vec<&Import>, Vec<&Import>) =
            imports.iter().partition(|import| import.binds.is_none());
        let imported =
            named.iter().filter_map(|import| own.trait_at(&import.path, &mut Followed::new()));
        let modules = all_of.iter().filter_map(|import| own.follow(&import.path));
        let of_modules = modules.flat_map(|module| module.own_traits());
        let mut all: Vec<String> = own.own_traits().into_iter().chain(imported).collect();
        all.extend(of_modules);
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Scope {
    fn trait_at(&self, path: &[String], followed: &mut Followed) -> Option<String> {
        let (name, before) = path.split_last()?;
        self.follow(before)?.trait_called(name, followed)
    }

    fn trait_called(&self, name: &str, followed: &mut Followed) -> Option<String> {
        // Modules import all names of each other: each is asked once.
        if !followed.insert((self.place()?, name.to_owned())) {
            return None;
        }
        let mut own = self.items_called(name).filter(|item| self.is_trait(item));
        if let Some(item) = own.next() {
            return own.next().is_none().then(|| self.text_of(item).to_owned());
        }
        if let Some(path) = self.imported(name) {
            return self.trait_at(&path, followed);
        }
        let imports = self.imports();
        let all_of = imports.iter().filter(|import| import.binds.is_none());
        let mut found =
            all_of.filter_map(|import| self.follow(&import.path)?.trait_called(name, followed));
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    fn own_traits(&self) -> Vec<String> {
        let all = self.items_of_kind(Kind::Impl).map(|(_, item)| item);
        let traits = all.filter(|item| self.is_trait(item));
        traits.map(|item| self.text_of(item).to_owned()).collect()
    }

    fn is_trait(&self, item: &Item) -> bool {
        let begin = item.keyword - item.whole.start;
        let text = self.text_of(item).get(begin..).unwrap_or_default();
        item.kind == Kind::Impl && text.starts_with("trait")
    }
}
