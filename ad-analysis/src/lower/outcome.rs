//! Functions that return an `Option` or a `Result`: the payload is the result of the body, and where
//! there is none the function fails. No derivative comes from there, and there is no way back.
//!
//! ```text
//! if x <= 0.0 { return Err(Negative); }     if x <= 0.0 { fail Err(Negative); }
//! Ok(x.ln())                                ret = x.ln();
//! ```

use super::optional::Failure;
use super::optional_syntax::names;
use super::places::strip;
use super::receivers::callee_of;
use super::{Destination, Lowerer, Operand, fence};
use crate::ir::{Carrier, Class, Ending, Expr, ExprKind, Opaque, Place, StmtKind};
use crate::types::Type;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// What carries the payload of the type of a result, and the type of that, if it is an `Option` or
    /// a `Result`.
    pub(super) fn carried<'t>(&self, ty: &'t syn::Type) -> Option<(Carrier, &'t syn::Type)> {
        let syn::Type::Path(path) = ty else { return None };
        let last = path.path.segments.last()?;
        let carrier = match last.ident.to_string().as_str() {
            "Option" => Carrier::Option,
            "Result" => Carrier::Result,
            _ => return None,
        };
        let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
        args.args.iter().find_map(|arg| match arg {
            syn::GenericArgument::Type(ty) => Some((carrier, ty)),
            _ => None,
        })
    }

    /// Where the value of the function goes.
    pub(super) fn function_destination(&self) -> Destination {
        match self.carrier {
            Some(_) => Destination::Outcome,
            None => self.payload_destination(),
        }
    }

    pub(super) fn payload_destination(&self) -> Destination {
        match self.body.result {
            Some(result) => Destination::Place(Place::var(result)),
            None => Destination::Discard,
        }
    }

    /// `Ok(e)`, `Some(e)`, `Err(e)`, `None` as the value of the function.
    pub(super) fn outcome_of(&mut self, expr: &syn::Expr) {
        let span = expr.span();
        match (constructor(expr).as_deref(), strip(expr)) {
            (Some("Ok" | "Some"), syn::Expr::Call(call)) if call.args.len() == 1 => {
                let destination = self.payload_destination();
                self.lower_into(&call.args[0], &destination);
            }
            (Some("Err"), syn::Expr::Call(call)) if call.args.len() == 1 => {
                let error = self.verbatim_cut(&call.args[0]);
                let tokens = &error.tokens;
                let tokens = quote!(::core::result::Result::Err(#tokens));
                self.fail(Opaque { tokens, ..error }, span);
            }
            (Some("None"), syn::Expr::Path(_)) => {
                let none = quote!(::core::option::Option::None);
                self.fail(nothing_but(none), span);
            }
            _ => {
                let collected = self.collected_and_returned(expr);
                let passed_on = collected
                    .or_else(|| self.carrier.and_then(|carrier| self.passed_on(expr, carrier)));
                if let Some(value) = passed_on {
                    let destination = self.payload_destination();
                    self.store(&destination, value);
                } else if let Some(optional) = self.optional(expr) {
                    self.return_optional(optional, span);
                } else if let Some(value) = self.returned_by_method(expr) {
                    let destination = self.payload_destination();
                    self.store(&destination, value);
                } else {
                    self.unknown_outcome(span);
                }
            }
        }
    }

    /// What a method or a function of a type returns, of which it is not known yet that it is a call: it is kept as `e?` would be.
    fn returned_by_method(&mut self, expr: &syn::Expr) -> Option<Expr> {
        let is_open = callee_of(expr).is_some_and(|callee| !self.calls.has(&callee));
        let carrier = self.carrier.filter(|_| is_open)?;
        Some(self.passed_or_left(&syn::parse_quote!(#expr?), carrier))
    }

    /// `e?`: the payload, or the function fails. `None` if the function is not one that may fail.
    pub(super) fn question_mark(&mut self, exit: &syn::ExprTry) -> Option<Operand> {
        let carrier = self.carrier?;
        if let Some(list) = self.collected_and_passed_on(&exit.expr) {
            return Some(Operand::Value(list));
        }
        if let Some(value) = self.passed_on(&exit.expr, carrier) {
            return Some(Operand::Value(value));
        }
        if let Some(optional) = self.optional(&exit.expr) {
            self.fail_unless(optional.some, &optional.failure, exit.question_token.span());
            return Some(self.operand_of(optional.payload));
        }
        Some(Operand::Value(self.passed_or_left(exit, carrier)))
    }

    /// What the function returns for a failure.
    pub(super) fn failure_of(&mut self, failure: &Failure, span: Span) -> Opaque {
        match (failure, self.carrier) {
            (Failure::Of(failure), Some(Carrier::Result)) => {
                let error = Failure::Code(self.error_of(*failure));
                self.failure_of(&error, span)
            }
            (Failure::Code(error), _) => {
                let tokens = &error.tokens;
                let tokens =
                    quote!(::core::result::Result::Err(::core::convert::From::from(#tokens)));
                Opaque { tokens, ..error.clone() }
            }
            (Failure::None | Failure::Of(_), Some(Carrier::Option) | None) => {
                nothing_but(quote!(::core::option::Option::None))
            }
            (Failure::None, Some(Carrier::Result)) | (Failure::Lost, _) => {
                self.errors.report(
                    span,
                    "the macro does not know the error of this `Result`",
                    "return it where it arises: `return Err(…)`, or `.ok_or(…)?`",
                );
                nothing_but(TokenStream::new())
            }
        }
    }

    /// `e?` of verbatim code, whose payload carries no derivative.
    fn passed_or_left(&mut self, exit: &syn::ExprTry, carrier: Carrier) -> Expr {
        let span = exit.question_token.span();
        let attempt = self.opaque_value(&exit.expr);
        let attempt = self.name_value("attempt", attempt);
        let name = syn::Ident::new(&self.body.vars[attempt].name, Span::call_site());
        let (fails, failure, payload) = match carrier {
            Carrier::Option => (
                quote!(#name.is_none()),
                quote!(::core::option::Option::None),
                quote!(#name.unwrap()),
            ),
            Carrier::Result => (
                quote!(#name.is_err()),
                quote!(::core::result::Result::Err(::core::convert::From::from(
                    #name.err().unwrap()
                ))),
                quote!(#name.ok().unwrap()),
            ),
        };
        let of_attempt = |tokens, refusal| Opaque {
            reads: vec![attempt],
            class: Class::Pure,
            refusal,
            ..nothing_but(tokens)
        };
        let value = |opaque, ty| Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span);
        let fails = self.name_value("fails", value(of_attempt(fails, None), Type::Bool));
        let test = self.load(fails, span);
        let then = self.in_block(|this| {
            let failure = Opaque { class: Class::State, ..of_attempt(failure, None) };
            this.fail(failure, span);
        });
        let otherwise = self.body.new_block(Vec::new());
        self.emit(StmtKind::If { test, then, otherwise }, span);
        let refusal = Some(fence::refusal(&exit.expr));
        let ty = self.types.fresh();
        let payload = self.name_value("payload", value(of_attempt(payload, refusal), ty));
        self.load(payload, span)
    }

    /// The function fails, returning the value of some code.
    pub(super) fn fail(&mut self, failure: Opaque, span: Span) {
        let failure = Opaque { ending: Ending::Fails, ..failure };
        self.emit(StmtKind::Opaque(Rc::new(failure)), span);
    }

    /// Whether the last statement is a failure.
    pub(super) fn has_failed(&self) -> bool {
        self.out.last().is_some_and(|last| match &last.kind {
            StmtKind::Opaque(opaque) => opaque.ending == Ending::Fails,
            _ => false,
        })
    }

    pub(super) fn unknown_outcome(&self, span: Span) {
        self.errors.report(
            span,
            "the macro does not see whether this is a result or a failure",
            "say so where it is returned: `Ok(…)`, `Some(…)`, `Err(…)` or `None`",
        );
    }
}

/// Code that reads nothing and has no effect.
fn nothing_but(tokens: TokenStream) -> Opaque {
    Opaque {
        tokens,
        reads: Vec::new(),
        writes: Vec::new(),
        declares: Vec::new(),
        // Where control goes is an effect.
        class: Class::State,
        ending: Ending::Continues,
        calls_unknown: false,
        refusal: None,
    }
}

/// The name of a constructor, if the expression is one or a call of one.
fn constructor(expr: &syn::Expr) -> Option<String> {
    let path = match strip(expr) {
        syn::Expr::Call(call) => match strip(&call.func) {
            syn::Expr::Path(path) => path,
            _ => return None,
        },
        syn::Expr::Path(path) => path,
        _ => return None,
    };
    let last = path.path.segments.last().map(|segment| segment.ident.to_string());
    last.filter(|_| names(&path.path, &["Some", "None", "Ok", "Err"]))
}
