//! Calls of functions and methods that may fail, of which the caller goes on: the payload and the failure are in variables.

use super::Lowerer;
use super::calls::{Callee, OnFailure};
use super::items::Item;
use super::optional::{Failure, Optional};
use crate::index::Var;
use crate::ir::{Class, Ending, Expr, ExprKind, Opaque, Refusal};
use crate::stdlib::is_known;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::rc::Rc;
use syn::parse::Parser;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// The `Option` or `Result` of a call of a function that may be annotated.
    pub(super) fn caught_call(&mut self, call: &syn::ExprCall) -> Option<Optional> {
        let span = call.span();
        let syn::Expr::Path(path) = super::places::strip(&call.func) else { return None };
        // What is computed from passive values alone has no derivative, whatever it is.
        if !matches!(self.callee(path), Callee::User | Callee::Associated)
            || self.is_inert(&call.args, false)
        {
            return None;
        }
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let failure = self.body.local("failure", Type::Unknown, span);
        let payload = self.user_value(path, &args, OnFailure::Caught(failure), span)?;
        Some(self.caught(failure, payload, span))
    }

    /// The same of a method.
    pub(super) fn caught_method(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        // `next` of an iterator, say.
        if self.sibling(call).is_none() && call.args.is_empty() && is_known(&call.method) {
            return None;
        }
        let span = call.method.span();
        let failure = self.body.local("failure", Type::Unknown, span);
        let payload = self.method_value(call, OnFailure::Caught(failure), span)?;
        Some(self.caught(failure, payload, span))
    }

    fn caught(&mut self, failure: Var, payload: Expr, span: Span) -> Optional {
        let some = self.of_failure(failure, &quote!(.is_none()), None);
        let some = Expr::new(ExprKind::Opaque(Rc::new(some)), Type::Bool, span);
        let some = self.name_value("succeeds", some);
        let (some, payload) = (self.load(some, span), Item::value(payload));
        Optional { some, payload, failure: Failure::Of(failure) }
    }

    /// The pattern of an error, as one of the variable that may hold it.
    pub(super) fn failure_pattern(&self, pat: &syn::Pat, failure: Var) -> (syn::Pat, Opaque) {
        let tokens = quote!(::core::option::Option::Some(#pat));
        let whole = syn::Pat::parse_single.parse2(tokens).expect("it is a pattern");
        (whole, self.of_failure(failure, &TokenStream::new(), None))
    }

    /// What a callee failed with.
    pub(super) fn error_of(&self, failure: Var) -> Opaque {
        let refusal = Refusal {
            what: "a number in an error".into(),
            help: "return what has a derivative as the result".into(),
            callee: None,
        };
        self.of_failure(failure, &quote!(.unwrap()), Some(refusal))
    }

    /// Code about what a callee failed with.
    fn of_failure(&self, failure: Var, code: &TokenStream, refusal: Option<Refusal>) -> Opaque {
        let name = Ident::new(&self.body.vars[failure].name, Span::call_site());
        Opaque {
            tokens: quote!(#name #code),
            reads: vec![failure],
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::State,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal,
        }
    }
}
