//! Second derivatives: the tangent of a function becomes a function, which is differentiated as any other.

use super::partials::of_partials;
use super::{Derived, Differentiated, derive, product};
use crate::analyses::Optimisation;
use crate::diag::{Diagnostic, Errors};
use crate::diff::{Products, Tangent, directional, products};
use crate::emit::{Product, emit_second, signature_of_tangent};
use crate::interface::Home;
use crate::ir::{ByReference, StandardTrait};
use crate::lower::Lowered;
use crate::lower::annotated::Annotated;
use crate::options::Given;
use crate::simplify::simplify;
use proc_macro2::{Span, TokenStream};

/// The second derivatives of a function, if the user asks for them.
pub(super) fn second_derivatives(
    first: &Differentiated,
    annotated: &Annotated,
    has_fixed_point: bool,
) -> Result<TokenStream, Vec<Diagnostic>> {
    let Some(asked) = first.options.second_order else { return Ok(TokenStream::new()) };
    let refuse = |span: Span, message: &str, help: &str| {
        let (message, help) = (message.to_owned(), help.to_owned());
        Err(vec![Diagnostic { span, message, help }])
    };
    let interface = &first.lowered.interface;
    if let Some((what, help)) = without_second(first, has_fixed_point) {
        return refuse(asked, &format!("second derivatives {what} are not supported yet"), help);
    }
    let Some(tangent) = &first.tangent else {
        let help = "switch on the feature `tangent` of the library";
        return refuse(asked, "second derivatives are those of tangents", help);
    };
    if let Some(why) = tangent.refusal {
        let message = format!("this function has no second derivatives: {}", why.in_words());
        return refuse(asked, &message, "its adjoint works; `second_order` does not");
    }
    if let Some(Given::Partials(partials)) = &first.options.given {
        let (second, interface) = of_partials(first, tangent, annotated, partials)?;
        let product = Product { interface: &interface, ..product(&second, None) };
        // It calls the function, which has an adjoint of one bar.
        return Ok(emit_second(&product, &first.lowered.interface, &tangent.directions, None));
    }
    let mut body = match directional(tangent, &first.lowered.body, &first.options.callees) {
        Ok(body) => body,
        Err(span) => {
            let message =
                "second derivatives of functions that call derivatives are not supported yet";
            let help = "mark the call `#[passive]` if its derivative does not matter";
            return refuse(span, message, help);
        }
    };
    let errors = Errors::new();
    super::check(&body, &errors);
    if first.options.enabled.has(Optimisation::Simplify) {
        simplify(&mut body);
    }
    let interface = signature_of_tangent(interface, &body, &tangent.directions);
    let (items, codes) = (first.lowered.items.clone(), first.lowered.codes.clone());
    let (operators, sites) = (Vec::new(), Vec::new());
    let lowered = Lowered {
        body,
        interface,
        items,
        codes,
        operators,
        sites,
        plain: Vec::new(),
        indexed: Vec::new(),
        awaited: Vec::new(),
        functions: Vec::new(),
        whole: Vec::new(),
    };
    let Derived { result, .. } = derive(lowered, first.options.clone(), false, errors);
    let second = result?;
    let products = products_of(&second, first, tangent);
    let second = second.finished();
    let function = &first.lowered.interface;
    Ok(emit_second(&product(&second, None), function, &tangent.directions, products.as_ref()))
}

/// The sweeps for several directions at once, if there are such. `second` is the tangent as a function.
fn products_of(
    second: &Differentiated,
    first: &Differentiated,
    tangent: &Tangent,
) -> Option<Products> {
    let known = tangent.body.vars.len();
    let tangents = tangent.holding_directions(&first.lowered.body);
    products(&second.adjoint, &second.lowered.body, tangents, known)
}

/// Whether each operand of an operator has a direction, of which its adjoint makes use.
fn has_all_directions(first: &Differentiated) -> bool {
    let params = &first.lowered.interface.params;
    first.options.given.is_none() && params.iter().all(|param| param.has_bar())
}

/// Of what there are no second derivatives so far, and what to do instead.
fn without_second(
    first: &Differentiated,
    has_fixed_point: bool,
) -> Option<(&'static str, &'static str)> {
    let interface = &first.lowered.interface;
    if let Some(known) = &interface.standard {
        if known.of == StandardTrait::Conversion {
            return Some(("of conversions", "make it a function, and call it instead"));
        }
        if known.by_reference != ByReference::Neither {
            let help = "differentiate the operator on values twice, and write that";
            return Some(("of operators on references", help));
        }
    }
    match interface.home {
        Home::Struct | Home::Impl => {}
        Home::StandardTrait if has_all_directions(first) => {}
        Home::Beside => {
            return Some(("of functions with `name = \"self\"`", "give them another name"));
        }
        Home::StandardTrait => {
            let what = "of operators with `passive(…)`, and of those whose derivative is given,";
            return Some((what, "make it a function, and call it instead"));
        }
    }
    if !interface.demands.is_empty() {
        return Some(("of functions that are generic over types", "write `f64`"));
    }
    match (&first.options.given, interface.home) {
        (Some(Given::Adjoint(_)), _) => {
            let help = "leave `with = …` out, or give `partials(…)`";
            return Some(("of functions whose adjoint is given", help));
        }
        (Some(Given::Partials(_)), Home::Impl) => {
            let help = "make it a function, and call it in the method";
            return Some(("of methods whose derivative is given", help));
        }
        (Some(Given::Partials(_)), Home::Struct | Home::Beside | Home::StandardTrait)
        | (None, _) => {}
    }
    if has_fixed_point {
        return Some(("of fixed-point loops", "leave `#[fixed_point(…)]` out"));
    }
    let body = &first.lowered.body;
    let is_dependent = |result| body.dependents.contains(&result);
    if body.result.is_some_and(|result| !is_dependent(result)) {
        let help = "make `return` a dependent, or return nothing";
        return Some(("of functions that return what is no dependent", help));
    }
    None
}
