//! Calls of macros whose definitions are known become what they stand for, in the copy of the item that the compiler works on: those of the
//! crate, and those that are defined in the item.

use super::conditions::Conditions;
use super::expander::Expander;
use super::macro_rules::Rules;
use super::own_names::words_in;
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syn::{Item, Path, PathArguments};

/// A definition of a macro.
#[derive(Clone)]
pub struct Definition {
    /// The conditions under which it is there.
    pub conditions: Vec<TokenStream>,
    /// What is inside of its braces.
    pub rules: TokenStream,
}

/// The macros that an item calls, by their paths as `a::b`, with their definitions, the last first.
#[derive(Clone, Default)]
pub struct Macros(pub BTreeMap<String, Vec<Definition>>);

impl Macros {
    /// Those that an item calls, and those that they call.
    pub fn called_in(item: &Item, look_up: impl Fn(&str) -> Option<Vec<Definition>>) -> Self {
        let (mut paths, mut found) = (BTreeSet::new(), BTreeMap::new());
        called_in_tokens(item.to_token_stream(), &mut paths);
        let mut seen = BTreeSet::new();
        while let Some(path) = paths.pop_first() {
            if !seen.insert(path.clone()) {
                continue;
            }
            let Some(definitions) = look_up(&path).filter(|found| !found.is_empty()) else {
                continue;
            };
            for definition in &definitions {
                called_in_tokens(definition.rules.clone(), &mut paths);
            }
            found.insert(path, definitions);
        }
        Self(found)
    }

    /// An item with what it calls expanded, and conditions left as they are.
    pub fn expanded(&self, item: &Item) -> Item {
        let mut item = item.clone();
        let mut rules = BTreeMap::new();
        for (path, definitions) in &self.0 {
            let there = definitions.iter().find(|found| found.conditions.is_empty());
            if let Some(parsed) = there.and_then(|found| Rules::parse(found.rules.clone())) {
                rules.insert(path.clone(), Rc::new(parsed));
            }
        }
        expand_with(&mut item, rules, None);
        item
    }

    /// Expands what is called in an item without what is not there as far as is known.
    pub(super) fn expand_deciding(
        &self,
        item: &mut Item,
        mut conditions: Conditions,
    ) -> Conditions {
        let mut rules = BTreeMap::new();
        for (path, definitions) in &self.0 {
            let mut is_there = |found: &&Definition| {
                let mut holds = true;
                // All of them are asked for.
                for condition in &found.conditions {
                    holds &= conditions.decided(condition).unwrap_or(false);
                }
                holds
            };
            let there: Vec<&Definition> = definitions.iter().filter(&mut is_there).collect();
            let first = there.first();
            if let Some(parsed) = first.and_then(|found| Rules::parse(found.rules.clone())) {
                rules.insert(path.clone(), Rc::new(parsed));
            }
        }
        expand_with(item, rules, Some(conditions)).unwrap_or_default()
    }
}

fn expand_with(
    item: &mut Item,
    rules: BTreeMap<String, Rc<Rules>>,
    conditions: Option<Conditions>,
) -> Option<Conditions> {
    let mut words = BTreeSet::new();
    words_in(item.to_token_stream(), &mut words);
    if rules.is_empty() && !words.contains("macro_rules") {
        return conditions;
    }
    let mut expander = Expander::new(rules, words, conditions);
    expander.visit_item_mut(item);
    expander.into_conditions()
}

/// The path of a macro as it is called here; nothing, if it is that of another crate.
pub(super) fn path_of(path: &Path) -> Option<String> {
    let is_plain =
        path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None));
    let names: Vec<String> =
        path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    (is_plain && path.leading_colon.is_none()).then(|| names.join("::"))
}

/// The paths of macros that are called: what stands before `!` and a group.
pub(super) fn called_in_tokens(tokens: TokenStream, paths: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Ident(_), Some(TokenTree::Punct(bang)), Some(TokenTree::Group(_)))
                if bang.as_char() == '!' =>
            {
                paths.insert(path_before(&tokens[..=at]));
            }
            (TokenTree::Group(group), ..) => called_in_tokens(group.stream(), paths),
            _ => {}
        }
    }
}

/// The path at the end of tokens.
fn path_before(tokens: &[TokenTree]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut rest = tokens;
    while let [before @ .., TokenTree::Ident(name)] = rest {
        names.insert(0, name.to_string());
        let [before @ .., TokenTree::Punct(first), TokenTree::Punct(second)] = before else {
            break;
        };
        if first.as_char() != ':' || second.as_char() != ':' {
            break;
        }
        rest = before;
    }
    names.join("::")
}
