//! Options that follow from the modules around an item: what the entries are called where a module has the name of a function.

use crate::context::{Entries, Names, Place};
use crate::options::{FOUND, Options};
use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::Item;

/// The arguments with what follows from the modules around the item.
pub(super) fn with_names(
    arguments: TokenStream,
    options: &Options,
    item: &Item,
    place: Option<&Place>,
) -> TokenStream {
    let Some(names) = place.and_then(Names::at) else { return arguments };
    let mut added = String::new();
    if let Item::Fn(function) = item
        && function.sig.receiver().is_none()
        && options.name.is_none()
    {
        added.extend(name_of(&names, &function.sig.ident.to_string()));
    }
    for (callee, path) in paths_called(item.to_token_stream()) {
        let Some(entries) = path.and_then(|path| names.callee(&path)) else { continue };
        added.extend(path_of(&callee, &entries, options));
    }
    let Ok(added) = added.parse::<TokenStream>() else { return arguments };
    let mut all: Vec<TokenTree> = arguments.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    if !added.is_empty() && all.last().is_some_and(|last| !is_comma(last)) {
        all.push(TokenTree::Punct(Punct::new(',', Spacing::Alone)));
    }
    all.into_iter().chain(added).collect()
}

/// `name = "…"`, if the entries cannot be called as the function.
fn name_of(names: &Names, function: &str) -> Option<String> {
    let name = match names.entries(function)? {
        Entries::Beside => "self".to_owned(),
        Entries::At(path) => path.last()?.clone(),
        Entries::Missing => return None,
    };
    Some(format!("name = \"{name}\","))
}

/// `found(f = …)`, if the entries of `f` are not found by its name.
fn path_of(callee: &str, entries: &Entries, options: &Options) -> Option<String> {
    let path = match entries {
        // A module has them, and is found by the name.
        Entries::Beside => return None,
        Entries::At(path) => path.join("::"),
        Entries::Missing => {
            let facade = options.facade.as_ref().map(ToString::to_string);
            format!("{}::__private::without_entries", facade.as_deref().unwrap_or("::backsweep"))
        }
    };
    Some(format!("{FOUND}({callee} = {path}),"))
}

/// The paths of what is called, by their last segments; nothing in place of the path if there are several.
fn paths_called(tokens: TokenStream) -> BTreeMap<String, Option<Vec<String>>> {
    let mut found = BTreeMap::new();
    add_paths(tokens, &mut found);
    found
}

fn add_paths(tokens: TokenStream, found: &mut BTreeMap<String, Option<Vec<String>>>) {
    let (mut path, mut colons): (Vec<String>, usize) = (Vec::new(), 2);
    let mut is_method = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if colons != 2 {
                    path.clear();
                }
                path.push(ident.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            TokenTree::Punct(punct) => {
                is_method = punct.as_char() == '.';
                path.clear();
                colons = 2;
            }
            TokenTree::Group(group) => {
                if let (Delimiter::Parenthesis, 0, Some(last)) =
                    (group.delimiter(), colons, path.last())
                    && !is_method
                {
                    let entry = found.entry(last.clone()).or_insert_with(|| Some(path.clone()));
                    if entry.as_ref() != Some(&path) {
                        *entry = None;
                    }
                }
                add_paths(group.stream(), found);
                path.clear();
                colons = 2;
                is_method = false;
            }
            TokenTree::Literal(_) => {
                path.clear();
                colons = 2;
            }
        }
    }
}
