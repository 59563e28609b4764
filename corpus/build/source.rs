//! The files of the corpus and what their attributes say.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, FnArg, Ident, Item, ItemFn, ItemMod, Meta, ReturnType, Token, Type};

/// A file.
#[derive(Clone)]
pub struct Source {
    /// Its name, without the ending.
    pub name: Ident,
    /// Everything in it.
    pub items: Vec<Item>,
    /// The functions with samples.
    pub roots: Vec<Root>,
}

/// A function with samples.
#[derive(Clone)]
pub struct Root {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The type of the result; nothing is `()`.
    pub output: Type,
    /// Whether the result is a dependent.
    pub output_dependent: bool,
    /// Whether it computes with single precision somewhere.
    pub is_single: bool,
    /// Where it is run.
    pub samples: Vec<Sample>,
    /// The weights of the outputs, unless they are the usual ones.
    pub weights: Option<TokenStream>,
    /// Whether it has a tangent: `#[without_tangent]` says that it has none.
    pub has_tangent: bool,
}

/// A sample, and what is listed for it.
#[derive(Clone)]
pub struct Sample {
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// The value that is listed.
    pub value: Option<Expr>,
    /// The gradient that is listed.
    pub gradient: Option<Expr>,
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// `x`.
    Value,
    /// `&x`.
    Shared,
    /// `&mut x`.
    Exclusive,
}

/// A parameter of a function with samples.
#[derive(Clone)]
pub struct Param {
    /// How it is passed.
    pub passing: Passing,
    /// The type of what is passed, owned.
    pub owned: Type,
    /// Whether it is an independent.
    pub independent: bool,
    /// Whether it is a dependent.
    pub dependent: bool,
}

impl Param {
    /// Whether the entries take a bar for it.
    pub fn has_bar(&self) -> bool {
        self.independent || self.dependent
    }
}

/// Attributes that only this crate understands.
const OURS: [&str; 6] = ["adjoint", "sample", "expect", "weights", "generics", "without_tangent"];

/// Marks of calls, blocks and loops.
const MODES: [&str; 5] = ["checkpoint", "split", "fixed_point", "independent", "repeatable"];

/// Reads all files of a directory, in alphabetical order.
pub fn read(directory: &Path) -> Vec<Source> {
    let mut paths: Vec<_> = fs::read_dir(directory)
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    paths.sort();
    paths.iter().map(|path| Source::read(path)).collect()
}

/// A module of modules, one for each file.
pub fn modules(
    name: &str,
    sources: &[Source],
    items: impl Fn(&Source) -> Vec<Item>,
) -> TokenStream {
    let modules = sources.iter().map(|source| {
        let (file, items) = (&source.name, items(source));
        syn::parse_quote!(pub mod #file { #(#items)* })
    });
    module_of(name, modules)
}

/// A module of modules.
pub fn module_of(name: &str, modules: impl Iterator<Item = ItemMod>) -> TokenStream {
    let name = format_ident!("{name}");
    quote! {
        #[allow(dead_code, unused, missing_docs, clippy::all, clippy::pedantic)]
        pub mod #name { #(#modules)* }
    }
}

impl Source {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("the corpus can be read");
        let file = match syn::parse_file(&text) {
            Ok(file) => file,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain file name");
        Self::of(stem, file.items)
    }

    /// The items of a file.
    pub fn of(name: &str, items: Vec<Item>) -> Self {
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
        let roots = functions.filter_map(Root::of).collect();
        Self { name: format_ident!("{name}"), items, roots }
    }

    /// The file as ordinary Rust.
    pub fn without_attributes(&self) -> Self {
        let mut plain = self.clone();
        plain.items.retain(|item| !imports_adjoint(item));
        plain.items.iter_mut().for_each(make_plain);
        plain
    }
}

impl Source {
    /// Only some of its roots, with what they mention.
    fn with_roots(&self, imported: &BTreeSet<String>, is_wanted: &dyn Fn(&Root) -> bool) -> Self {
        let roots: Vec<Root> = self.roots.iter().filter(|root| is_wanted(root)).cloned().collect();
        let is_start = |item: &Item| match item {
            Item::Fn(function) => {
                let name = &function.sig.ident;
                imported.contains(&name.to_string()) || roots.iter().any(|root| root.name == *name)
            }
            _ => false,
        };
        let start = (0..self.items.len()).filter(|at| is_start(&self.items[*at]));
        let kept = mentioned(&self.items, start);
        let items = kept.into_iter().map(|at| self.items[at].clone()).collect();
        Self { name: self.name.clone(), items, roots }
    }

    /// Whether a root comes to code that has derivatives of its own, so that the mode of calls may make a difference.
    fn calls_annotated(&self, root: &Root) -> bool {
        let is_root = |item: &Item| matches!(item, Item::Fn(f) if f.sig.ident == root.name);
        let own = self.items.iter().position(is_root);
        let mut others = mentioned(&self.items, own);
        let text = own.map(|at| self.items[at].to_token_stream().to_string()).unwrap_or_default();
        others.retain(|at| Some(*at) != own);
        let is_annotated = |item: &Item| match item {
            Item::Fn(item) => find(&item.attrs, "adjoint").is_some(),
            Item::Use(import) => !imports_adjoint(&Item::Use(import.clone())),
            Item::Const(_) | Item::Static(_) | Item::Struct(_) | Item::Enum(_) | Item::Type(_) => {
                false
            }
            _ => true,
        };
        // Loops and blocks with marks become functions.
        let is_marked = MODES.iter().any(|mark| text.contains(&format!("# [{mark}")));
        is_marked || others.into_iter().any(|at| is_annotated(&self.items[at]))
    }
}

/// The files with some of their roots only, what these mention, and what other files import.
pub fn with_roots(sources: &[Source], is_wanted: &dyn Fn(&Source, &Root) -> bool) -> Vec<Source> {
    let mut imported = BTreeSet::new();
    for item in sources.iter().flat_map(|source| &source.items) {
        if matches!(item, Item::Use(_)) {
            identifiers(item.to_token_stream(), &mut imported);
        }
    }
    let reduced = |source: &Source| source.with_roots(&imported, &|root| is_wanted(source, root));
    sources.iter().map(reduced).collect()
}

/// The files with the roots only for which the mode of calls may make a difference.
pub fn with_calls(sources: &[Source]) -> Vec<Source> {
    with_roots(sources, &Source::calls_annotated)
}

/// Some items and what they mention, directly and indirectly, by their positions.
pub fn mentioned(items: &[Item], start: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
    let mut wanted: BTreeSet<usize> = start.into_iter().collect();
    let mut names = BTreeSet::new();
    wanted.iter().for_each(|at| identifiers(items[*at].to_token_stream(), &mut names));
    loop {
        let more = (0..items.len()).filter(|at| !wanted.contains(at));
        let more: Vec<usize> = more.filter(|at| is_mentioned(&items[*at], &names)).collect();
        if more.is_empty() {
            return wanted;
        }
        for at in more {
            wanted.insert(at);
            identifiers(items[at].to_token_stream(), &mut names);
        }
    }
}

fn is_mentioned(item: &Item, names: &BTreeSet<String>) -> bool {
    let name = match item {
        Item::Fn(item) => &item.sig.ident,
        Item::Const(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Impl(item) => {
            let mut found = BTreeSet::new();
            identifiers(item.self_ty.to_token_stream(), &mut found);
            return found.iter().any(|name| names.contains(name));
        }
        _ => return true,
    };
    names.contains(&name.to_string())
}

/// All identifiers in some tokens.
pub fn identifiers(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => identifiers(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Takes from an item what ordinary Rust does not understand.
fn make_plain(item: &mut Item) {
    match item {
        Item::Fn(function) => {
            remove_ours(&mut function.attrs);
            PlainBlocks.visit_block_mut(&mut function.block);
        }
        Item::Impl(block) => {
            remove_ours(&mut block.attrs);
            PlainBlocks.visit_item_impl_mut(block);
        }
        Item::Struct(item) => item.attrs.iter_mut().for_each(forget_bars),
        Item::Mod(module) => {
            remove_ours(&mut module.attrs);
            let items = module.content.iter_mut().flat_map(|(_, items)| items);
            items.for_each(make_plain);
            let items = module.content.iter_mut().map(|(_, items)| items);
            items.for_each(|items| items.retain(|item| !imports_adjoint(item)));
        }
        _ => {}
    }
    // The modules for dual numbers read them from here.
    publish(item);
}

/// Makes constants and statics public.
pub fn publish(item: &mut Item) {
    match item {
        Item::Const(item) => item.vis = syn::parse_quote!(pub),
        Item::Static(item) => item.vis = syn::parse_quote!(pub),
        _ => {}
    }
}

/// Takes `Differentiable` from what is derived.
fn forget_bars(attr: &mut Attribute) {
    if !attr.path().is_ident("derive") {
        return;
    }
    let traits = attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
    let traits = traits.expect("a list of traits").into_iter();
    let traits = traits.filter(|path| !path.is_ident("Differentiable"));
    *attr = syn::parse_quote!(#[derive(#(#traits),*)]);
}

/// Takes the schedules from checkpointed loops, and the modes from calls.
struct PlainBlocks;

impl VisitMut for PlainBlocks {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        attrs.retain(|attr| !MODES.iter().any(|mode| attr.path().is_ident(mode)));
    }
}

/// Whether an item is `use backsweep::adjoint;`.
fn imports_adjoint(item: &Item) -> bool {
    matches!(item, Item::Use(import) if import.to_token_stream().to_string().contains("backsweep"))
}

/// Removes the attributes that only this crate understands.
pub fn remove_ours(attrs: &mut Vec<Attribute>) {
    attrs.retain(|attr| !OURS.iter().any(|name| attr.path().is_ident(name)));
}

/// The attribute of a name.
pub fn find<'a>(attrs: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attrs.iter().find(|attr| attr.path().is_ident(name))
}

/// The tokens between the parentheses of an attribute.
fn arguments_of(attr: &Attribute) -> TokenStream {
    match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}

impl Root {
    fn of(function: &ItemFn) -> Option<Self> {
        find(&function.attrs, "sample")?;
        let name = function.sig.ident.clone();
        let options = Variables::of(find(&function.attrs, "adjoint"), &name);
        // Values for constant parameters.
        let generics = named(find(&function.attrs, "generics"));
        let output = match &function.sig.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => with_generics(ty, &generics),
        };
        let params = function.sig.inputs.iter().map(|input| match input {
            FnArg::Typed(param) => options.param(&param.pat, &param.ty, &generics),
            FnArg::Receiver(_) => panic!("`{name}`: methods are no roots"),
        });
        let text = function.to_token_stream().to_string();
        Some(Self {
            params: params.collect(),
            output_dependent: options.is_dependent("return", has_floats(&output)),
            output,
            is_single: text.contains("f32"),
            samples: samples(function),
            weights: find(&function.attrs, "weights").map(arguments_of),
            has_tangent: find(&function.attrs, "without_tangent").is_none(),
            name,
        })
    }

    /// Whether there is one scalar dependent, the result.
    pub fn has_gradient(&self) -> bool {
        let output = self.output.to_token_stream().to_string();
        let is_float = output == "f64" || output == "f32";
        is_float && self.output_dependent && !self.params.iter().any(|param| param.dependent)
    }
}

fn samples(function: &ItemFn) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for attr in &function.attrs {
        if attr.path().is_ident("sample") {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            let arguments = attr.parse_args_with(parser).expect("the arguments of a sample");
            let arguments: Vec<Expr> = arguments.into_iter().collect();
            assert_eq!(arguments.len(), function.sig.inputs.len(), "{}", function.sig.ident);
            samples.push(Sample { arguments, value: None, gradient: None });
        } else if attr.path().is_ident("expect") {
            let sample = samples.last_mut().expect("what is expected follows a sample");
            for (name, value) in named(Some(attr)) {
                match name.to_string().as_str() {
                    "value" => sample.value = Some(value),
                    "gradient" => sample.gradient = Some(value),
                    other => panic!("`{other}` cannot be expected"),
                }
            }
        }
    }
    samples
}

/// `name = expression, …`.
fn named(attr: Option<&Attribute>) -> Vec<(Ident, Expr)> {
    let Some(attr) = attr else { return Vec::new() };
    let parser = Punctuated::<syn::MetaNameValue, Token![,]>::parse_terminated;
    let list = attr.parse_args_with(parser).expect("`name = value, …`");
    let pairs =
        list.into_iter().map(|pair| (pair.path.get_ident().expect("a name").clone(), pair.value));
    pairs.collect()
}

/// What an attribute says about the variables.
struct Variables {
    independents: Option<Vec<String>>,
    dependents: Option<Vec<String>>,
    passive: Vec<String>,
}

impl Variables {
    fn of(attr: Option<&Attribute>, name: &Ident) -> Self {
        let attr = attr.unwrap_or_else(|| panic!("`{name}` has samples, but no `#[adjoint]`"));
        let tokens: Vec<TokenTree> = arguments_of(attr).into_iter().collect();
        let list = |wanted: &str| {
            let named = tokens.windows(2).find(|pair| pair[0].to_string() == wanted)?;
            let TokenTree::Group(group) = &named[1] else { return None };
            let names = group.stream().into_iter().filter_map(|token| match token {
                TokenTree::Ident(name) => Some(name.to_string()),
                _ => None,
            });
            Some(names.collect::<Vec<String>>())
        };
        // The parameters with partials are the independents: the names before the colons.
        let partials = tokens.windows(2).find(|pair| pair[0].to_string() == "partials");
        let partials = partials.map(|pair| {
            let TokenTree::Group(group) = &pair[1] else { return Vec::new() };
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| token.to_string() == ",";
            let items = tokens.split(is_comma).filter_map(|item| item.first());
            items.map(ToString::to_string).collect()
        });
        Self {
            independents: list("independents").or(partials),
            dependents: list("dependents"),
            passive: list("passive").unwrap_or_default(),
        }
    }

    fn is_dependent(&self, name: &str, default: bool) -> bool {
        match &self.dependents {
            Some(names) => names.iter().any(|listed| listed == name),
            None => default,
        }
    }

    fn param(&self, pat: &syn::Pat, ty: &Type, generics: &[(Ident, Expr)]) -> Param {
        let ty = with_generics(ty, generics);
        let (passing, pointee) = match ty {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (Passing::Exclusive, *reference.elem)
            }
            Type::Reference(reference) => (Passing::Shared, *reference.elem),
            ty => (Passing::Value, ty),
        };
        let owned = match pointee {
            Type::Slice(slice) => {
                let element = slice.elem;
                syn::parse_quote!(Vec<#element>)
            }
            ty => ty,
        };
        let mut names = BTreeSet::new();
        identifiers(pat.to_token_stream(), &mut names);
        let listed = |list: &[String]| list.iter().any(|listed| names.contains(listed));
        let is_active = has_floats(&owned) && !listed(&self.passive);
        let dependent = match &self.dependents {
            Some(list) => listed(list),
            None => is_active && passing == Passing::Exclusive,
        };
        let independent = match &self.independents {
            Some(list) => listed(list),
            None => is_active,
        };
        Param { passing, owned, independent, dependent }
    }
}

/// A type with values for constant parameters.
fn with_generics(ty: &Type, generics: &[(Ident, Expr)]) -> Type {
    fn replace(tokens: TokenStream, generics: &[(Ident, Expr)]) -> TokenStream {
        let replaced = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(name) => match generics.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => value.to_token_stream(),
                None => name.to_token_stream(),
            },
            TokenTree::Group(group) => {
                let stream = replace(group.stream(), generics);
                proc_macro2::Group::new(group.delimiter(), stream).to_token_stream()
            }
            other => other.to_token_stream(),
        });
        replaced.collect()
    }
    syn::parse2(replace(ty.to_token_stream(), generics)).expect("a type")
}

/// Whether values of a type carry floats.
pub fn has_floats(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string();
    text.contains("f64") || text.contains("f32")
}
