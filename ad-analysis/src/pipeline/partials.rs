//! Second derivatives of a function whose partials are given: its tangent is made of them.

use super::{Differentiated, analyse_with, with_calls};
use crate::diag::{Diagnostic, Errors};
use crate::diff::Tangent;
use crate::emit::interface_of_tangent;
use crate::inline::Callees;
use crate::interface::Interface;
use crate::lower::annotated::Annotated;
use crate::lower::tangent_of_partials;
use crate::options::{NamedValue, Options};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::rc::Rc;

/// The tangent as a function, differentiated, and its signature.
pub(super) fn of_partials(
    first: &Differentiated,
    tangent: &Tangent,
    annotated: &Annotated,
    partials: &[NamedValue],
) -> Result<(Differentiated, Interface), Vec<Diagnostic>> {
    let (interface, body) = (&first.lowered.interface, &first.lowered.body);
    let directions = interface.params.iter().zip(&tangent.directions).map(|(param, direction)| {
        Some(Ident::new(&tangent.body.vars[(*direction)?].name, param.ident.span()))
    });
    let directions: Vec<Option<Ident>> = directions.collect();
    let function = tangent_of_partials(&annotated.function, partials, interface, body, &directions);
    let mut tangent = Annotated::free(function);
    tangent.neighbours = Rc::clone(&annotated.neighbours);
    tangent.has_tangent = false;
    let options = options(first, &directions);
    let second = with_calls(|calls| {
        let callees = Callees::default();
        analyse_with(options.clone(), &tangent, calls, &callees, Errors::new())
    })?;
    let interface = interface_of_tangent(interface, &second.lowered.interface);
    Ok((second.finished(), interface))
}

/// What is differentiated: the parameters and their directions. Its callees are found where those of the function are.
fn options(first: &Differentiated, directions: &[Option<Ident>]) -> Options {
    let interface = &first.lowered.interface;
    let (mut independents, mut passive) = (Vec::new(), Vec::new());
    for (param, direction) in interface.params.iter().zip(directions) {
        match direction {
            Some(direction) => independents.extend([param.ident.clone(), direction.clone()]),
            None => passive.push(param.ident.clone()),
        }
    }
    let mut options = first.options.clone();
    if interface.entries != interface.name {
        options.callees.push((interface.name.clone(), interface.entries.to_token_stream()));
    }
    Options {
        independents: Some(independents),
        dependents: Some(vec![Ident::new("return", Span::call_site())]),
        passive,
        given: None,
        name: None,
        tests: Vec::new(),
        ..options
    }
}
