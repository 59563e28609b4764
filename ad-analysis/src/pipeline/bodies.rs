//! Options that say what the bodies of functions that take functions are: of those that an item calls, and of itself.

use super::names::{Called, tokens_of};
use crate::bodies::{
    Body, IN_PLACE, InPlace, Obstacle, PASSED_TO, PassedTo, arguments_of, body_of, item_of,
    path_of, takes_functions,
};
use crate::context::{Entries, Names};
use crate::diag::Errors;
use crate::options::Options;
use crate::read::parenthesised;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{FnArg, ItemFn, Meta, Pat, Signature};

/// `passed_to(…)`, of the functions that an item calls, and of those that these call.
pub(super) fn passed_to(names: &Names, calls: &BTreeMap<Vec<String>, Span>) -> Option<TokenStream> {
    let mut open: Vec<(Vec<String>, Span)> =
        calls.iter().map(|(path, span)| (path.clone(), *span)).collect();
    let (mut seen, mut all) = (BTreeSet::new(), TokenStream::new());
    while let Some((path, span)) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let Some((passed_to, body)) = function_at(names, &path, span) else { continue };
        passed_to.to_tokens(&mut all);
        if let Some(body) = body {
            open.extend(Called::in_tokens(body.function.to_token_stream()).calls);
        }
    }
    (!all.is_empty()).then(|| option(PASSED_TO, all))
}

/// The function at a path, if it is one that takes functions and is lowered in place of calls.
fn function_at(names: &Names, path: &[String], span: Span) -> Option<(PassedTo, Option<Body>)> {
    let function = names.function(path)?;
    let options = function.attributes().into_iter().find_map(options_in)?;
    let item = item_of(function.text(), span)?;
    let body = body_of(&function, &item, names)?;
    let sig = body.as_ref().map_or(&item.sig, |body| &body.function.sig);
    if !is_in_place(sig, &options) {
        return None;
    }
    let called = path_of(path, span);
    let entries = match names.callee(path) {
        Some(Entries::Missing) => return None,
        Some(Entries::At(path)) => path_of(&path, span),
        Some(Entries::Beside) | None => called.clone(),
    };
    let mut paths = Vec::new();
    let hindered = |message: String, help: &str| Err((message, help.to_owned()));
    let (digest, known, body) = match body {
        Ok(body) if body.paths.is_empty() => {
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
    Some((PassedTo { called, entries, paths, digest, function: known }, body))
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
    let may_take_functions = takes_functions(&function.sig) || has_plain_types(&function.sig);
    let own = may_take_functions.then(|| names.own_function(&function.sig.ident.to_string()))??;
    let body = body_of(&own, function, names)?;
    let sig = body.as_ref().map_or(&function.sig, |body| &body.function.sig);
    if !is_in_place(sig, options) {
        return None;
    }
    let in_place = known_or_hindered(function, body);
    Some(option(IN_PLACE, in_place.to_token_stream()))
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
