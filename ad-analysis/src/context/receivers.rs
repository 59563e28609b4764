//! How methods of types take their receivers, by the `impl` blocks in the files of the crate: `let y = filter.update(x);` changes the filter if
//! `update` takes `&mut self`.

use super::declared::signature_of;
use super::heads::BlockOf;
use super::meaning::Found;
use super::names::Scope;
use super::spelling::Speller;
use crate::signatures::{Receiver, receiver_of};
use std::collections::BTreeSet;

impl Speller<'_> {
    /// `receiver Owner, name`, and the type of `self`, of the mentioned methods in the blocks of a module that are of a type.
    pub(super) fn receivers(
        &mut self,
        owner: &str,
        definition: &Found,
        scope: &Scope,
        words: &BTreeSet<String>,
    ) -> Vec<(String, &'static str)> {
        let blocks = self.blocks_of(definition, scope, |item| words.contains(scope.name(item)));
        let functions = blocks.iter().flat_map(|BlockOf { functions, .. }| functions);
        let told = functions.filter_map(|item| {
            let ty = match receiver_of(&signature_of(item, scope)?)? {
                Receiver::Exclusive => "&mut Self",
                Receiver::Shared => "&Self",
                Receiver::Value => return None,
            };
            Some((format!("receiver {owner}, {}", scope.name(item)), ty))
        });
        told.collect()
    }
}
