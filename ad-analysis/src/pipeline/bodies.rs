//! Options that say what the bodies of functions that take functions are: of those that an item calls, and of itself.

use super::names::{Called, tokens_of};
use crate::bodies::{
    Body, IN_PLACE, IN_PLACE_OF_TYPE, InPlace, Obstacle, PASSED_TO, PassedTo, arguments_of,
    body_of, constant_of_function, constant_of_method, item_of, path_of, takes_functions,
};
use crate::context::{Entries, Function, Names};
use crate::diag::Errors;
use crate::options::Options;
use crate::read::parenthesised;
use crate::signatures::receiver_of;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{FnArg, ImplItem, ImplItemFn, ItemFn, ItemImpl, Meta, Pat, Signature, Type};

/// The functions that take functions which an item calls, and those that these call.
pub(super) struct Bodies<'n> {
    names: &'n Names,
    seen: BTreeSet<Vec<String>>,
    /// What is in `passed_to(…)`.
    all: TokenStream,
}

impl<'n> Bodies<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Self { names, seen: BTreeSet::new(), all: TokenStream::new() }
    }

    /// Adds the functions at paths, where they are functions that take functions. Returned are the bodies that were not known.
    pub(super) fn add(
        &mut self,
        calls: impl IntoIterator<Item = (Vec<String>, Span)>,
    ) -> TokenStream {
        let mut open: Vec<(Vec<String>, Span)> = calls.into_iter().collect();
        let mut new = TokenStream::new();
        while let Some((path, span)) = open.pop() {
            let path = without_self(self.names, path);
            if !self.seen.insert(path.clone()) {
                continue;
            }
            let Some((passed_to, body)) = function_at(self.names, &path, span) else { continue };
            passed_to.to_tokens(&mut self.all);
            if let Some(body) = body {
                let function = body.function.to_token_stream();
                open.extend(Called::in_tokens(function.clone()).calls);
                new.extend(function);
            }
        }
        new
    }

    /// Whether it is not known what is at a path.
    pub(super) fn is_new(&self, path: &[String]) -> bool {
        !self.seen.contains(path)
    }

    /// `passed_to(…)`
    pub(super) fn option(self) -> TokenStream {
        match self.all.is_empty() {
            true => self.all,
            false => option(PASSED_TO, self.all),
        }
    }
}

/// A path that does not begin with `Self`, which proofs beside an `impl` block do not know.
fn without_self(names: &Names, path: Vec<String>) -> Vec<String> {
    let owner = || match names.method(&path)?.own_type()? {
        Type::Path(owner) => Some(owner.path),
        _ => None,
    };
    match (path.as_slice(), path.first().filter(|first| *first == "Self").and_then(|_| owner())) {
        ([_, rest @ ..], Some(owner)) => {
            let owner = owner.segments.iter().map(|segment| segment.ident.to_string());
            owner.chain(rest.iter().cloned()).collect()
        }
        (_, _) => path,
    }
}

/// The function at a path, if it is one that takes functions and is lowered in place of calls.
fn function_at(names: &Names, path: &[String], span: Span) -> Option<(PassedTo, Option<Body>)> {
    let function = names.function(path).or_else(|| names.method(path))?;
    let around = function.attributes_around(|attribute| options_in(attribute).is_some());
    let options = function.attributes().into_iter().chain(around).find_map(options_in)?;
    let item = item_of(function.text(), span)?;
    let body = body_of(&function, &item, names)?;
    let sig = body.as_ref().map_or(&item.sig, |body| &body.function.sig);
    if !is_in_place(sig, &options) {
        return None;
    }
    let called = path_of(path, span);
    let constant = match path.split_last() {
        Some((name, owner)) if function.is_of_type() => {
            constant_of_method(&path_of(owner, span), name)
        }
        _ => match names.callee(path) {
            Some(Entries::Missing) => return None,
            Some(Entries::At(path)) => constant_of_function(&path_of(&path, span)),
            Some(Entries::Beside) | None => constant_of_function(&called),
        },
    };
    let mut paths = Vec::new();
    let hindered = |message: String, help: &str| Err((message, help.to_owned()));
    let (digest, known, body) = match body {
        Ok(body) if body.paths.is_empty() && !function.is_of_type() => {
            let message = "is in a hidden module".to_owned();
            let help = "make the module `pub(crate)`, or import the function in one around it";
            (Literal::u128_suffixed(0), hindered(message, help), None)
        }
        Ok(body) => {
            paths.extend(body.paths.iter().map(|path| path_of(path, span)));
            let known = Ok(body.function.to_token_stream());
            (Literal::u128_suffixed(body.digest), known, Some(body))
        }
        Err(Obstacle { message, help, span: _ }) => {
            (Literal::u128_suffixed(0), hindered(message, help), None)
        }
    };
    let digest = digest.into_token_stream();
    let receiver = receiver_of(&item.sig);
    Some((PassedTo { called, constant, paths, digest, receiver, function: known }, body))
}

/// The options in an attribute, if it is ours.
fn options_in(attribute: &str) -> Option<Options> {
    let meta: Meta = syn::parse_str(attribute).ok()?;
    let is_ours = meta.path().segments.last().is_some_and(|last| last.ident == "adjoint");
    let arguments = match &meta {
        Meta::List(list) => parenthesised(list.tokens.clone()),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    };
    let unheeded = Errors::new();
    let options = Options::parse(arguments, &unheeded);
    let is_sound = unheeded.take().is_empty();
    (is_ours && is_sound && options.has_context).then_some(options)
}

/// Whether a function that takes functions has no derivatives of its own: they would be those of what it is given.
fn is_in_place(sig: &Signature, options: &Options) -> bool {
    let is_active = |input: &FnArg| {
        let FnArg::Typed(param) = input else { return false };
        let is_passive = match &*param.pat {
            Pat::Ident(pat) => options.passive.contains(&pat.ident),
            _ => false,
        };
        let is_marked = param.attrs.iter().any(|attr| attr.path().is_ident("passive"));
        arguments_of(input, &sig.generics).is_some() && !is_passive && !is_marked
    };
    options.given.is_none() && sig.inputs.iter().any(is_active)
}

/// `in_place(…)`, of a function that takes functions.
pub(super) fn in_place(names: &Names, function: &ItemFn, options: &Options) -> Option<TokenStream> {
    let (own, told) = told_in_place(names, function, options)?;
    let name = &function.sig.ident;
    Some(match own.is_of_type() {
        true => option(IN_PLACE_OF_TYPE, told.of_type(name)),
        false => option(IN_PLACE, told.to_token_stream()),
    })
}

/// `in_place_of_type(…)`, of the functions in an `impl` block that take functions.
pub(super) fn in_place_of_type(names: &Names, block: &ItemImpl) -> Option<TokenStream> {
    if block.trait_.is_some() {
        return None;
    }
    let mut all = TokenStream::new();
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        let ImplItemFn { attrs, vis, modifiers, sig, block } = method.clone();
        let own =
            attrs.iter().find_map(|attr| options_in(&attr.meta.to_token_stream().to_string()));
        let function = ItemFn { attrs, vis, modifiers, sig, block: Box::new(block) };
        if let Some((_, told)) = told_in_place(names, &function, &own.unwrap_or_default()) {
            all.extend(told.of_type(&function.sig.ident));
        }
    }
    (!all.is_empty()).then(|| option(IN_PLACE_OF_TYPE, all))
}

/// The function as the files of the crate have it, and what others know of it.
fn told_in_place(
    names: &Names,
    function: &ItemFn,
    options: &Options,
) -> Option<(Function, InPlace)> {
    let may_take_functions = takes_functions(&function.sig) || has_plain_types(&function.sig);
    let name = function.sig.ident.to_string();
    let own = || names.own_function(&name).or_else(|| names.own_method(&name));
    let own = may_take_functions.then(own)??;
    let body = body_of(&own, function, names)?;
    let sig = body.as_ref().map_or(&function.sig, |body| &body.function.sig);
    is_in_place(sig, options).then(|| (own, known_or_hindered(function, body)))
}

/// Whether a parameter has a type that may be an alias of one of functions.
fn has_plain_types(sig: &Signature) -> bool {
    sig.inputs.iter().any(|input| match input {
        FnArg::Typed(param) => {
            matches!(&*param.ty, syn::Type::Path(path) if path.path.segments.iter().all(|segment| segment.arguments.is_none()))
        }
        FnArg::Receiver(_) => false,
    })
}

fn known_or_hindered(function: &ItemFn, body: Result<Body, Obstacle>) -> InPlace {
    let hindered = |at: Span, what: &str, help: &str| {
        let message = format!("`{}`, which takes a function, {what}", function.sig.ident);
        InPlace::Hindered { at, message, help: help.to_owned() }
    };
    match body {
        Ok(body) if body.calls_itself => {
            hindered(function.sig.ident.span(), "calls itself", "write the repetition as a loop")
        }
        Ok(body) => InPlace::Known {
            digest: Literal::u128_suffixed(body.digest).into_token_stream(),
            proofs: body.proof(),
        },
        Err(Obstacle { span, message, help }) => hindered(span, &message, help),
    }
}

/// `name(…),`
fn option(name: &str, list: TokenStream) -> TokenStream {
    tokens_of(Ident::new(name, Span::call_site()), list)
}
