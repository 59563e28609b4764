//! What the names in a body mean where the function stands, written so that they mean the same elsewhere.

use super::arguments::takes_functions;
use super::digest::Digest;
use super::known::{is_keyword, is_method_of_library, is_of_language};
use super::methods::{freed, hidden_member, with_paths_of_methods};
use crate::context::{Found, Function, Meaning, Named, Names, Unknown, Wanted};
use crate::read::{is_macro_of_library, looks_like_variable, names_in};
use crate::signatures::receiver_of;
use crate::walk::visit::{self, Visit};
use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{ItemFn, PatIdent};

/// A body with names that mean the same in all of the crate.
#[derive(Clone)]
pub struct Body {
    /// The function.
    pub function: ItemFn,
    /// What tells it from all others.
    pub digest: u128,
    /// The paths by which it may be called where it is lowered.
    pub paths: Vec<Vec<String>>,
    /// Whether it mentions itself.
    pub calls_itself: bool,
    /// What names mean in the module of the function.
    pub(super) meant: BTreeMap<String, Meant>,
}

/// What a path that begins in the module of a function means.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    /// The same as each of these paths from the root of the crate.
    Paths(Vec<Vec<String>>),
    /// What another crate has at a path.
    Foreign(Vec<String>),
    /// A type of functions.
    FunctionType(TokenStream),
}

/// Why a body cannot be lowered elsewhere.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// Where, in the function.
    pub span: Span,
    /// What is in the way, said of the function.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

/// The function in a text without attributes, as tokens that stand at one place.
pub fn item_of(text: &str, span: Span) -> Option<ItemFn> {
    let tokens: TokenStream = text.parse().ok()?;
    syn::parse2(respanned(tokens, span)).ok()
}

/// The body of a function as it is lowered in the module of `from`; nothing, if it takes no functions.
pub fn body_of(
    function: &Function,
    written: &ItemFn,
    from: &Names,
) -> Option<Result<Body, Obstacle>> {
    let owner = function.own_type();
    let item = match &owner {
        Some(owner) => freed(written, owner)?,
        None => written.clone(),
    };
    let mut reading = Reading {
        function,
        from,
        params: BTreeSet::new(),
        generics: BTreeSet::new(),
        locals: BTreeMap::new(),
        is_elsewhere: !function.is_in(from),
        meant: BTreeMap::new(),
        obstacle: None,
    };
    reading.bind(&item);
    let sig = reading.tokens(item.sig.to_token_stream(), Part::Signature);
    // Most functions take none.
    let parsed = syn::parse2::<syn::Signature>(sig.clone());
    if !parsed.is_ok_and(|sig| takes_functions(&sig)) {
        return None;
    }
    reading.check_locals();
    let mut with_paths = item.clone();
    if let Some(owner) = owner.filter(|_| reading.is_elsewhere) {
        let receiver = receiver_of(&written.sig);
        with_paths_of_methods(&mut with_paths, receiver, &function.siblings(), &owner);
    }
    if let Some((name, span)) = hidden_member(function, written, &with_paths, from) {
        let message = format!("uses `{name}` of its type, which is hidden from this module");
        reading.refuse(span, message, "make it `pub(crate)`");
    }
    let block = reading.tokens(with_paths.block.to_token_stream(), Part::Block);
    if let Some(obstacle) = reading.obstacle {
        return Some(Err(obstacle));
    }
    let own = function.own_paths();
    let usable = own.iter().filter(|named| named.may_be_used(from)).cloned().collect();
    let calls_itself = reading.mentions(function.path());
    if !function.is_of_type() {
        reading.meant.insert(item.sig.ident.to_string(), Meant::Paths(bare(own)));
    }
    let parsed = syn::parse2::<ItemFn>(quote::quote!(#sig #block)).ok()?;
    let mut digest = Digest::new();
    digest.add(&function.path().join("::"));
    digest.add_tokens(item.sig.to_token_stream());
    digest.add_tokens(item.block.to_token_stream());
    for (name, meant) in &reading.meant {
        digest.add(name);
        match meant {
            Meant::Paths(paths) => paths.iter().for_each(|path| digest.add(&path.join("::"))),
            Meant::Foreign(path) => digest.add(&format!("::{}", path.join("::"))),
            Meant::FunctionType(ty) => digest.add_tokens(ty.clone()),
        }
    }
    let (digest, paths) = (digest.value(), bare(usable));
    Some(Ok(Body { function: parsed, digest, paths, meant: reading.meant, calls_itself }))
}

fn bare(paths: Vec<Named>) -> Vec<Vec<String>> {
    paths.into_iter().map(|named| named.path).collect()
}

/// Where tokens stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Signature,
    Block,
}

struct Reading<'a> {
    function: &'a Function,
    from: &'a Names,
    /// Names that are bound in all of the function.
    params: BTreeSet<String>,
    /// Those of generic parameters.
    generics: BTreeSet<String>,
    /// Those of variables.
    locals: BTreeMap<String, Span>,
    /// Whether the function stands in another module.
    is_elsewhere: bool,
    meant: BTreeMap<String, Meant>,
    obstacle: Option<Obstacle>,
}

impl Reading<'_> {
    fn refuse(&mut self, span: Span, message: String, help: &'static str) {
        self.obstacle.get_or_insert(Obstacle { span, message, help });
    }

    /// Whether something is mentioned that is at a path.
    fn mentions(&self, path: &[String]) -> bool {
        self.meant.values().any(|meant| match meant {
            Meant::Paths(paths) => paths.iter().any(|other| other == path),
            Meant::Foreign(_) | Meant::FunctionType(_) => false,
        })
    }

    /// Finds the names that the function itself binds.
    fn bind(&mut self, item: &ItemFn) {
        let mut binders = Binders::default();
        binders.visit_signature(&item.sig);
        self.params = binders.all.iter().map(|pat| pat.ident.to_string()).collect();
        self.generics = binders.generics;
        let mut binders = Binders::default();
        binders.visit_block(&item.block);
        for pat in binders.all {
            let name = pat.ident.to_string();
            let may_be_constant =
                pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
            let is_constant = may_be_constant
                && !looks_like_variable(&pat.ident)
                && self.value_called(&name).is_some_and(|found| !found.is_function());
            if !is_constant {
                self.locals.insert(name, pat.ident.span());
            }
        }
    }

    fn value_called(&self, name: &str) -> Option<Found> {
        match self.function.meaning(&[name.to_owned()], Wanted::Item) {
            Ok(Meaning::Item(found)) if found.is_value() => Some(found),
            Ok(_) | Err(_) => None,
        }
    }

    /// Variables that are bound in a part of the body must not hide what is meant in another, nor any variable a type.
    fn check_locals(&mut self) {
        let hides = |name: &String, hidden: fn(&Found) -> bool| {
            let meaning = self.function.meaning(std::slice::from_ref(name), Wanted::Item);
            matches!(meaning, Ok(Meaning::Item(found)) if hidden(&found))
        };
        let is_type = |found: &Found| !found.is_value() && !found.is_module();
        let param = self.params.iter().find(|name| hides(name, is_type));
        let mut locals = self.locals.iter().filter(|(name, _)| !self.params.contains(*name));
        let local = locals.find(|(name, _)| hides(name, |found| !found.is_module()));
        let span = local.map_or_else(Span::call_site, |(_, span)| *span);
        if let Some(name) = local.map(|(name, _)| name).or(param) {
            let message = format!("has a variable `{name}`, and its module an item of that name");
            self.refuse(span, message, "give the variable another name");
        }
    }

    /// The tokens with paths that mean the same elsewhere.
    fn tokens(&mut self, tokens: TokenStream, part: Part) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            let before = &tokens[..at];
            match &tokens[at] {
                TokenTree::Group(group) if !ends_with(before, "#") && !ends_with(before, "#!") => {
                    let inner = self.tokens(group.stream(), part);
                    let mut inner = Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    out.extend([TokenTree::Group(inner)]);
                    at += 1;
                }
                TokenTree::Ident(name) => {
                    let (tokens, length) = self.word(name, before, &tokens[at..], part);
                    out.extend(tokens);
                    at += length;
                }
                TokenTree::Literal(literal) => {
                    self.text(&literal.to_string(), literal.span());
                    out.extend([tokens[at].clone()]);
                    at += 1;
                }
                token @ (TokenTree::Group(_) | TokenTree::Punct(_)) => {
                    out.extend([token.clone()]);
                    at += 1;
                }
            }
        }
        out
    }

    /// Names in a format string.
    fn text(&mut self, literal: &str, span: Span) {
        let names = if literal.contains('{') { names_in(literal) } else { Vec::new() };
        let is_bound = |name: &String| self.params.contains(name) || self.locals.contains_key(name);
        if let Some(name) = names.iter().find(|name| !is_bound(name)) {
            let message = format!("mentions `{name}` in a text");
            self.refuse(span, message, "write it behind the text: `\"{}\", NAME`");
        }
    }

    /// What stands for the tokens that begin with a word, and for how many of them.
    fn word(
        &mut self,
        name: &Ident,
        before: &[TokenTree],
        tokens: &[TokenTree],
        part: Part,
    ) -> (TokenStream, usize) {
        let same = (tokens[0].clone().into(), 1);
        let text = name.to_string();
        let is = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
        let is_group = |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(_)));
        let is_called = |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        if ends_with(before, ".") && !ends_with(before, "..") {
            let is_call = is_called(1) || is(1, ':') && is(2, ':');
            if is_call && self.is_elsewhere && !is_method_of_library(&text) {
                let message =
                    format!("calls a method `{text}`, which may be another one elsewhere");
                self.refuse(
                    name.span(),
                    message,
                    "call it in the same module, or as `Type::method(&value)`",
                );
            }
            return same;
        }
        // A field, a variable with its type, an associated type (`Add<Output = S>`), or the function itself.
        let is_named = is(1, ':') && !is(2, ':')
            || part == Part::Signature && is(1, '=')
            || matches!(before.last(), Some(TokenTree::Ident(word)) if word == "fn");
        if ends_with(before, "'") || ends_with(before, "::") || is_named || is_keyword(&text) {
            return same;
        }
        if is(1, '!') && is_group(2) {
            if !is_macro_of_library(name) {
                let help = "write in it what the macro stands for";
                self.refuse(name.span(), format!("calls a macro `{text}`"), help);
            }
            return same;
        }
        let path = path_at(tokens);
        match self.path(&path, name.span(), part) {
            Some((tokens, names)) => (tokens, 3 * names - 2),
            None => same,
        }
    }

    /// What stands for the first names of a path, and how many these are; nothing, if they mean the same elsewhere.
    fn path(&mut self, path: &[String], span: Span, part: Part) -> Option<(TokenStream, usize)> {
        let first = path[0].as_str();
        // A path of several names begins with a variable nowhere.
        let is_variable = self.params.contains(first) || self.locals.contains_key(first);
        if self.generics.contains(first) || is_variable && path.len() == 1 {
            return None;
        }
        let anchors =
            path.iter().take_while(|name| ["crate", "self", "super"].contains(&name.as_str()));
        let anchors = anchors.count();
        if first == "Self" || anchors == path.len() {
            let help = "call the function by its path";
            self.refuse(span, format!("mentions `{first}`"), help);
            return None;
        }
        let mut length = anchors + 1;
        let wanted = |length| if length < path.len() { Wanted::Module } else { Wanted::Item };
        let mut meaning = self.function.meaning(&path[..length], wanted(length));
        while let Ok(Meaning::Item(found)) = &meaning
            && found.is_module()
            && length < path.len()
        {
            length += 1;
            meaning = self.function.meaning(&path[..length], wanted(length));
        }
        let key = path[..length].join("::");
        match meaning {
            Ok(Meaning::Item(found)) => {
                if part == Part::Signature
                    && let Some(ty) = function_type(&found)
                {
                    self.meant.insert(key, Meant::FunctionType(ty.clone()));
                    return Some((respanned(ty, span), length));
                }
                let paths = self.function.usable_paths(&found);
                let usable = paths.iter().find(|named| named.may_be_used(self.from));
                let usable = usable.map(|named| named.path.clone());
                self.meant.insert(key.clone(), Meant::Paths(bare(paths)));
                match usable {
                    Some(usable) => Some((path_of(&usable, span), length)),
                    None => {
                        let message = format!("mentions `{key}`, which is hidden from this module");
                        self.refuse(
                            span,
                            message,
                            "make it `pub(crate)`, and the modules around it",
                        );
                        None
                    }
                }
            }
            Ok(Meaning::Foreign(foreign)) => Some((self.foreign(key, foreign, span), length)),
            Err(Unknown::Absent) if ["std", "core", "alloc"].contains(&first) => {
                Some((self.foreign(first.to_owned(), vec![first.to_owned()], span), 1))
            }
            Err(Unknown::Absent) if is_of_language(first) => None,
            Err(Unknown::Absent | Unknown::Unclear) => {
                let message = format!(
                    "mentions `{key}`, of which the files of the crate do not tell what it is"
                );
                self.refuse(span, message, "import it by its name");
                None
            }
        }
    }

    fn foreign(&mut self, key: String, path: Vec<String>, span: Span) -> TokenStream {
        let tokens = foreign_path(&path, span);
        self.meant.insert(key, Meant::Foreign(path));
        tokens
    }
}

/// The type that an alias stands for, if it is one of functions of types of the language.
fn function_type(found: &Found) -> Option<TokenStream> {
    let text = found.text();
    let alias =
        text.find("type ").and_then(|at| syn::parse_str::<syn::ItemType>(&text[at..]).ok())?;
    let is_plain = alias.generics.params.is_empty() && matches!(&*alias.ty, syn::Type::FnPtr(_));
    let tokens = alias.ty.to_token_stream();
    (is_plain && is_all_of_language(tokens.clone())).then_some(tokens)
}

fn is_all_of_language(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|token| match token {
        TokenTree::Ident(name) => {
            let name = name.to_string();
            is_of_language(&name) || is_keyword(&name)
        }
        TokenTree::Group(group) => is_all_of_language(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}

/// Whether tokens end with these signs.
fn ends_with(tokens: &[TokenTree], signs: &str) -> bool {
    let mut tokens = tokens.iter().rev();
    signs.chars().rev().all(
        |sign| matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == sign),
    )
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

/// A path from the root of the crate.
pub fn path_of(path: &[String], span: Span) -> TokenStream {
    let mut tokens = TokenStream::new();
    for (position, name) in path.iter().enumerate() {
        if position > 0 {
            tokens.extend(colons(span));
        }
        tokens.extend([TokenTree::Ident(identifier(name, span))]);
    }
    tokens
}

/// A path that begins with the name of a crate.
pub(super) fn foreign_path(path: &[String], span: Span) -> TokenStream {
    colons(span).into_iter().chain(path_of(path, span)).collect()
}

fn identifier(name: &str, span: Span) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, span),
        None => Ident::new(name, span),
    }
}

fn colons(span: Span) -> TokenStream {
    let signs = [Spacing::Joint, Spacing::Alone].map(|spacing| {
        let mut sign = Punct::new(':', spacing);
        sign.set_span(span);
        TokenTree::Punct(sign)
    });
    signs.into_iter().collect()
}

/// Tokens with one span.
pub(super) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let changed = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), respanned(group.stream(), span));
            inner.set_span(span);
            TokenTree::Group(inner)
        }
        mut token => {
            token.set_span(span);
            token
        }
    });
    changed.collect()
}

/// Names in patterns, and of generic parameters.
#[derive(Default)]
struct Binders {
    all: Vec<PatIdent>,
    generics: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Binders {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.all.push(pat.clone());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.generics.insert(param.ident.to_string());
        visit::visit_type_param(self, param);
    }

    fn visit_const_param(&mut self, param: &'ast syn::ConstParam) {
        self.generics.insert(param.ident.to_string());
    }
}
