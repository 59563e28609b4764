//! Options that follow from the modules around an item: what the entries are called where a module has the name of a function.

use crate::context::{Entries, Names, Place};
use crate::options::{FOUND, OPERATORS, Options};
use crate::read::trait_of_operator;
use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
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
    let Called { paths, methods } = Called::in_tokens(item.to_token_stream());
    let mut operators = methods;
    operators.retain(|method| {
        trait_of_operator(method).is_some_and(|name| names.imports_operator(name))
    });
    if !operators.is_empty() {
        let operators: Vec<String> = operators.into_iter().collect();
        added.push_str(&format!("{OPERATORS}({}),", operators.join(", ")));
    }
    for (callee, path) in paths {
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

/// What an item calls.
#[derive(Default)]
struct Called {
    /// The paths of functions, by their last segments; nothing in place of the path if there are several.
    paths: BTreeMap<String, Option<Vec<String>>>,
    methods: BTreeSet<String>,
}

impl Called {
    fn in_tokens(tokens: TokenStream) -> Self {
        let mut called = Self::default();
        called.add(tokens);
        called
    }

    fn add(&mut self, tokens: TokenStream) {
        // The path so far, and the colons after it.
        let (mut path, mut colons): (Vec<String>, usize) = (Vec::new(), 0);
        let mut is_method = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        path.clear();
                    }
                    path.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Punct(punct) => is_method = punct.as_char() == '.',
                TokenTree::Group(group) => {
                    if group.delimiter() == Delimiter::Parenthesis && colons == 0 {
                        self.call(&path, is_method);
                    }
                    self.add(group.stream());
                    is_method = false;
                }
                TokenTree::Literal(_) => {}
            }
            path.clear();
            colons = 0;
        }
    }

    fn call(&mut self, path: &[String], is_method: bool) {
        let Some(name) = path.last() else { return };
        if is_method {
            self.methods.insert(name.clone());
            return;
        }
        let known = self.paths.entry(name.clone()).or_insert_with(|| Some(path.to_vec()));
        if known.as_ref().is_some_and(|known| known != path) {
            *known = None;
        }
    }
}
