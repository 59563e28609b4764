//! The definitions of the macros that an item calls, from the files around it.

use crate::context::{Place, TextualMacros};
use crate::read::{Definition, Macros};
use syn::Item;

/// Those that are found. A method that is annotated alone has only those that are there whatever the conditions are: they could not
/// be decided.
pub(super) fn known(item: &Item, place: Option<&Place>) -> Macros {
    let Some(textual) = place.and_then(TextualMacros::at) else { return Macros::default() };
    let is_method = matches!(item, Item::Fn(function) if function.sig.receiver().is_some());
    Macros::called_in(item, |name| {
        let found = textual.definitions(name)?;
        let definitions: Option<Vec<Definition>> = found.iter().map(parsed).collect();
        definitions.filter(|found| !is_method || found.iter().all(|one| one.conditions.is_empty()))
    })
}

fn parsed(definition: &crate::context::Definition) -> Option<Definition> {
    let conditions: Result<Vec<_>, _> =
        definition.conditions.iter().map(|condition| condition.parse()).collect();
    Some(Definition { conditions: conditions.ok()?, rules: definition.rules.parse().ok()? })
}
