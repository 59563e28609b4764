//! Getters have no derivatives: what stands in their place is how callers find the place that they return a reference to.

use super::in_place::refuse_options;
use super::options_of;
use super::written::under_conditions;
use crate::diag::{Diagnostic, Errors};
use crate::emit::{BesideGetter, Destination, beside_getter, beside_query};
use crate::getters::{Getter, Maker, Query, Unclear};
use crate::lower::blocks::taken_attributes;
use crate::options::{Options, block_of};
use crate::read::{conditions_of, in_impl};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{ImplItem, ImplItemFn, ItemFn, ItemImpl};

/// What stands beside the getters of a block: in another block of the type, and in its module. Of those without an attribute of their own these are
/// the ones that the files of the crate tell callers of; others are left alone.
pub(super) fn of_block(
    block: &ItemImpl,
    options: &Options,
) -> Result<BesideGetter, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut found = BesideGetter { method: TokenStream::new(), index: TokenStream::new() };
    let owner = block.self_ty.to_token_stream().to_string();
    let is_told = |name: &Ident| {
        let told = |of: &str| options.declared.getter(of, &name.to_string()).is_some();
        told("Self") || told(&owner)
    };
    let leads_to = |name: &Ident| destination(options, &owner, name);
    for Chosen { getter, name, own, conditions } in annotated_getters(block) {
        match getter {
            Ok(getter) if own.is_some() || is_told(&name) => {
                errors.extend(refused_options(&own.unwrap_or_default(), &name));
                let owner = (&block.generics, &*block.self_ty);
                match beside_getter(getter, leads_to(&name), owner, options.facade.as_ref()) {
                    Ok(BesideGetter { method, index }) => {
                        found.method.extend(under_conditions(&conditions, method));
                        found.index.extend(under_conditions(&conditions, index));
                    }
                    Err(unclear) => errors.push(diagnostic(unclear)),
                }
            }
            Err(unclear) if own.is_some() => errors.push(diagnostic(unclear)),
            Ok(_) | Err(_) => {}
        }
    }
    for (function, conditions) in told_functions(block, options) {
        let method = beside_query(function, options.facade.as_ref());
        found.method.extend(under_conditions(&conditions, method));
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// The queries and makers of a block that the files of the crate tell callers of, and the conditions under which they are there.
fn told_functions<'b>(
    block: &'b ItemImpl,
    options: &Options,
) -> Vec<(&'b ImplItemFn, TokenStream)> {
    let owner = block.self_ty.to_token_stream().to_string();
    let is_told = |name: &Ident| {
        let told = |of: &str| options.declared.query(of, &name.to_string()).is_some();
        told("Self") || told(&owner)
    };
    let functions = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) if block.trait_.is_none() && is_told(&function.sig.ident) => {
            let is_one = Query::of(function).is_some() || Maker::of(function).is_some();
            is_one.then(|| (function, conditions_of(&function.attrs)))
        }
        _ => None,
    });
    functions.collect()
}

/// Where a getter of a type leads to, as far as the files of the crate tell.
fn destination(options: &Options, owner: &str, name: &Ident) -> Destination {
    let (declared, name) = (&options.declared, name.to_string());
    let is_passive = |of: &str| declared.is_passive_getter(of, &name);
    match is_passive("Self") || is_passive(owner) {
        true => Destination::Passive,
        false => Destination::Part,
    }
}

/// A getter that the attribute is about.
struct Chosen {
    getter: Result<Getter, Unclear>,
    name: Ident,
    /// What its own attribute says, if it has one.
    own: Option<TokenStream>,
    /// Under which it is there.
    conditions: TokenStream,
}

/// Options about derivatives, which a getter has none of.
fn refused_options(own: &TokenStream, name: &Ident) -> Vec<Diagnostic> {
    let errors = Errors::new();
    let options = options_of(own);
    for list in [&options.independents, &options.dependents].into_iter().flatten() {
        list.iter().for_each(|name| refuse("independents` or `dependents", name.span(), &errors));
    }
    refuse_options(&options, &|what, span| refuse(what, span, &errors));
    if options.given.is_some() {
        refuse("with` or `partials", name.span(), &errors);
    }
    errors.take()
}

fn refuse(what: &str, span: Span, errors: &Errors) {
    errors.report(
        span,
        format!("`{what}` does not belong to a getter"),
        "it has no derivatives: what it leads to is a place, as a field is",
    );
}

/// The getters of a block that the attribute is about.
fn annotated_getters(block: &ItemImpl) -> Vec<Chosen> {
    if block.trait_.is_some() {
        return Vec::new();
    }
    let functions = || {
        block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(function) => Some(function),
            _ => None,
        })
    };
    let own = |function: &ImplItemFn| taken_attributes(&mut function.attrs.clone());
    let is_skipped = |own: &[TokenStream]| own.iter().any(|options| options.to_string() == "skip");
    let any_has_own = functions().any(|function| {
        let own = own(function);
        !own.is_empty() && !is_skipped(&own)
    });
    let getters = functions().filter_map(|function| {
        let own = own(function);
        let is_chosen = !is_skipped(&own) && (!own.is_empty() || !any_has_own);
        let getter = is_chosen.then(|| Getter::of(function))??;
        let (name, own) = (function.sig.ident.clone(), own.into_iter().next());
        Some(Chosen { getter, name, own, conditions: conditions_of(&function.attrs) })
    });
    getters.collect()
}

/// What stands in the `impl` block of a getter that is annotated alone; nothing if the function is none.
pub(super) fn alone(
    arguments: &TokenStream,
    function: &ItemFn,
) -> Option<Result<TokenStream, Vec<Diagnostic>>> {
    let ItemFn { attrs, vis, modifiers, sig, block } = function.clone();
    let function = ImplItemFn { attrs, vis, modifiers, sig, block: *block };
    let getter = Getter::of(&function)?;
    let options = options_of(arguments);
    let block = options.within.clone().and_then(block_of);
    if block.as_ref().is_some_and(|block| block.trait_.is_some()) {
        return None;
    }
    let name = &function.sig.ident;
    Some(match (getter, block) {
        (Ok(getter), Some(block)) => {
            let refused = refused_options(arguments, name);
            if !refused.is_empty() {
                return Some(Err(refused));
            }
            let leads_to =
                destination(&options, &block.self_ty.to_token_stream().to_string(), name);
            let owner = (&block.generics, &*block.self_ty);
            let beside = beside_getter(getter, leads_to, owner, options.facade.as_ref());
            let together = |BesideGetter { method, index }| {
                method.into_iter().chain(in_impl(index, &name.to_string())).collect()
            };
            beside.map(together).map_err(|unclear| vec![diagnostic(unclear)])
        }
        (Ok(_), None) => Err(vec![Diagnostic {
            span: name.span(),
            message: "of what type this getter is one is not seen".to_owned(),
            help: "annotate the `impl` block: `#[adjoint] impl …`".to_owned(),
        }]),
        (Err(unclear), _) => Err(vec![diagnostic(unclear)]),
    })
}

fn diagnostic(Unclear { span, message, help }: Unclear) -> Diagnostic {
    Diagnostic { span, message, help: help.to_owned() }
}
