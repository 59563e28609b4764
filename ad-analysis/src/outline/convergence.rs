//! What the attribute of a fixed-point loop says.

use super::plan::options_of;
use crate::diag::Errors;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Attribute, Expr};

/// How the adjoint of a fixed-point loop is had.
pub struct FixedPoint {
    /// `tol = …`: how much the last pass may change the adjoint, in relation to its size.
    pub tolerance: Expr,
    /// `max = …`: how many passes there may be.
    pub passes: Expr,
    /// The parameter of the step that keeps it from ending the loop.
    pub completes: Ident,
}

const HELP: &str =
    "write `#[fixed_point(tol = 1e-12)]`, or `#[fixed_point(tol = 1e-12, max = 1000)]`";

impl FixedPoint {
    /// What an attribute says. What is wrong with it is reported.
    pub(super) fn parse(attribute: &Attribute, completes: Ident, errors: &Errors) -> Option<Self> {
        let refuse = |span, what: String| {
            errors.report(span, format!("{what} is not supported here yet"), HELP);
            None
        };
        let options = match attribute.meta.require_path_only() {
            Ok(_) => Ok(Vec::new()),
            Err(_) => options_of(attribute),
        };
        let options = match options {
            Ok(options) => options,
            Err(error) => {
                errors.report_syntax(&error, HELP);
                return None;
            }
        };
        let (mut tolerance, mut passes) = (None, None);
        for (name, value) in options {
            let option = match name.to_string().as_str() {
                "tol" => &mut tolerance,
                "max" => &mut passes,
                other => return refuse(name.span(), format!("`{other}`")),
            };
            if option.replace(value).is_some() {
                return refuse(name.span(), format!("`{name}` besides what stands before it"));
            }
        }
        let Some(tolerance) = tolerance else {
            return refuse(attribute.meta.span(), "a fixed-point loop without `tol`".to_owned());
        };
        let passes = passes.unwrap_or_else(|| syn::parse_quote!(1000));
        Some(Self { tolerance, passes, completes })
    }
}
