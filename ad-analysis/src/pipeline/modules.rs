//! The attribute on a module: its functions are differentiated as if each had an attribute, and what is generated
//! stands inside of it. What the attribute on one function does not see it sees here: the bodies of the others.

use super::blocks::{OfBlock, differentiate_block};
use super::written::Additions;
use super::{check_modes, derivatives_or_stand_in, options_of};
use crate::analyses::Optimisation;
use crate::context::plain_item;
use crate::diag::{Diagnostic, Errors};
use crate::inline::{Callees, is_small_leaf};
use crate::ir::{Body, contradictions};
use crate::lower::annotated::Annotated;
use crate::lower::blocks::{check_options, with_options};
use crate::lower::modules::{Chosen, choice_of, choose};
use crate::lower::{Calls, Lowered, Neighbour, Neighbours, lower};
use crate::options::{DECLARED, Options};
use crate::read::read;
use crate::walk::visit_mut::VisitMut;
use proc_macro2::TokenStream;
use std::rc::Rc;
use syn::{Item, ItemMod};

/// The derivatives of its functions, to be added to a module, and what is wrong with them.
pub(super) fn differentiate(
    arguments: &TokenStream,
    module: &mut ItemMod,
) -> (Additions, Vec<Diagnostic>) {
    let errors = Errors::new();
    check_options(arguments, "a module", &errors);
    let span = module.mod_token.span;
    let Some((_, items)) = &mut module.content else {
        unreachable!("modules in files of their own are refused")
    };
    let choice = choice_of(items);
    let chosen = choose(items, choice);
    if chosen.is_empty() {
        errors.report(
            span,
            "nothing to differentiate",
            "no function in this module has floats among its parameters and in its result",
        );
    }
    let mut errors = errors.take();
    let is_module_wrong = !errors.is_empty();
    let generated = derivatives_of(arguments, chosen, &mut errors);
    (if is_module_wrong { Additions::default() } else { generated }, errors)
}

fn derivatives_of(
    arguments: &TokenStream,
    mut chosen: Chosen,
    errors: &mut Vec<Diagnostic>,
) -> Additions {
    let (options, of_reading) = (options_of(arguments), Errors::new());
    let proofs = read(options.facade.as_ref(), options.told(), &of_reading, |reader| {
        let functions = chosen.functions.iter_mut().map(|(function, _)| function);
        functions
            .chain(&mut chosen.passed_to)
            .for_each(|function| reader.visit_item_fn_mut(function));
    });
    errors.extend(of_reading.take());
    let plain = plain_types(&chosen.types);
    let passed_to = chosen.passed_to.into_iter();
    let passed_to = passed_to.map(Neighbour::beside).collect();
    let neighbours = Rc::new(Neighbours { passed_to });
    let functions: Vec<(Annotated, TokenStream)> = chosen
        .functions
        .into_iter()
        .map(|(function, own)| {
            errors.extend(check_modes(own.clone(), &function));
            let neighbours = neighbours.clone();
            let annotated = Annotated { neighbours, ..Annotated::free(function) };
            (annotated, with_options(own, with_options(plain.clone(), arguments.clone())))
        })
        .collect();
    let callees = Callees::of(functions.iter().filter_map(plain_body).collect(), is_small_leaf);
    let mut generated = Additions::default();
    for (function, options) in functions {
        let found = derivatives_or_stand_in(options, &function, &callees, errors);
        generated.items.extend(found.map(super::Derivatives::together).into_iter().flatten());
    }
    for (mut block, own) in chosen.blocks {
        let options = with_options(own, with_options(plain.clone(), arguments.clone()));
        let span = block.impl_token.span;
        let OfBlock { beside, inside, errors: found } =
            differentiate_block(&options, &mut block, &neighbours, &callees);
        errors.extend(found);
        match inside.is_empty() {
            true => generated.items.extend(beside),
            false => errors.push(Diagnostic {
                span,
                message:
                    "the `impl` of an annotated trait in an annotated module is not supported yet"
                        .to_owned(),
                help: "let it stand outside of the module".to_owned(),
            }),
        }
    }
    for (name, inner, own) in chosen.modules {
        let options = with_options(own, arguments.clone());
        generated.modules.insert(name, derivatives_of(&options, inner, errors));
    }
    if errors.is_empty() {
        generated.items.extend(proofs);
    }
    generated
}

/// `declared(plain Kind, { … }; …)`: the types that a module declares which hold no floats. The files of the crate tell of what is around the module, not of
/// what is in it.
fn plain_types(types: &[Item]) -> TokenStream {
    let plain: Vec<String> = types.iter().filter_map(plain_item).collect();
    if plain.is_empty() {
        return TokenStream::new();
    }
    format!("{DECLARED}({})", plain.concat()).parse().unwrap_or_default()
}

/// The body of a function whose names mean the same in all functions of its module, if it has no others.
fn plain_body((annotated, options): &(Annotated, TokenStream)) -> Option<Body> {
    let errors = Errors::new();
    let body = lowered_plainly(annotated, options, &errors);
    // They are reported when the function itself is differentiated.
    if errors.take().is_empty() { body } else { None }
}

fn lowered_plainly(annotated: &Annotated, options: &TokenStream, errors: &Errors) -> Option<Body> {
    let mut function = annotated.clone();
    let has_marks = !crate::outline::mark(&mut function.function, errors).is_empty();
    let options = Options::parse(options.clone(), errors);
    let is_given = options.given.is_some() || !options.enabled.has(Optimisation::Inline);
    if has_marks || is_given {
        return None;
    }
    let lowered = lower(annotated, &options, &Calls::default(), errors)?;
    let is_plain = lowered.operators.is_empty()
        && lowered.interface.carrier.is_none()
        && has_names_of_module(&lowered, &options)
        && contradictions(&lowered.body).is_empty();
    is_plain.then_some(lowered.body)
}

/// Whether no name in a function hides one of its module from a function that stands in place of a call.
pub(super) fn has_names_of_module(lowered: &Lowered, options: &Options) -> bool {
    lowered.items.is_empty()
        && lowered.sites.is_empty()
        && lowered.interface.generic_args.is_empty()
        && lowered.interface.outer_params.as_ref().is_some_and(Vec::is_empty)
        && options.callees.is_empty()
}
