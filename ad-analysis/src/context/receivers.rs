//! How methods of types take their receivers, by the `impl` blocks in the files of the crate: `let y = filter.update(x);` changes the filter if
//! `update` takes `&mut self`.

use super::declared::signature_of;
use super::getters::head_of;
use super::meaning::Found;
use super::names::Scope;
use super::resolve::Wanted;
use super::scan::{Item, Kind};
use super::spelling::Speller;
use crate::signatures::{Receiver, receiver_of};
use std::collections::BTreeSet;
use syn::{ItemImpl, Type};

impl Speller<'_> {
    /// `receiver Owner, name`, and the type of `self`, of the mentioned methods in the blocks of a module that are of a type.
    pub(super) fn receivers(
        &mut self,
        owner: &str,
        definition: &Found,
        scope: &Scope,
        words: &BTreeSet<String>,
    ) -> Vec<(String, &'static str)> {
        let (mut found, name) = (Vec::new(), definition.scope.name(&definition.item));
        for block in scope.items.iter().filter(|item| item.kind == Kind::Impl) {
            // Most blocks are of other types, and few functions are mentioned: what is read in vain takes time.
            let items = scope.items_inside(block);
            let is_wanted =
                |item: &&Item| item.kind == Kind::Fn && words.contains(scope.name(item));
            let functions: Vec<&Item> = items.iter().filter(is_wanted).collect();
            let begins = block.body.as_ref().map_or(block.whole.end, |body| body.start);
            if functions.is_empty() || !scope.text_between(block.keyword, begins).contains(name) {
                continue;
            }
            let Some(head) = head_of(scope, block) else { continue };
            if !self.is_block_of(&head, definition, scope) {
                continue;
            }
            for item in functions {
                let receiver = signature_of(item, scope).as_ref().and_then(receiver_of);
                let ty = match receiver {
                    Some(Receiver::Exclusive) => "&mut Self",
                    Some(Receiver::Shared) => "&Self",
                    Some(Receiver::Value) | None => continue,
                };
                found.push((format!("receiver {owner}, {}", scope.name(item)), ty));
            }
        }
        found
    }

    fn is_block_of(&mut self, head: &ItemImpl, definition: &Found, scope: &Scope) -> bool {
        let Type::Path(path) = &*head.self_ty else { return false };
        let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
        let names: Vec<String> = names.collect();
        let is_called_so =
            names.last().is_some_and(|last| last == definition.scope.name(&definition.item));
        if path.qself.is_some() || !is_called_so {
            return false;
        }
        let found = self.definitions(scope, &names, Wanted::Type);
        found.is_some_and(|found| found.iter().any(|found| found.is(definition)))
    }
}
