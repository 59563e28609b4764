//! Options that follow from the modules around an item: what the entries are called where a module has the name of a function.

use super::alone::{block_around, within};
use super::bodies::{Bodies, in_place, in_place_of_type};
use super::imported::{imported, imports_of};
use super::results::results_of_traits;
use crate::context::{Declared, Entries, Meaning, Mentions, Names, paths_of_import};
use crate::lower::scalars::{is_float_trait, path_of_bound};
use crate::lower::traits::methods_with_adjoints;
use crate::options::{
    APART, DECLARED, DERIVED, FLOAT_TRAITS, FOUND, HELD, LIBRARY, LIFETIMES, OF_TRAIT, OPERATORS,
    Options, TRAITS, key_of,
};
use crate::read::{is_known_function, name_without_lifetimes, trait_of_operator};
use crate::walk::visit::{self, Visit};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    GenericParam, Generics, ImplItem, Item, ItemTrait, Path, Signature, TypeParamBound,
    WherePredicate,
};

/// The arguments with what follows from the modules around the item.
pub(super) fn with_names(
    arguments: TokenStream,
    options: &Options,
    item: &Item,
    names: Option<&Names>,
) -> TokenStream {
    let Some(names) = names else { return arguments };
    let mut added = String::new();
    let block = block_around(item, Some(names)).map(Item::Impl);
    added.extend(block.as_ref().and_then(|_| within(names)));
    let item = block.as_ref().unwrap_or(item);
    if let Item::Fn(function) = item
        && function.sig.receiver().is_none()
        && options.name.is_none()
    {
        let name = function.sig.ident.to_string();
        added.extend(name_of(names, &name));
        added.push_str(&imports_of(names, &name));
    }
    if let Item::Impl(block) = item
        && options.of_trait.is_none()
        && let Some((path, _)) = &block.trait_
    {
        let methods = methods_of_trait(names, path);
        let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if methods.is_some() && names.implements_again(&name, &block.self_ty) {
            added.push_str(&format!("{APART},"));
        }
        added.extend(methods);
    }
    let called = Called::in_tokens(item.to_token_stream());
    let (told, passed_to, paths) = with_bodies(names, item, &called);
    added.push_str(&told);
    // The names in a module are not those around it.
    if !matches!(item, Item::Mod(_)) {
        added.push_str(&library(names, &called));
        let types = types_in_signatures(item);
        added.push_str(&lifetimes(names, &types));
        added.push_str(&derived(names, item));
        added.push_str(&float_traits(names, item));
        added.push_str(&held(names, item));
    }
    let mut operators: BTreeSet<String> = called.methods.into_keys().collect();
    operators.retain(|method| {
        trait_of_operator(method).is_some_and(|name| names.imports_operator(name))
    });
    if !operators.is_empty() {
        let operators: Vec<String> = operators.into_iter().collect();
        added.push_str(&format!("{OPERATORS}({}),", operators.join(", ")));
    }
    added.push_str(&traits(names, &paths, &bounds_in(item)));
    for path in paths {
        if let Some(import) = imported(names, item, &path) {
            added.push_str(&import);
            continue;
        }
        let entries = names.callee(&path);
        added.extend(entries.and_then(|entries| path_of(&path, &entries, options)));
    }
    let Ok(added) = added.parse::<TokenStream>() else { return arguments };
    with_added(arguments, added.into_iter().chain(passed_to).collect())
}

/// The arguments with what others know of the body of the item as it was written, if it takes functions.
pub(super) fn with_body(
    arguments: TokenStream,
    options: &Options,
    item: &Item,
    names: Option<&Names>,
) -> TokenStream {
    let added = match item {
        Item::Fn(function) => names.and_then(|names| in_place(names, function, options)),
        Item::Impl(block) => names.and_then(|names| in_place_of_type(names, block)),
        _ => None,
    };
    match added {
        Some(added) => with_added(arguments, added),
        None => arguments,
    }
}

/// Arguments, and more of them.
fn with_added(arguments: TokenStream, added: TokenStream) -> TokenStream {
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

/// `of_trait(m, …)`, if the trait is annotated.
fn methods_of_trait(names: &Names, path: &Path) -> Option<String> {
    let item = syn::parse_str::<ItemTrait>(&names.trait_at(&words_of(path))?).ok()?;
    let is_annotated = item.attrs.iter().any(|attr| {
        let name = attr.path().segments.last().map(|last| last.ident.to_string());
        match name.unwrap_or_default().as_str() {
            "adjoint" => true,
            "cfg_attr" => mentions(attr.meta.to_token_stream(), "adjoint"),
            _ => false,
        }
    });
    let methods = methods_with_adjoints(&item);
    let methods: Vec<String> = methods.iter().map(ToString::to_string).collect();
    is_annotated.then(|| format!("{OF_TRAIT}({}),", methods.join(", ")))
}

/// What declarations tell, the functions that take functions which an item calls, and the paths in it and in these. A method is
/// found by the type of what it is called on, and may be called in one that was found.
fn with_bodies(
    names: &Names,
    item: &Item,
    called: &Called,
) -> (String, TokenStream, BTreeSet<Vec<String>>) {
    let (mut all, mut bodies) = (called.clone(), Bodies::new(names));
    // The names in a module are not those around it.
    let has_bodies = matches!(item, Item::Fn(_) | Item::Impl(_));
    let mut calls = called.calls.clone();
    loop {
        if has_bodies {
            all.add(bodies.add(calls));
        }
        let (told, functions) = declarations(names, item, &all);
        let method = |path: Vec<String>| {
            let span = *all.methods.get(path.last()?)?;
            Some((path, span))
        };
        let found = functions.into_iter().filter_map(method);
        calls = found.filter(|(path, _)| bodies.is_new(path)).collect();
        if !has_bodies || calls.is_empty() {
            return (told, bodies.option(), all.paths);
        }
    }
}

/// `declared(…)`: the types that declarations in the files of the crate tell, and those of what methods of traits return.
fn declarations(names: &Names, item: &Item, called: &Called) -> (String, BTreeSet<Vec<String>>) {
    let mentions = Mentions {
        paths: called.paths.clone(),
        words: called.words.clone(),
        operators: called.operators(),
        imports: imports_in(item),
        hidden: hidden_in(item),
    };
    let Declared { types: mut declared, functions } =
        names.declared(&mentions, matches!(item, Item::Mod(_)));
    let methods = called.methods.keys().cloned().collect();
    declared.extend(results_of_traits(names, item, &methods, &called.paths));
    let told = match declared.is_empty() {
        true => declared,
        false => format!("{DECLARED}({declared}),"),
    };
    (told, functions)
}

/// `library(name = path, …)`: the functions of the standard library and of other crates that are called by a name. With the name of a
/// crate, that something else has this name in the module.
fn library(names: &Names, called: &Called) -> String {
    let found =
        called.calls.keys().filter_map(|path| match (path.as_slice(), names.meaning(path)) {
            ([name], Ok(Meaning::Foreign(foreign))) => {
                is_known_function(&foreign).then(|| format!("{name} = {}", foreign.join("::")))
            }
            ([name, _], Ok(Meaning::Item(_))) if name == "libm" => {
                Some("libm = self::libm".to_owned())
            }
            _ => None,
        });
    let found: BTreeSet<String> = found.collect();
    let found: Vec<String> = found.into_iter().collect();
    if found.is_empty() { String::new() } else { format!("{LIBRARY}({}),", found.join(", ")) }
}

/// `float_traits(RealCopy, …)`: the bounds of type parameters that only floats have.
fn float_traits(names: &Names, item: &Item) -> String {
    let mut generics: Vec<&Generics> =
        signatures_of(item).iter().map(|sig| &sig.generics).collect();
    if let Item::Impl(block) = item {
        generics.push(&block.generics);
    }
    let bounds = generics.into_iter().flat_map(all_bounds);
    let paths: BTreeSet<Vec<String>> = bounds.filter_map(path_of_bound).collect();
    let of_floats = paths.iter().filter(|path| names.has_supertrait(path, &is_float_trait));
    let of_floats: Vec<String> = of_floats.map(|path| key_of(path)).collect();
    match of_floats.is_empty() {
        true => String::new(),
        false => format!("{FLOAT_TRAITS}({}),", of_floats.join(", ")),
    }
}

/// The bounds of type parameters.
fn all_bounds(generics: &Generics) -> Vec<&TypeParamBound> {
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of_clauses = clauses.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => Some(&predicate.bounds),
        _ => None,
    });
    generics.type_params().map(|param| &param.bounds).chain(of_clauses).flatten().collect()
}

/// The types of parameters, of results and of a block that are written without arguments.
fn types_in_signatures(item: &Item) -> BTreeSet<Ident> {
    struct Named(BTreeSet<Ident>);
    impl<'ast> Visit<'ast> for Named {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            self.0.extend(name_without_lifetimes(path).cloned());
            visit::visit_type_path(self, path);
        }
    }
    let mut named = Named(BTreeSet::new());
    if let Item::Impl(block) = item {
        named.visit_type(&block.self_ty);
    }
    for sig in signatures_of(item) {
        sig.inputs.iter().for_each(|input| named.visit_fn_arg(input));
        named.visit_return_type(&sig.output);
    }
    named.0
}

/// `traits(Abs, …)`: the traits that paths lead through.
fn traits(names: &Names, paths: &BTreeSet<Vec<String>>, bounds: &BTreeSet<Vec<String>>) -> String {
    let owners = paths.iter().filter_map(|path| path.split_last());
    let owners: BTreeSet<&[String]> = owners.map(|(_, owner)| owner).collect();
    let is_trait = |owner: &&[String]| bounds.contains(*owner) || names.is_trait(owner);
    let traits = owners.into_iter().filter(|owner| !owner.is_empty() && is_trait(owner));
    let traits: Vec<String> = traits.map(key_of).collect();
    if traits.is_empty() { String::new() } else { format!("{TRAITS}({}),", traits.join(", ")) }
}

/// The traits that bound type parameters.
fn bounds_in(item: &Item) -> BTreeSet<Vec<String>> {
    struct Bounds(BTreeSet<Vec<String>>);
    impl<'ast> Visit<'ast> for Bounds {
        fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
            self.0.insert(words_of(&bound.path));
        }
    }
    let mut bounds = Bounds(BTreeSet::new());
    bounds.visit_item(item);
    bounds.0
}

fn words_of(path: &Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// `lifetimes(View, …)`: those that have lifetimes, once for each.
fn lifetimes(names: &Names, types: &BTreeSet<Ident>) -> String {
    let found = types.iter().flat_map(|name| {
        std::iter::repeat_n(name.to_string(), names.lifetimes_of(&name.to_string()))
    });
    let found: Vec<String> = found.collect();
    if found.is_empty() { String::new() } else { format!("{LIFETIMES}({}),", found.join(", ")) }
}

/// `derived(State, …)`: the types in those of parameters that derive `Differentiable`.
fn derived(names: &Names, item: &Item) -> String {
    struct Mentioned(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Mentioned {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            if path.qself.is_none() && path.path.segments.len() == 1 {
                self.0.insert(path.path.segments[0].ident.to_string());
            }
            crate::walk::visit::visit_type_path(self, path);
        }
    }
    let mut mentioned = Mentioned(BTreeSet::new());
    let signatures = signatures_of(item);
    signatures.iter().flat_map(|sig| &sig.inputs).for_each(|input| mentioned.visit_fn_arg(input));
    let derived: Vec<String> = mentioned.0.into_iter().filter(|name| names.derives(name)).collect();
    if derived.is_empty() { String::new() } else { format!("{DERIVED}({}),", derived.join(", ")) }
}

/// `held(Pair(2; first: A0), …)`: what the structs that are mentioned with arguments hold of their type parameters.
fn held(names: &Names, item: &Item) -> String {
    let mut structs = WithArguments::default();
    structs.visit_item(item);
    let WithArguments { with, made } = structs;
    let (mut open, mut known) = (with.clone(), BTreeMap::new());
    open.extend(made);
    while let Some(name) = open.pop_first() {
        let Some(held) = names.held(&name) else { continue };
        // Of what is made only arguments are to be told.
        if !with.contains(&name) && !held.text.contains("A0") {
            continue;
        }
        known.insert(name, held.text);
        open.extend(held.structs.into_iter().filter(|inner| !known.contains_key(inner)));
    }
    let found: String = known.iter().map(|(name, held)| format!("{name}({held}),")).collect();
    if found.is_empty() { found } else { format!("{HELD}({found}),") }
}

/// Types of one name with arguments, and those that may have some and of which values are made.
#[derive(Default)]
struct WithArguments {
    with: BTreeSet<String>,
    made: BTreeSet<String>,
}

impl WithArguments {
    fn note_made(&mut self, path: &Path) {
        let name = path.get_ident().map(ToString::to_string);
        self.made.extend(name.filter(|name| name.starts_with(char::is_uppercase)));
    }
}

impl<'ast> Visit<'ast> for WithArguments {
    fn visit_path(&mut self, path: &'ast Path) {
        if let Some(first) = path.segments.first()
            && matches!(first.arguments, syn::PathArguments::AngleBracketed(_))
        {
            self.with.insert(first.ident.to_string());
        }
        visit::visit_path(self, path);
    }

    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        match expr {
            syn::Expr::Call(call) => {
                if let syn::Expr::Path(path) = &*call.func {
                    self.note_made(&path.path);
                }
            }
            syn::Expr::Struct(literal) => self.note_made(&literal.path),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

fn signatures_of(item: &Item) -> Vec<&Signature> {
    match item {
        Item::Fn(function) => vec![&function.sig],
        Item::Impl(block) => block.items.iter().filter_map(signature_of).collect(),
        _ => Vec::new(),
    }
}

fn signature_of(item: &ImplItem) -> Option<&Signature> {
    match item {
        ImplItem::Fn(method) => Some(&method.sig),
        _ => None,
    }
}

/// The name of the type of a parameter, or of what it refers to.
/// `found(f = …)`, if the entries of `f` are not found by its name.
fn path_of(callee: &[String], entries: &Entries, options: &Options) -> Option<String> {
    let path = match entries {
        // A module has them, and is found by the name.
        Entries::Beside => return None,
        Entries::At(path) => path.join("::"),
        Entries::Missing => {
            let facade = options.facade.as_ref().map(ToString::to_string);
            format!("{}::__private::without_entries", facade.as_deref().unwrap_or("::backsweep"))
        }
    };
    Some(format!("{FOUND}({} = {path}),", key_of(callee)))
}

/// `name(list),`
pub(super) fn tokens_of(name: Ident, list: TokenStream) -> TokenStream {
    let list = Group::new(Delimiter::Parenthesis, list);
    let comma = Punct::new(',', Spacing::Alone);
    [TokenTree::Ident(name), TokenTree::Group(list), TokenTree::Punct(comma)].into_iter().collect()
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The signs of operators, and the traits that they are called by.
const OPERATOR_TRAITS: [(char, &[&str]); 5] =
    [('+', &["Add"]), ('-', &["Sub", "Neg"]), ('*', &["Mul"]), ('/', &["Div"]), ('%', &["Rem"])];

/// What an item may call. What is named may be called by others, `x.iter().map(f)`.
#[derive(Clone, Default)]
pub(super) struct Called {
    paths: BTreeSet<Vec<String>>,
    /// Methods, and where one of that name is called first.
    methods: BTreeMap<String, Span>,
    /// All names.
    words: BTreeSet<String>,
    /// The signs of operators.
    signs: BTreeSet<char>,
    /// Paths with arguments behind them, and where each stands.
    pub(super) calls: BTreeMap<Vec<String>, Span>,
}

impl Called {
    pub(super) fn in_tokens(tokens: TokenStream) -> Self {
        let mut called = Self::default();
        called.add(tokens);
        called
    }

    /// The traits of the operators in it.
    fn operators(&self) -> BTreeSet<&'static str> {
        let by_sign = OPERATOR_TRAITS.iter().filter(|(sign, _)| self.signs.contains(sign));
        let by_method = self.methods.keys().filter_map(|method| trait_of_operator(method));
        let converts = ["from", "into"].iter().any(|name| self.words.contains(*name));
        let conversion = converts.then_some("From");
        let index = self.signs.contains(&'[').then_some("Index");
        let sums = [("sum", "Sum"), ("product", "Product")].into_iter();
        let sums = sums.filter(|(method, _)| self.methods.contains_key(*method));
        let others = by_method.chain(conversion).chain(index).chain(sums.map(|(_, name)| name));
        by_sign.flat_map(|(_, names)| *names).copied().chain(others).collect()
    }

    fn add(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: Option<usize>, sign: char| {
            let token = at.and_then(|at| tokens.get(at));
            matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
        };
        for (at, token) in tokens.iter().enumerate() {
            let (last, one_before) = (at.checked_sub(1), at.checked_sub(2));
            match token {
                TokenTree::Group(group) => {
                    if group.delimiter() == Delimiter::Bracket {
                        self.signs.insert('[');
                    }
                    self.add(group.stream());
                }
                TokenTree::Ident(name) if is(last, ':') && is(one_before, ':') => {
                    self.words.insert(name.to_string());
                }
                // A range ends with what follows two dots.
                TokenTree::Ident(name) if is(last, '.') && !is(one_before, '.') => {
                    self.methods.entry(name.to_string()).or_insert(name.span());
                    self.words.insert(name.to_string());
                }
                TokenTree::Ident(name) => {
                    self.words.insert(name.to_string());
                    let path = path_at(&tokens[at..]);
                    let end = at + 3 * path.len() - 2;
                    let is_declared = matches!(last.map(|at| &tokens[at]), Some(TokenTree::Ident(word)) if word == "fn");
                    if let Some(TokenTree::Group(group)) =
                        tokens.get(behind_arguments(&tokens, end))
                        && group.delimiter() == Delimiter::Parenthesis
                        && !is_declared
                    {
                        self.calls.entry(path.clone()).or_insert(tokens[end - 1].span());
                    }
                    self.paths.insert(path);
                }
                // An arrow is none.
                TokenTree::Punct(sign) if sign.as_char() != '-' || !is(Some(at + 1), '>') => {
                    self.signs.insert(sign.as_char());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

/// What functions in an item import.
fn imports_in(item: &Item) -> Vec<(Vec<String>, Option<String>)> {
    struct Imports(Vec<(Vec<String>, Option<String>)>);
    impl Visit<'_> for Imports {
        fn visit_item_use(&mut self, import: &syn::ItemUse) {
            self.0.extend(paths_of_import(&import.tree));
        }
    }
    let mut imports = Imports(Vec::new());
    if !matches!(item, Item::Mod(_) | Item::Use(_)) {
        imports.visit_item(item);
    }
    imports.0
}

/// Names that an item gives a meaning of its own: type parameters, and items inside of functions.
fn hidden_in(item: &Item) -> BTreeSet<String> {
    let mut hidden = Hidden::default();
    match item {
        // Its items are those of the module.
        Item::Mod(module) => {
            let items = module.content.iter().flat_map(|(_, items)| items);
            items.for_each(|item| visit::visit_item(&mut hidden, item));
        }
        item => visit::visit_item(&mut hidden, item),
    }
    hidden.names
}

#[derive(Default)]
struct Hidden {
    names: BTreeSet<String>,
}

impl Visit<'_> for Hidden {
    fn visit_generic_param(&mut self, param: &GenericParam) {
        match param {
            GenericParam::Type(param) => self.names.insert(param.ident.to_string()),
            GenericParam::Const(param) => self.names.insert(param.ident.to_string()),
            GenericParam::Lifetime(_) => false,
        };
        visit::visit_generic_param(self, param);
    }

    fn visit_item(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        self.names.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    // What the module imports means the same in all of it. A function that imports all names of a module of the crate is told nothing.
    fn visit_stmt(&mut self, stmt: &syn::Stmt) {
        if let syn::Stmt::Item(Item::Use(import)) = stmt {
            let bound = paths_of_import(&import.tree).into_iter().filter_map(|(_, binds)| binds);
            self.names.extend(bound);
        }
        visit::visit_stmt(self, stmt);
    }
}

/// The position behind `::<…>`, if that is at a position.
fn behind_arguments(tokens: &[TokenTree], at: usize) -> usize {
    let sign = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(sign)) => sign.as_char(),
        Some(_) | None => ' ',
    };
    if [at, at + 1, at + 2].map(sign) != [':', ':', '<'] {
        return at;
    }
    let mut depth = 0;
    for position in at + 2..tokens.len() {
        match (sign(position), sign(position - 1)) {
            ('<', _) => depth += 1,
            ('>', '-') => {}
            ('>', _) => depth -= 1,
            (_, _) => {}
        }
        if depth == 0 {
            return position + 1;
        }
    }
    at
}

/// The names of the path at the beginning of tokens.
fn path_at(tokens: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = tokens;
    while let [TokenTree::Ident(name), others @ ..] = rest {
        names.push(name.to_string());
        rest = match others {
            [TokenTree::Punct(a), TokenTree::Punct(b), more @ ..]
                if a.as_char() == ':' && b.as_char() == ':' =>
            {
                more
            }
            _ => break,
        };
    }
    names
}
