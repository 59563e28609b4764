//! Lists of integers that methods lend.

use super::declared::{Collector, signature_of};
use super::facts::Facts;
use super::names::Scope;
use super::scan::Item;
use super::spelling::Owner;
use super::written::Written;
use crate::getters::is_discrete_name;
use syn::ReturnType;

impl Collector<'_> {
    /// A list of integers or truth values that a method lends which is none of those with adjoints.
    pub(super) fn add_lent(
        &mut self,
        (item, block): (&Item, &Item),
        owner: &Owner,
        scope: &Scope,
        facts: &mut Facts,
    ) {
        if scope.is_annotated_around(block) || scope.is_annotated(item) {
            return;
        }
        let Some(signature) = signature_of(item, scope) else { return };
        let lent = match (&signature.output, signature.receiver()) {
            (ReturnType::Type(_, ty), Some(_)) => match &**ty {
                syn::Type::Reference(lent) if lent.mutability.is_none() => &*lent.elem,
                _ => return,
            },
            (_, _) => return,
        };
        let element = match Written::of(lent) {
            Some(Written::Array(element, _)) => *element,
            Some(Written::With(name, args)) if name == "Vec" && args.len() == 1 => args[0].clone(),
            _ => match lent {
                syn::Type::Slice(list) => match Written::of(&list.elem) {
                    Some(element) => element,
                    None => return,
                },
                _ => return,
            },
        };
        if let Written::Path(names) = element
            && let [name] = names.as_slice()
            && is_discrete_name(name)
        {
            facts.add(format!("lends {}, {}", owner.name, scope.name(item)), format!("[{name}]"));
        }
    }
}
