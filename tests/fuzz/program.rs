//! Programs: an annotated function with what it needs from its file.

use corpus_build::source::{identifiers, mentioned};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, ItemFn, Meta, UseTree};

/// A function with the items it mentions.
#[derive(Clone)]
pub struct Program {
    /// Where it comes from.
    pub origin: String,
    /// The items; the function is the last.
    pub items: Vec<Item>,
}

/// The folders of which the functions are taken, below the root of the repository. What stands in
/// `tests/ui/rustc` the macro accepts, and rustc is to refuse.
const FOLDERS: [&str; 2] = ["corpus/functions", "tests/ui"];

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All annotated functions of the repository's tests.
pub fn all() -> Vec<Program> {
    FOLDERS.iter().flat_map(|folder| in_folder(&root().join(folder))).collect()
}

fn in_folder(folder: &Path) -> Vec<Program> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect();
    // The order of a seed's choices.
    paths.sort();
    paths.iter().flat_map(|path| in_file(path)).collect()
}

fn in_file(path: &Path) -> Vec<Program> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let stem = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let functions = file.items.iter().enumerate().filter_map(|(position, item)| match item {
        Item::Fn(function) if adjoint(function).is_some() => Some((position, function)),
        _ => None,
    });
    let program = |(position, function): (usize, &ItemFn)| Program {
        origin: format!("{stem}::{}", function.sig.ident),
        items: needed(&file.items, position),
    };
    functions.map(program).collect()
}

/// The attribute `#[adjoint]` of a function.
pub fn adjoint(function: &ItemFn) -> Option<&Attribute> {
    function.attrs.iter().find(|attr| attr.path().is_ident("adjoint"))
}

/// The tokens between the parentheses of an attribute.
pub fn arguments(attr: &Attribute) -> TokenStream {
    match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}

/// The arguments of `#[adjoint]`, and the function as the macro sees it.
pub fn annotated(attr: &Attribute, function: &ItemFn) -> (TokenStream, TokenStream) {
    let mut function = function.clone();
    corpus_build::source::remove_ours(&mut function.attrs);
    (arguments(attr), function.into_token_stream())
}

/// The item at a position and what it mentions, directly and indirectly; the item comes last.
fn needed(items: &[Item], position: usize) -> Vec<Item> {
    let others = mentioned(items, [position]).into_iter().filter(|at| *at != position);
    let mut items: Vec<Item> = others.chain([position]).map(|at| items[at].clone()).collect();
    drop_unused_imports(&mut items);
    items
}

/// Of the library only what is mentioned is imported: the import is not there without the attribute.
fn drop_unused_imports(items: &mut [Item]) {
    let mut names = BTreeSet::new();
    for item in items.iter().filter(|item| !matches!(item, Item::Use(_))) {
        identifiers(item.to_token_stream(), &mut names);
    }
    for item in items {
        if let Item::Use(import) = item
            && let UseTree::Path(path) = &mut import.tree
            && path.ident == "backsweep"
            && let UseTree::Group(group) = &mut *path.tree
        {
            let is_mentioned = |tree: &UseTree| match tree {
                UseTree::Name(name) => names.contains(&name.ident.to_string()),
                _ => true,
            };
            group.items = group.items.iter().filter(|tree| is_mentioned(tree)).cloned().collect();
        }
    }
}

impl Program {
    /// The function.
    pub fn function(&self) -> &ItemFn {
        match self.items.last() {
            Some(Item::Fn(function)) => function,
            _ => unreachable!("the last item is the function"),
        }
    }

    /// The function, to be changed.
    pub fn function_mut(&mut self) -> &mut ItemFn {
        match self.items.last_mut() {
            Some(Item::Fn(function)) => function,
            _ => unreachable!("the last item is the function"),
        }
    }

    /// The arguments of `#[adjoint]`, and the function as the macro sees it.
    pub fn annotated(&self) -> (TokenStream, TokenStream) {
        let function = self.function();
        match adjoint(function) {
            Some(attr) => annotated(attr, function),
            None => (TokenStream::new(), function.to_token_stream()),
        }
    }

    /// Whether the function has samples to run it at.
    pub fn has_samples(&self) -> bool {
        corpus_build::source::find(&self.function().attrs, "sample").is_some()
    }

    /// The program as text.
    pub fn text(&self) -> String {
        let items = &self.items;
        prettyplease::unparse(&syn::parse_quote!(#(#items)*))
    }
}
