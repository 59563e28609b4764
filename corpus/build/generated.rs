//! What the library generates for the functions of a file, where that tells which of them have an entry.

use crate::source::Source;
use crate::variants;
use ad_analysis::differentiate;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use syn::{Attribute, Item, Meta};

/// What is known of a function that has an entry.
pub struct Described<T> {
    /// The functions that its entry calls.
    pub callees: Vec<String>,
    /// More of it.
    pub more: T,
}

/// The functions of a file with an entry, which `describe` finds in what is generated with such options, one space between tokens; without
/// those that call functions that have none.
pub fn functions_with<T>(
    source: &Source,
    options: impl Fn(&Attribute) -> TokenStream,
    describe: impl Fn(&str) -> Option<Described<T>>,
) -> BTreeMap<String, T> {
    let mut functions = BTreeMap::new();
    for item in variants::ALL[0].items(source) {
        let Item::Fn(mut function) = item else { continue };
        let Some(position) = function.attrs.iter().position(|attr| attr.path().is_ident("adjoint"))
        else {
            continue;
        };
        let attr = function.attrs.remove(position);
        let Ok(generated) = differentiate(options(&attr), &function) else { continue };
        let text: Vec<String> =
            generated.to_string().split_whitespace().map(str::to_owned).collect();
        let described = describe(&text.join(" "));
        functions.extend(described.map(|described| (function.sig.ident.to_string(), described)));
    }
    loop {
        let before = functions.len();
        let known: Vec<String> = functions.keys().cloned().collect();
        functions.retain(|_, function| function.callees.iter().all(|name| known.contains(name)));
        if functions.len() == before {
            return functions.into_iter().map(|(name, function)| (name, function.more)).collect();
        }
    }
}

/// The options of an attribute.
pub fn options_of(attr: &Attribute) -> TokenStream {
    match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}

/// The functions whose entries are asked for before each occurrence of some tokens. Paths lead to other files, and are whole.
/// `None` if there is no occurrence.
pub fn callees(text: &str, tokens: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = text.split(tokens).collect();
    let (_, parts) = parts.split_last()?;
    let name = |part: &&str| {
        let (path, _) = part.rsplit_once("as __callee")?;
        let path = path.rsplit("use ").next()?;
        Some(path.split_whitespace().collect())
    };
    Some(parts.iter().filter_map(name).collect())
}
