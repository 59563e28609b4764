//! Functions whose derivatives the user gives: their bodies are not looked at.
//!
//! With `partials(x: …)` the body is the value of a call of the function itself, and what the user has
//! written is computed beside it, in the forward sweep, where the result is at hand. With `with = path` it is
//! a joint call whose adjoint is the function at the path.

use super::Lowerer;
use crate::index::Var;
use crate::interface::{Home, Interface, Parameter, Passing};
use crate::ir::{
    Arg, ArgKind, Call, CallMode, Callee, Class, Ending, Expr, ExprKind, Op, Opaque, Place,
    Resolution, Slot, StmtKind, Sweep,
};
use crate::options::NamedValue;
use crate::types::Type;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{FnArg, Pat, Signature};

/// The name of the result in partials.
const RESULT: &str = "result";

impl Lowerer<'_> {
    /// The signature without `mut`, which is for the body. Patterns are refused: what they bind has no name
    /// outside of the body.
    pub(super) fn plain_parameters(&self, sig: &Signature) -> Signature {
        let mut sig = sig.clone();
        for input in &mut sig.inputs {
            let FnArg::Typed(param) = input else { continue };
            match &mut *param.pat {
                Pat::Ident(pat) => pat.mutability = None,
                pat => self.errors.report(
                    pat.span(),
                    "a pattern in the signature of a function whose derivative is given",
                    "give the parameter a name, and take it apart in the body",
                ),
            }
        }
        sig
    }

    /// The body of a function with `partials(…)`.
    pub(super) fn with_partials(&mut self, partials: &[NamedValue], interface: &Interface) {
        if !self.check_partials(interface) {
            return;
        }
        let Some(result) = self.body.result else { return };
        let (ty, span) = (self.body.vars[result].ty.clone(), self.body.vars[result].span);
        let value = self.call_of_itself(interface, &ty, span);
        let value = self.name_value(RESULT, value);
        self.bind(RESULT, value);
        let mut args = vec![self.load(value, span)];
        for partial in partials {
            let named = |param: &&Parameter| param.names.contains(&partial.name);
            let Some(param) = interface.params.iter().find(named) else { continue };
            let Some(value) = self.partial(partial, param.var, &ty) else { continue };
            args.push(value);
            args.push(self.load(param.var, partial.name.span()));
        }
        let value = Expr::new(ExprKind::Op(Op::Given, args), ty, span);
        self.emit(StmtKind::Assign { place: Place::var(result), value }, span);
        self.body.block.stmts = std::mem::take(&mut self.out);
    }

    /// The body of a function with `with = path`: a call of the function itself, whose adjoint is the function
    /// at the path.
    pub(super) fn with_adjoint(&mut self, path: &TokenStream, interface: &Interface) {
        if matches!(interface.home, Home::Impl | Home::StandardTrait) {
            self.errors.report(
                path.span(),
                "`with` in an `impl` block is not supported yet",
                "annotate a function outside of it that the method calls",
            );
            return;
        }
        let span = interface.name.span();
        let args = interface.params.iter().map(|param| match param.passing {
            Passing::Value => ArgKind::Value(self.load(param.var, span)),
            Passing::Shared => ArgKind::Shared(Place::var(param.var)),
            Passing::Exclusive => ArgKind::Exclusive(Place::var(param.var)),
        });
        let args = args.map(|kind| Arg { kind, slot: Slot::Passive }).collect();
        let result = self.body.result;
        let value = result.map(|result| {
            let ty = self.body.vars[result].ty.clone();
            self.body.local(RESULT, ty, span)
        });
        let call = Call {
            callee: Callee::Given,
            args,
            result: value,
            kept: None,
            mode: CallMode::Joint,
            sweep: Sweep::Primal,
            carrier: interface.carrier,
            failure: None,
            resolution: Resolution::AsNamed,
        };
        self.emit(StmtKind::Call(call), span);
        if let (Some(result), Some(value)) = (result, value) {
            let value = self.load(value, span);
            self.emit(StmtKind::Assign { place: Place::var(result), value }, span);
        }
        self.body.block.stmts = std::mem::take(&mut self.out);
    }

    /// Whether the result and the parameters are such that partials say everything.
    fn check_partials(&self, interface: &Interface) -> bool {
        let mut is_clear = true;
        let mut refuse = |span: Span, what: String, help: &str| {
            is_clear = false;
            self.errors.report(span, what, help);
        };
        let is_float = |var: Var| self.body.vars[var].ty.is_float();
        if interface.carrier.is_some() || !self.body.result.is_some_and(is_float) {
            refuse(
                interface.name.span(),
                "`partials(…)` is for functions that return a float".into(),
                "give the whole adjoint: `with = path`",
            );
        }
        for param in &interface.params {
            let is_passive = self.options.passive.iter().any(|name| param.names.contains(name));
            let ty = &self.body.vars[param.var].ty;
            if param.passing == Passing::Exclusive && ty.may_carry_floats() && !is_passive {
                refuse(
                    param.ident.span(),
                    format!(
                        "`{}` is a `&mut`, and `partials(…)` says nothing of what is written",
                        param.ident
                    ),
                    "give the whole adjoint, `with = path`, or list a work array in `passive(…)`",
                );
            }
            if param.names.iter().any(|name| name == RESULT) {
                refuse(
                    param.ident.span(),
                    "`result` is what partials call the result of the function".into(),
                    "give the parameter another name",
                );
            }
        }
        is_clear
    }

    /// The value of a call of the function.
    fn call_of_itself(&self, interface: &Interface, ty: &Type, span: Span) -> Expr {
        let args = interface.params.iter().map(|param| {
            let variable = &self.body.vars[param.var];
            let name = format_ident!("{}", variable.name, span = variable.span);
            match param.passing {
                Passing::Shared => quote!(#name),
                Passing::Exclusive => quote!(&mut *#name),
                Passing::Value if variable.ty.is_copy() => quote!(#name),
                // Partials may read it, too.
                Passing::Value => quote!(::core::clone::Clone::clone(&#name)),
            }
        });
        let is_written = |param: &&Parameter| param.passing == Passing::Exclusive;
        let (path, turbofish) = match interface.home {
            Home::Struct | Home::Beside => (quote!(Self::__primal), None),
            Home::Impl | Home::StandardTrait => {
                let given = &interface.primal_args;
                let given = (!given.is_empty()).then(|| quote!(::<#(#given),*>));
                (interface.primal.clone(), given)
            }
        };
        let opaque = Opaque {
            tokens: quote!(#path #turbofish (#(#args),*)),
            reads: self.body.params.clone(),
            writes: interface.params.iter().filter(is_written).map(|param| param.var).collect(),
            declares: Vec::new(),
            // It does the same whenever it is called: so much is asked of a function with partials.
            class: Class::State,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: None,
        };
        Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty.clone(), span)
    }

    /// A partial in a variable of its own: a float, or one for each element of a list.
    fn partial(&mut self, partial: &NamedValue, param: Var, result: &Type) -> Option<Expr> {
        let (name, ty) = (&partial.name, self.body.vars[param].ty.clone());
        let is_list = ty.element() == Some(result);
        if !ty.may_carry_floats() {
            // That has been said.
            return None;
        }
        if !is_list && ty != *result {
            self.errors.report(
                name.span(),
                format!("a partial with respect to `{name}`, of type `{ty}`, is not supported"),
                "partials belong to parameters of the type of the result and to lists of it: give the \
                 whole adjoint, `with = path`",
            );
            return None;
        }
        let mut value: syn::Expr = syn::parse2(partial.value.clone()).ok()?;
        let span = value.span();
        if is_list {
            let element = self.body.result.and_then(|var| self.body.vars[var].declared.clone());
            let facade = self.facade();
            let (list, text) = (name.to_token_stream(), name.to_string());
            let tokens: TokenStream = quote_spanned! {span=>
                #facade::__private::partials::<#element, _>(#text, #value, #list.len())
            };
            value = syn::parse2(tokens).expect("a call");
        }
        let opaque = self.verbatim(&value, None);
        let opaque =
            Opaque { writes: Vec::new(), class: Class::State, calls_unknown: false, ..opaque };
        let ty = if is_list { Type::vec(result.clone()) } else { ty };
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span);
        let var = self.name_value(&format!("{name}_partial"), value);
        Some(self.load(var, span))
    }
}
