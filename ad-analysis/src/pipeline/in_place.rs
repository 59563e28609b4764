//! Functions that take functions: what stands beside one, and what callers know of it.

use super::options_of;
use crate::bodies::{
    Carrier, InPlace, PassedTo, assertion, declaration, lookup_proof, names_proof, proven,
};
use crate::diag::{Diagnostic, Errors};
use crate::lower::{Neighbour, Neighbours, hindrance};
use crate::options::Options;
use crate::read::Reader;
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ItemFn;

/// What stands beside a function that has no derivatives of its own.
pub(super) fn beside(
    arguments: &TokenStream,
    function: &ItemFn,
    proofs_of_names: TokenStream,
    in_place: &InPlace,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let options = options_of(arguments);
    let (digest, proofs) = known(&options, function, in_place)?;
    let name = options.name.map_or_else(|| function.sig.ident.to_string(), |(name, _)| name);
    let entries = syn::parse_str::<Ident>(&name).unwrap_or_else(|_| function.sig.ident.clone());
    let carrier = if name == "self" { Carrier::Module } else { Carrier::Struct(&entries) };
    let visibility = function.vis.to_token_stream();
    let declaration = declaration(&carrier, &visibility, &digest, options.facade.as_ref());
    Ok(declaration.into_iter().chain(proofs).chain(proofs_of_names).collect())
}

/// What there is of a function of a type that has no derivatives of its own.
pub(super) struct OfType {
    /// What stands in an `impl` block of the type.
    pub(super) inside: TokenStream,
    /// What stands anywhere in the module.
    pub(super) proofs: TokenStream,
}

/// `around` are the options of the `impl` block, which are about others, too.
pub(super) fn of_type(
    arguments: &TokenStream,
    around: &Options,
    function: &ItemFn,
    in_place: &InPlace,
) -> Result<OfType, Vec<Diagnostic>> {
    let mut options = options_of(arguments);
    options.second_order = options.second_order.filter(|_| around.second_order.is_none());
    options.first_nonfinite = options.first_nonfinite.filter(|_| around.first_nonfinite.is_none());
    options.entries = options.entries.filter(|_| around.entries.is_none());
    options.modes.retain(|(name, _)| around.modes.iter().all(|(other, _)| other != name));
    options.callees.retain(|(name, _)| around.callees.iter().all(|(other, _)| other != name));
    let (digest, proofs) = known(&options, function, in_place)?;
    let visibility = function.vis.to_token_stream();
    let carrier = Carrier::Type(&function.sig.ident);
    let inside = declaration(&carrier, &visibility, &digest, options.facade.as_ref());
    Ok(OfType { inside, proofs })
}

/// The number of the body of a function that others lower in place of calls, and proofs of what its names mean.
fn known(
    options: &Options,
    function: &ItemFn,
    in_place: &InPlace,
) -> Result<(TokenStream, TokenStream), Vec<Diagnostic>> {
    let (errors, name) = (Errors::new(), &function.sig.ident);
    refuse_options(options, &|what, span| {
        errors.report(
            span,
            format!("`{what}` does not belong to a function that takes functions"),
            "it has no derivatives of its own: say it where the function is called with functions that are known, or list its \
             functions in `passive(…)`, whose results are constants then",
        );
    });
    if let Some((what, help)) = hindrance(function) {
        errors.report(name.span(), format!("`{name}`, which takes a function, {what}"), help);
    }
    let found = match in_place {
        InPlace::Hindered { at, message, help } => {
            errors.report(*at, message, help);
            None
        }
        InPlace::Known { digest, proofs } => Some((digest.clone(), proven(proofs.clone()))),
    };
    let errors = errors.take();
    found.filter(|_| errors.is_empty()).ok_or(errors)
}

/// Options about derivatives, which what is annotated has none of.
pub(super) fn refuse_options(options: &Options, refuse: &dyn Fn(&str, Span)) {
    options.passive.iter().for_each(|name| refuse("passive", name.span()));
    options.entries.iter().flatten().for_each(|name| refuse("entries", name.span()));
    options.tests.iter().for_each(|(name, _)| refuse("test", name.span()));
    options.second_order.iter().for_each(|span| refuse("second_order", *span));
    options.first_nonfinite.iter().for_each(|span| refuse("first_nonfinite", *span));
    options.modes.iter().for_each(|(name, _)| refuse("split` or `checkpoint", name.span()));
    options.callees.iter().for_each(|(name, _)| refuse("callee", name.span()));
}

/// What an item knows of the functions that take functions, with their names read, and proofs of it.
pub(super) fn neighbours(
    passed_to: &[PassedTo],
    reader: &mut Reader<'_>,
) -> (Neighbours, TokenStream) {
    let (mut neighbours, mut assertions) = (Neighbours::default(), TokenStream::new());
    let mut meant = Vec::new();
    for passed_to in passed_to {
        let function = match &passed_to.function {
            Ok(tokens) => {
                let Ok(mut function) = syn::parse2::<ItemFn>(tokens.clone()) else { continue };
                reader.visit_item_fn_mut(&mut function);
                assertions.extend(assertion(&passed_to.constant, &passed_to.digest));
                if passed_to.owner_and_name().is_none() {
                    meant.push((passed_to.key(), passed_to.paths.clone()));
                }
                assertions.extend(lookup(passed_to).into_iter().flatten());
                Ok(function)
            }
            Err(hindered) => Err(hindered.clone()),
        };
        let (identity, receiver) = (passed_to.digest.to_string(), passed_to.receiver);
        neighbours.passed_to.insert(passed_to.key(), Neighbour { identity, receiver, function });
    }
    let names = names_proof(meant.iter().map(|(name, paths)| (name.as_str(), paths.clone())));
    (neighbours, proven(names.into_iter().chain(assertions).collect()))
}

/// Proves that calls of a method by its name find it. Functions with imports inside of them make no such calls.
fn lookup(passed_to: &PassedTo) -> Option<TokenStream> {
    let (owner, method) = passed_to.owner_and_name()?;
    Some(lookup_proof(&owner, &method, passed_to.receiver?))
}
