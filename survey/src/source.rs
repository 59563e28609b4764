//! The files of a crate that are reached by `mod`, and its modules.

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;

/// A crate as it is written.
pub struct Source {
    pub files: Vec<File>,
    pub modules: Vec<Module>,
    /// Files that are not found or not understood.
    pub unread: Vec<String>,
}

pub struct File {
    /// From the folder of the package on.
    pub path: PathBuf,
    pub text: String,
    /// Where the first item begins.
    pub start: usize,
}

pub struct Module {
    pub path: Vec<String>,
    pub file: usize,
    /// Where further items of the module can be put.
    pub end: usize,
    pub items: Vec<syn::Item>,
    pub children: Vec<Child>,
}

pub struct Child {
    pub name: String,
    /// The conditions under which it is there, as they are written.
    pub conditions: Vec<String>,
}

impl Source {
    /// Reads a crate from its root file.
    pub fn read(package: &Path, root: &Path) -> Result<Self> {
        let mut source = Self { files: Vec::new(), modules: Vec::new(), unread: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("")).to_path_buf();
        source.read_file(package, root, Vec::new(), &folder)?;
        Ok(source)
    }

    /// A crate of one file that is given.
    #[cfg(test)]
    pub fn of_text(text: &str) -> Self {
        let mut source = Self { files: Vec::new(), modules: Vec::new(), unread: Vec::new() };
        let path = Path::new("src/lib.rs");
        source.take(Path::new(""), path, text.to_string(), Vec::new(), Path::new("src")).unwrap();
        source
    }

    fn read_file(
        &mut self,
        package: &Path,
        path: &Path,
        module: Vec<String>,
        folder: &Path,
    ) -> Result<usize> {
        let text = std::fs::read_to_string(package.join(path))
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        self.take(package, path, text, module, folder)
    }

    /// Files of modules in this one lie in `folder`.
    fn take(
        &mut self,
        package: &Path,
        path: &Path,
        text: String,
        module: Vec<String>,
        folder: &Path,
    ) -> Result<usize> {
        let parsed: syn::File = syn::parse_str(&text)
            .with_context(|| format!("{} is not understood", path.display()))?;
        let file = self.files.len();
        let end = text.len();
        let start = parsed.items.first().map_or(end, first_byte);
        self.files.push(File { path: path.to_path_buf(), text, start });
        Ok(self.module(package, file, module, folder, end, parsed.items))
    }

    fn module(
        &mut self,
        package: &Path,
        file: usize,
        path: Vec<String>,
        folder: &Path,
        end: usize,
        items: Vec<syn::Item>,
    ) -> usize {
        let id = self.modules.len();
        let here =
            Module { path: path.clone(), file, end, items: Vec::new(), children: Vec::new() };
        self.modules.push(here);
        let in_calls = items.iter().flat_map(|item| match item {
            syn::Item::Macro(call) if call.ident.is_none() => modules_in(call.mac.tokens.clone()),
            _ => Vec::new(),
        });
        let in_calls: Vec<syn::ItemMod> = in_calls.collect();
        let declared = items.iter().filter_map(|item| match item {
            syn::Item::Mod(declared) => Some(declared),
            _ => None,
        });
        for declared in declared.chain(&in_calls) {
            if only_in_tests(&declared.attrs) {
                continue;
            }
            let name = declared.ident.to_string();
            let inner: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            let child = match &declared.content {
                Some((brace, items)) => {
                    let end = brace.span.close().byte_range().start;
                    let folder = folder.join(plain(&name));
                    Some(self.module(package, file, inner, &folder, end, items.clone()))
                }
                None => self.declared(package, file, inner, folder, declared),
            };
            if child.is_some() {
                let conditions = declared.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
                let conditions =
                    conditions.map(|attr| attr.to_token_stream().to_string()).collect();
                self.modules[id].children.push(Child { name, conditions });
            }
        }
        self.modules[id].items = items;
        id
    }

    /// A module in a file of its own.
    fn declared(
        &mut self,
        package: &Path,
        file: usize,
        module: Vec<String>,
        folder: &Path,
        declared: &syn::ItemMod,
    ) -> Option<usize> {
        let name = plain(&declared.ident.to_string()).to_string();
        let beside = self.files[file].path.parent().unwrap_or(Path::new("")).to_path_buf();
        let candidates = match path_attribute(&declared.attrs) {
            Some(path) => vec![(beside.join(&path), beside.join(&path).parent()?.to_path_buf())],
            None => vec![
                (folder.join(format!("{name}.rs")), folder.join(&name)),
                (folder.join(&name).join("mod.rs"), folder.join(&name)),
            ],
        };
        let found = candidates.iter().find(|(path, _)| package.join(path).is_file());
        let Some((path, inner)) = found else {
            self.unread.push(format!("{} (no file)", module.join("::")));
            return None;
        };
        // A module may be declared twice, under conditions of which one holds.
        if let Some(known) =
            self.modules.iter().position(|known| self.files[known.file].path == *path)
        {
            return Some(known);
        }
        match self.read_file(package, path, module, inner) {
            Ok(module) => Some(module),
            Err(error) => {
                self.unread.push(format!("{error:#}"));
                None
            }
        }
    }
}

/// The modules in files of their own that the call of a macro declares, as calls of `cfg_if!` do: with the conditions of the braces that
/// they stand in, of which `else` has those that are left.
fn modules_in(tokens: TokenStream) -> Vec<syn::ItemMod> {
    let (mut found, mut earlier, mut next) = (Vec::new(), Vec::new(), None);
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let is_after = |word: &str| {
            at > 0 && matches!(&tokens[at - 1], TokenTree::Ident(last) if last == word)
        };
        match (token, &tokens[at + 1..]) {
            (TokenTree::Group(group), _) if group.delimiter() == Delimiter::Bracket => {
                let list = syn::parse2::<syn::MetaList>(group.stream()).ok();
                let condition = list.filter(|list| list.path.is_ident("cfg"));
                next = condition.map(|list| list.tokens);
            }
            (TokenTree::Group(group), _) => {
                let others = &earlier;
                let condition: TokenStream = match (next.take(), is_after("else")) {
                    (Some(condition), _) => {
                        let own = quote!(all(not(any(#(#others),*)), #condition));
                        earlier.push(condition);
                        own
                    }
                    (None, true) => quote!(not(any(#(#others),*))),
                    (None, false) => quote!(all()),
                };
                let condition: syn::Attribute = syn::parse_quote!(#[cfg(#condition)]);
                let inner = modules_in(group.stream()).into_iter();
                found.extend(inner.map(|mut inner| {
                    inner.attrs.push(condition.clone());
                    inner
                }));
            }
            (TokenTree::Ident(word), [TokenTree::Ident(name), TokenTree::Punct(end), ..])
                if word == "mod" && end.as_char() == ';' =>
            {
                let condition = next.take().into_iter();
                found.push(syn::parse_quote!(#(#[cfg(#condition)])* mod #name;));
            }
            _ => {}
        }
    }
    found
}

/// The name without `r#`.
fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn path_attribute(attrs: &[syn::Attribute]) -> Option<String> {
    attrs.iter().find(|attr| attr.path().is_ident("path")).and_then(|attr| {
        let text = attr.to_token_stream().to_string();
        text.split('"').nth(1).map(ToString::to_string)
    })
}

/// Is this there in tests only?
pub fn only_in_tests(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let text = attr.to_token_stream().to_string().replace(' ', "");
        attr.path().is_ident("test")
            || text.starts_with("#[cfg(test")
            || text.starts_with("#[cfg(all(test")
    })
}

/// The bytes of a piece of syntax.
pub fn bytes(tokens: &impl Spanned) -> Range<usize> {
    tokens.span().byte_range()
}

/// Where it begins.
pub fn first_byte(tokens: &impl ToTokens) -> usize {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or(0, |token| token.span().byte_range().start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_in_calls_have_the_conditions_of_their_braces() {
        let call =
            quote!(if #[cfg(a)] { mod one; } else if #[cfg(b)] { mod two; } else { mod three; });
        let found = modules_in(call).into_iter().map(|found| {
            let conditions = found.attrs.iter().map(|attr| attr.to_token_stream().to_string());
            let conditions: String = conditions.collect();
            (found.ident.to_string(), conditions.replace(' ', ""))
        });
        let expected = [
            ("one", "#[cfg(all(not(any()),a))]"),
            ("two", "#[cfg(all(not(any(a)),b))]"),
            ("three", "#[cfg(not(any(a,b)))]"),
        ];
        let expected = expected.map(|(name, conditions)| (name.to_owned(), conditions.to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
