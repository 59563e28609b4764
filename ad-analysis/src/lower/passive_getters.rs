//! Getters of what has no derivative, of values that may be written to meanwhile: the numbers that are read there are copied.
//!
//! ```text
//! let dt = self.settings().dt;        let dt = self[self.__at_of_settings()].dt;
//! self.x += dt * self.v;              self.x += dt * self.v;
//! ```
//!
//! Of what a parameter lends, such a getter is a field that is marked `#[passive]` ([`super::getters`]).

use super::Lowerer;
use crate::getters::passive_query;
use crate::index::Var;
use crate::ir::{Expr, Place, Projection};
use crate::types::Type;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// The variable that a number is copied to which is read by way of such a getter: `self.settings().dt`, `*self.weight(i)`.
    pub(super) fn copied_by_getter(&mut self, expr: &syn::Expr) -> Option<Var> {
        let (call, steps) = way_from_getter(expr)?;
        self.copied_behind_getter(call, &steps)
    }

    /// The same by the call of the getter, and the steps from there on.
    pub(super) fn copied_behind_getter(
        &mut self,
        call: &syn::ExprMethodCall,
        steps: &[&syn::Expr],
    ) -> Option<Var> {
        // What other getters are called on is not lowered for nothing, and in chains of them not again at each step.
        let is_passive = self.options.declared.has_passive_getter(&call.method.to_string());
        if !is_passive || !self.may_be_getter(call) {
            return None;
        }
        self.attempt("what a getter leads to", |this| {
            let called = this.getter_called(call)?;
            if !called.is_passive || called.is_optional || this.is_part_of_lent(&called.owner) {
                return None;
            }
            let found = this.lower_type(&called.reference.elem);
            let (tokens, mut reads) = this.located(&called, call);
            let owner = format_ident!("{}", this.body.vars[reads[0]].name);
            let proof = this.proof_of_passive(&owner.to_token_stream(), call);
            let place = this.place_got(&called, Expr::usize(0), call);
            let (ty, steps) = this.taken_on(place, found, steps, &mut reads)?;
            let span = call.span();
            let tokens = quote_spanned!(span=> { #proof #owner[#tokens] #steps });
            let value = this.found(tokens, reads, called.class, ty);
            value.as_var()
        })
    }

    /// The type of what further steps lead to, a number, and their code.
    fn taken_on(
        &mut self,
        mut place: Place,
        found: Type,
        steps: &[&syn::Expr],
        reads: &mut Vec<Var>,
    ) -> Option<(Type, TokenStream)> {
        let ty = self.type_of(&place);
        self.types.unify(&ty, &found);
        let mut tokens = TokenStream::new();
        for step in steps {
            match step {
                syn::Expr::Field(field) => {
                    let name = field.member.to_token_stream().to_string();
                    place = place.then(Projection::Field(name.into()));
                    let member = &field.member;
                    tokens.extend(quote!(.#member));
                }
                syn::Expr::Index(index) => {
                    let ty = self.type_of(&place);
                    self.types.shallow(&ty).element()?;
                    let at = self.value(&index.index);
                    let at = self.captured(at, "operand");
                    let code = match (at.as_literal(), at.as_var()) {
                        (Some(text), _) => text.parse().ok()?,
                        (None, Some(var)) => {
                            reads.push(var);
                            format_ident!("{}", self.body.vars[var].name).into_token_stream()
                        }
                        (None, None) => return None,
                    };
                    place = place.then(Projection::Index(at));
                    tokens.extend(quote!([#code]));
                }
                _ => return None,
            }
        }
        let ty = self.type_of(&place);
        let ty = self.types.shallow(&ty);
        (ty.is_float() || ty.is_discrete()).then_some((ty, tokens))
    }

    /// Proves that the getter leads to what has no derivative.
    fn proof_of_passive(&self, owner: &TokenStream, call: &syn::ExprMethodCall) -> TokenStream {
        let facade = self.facade();
        let query = format_ident!("{}", passive_query(&call.method.to_string()));
        quote!(if false { #facade::__private::passive_field(#owner.#query()); })
    }
}

/// The getter that an expression begins with, and the steps from there on.
fn way_from_getter(expr: &syn::Expr) -> Option<(&syn::ExprMethodCall, Vec<&syn::Expr>)> {
    match expr {
        syn::Expr::Paren(inner) => way_from_getter(&inner.expr),
        syn::Expr::Group(inner) => way_from_getter(&inner.expr),
        syn::Expr::MethodCall(call) => Some((call, Vec::new())),
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
            way_from_getter(&unary.expr).filter(|(_, steps)| steps.is_empty())
        }
        syn::Expr::Field(field) => {
            let (call, mut steps) = way_from_getter(&field.base)?;
            steps.push(expr);
            Some((call, steps))
        }
        syn::Expr::Index(index) => {
            let (call, mut steps) = way_from_getter(&index.expr)?;
            steps.push(expr);
            Some((call, steps))
        }
        _ => None,
    }
}
