//! The attribute on a trait, and what it makes of the `impl` blocks of annotated traits.

use super::blocks::OfBlock;
use super::{derivatives_or_stand_in, options_of};
use crate::diag::Errors;
use crate::emit::{Implementation, emit_all_by_dyn, emit_implementation};
use crate::inline::Callees;
use crate::interface::{Behind, InTrait};
use crate::lower::stand_ins::own_self;
use crate::lower::traits::{methods_of, methods_of_trait};
use crate::read::{read, words_in};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{
    FnArg, GenericParam, ItemImpl, ItemTrait, ReceiverKind, TraitItem, TraitItemFn, TypeParamBound,
};

/// The hidden functions of an annotated trait, and what its methods with bodies are differentiated by.
pub(super) fn differentiate_trait(arguments: &TokenStream, item: &mut ItemTrait) -> OfTrait {
    let errors = Errors::new();
    let options = options_of(arguments);
    let (mut methods, mut by_dyn) = (Vec::new(), Vec::new());
    let mut beside = read(options.facade.as_ref(), options.told(), &errors, |reader| {
        methods = methods_of_trait(item, arguments, reader, &errors);
    });
    let mut errors = errors.take();
    let is_trait_wrong = !errors.is_empty();
    let dyn_compatible = !has_functions_of_types(item);
    let missing = Implementation::Missing { dyn_compatible };
    let mut inside = emit_implementation(options.facade.as_ref(), missing);
    for (method, options) in methods {
        let found = derivatives_or_stand_in(options, &method, &Callees::default(), &mut errors);
        let Some(found) = found else { continue };
        inside.extend(found.in_trait);
        by_dyn.extend(found.by_dyn);
        // A method without a body is a signature.
        if !method.is_in_impl() {
            beside.extend(found.beside.into_iter().chain(found.entries));
        }
    }
    let mut supertrait = TokenStream::new();
    if is_trait_wrong {
        return OfTrait { of_block: OfBlock { errors, ..OfBlock::default() }, supertrait };
    }
    if !by_dyn.is_empty() && may_be_behind_dyn(item) {
        let (items, bound) = emit_all_by_dyn((&item.vis, &item.ident, &item.generics), &by_dyn);
        beside.extend(items);
        supertrait = bound;
    }
    OfTrait { of_block: OfBlock { beside, inside, errors }, supertrait }
}

/// What is generated for an annotated trait.
pub(super) struct OfTrait {
    pub(super) of_block: OfBlock,
    /// A hidden trait that it becomes a subtrait of, if there is one.
    pub(super) supertrait: TokenStream,
}

/// Supertraits that a trait may have without more being known, if it is one of a `dyn`.
const OF_ANY_DYN: [&str; 8] =
    ["Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe", "Debug", "Display", "Any"];

/// Whether tokens tell that there may be `dyn` values of a trait.
fn may_be_behind_dyn(item: &ItemTrait) -> bool {
    let has_supertraits = item.supertraits.iter().all(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|last| OF_ANY_DYN.iter().any(|name| last.ident == name))
        }
        TypeParamBound::Lifetime(_) => true,
        _ => false,
    });
    // What borrows has lifetimes of its own.
    let borrows = item.generics.lifetimes().next().is_some();
    let mut words = BTreeSet::new();
    words_in(item.generics.where_clause.to_token_stream(), &mut words);
    has_supertraits
        && !borrows
        && !words.contains("Self")
        && item.items.iter().all(is_dyn_compatible)
}

/// Whether a `dyn` may have an item of its trait, or need not have it.
fn is_dyn_compatible(item: &TraitItem) -> bool {
    let TraitItem::Fn(TraitItemFn { sig, .. }) = item else { return false };
    let bounds = sig.generics.where_clause.to_token_stream().to_string();
    if bounds.contains("Sized") {
        return true;
    }
    let has_types =
        sig.generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)));
    let mut mentioned = sig.output.to_token_stream();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) if matches!(receiver.kind, ReceiverKind::Typed(..)) => {
                return false;
            }
            FnArg::Receiver(_) => {}
            FnArg::Typed(param) => param.ty.to_tokens(&mut mentioned),
        }
    }
    let mut words = BTreeSet::new();
    words_in(mentioned, &mut words);
    let is_of_types = ["Self", "impl"].iter().any(|word| words.contains(*word));
    sig.receiver().is_some() && sig.asyncness.is_none() && !has_types && !is_of_types
}

/// Whether a trait has a function without a receiver that does not ask for `Self: Sized`.
fn has_functions_of_types(item: &ItemTrait) -> bool {
    item.items.iter().any(|item| match item {
        TraitItem::Fn(function) => {
            let sig = &function.sig;
            let bounds = sig.generics.where_clause.to_token_stream().to_string();
            sig.receiver().is_none() && !bounds.contains("Sized")
        }
        _ => false,
    })
}

/// What an `impl` block of an annotated trait says of itself: which methods it has.
pub(super) fn implementation(facade: Option<&TokenStream>, block: &ItemImpl) -> TokenStream {
    emit_implementation(facade, Implementation::OfBlock(&methods_of(block)))
}

/// The hidden functions as they stand in the trait, where what implements it is `Self`.
pub(super) fn in_method(place: &InTrait, functions: TokenStream) -> TokenStream {
    match place.behind {
        Behind::Default(_) => own_self(functions),
        Behind::Nowhere | Behind::Type | Behind::Function(_) => functions,
    }
}
