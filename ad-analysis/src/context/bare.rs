//! Types of the crate that have no derivative: what is in their values, as far as declarations tell.

use super::declared::Collector;
use super::facts::Facts;
use super::meaning::Found;
use super::plain::plain_variants;
use super::spelling::Owner;

impl Collector<'_> {
    /// Whether a type is a struct or an enum that neither derives nor implements `Differentiable`, where it is declared or where it is
    /// mentioned.
    pub(super) fn is_bare(&self, definition: &Found) -> bool {
        let is_data = || {
            let item = syn::parse_str(definition.text());
            matches!(item, Ok(syn::Item::Struct(_) | syn::Item::Enum(_)))
        };
        is_data()
            && !definition.attributes().contains("Differentiable")
            && !self.implements(definition, "Differentiable")
    }

    /// Whether a type implements a trait, where it is declared or where it is mentioned.
    fn implements(&self, definition: &Found, of_trait: &str) -> bool {
        let name = definition.scope.name(&definition.item);
        [&self.speller.own, &definition.scope].into_iter().any(|scope| {
            let mut heads = scope.heads();
            heads.any(|(_, head)| {
                let found = head.of_trait.as_ref().map(|of_trait| of_trait.name.as_str());
                head.mentions(name) && found == Some(of_trait)
            })
        })
    }

    /// Of a type without a derivative: that it is one; its declaration, if there is nothing but data in its values, and if there are no floats,
    /// which constants and functions its variants are.
    pub(super) fn add_without_bar(&mut self, owner: &Owner, definition: &Found, facts: &mut Facts) {
        if !self.is_bare(definition) {
            return;
        }
        facts.add(format!("bare {}", owner.name), "()".to_owned());
        // Dropping it may have effects.
        if self.implements(definition, "Drop") {
            return;
        }
        let Some(found) = self.speller.declaration_of_data(definition) else { return };
        found.types.iter().for_each(|name| self.see(name));
        let declaration = found.text;
        if found.has_floats {
            facts.add(format!("data {}", owner.name), format!("{{ {declaration} }}"));
            return;
        }
        for of in plain_variants(&owner.name, &declaration, &self.mentions.words) {
            facts.add(of, owner.name.clone());
        }
        facts.add(format!("plain {}", owner.name), format!("{{ {declaration} }}"));
    }
}
