//! The function with a sum of what its statements assign, for generated tests.

use super::{Derived, Differentiated, derive};
use crate::analyses::Facts;
use crate::diag::Errors;
use crate::diff::{Site, Summed, summed};
use crate::emit::{path_of_terms, signature_with_sum};
use crate::ir::Body;
use crate::lower::Lowered;
use crate::options::Options;

/// The derivatives of that function.
pub(super) struct WithSum {
    pub(super) derivatives: Box<Differentiated>,
    /// The statements that are told.
    pub(super) sites: Vec<Site>,
}

/// Those of a function, if there are such. `function` is as it was lowered, `lowered` the same with control reified.
pub(super) fn with_sum(
    function: &Body,
    lowered: &Lowered,
    facts: &Facts,
    options: &Options,
) -> Option<WithSum> {
    let term = path_of_terms(&lowered.interface);
    let Summed { body, sum, sites } = summed(function, &lowered.body, facts, &term)?;
    let interface = signature_with_sum(&lowered.interface, &body, sum);
    let (items, codes) = (lowered.items.clone(), lowered.codes.clone());
    let lowered = Lowered {
        body,
        interface,
        items,
        codes,
        operators: Vec::new(),
        sites: Vec::new(),
        plain: Vec::new(),
        indexed: Vec::new(),
        awaited: Vec::new(),
        functions: Vec::new(),
        whole: Vec::new(),
    };
    let Derived { result, .. } = derive(lowered, options.clone(), true, Errors::new());
    let derivatives = Box::new(result.ok()?);
    let tangent = derivatives.tangent.as_ref()?;
    tangent.refusal.is_none().then_some(WithSum { derivatives, sites })
}
