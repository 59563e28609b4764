//! Functions that take functions: what stands beside one, and what callers know of it.

use super::options_of;
use crate::bodies::{Carrier, InPlace, PassedTo, assertion, declaration, names_proof, proven};
use crate::diag::{Diagnostic, Errors};
use crate::lower::{Neighbour, Neighbours, hindrance};
use crate::options::Options;
use crate::read::Reader;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ItemFn;
use syn::visit_mut::VisitMut;

/// What stands beside a function that has no derivatives of its own.
pub(super) fn beside(
    arguments: &TokenStream,
    function: &ItemFn,
    proofs_of_names: TokenStream,
    in_place: &InPlace,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let (errors, options) = (Errors::new(), options_of(arguments));
    let name = &function.sig.ident;
    refuse_options(&options, &errors);
    if let Some((what, help)) = hindrance(function) {
        errors.report(name.span(), format!("`{name}`, which takes a function, {what}"), help);
    }
    let generated = match in_place {
        InPlace::Hindered { at, message, help } => {
            errors.report(*at, message, help);
            TokenStream::new()
        }
        InPlace::Known { digest, proofs } => {
            let visibility = function.vis.to_token_stream();
            let named = options.name.map(|(name, _)| name);
            let called = named.as_deref().unwrap_or_default();
            let entries = match syn::parse_str::<Ident>(called) {
                Ok(name) => name,
                Err(_) => name.clone(),
            };
            let carrier =
                if called == "self" { Carrier::Module } else { Carrier::Struct(&entries) };
            let declaration = declaration(&carrier, &visibility, digest, options.facade.as_ref());
            declaration.into_iter().chain(proven(proofs.clone())).chain(proofs_of_names).collect()
        }
    };
    let errors = errors.take();
    if errors.is_empty() { Ok(generated) } else { Err(errors) }
}

/// Options about derivatives that the function does not have.
fn refuse_options(options: &Options, errors: &Errors) {
    let refuse = |what: &str, span: Span| {
        errors.report(
            span,
            format!("`{what}` does not belong to a function that takes functions"),
            "it has no derivatives of its own: say it where the function is called with functions that are known, or list its \
             functions in `passive(…)`, whose results are constants then",
        );
    };
    options.passive.iter().for_each(|name| refuse("passive", name.span()));
    options.tests.iter().for_each(|(name, _)| refuse("test", name.span()));
    options.second_order.iter().for_each(|span| refuse("second_order", *span));
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
                assertions.extend(assertion(&passed_to.entries, &passed_to.digest));
                meant.push((passed_to.key(), passed_to.paths.clone()));
                Ok(function)
            }
            Err(hindered) => Err(hindered.clone()),
        };
        let identity = passed_to.digest.to_string();
        neighbours.passed_to.insert(passed_to.key(), Neighbour { identity, function });
    }
    let names = names_proof(meant.iter().map(|(name, paths)| (name.as_str(), paths.clone())));
    (neighbours, proven(names.into_iter().chain(assertions).collect()))
}
