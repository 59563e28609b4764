//! The attribute on a trait, and what it makes of the `impl` blocks of annotated traits.

use super::{OfBlock, derivatives, options_of, written};
use crate::diag::{Diagnostic, Errors};
use crate::emit::{Implementation, emit_implementation};
use crate::inline::Callees;
use crate::interface::{Behind, InTrait};
use crate::lower::stand_ins::own_self;
use crate::lower::traits::{methods_of, methods_of_trait};
use crate::read::read;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{ItemImpl, ItemTrait, TraitItem};

/// The hidden functions of an annotated trait, and what its methods with bodies are differentiated by.
pub(super) fn differentiate_trait(
    arguments: &TokenStream,
    item: &mut ItemTrait,
) -> Result<OfBlock, Vec<Diagnostic>> {
    let errors = Errors::new();
    let options = options_of(arguments);
    let mut methods = Vec::new();
    let mut beside = read(options.facade.as_ref(), options.told(), &errors, |reader| {
        methods = methods_of_trait(item, arguments, reader, &errors);
    });
    let mut errors = errors.take();
    let dyn_compatible = !has_functions_of_types(item);
    let missing = Implementation::Missing { dyn_compatible };
    let mut inside = emit_implementation(options.facade.as_ref(), missing);
    for (method, options) in methods {
        match derivatives(options, &method, &Callees::default()) {
            Ok(found) => {
                inside.extend(found.in_trait);
                // A method without a body is a signature.
                if !method.is_in_impl() {
                    beside.extend(found.beside.into_iter().chain(found.entries));
                }
            }
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(OfBlock { beside, inside }) } else { Err(errors) }
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

/// Items, or functions of an `impl` block, each under conditions.
pub(super) fn under_conditions(conditions: &TokenStream, items: TokenStream) -> TokenStream {
    let items = written::each_item(items).into_iter();
    items.flat_map(|item| conditions.clone().into_iter().chain(item)).collect()
}
