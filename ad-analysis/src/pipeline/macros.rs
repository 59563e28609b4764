//! The definitions of the macros that an item calls, from the files around it.

use crate::context::Names;
use crate::read::{Definition, Macros, is_library_macro, is_method, rules_of_other_crate};
use crate::walk::visit::Visit;
use syn::{Item, ItemUse, UseTree};

/// Those that are found. A method that is annotated alone has only those that are there whatever the conditions are: they could not
/// be decided.
pub(super) fn known(item: &Item, names: Option<&Names>) -> Macros {
    let Some(names) = names else { return Macros::default() };
    let mut imports = Imports { may_bind: Vec::new() };
    imports.visit_item(item);
    let is_method = is_method(item);
    Macros::called_in(item, |path| {
        let steps: Vec<&str> = path.split("::").collect();
        let mut found = match steps.as_slice() {
            [name] => names.textual_macros(name)?,
            _ => Vec::new(),
        };
        if found.is_empty() && may_be_followed(item, &steps, &imports) {
            if let Some(path) = names.macro_of_other_crate(&steps) {
                let rules = rules_of_other_crate(&path)?;
                return Some(vec![Definition { conditions: Vec::new(), rules }]);
            }
            found = names.macros(&steps)?;
        }
        let definitions: Option<Vec<Definition>> = found.iter().map(parsed).collect();
        definitions.filter(|found| !is_method || found.iter().all(|one| one.conditions.is_empty()))
    })
}

fn parsed(definition: &crate::context::Definition) -> Option<Definition> {
    let conditions: Result<Vec<_>, _> =
        definition.conditions.iter().map(|condition| condition.parse()).collect();
    Some(Definition { conditions: conditions.ok()?, rules: definition.rules.parse().ok()? })
}

/// Whether a path means what it means in the module around the item.
fn may_be_followed(item: &Item, path: &[&str], imports: &Imports) -> bool {
    let [first, ..] = path else { return false };
    match first {
        &"crate" => true,
        // What is in a module is looked up there.
        _ if matches!(item, Item::Mod(_)) => false,
        name => !is_library_macro(name) && !imports.may_bind(name),
    }
}

/// The imports inside of an item.
struct Imports {
    /// The names that they bind; nothing for all names of a module.
    may_bind: Vec<Option<String>>,
}

impl Imports {
    fn may_bind(&self, name: &str) -> bool {
        self.may_bind.iter().any(|bound| bound.as_ref().is_none_or(|bound| bound == name))
    }

    fn add(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => match &*path.tree {
                UseTree::Glob(_) if has_no_macros(&path.ident) => {}
                tree => self.add(tree),
            },
            UseTree::Name(name) => self.may_bind.push(Some(name.ident.to_string())),
            UseTree::Rename(renamed) => self.may_bind.push(Some(renamed.rename.to_string())),
            UseTree::Glob(_) => self.may_bind.push(None),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree)),
        }
    }
}

/// Whether a module is taken for that of constants of floats in the standard library, which has no macros.
fn has_no_macros(module: &syn::Ident) -> bool {
    module == "consts"
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.add(&import.tree);
    }
}
