//! Getters have no derivatives: what stands in their place is how callers find the place that they return a reference to.

use super::options_of;
use crate::diag::Diagnostic;
use crate::emit::{BesideGetter, beside_getter};
use crate::getters::{Getter, Unclear};
use crate::lower::blocks::taken_attributes;
use crate::options::{Options, block_of};
use crate::read::in_impl;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{ImplItem, ImplItemFn, ItemFn, ItemImpl};

/// What stands beside the getters of a block: in another block of the type, and in its module. Without attributes of their own those
/// that are not understood are left alone.
pub(super) fn of_block(
    block: &ItemImpl,
    options: &Options,
) -> Result<BesideGetter, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut found = BesideGetter { method: TokenStream::new(), index: TokenStream::new() };
    for (getter, has_own) in annotated_getters(block) {
        if !has_own && getter.as_ref().is_ok_and(|getter| is_passive(getter, options)) {
            continue;
        }
        match getter {
            Ok(getter) => {
                let BesideGetter { method, index } = beside_getter(
                    &getter,
                    (&block.generics, &block.self_ty),
                    options.facade.as_ref(),
                );
                found.method.extend(method);
                found.index.extend(index);
            }
            Err(unclear) if has_own => errors.push(diagnostic(unclear)),
            Err(_) => {}
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// Whether a getter leads through a field that is marked `#[passive]`.
fn is_passive(getter: &Getter, options: &Options) -> bool {
    let passive: Vec<&str> = options.declared.passive_fields("Self").collect();
    getter.fields().any(|field| passive.contains(&field.to_token_stream().to_string().as_str()))
}

/// The getters of a block that the attribute is about, and whether they have it themselves.
fn annotated_getters(block: &ItemImpl) -> Vec<(Result<Getter, Unclear>, bool)> {
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
        Some((getter, !own.is_empty()))
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
            let owner = (&block.generics, &*block.self_ty);
            let BesideGetter { method, index } =
                beside_getter(&getter, owner, options.facade.as_ref());
            Ok(method.into_iter().chain(in_impl(index, &name.to_string())).collect())
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
