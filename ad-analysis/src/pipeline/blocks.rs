//! `impl` blocks of functions with derivatives.

use super::in_place::{self, OfType};
use super::{derivatives_or_stand_in, getters, imported, options_of, traits};
use crate::diag::{Diagnostic, Errors};
use crate::emit::{BesideGetter, emit_block};
use crate::inline::Callees;
use crate::lower::Neighbours;
use crate::lower::blocks::functions_of;
use crate::read::read;
use proc_macro2::TokenStream;
use std::rc::Rc;
use syn::ItemImpl;

/// What is generated for a block of functions.
#[derive(Default)]
pub(super) struct OfBlock {
    /// What stands beside it.
    pub(super) beside: TokenStream,
    /// What stands in it.
    pub(super) inside: TokenStream,
    /// What is wrong with it.
    pub(super) errors: Vec<Diagnostic>,
}

/// The derivatives of the functions of an `impl` block, in another one beside it, and what that of an annotated trait has besides.
pub(super) fn differentiate_block(
    arguments: &TokenStream,
    block: &mut ItemImpl,
    neighbours: &Rc<Neighbours>,
    callees: &Callees,
) -> OfBlock {
    let errors = Errors::new();
    let options = options_of(arguments);
    let of_getters = getters::of_block(block, &options);
    let (mut functions, mut known) = (Vec::new(), (Neighbours::default(), TokenStream::new()));
    let mut proofs = read(options.facade.as_ref(), options.told(), &errors, |reader| {
        functions = functions_of(block, arguments, reader, &errors);
        known = in_place::neighbours(&options.passed_to, reader);
    });
    let (mut others, assertions) = known;
    proofs.extend(assertions);
    proofs.extend(imported::proof_of_callees(&options));
    others.passed_to.extend(neighbours.passed_to.clone());
    let neighbours = Rc::new(others);
    let mut errors = errors.take();
    let (mut generated, mut beside) = (TokenStream::new(), TokenStream::new());
    match of_getters {
        Ok(BesideGetter { method, index }) => {
            generated.extend(method);
            beside.extend(index);
        }
        Err(found) => errors.extend(found),
    }
    let is_block_wrong = !errors.is_empty();
    let mut inside = TokenStream::new();
    for (mut function, own) in functions {
        let name = &function.function.sig.ident;
        if let Some((_, told)) = options.in_place_of_type.iter().find(|(of, _)| of == name) {
            match in_place::of_type(&own, &options, &function.function, told) {
                Ok(OfType { inside, proofs }) => {
                    generated.extend(inside);
                    beside.extend(proofs);
                }
                Err(found) => errors.extend(found),
            }
            continue;
        }
        function.neighbours = neighbours.clone();
        let found = derivatives_or_stand_in(own, &function, callees, &mut errors);
        let Some(found) = found else { continue };
        // What stands in the place of a method stands in no `impl` block.
        match function.is_in_impl() {
            true => generated.extend(found.entries),
            false => beside.extend(found.entries),
        }
        beside.extend(found.beside);
        inside.extend(found.in_trait);
    }
    // What is wrong with the block is wrong with all that is made of it.
    if is_block_wrong {
        return OfBlock { errors, ..OfBlock::default() };
    }
    if errors.is_empty() {
        beside.extend(proofs);
    }
    if options.of_trait.is_some() {
        inside.extend(traits::implementation(options.facade.as_ref(), block));
    }
    let block = (!generated.is_empty()).then(|| emit_block(block, generated));
    let beside = block.into_iter().flatten().chain(beside).collect();
    OfBlock { beside, inside, errors }
}
