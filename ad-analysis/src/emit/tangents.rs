//! Tangents: calls of those of other functions, and zeros.

use super::body::{Emitter, Role};
use crate::index::Var;
use crate::ir::{Arg, ArgKind, ByReference, Call, Callee, Condition, Expr, Leads, Place, Slot};
use crate::types::Type;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emitter<'_> {
    /// A call of the tangent of a user function.
    pub(super) fn tangent_call(
        &self,
        call: &Call,
        slope: Option<Var>,
        leads: Leads,
        span: Span,
    ) -> TokenStream {
        let proofs = self.direction_proofs(call, span);
        let value = match leads {
            Leads::ToTests => self.tangents_if_any(call, slope, span),
            Leads::ToDependents => None,
        };
        let value = value.unwrap_or_else(|| self.tangent_of_callee(call, span));
        let binder = |var: Option<Var>| var.map_or_else(|| quote!(_), |var| self.binder(var));
        let (result, tangent) = (binder(call.result), binder(slope));
        let ty = call.result.and_then(|result| self.type_written(result));
        // A callee that has no tangents in several directions does not tell their type.
        let own = self.several.as_ref().and(slope).and_then(|slope| self.type_written(slope));
        let expected = self.expected_slope(call, slope, own.as_ref(), span);
        let own = own.filter(|_| expected.is_none());
        let ty = ty.or_else(|| own.as_ref().map(|_| quote!(_)));
        let own = own.unwrap_or_else(|| quote!(_));
        if call.failure.is_some() {
            let (rt, failure) = (&self.rt, binder(call.failure));
            let ty = ty.map(|ty| quote!(: ((#ty, #own), _)));
            return quote_spanned! {span=>
                #proofs
                let ((#result, #tangent), #failure) #ty = #rt::caught(#value);
                #expected
            };
        }
        let value = self.or_fail(value, call.carrier, span);
        let ty = ty.map(|ty| quote!(: (#ty, #own)));
        quote_spanned!(span=> #proofs let (#result, #tangent) #ty = #value; #expected)
    }

    /// In several directions, what a callee returns whose type is not seen is taken for what it should be.
    fn expected_slope(
        &self,
        call: &Call,
        slope: Option<Var>,
        ty: Option<&TokenStream>,
        span: Span,
    ) -> Option<TokenStream> {
        let (rt, ty, slope) = (&self.rt, ty?, slope?);
        let is_seen = call.result.is_none_or(|result| self.body.vars[result].ty.is_seen());
        // Operators tell what they return.
        if is_seen
            || matches!(
                call.callee,
                Callee::Operator(_) | Callee::DirectedOperator(_) | Callee::Conversion(_)
            )
        {
            return None;
        }
        let (name, binder) = (self.name(slope), self.binder(slope));
        Some(quote_spanned! {span=>
            let #binder: #ty = {
                use #rt::unseen::*;
                Slope(#name, ::core::marker::PhantomData::<#ty>).expected()
            };
        })
    }

    fn tangent_of_callee(&self, call: &Call, span: Span) -> TokenStream {
        let args = call.args.iter().map(|arg| self.argument_with_direction(arg));
        match &call.callee {
            Callee::Function(_) | Callee::Derivative(..) | Callee::Associated(_) => {
                let marker = self.marker_of_directions();
                let sweep = if marker.is_some() { "tangents" } else { "tangent" };
                let function = self.function_of(call, sweep, span);
                let args = marker.into_iter().chain(args);
                quote_spanned!(span=> #function (#(#args),*))
            }
            Callee::Method(name) => self.tangent_of_method(name, &call.args, span),
            Callee::Operator(operator) if self.several.is_some() => {
                self.tangents_of_operator(*operator, &call.args, span)
            }
            Callee::Operator(operator) => {
                let by_reference = ByReference::of_call(&call.args);
                let function = self.function_of_operator(*operator, by_reference, "tangent", span);
                quote_spanned!(span=> #function (#(#args),*))
            }
            Callee::Conversion(target) => {
                let sweep = if self.several.is_some() { "tangents" } else { "tangent" };
                let function = self.function_of_conversion(target, sweep, span);
                quote_spanned!(span=> #function (#(#args),*))
            }
            Callee::DirectedOperator(_) => {
                unreachable!("what is differentiated twice has no tangent")
            }
            Callee::Given => self.primal_value(call, span),
        }
    }

    /// An argument of a tangent, and its direction.
    pub(super) fn argument_with_direction(&self, arg: &Arg) -> TokenStream {
        let (value, direction) = (self.argument(arg), self.direction(arg));
        quote!(#value, #direction)
    }

    /// What follows an argument of a tangent.
    pub(super) fn direction(&self, arg: &Arg) -> TokenStream {
        match self.several {
            Some(_) => self.direction_if_unseen(arg).unwrap_or_else(|| self.bare_direction(arg)),
            None => self.bare_direction(arg),
        }
    }

    /// In several directions, the direction of an argument whose type is not seen.
    fn direction_if_unseen(&self, arg: &Arg) -> Option<TokenStream> {
        let (rt, is_seen) = (
            &self.rt,
            match &arg.kind {
                ArgKind::Value(value) => {
                    value.as_place().is_none_or(|place| self.body.place_type(place).is_seen())
                }
                ArgKind::Shared(place) => self.body.place_type(place).is_seen(),
                ArgKind::Exclusive(_) | ArgKind::Omitted => true,
            },
        );
        let Slot::Bar(place, condition) = &arg.slot else { return None };
        if is_seen {
            return None;
        }
        let reference = self.shared(place);
        if condition.is_always() {
            return Some(quote!(#rt::unseen::perhaps(#reference)));
        }
        let names = [quote!(unseen::perhaps_along), quote!(unseen::perhaps_along_there)];
        Some(self.passed_where(condition, place, reference, names))
    }

    /// The direction of an argument whose type is seen.
    pub(super) fn bare_direction(&self, arg: &Arg) -> TokenStream {
        match (&arg.kind, &arg.slot) {
            (_, Slot::Passive | Slot::Marker(_)) => quote!(()),
            (ArgKind::Exclusive(_), slot) => self.slot(slot),
            (_, Slot::Bar(place, condition)) if self.is_along_fields(arg) => {
                self.direction_along_fields(place, condition)
            }
            (_, Slot::Bar(place, condition)) if condition.is_always() => self.shared(place),
            (_, Slot::Bar(place, condition)) => {
                let names = [quote!(along), quote!(along_there)];
                self.passed_where(condition, place, self.shared(place), names)
            }
        }
    }

    /// Whether types say of the direction of an argument whether there is one: it is behind fields, which may have no bars.
    fn is_along_fields(&self, arg: &Arg) -> bool {
        match (&arg.kind, &arg.slot) {
            (ArgKind::Value(_) | ArgKind::Shared(_), Slot::Bar(place, _)) => {
                self.several.is_none() && !self.struct_fields(place).is_empty()
            }
            (_, _) => false,
        }
    }

    /// The direction behind fields: where one of them has no bar, there is none.
    fn direction_along_fields(&self, place: &Place, condition: &Condition) -> TokenStream {
        let (rt, ty) = (&self.rt, self.condition_type(condition));
        let kind = self.kind_of_fields(place).expect("there are fields");
        let reference = self.shared(place);
        quote!(#rt::along_field::<#ty, _, _>(|| #kind, || #reference))
    }

    /// A field without a bar is no direction.
    fn direction_proofs(&self, call: &Call, span: Span) -> TokenStream {
        let args = call.args.iter().filter(|arg| !self.is_along_fields(arg));
        let slots = args.filter_map(|arg| match &arg.slot {
            Slot::Bar(place, _) => Some(self.has_bar_proof(place, span)),
            Slot::Passive | Slot::Marker(_) => None,
        });
        slots.collect()
    }

    /// Proves, where the tangent is used, that the fields on the way to a place have a bar.
    pub(super) fn has_bar_proof(&self, place: &Place, span: Span) -> TokenStream {
        let rt = &self.rt;
        let kinds = self.struct_fields(place).into_iter().map(|(owner, name)| {
            let kind = self.field_kind(&owner, &name);
            quote_spanned!(span=> #rt::must_have_bar(|| #kind);)
        });
        kinds.collect()
    }

    /// The tangent at a place: a field without a bar has none, and what the direction has there is a copy of the value.
    pub(super) fn loaded_direction(
        &self,
        place: &Place,
        load: TokenStream,
        ty: &Type,
    ) -> TokenStream {
        let fields = self.struct_fields(place);
        if fields.is_empty() {
            return load;
        }
        let rt = &self.rt;
        let tests = fields.iter().map(|(owner, name)| {
            let kind = self.field_kind(owner, name);
            quote!(#rt::has_bar(#kind))
        });
        let zero = match ty.is_float() {
            true => self.expr(&Expr::zero(ty.clone())),
            false => {
                let place = self.shared(place);
                quote!({ use #rt::zero::*; (&&&Zero(#place)).zero_tangent() })
            }
        };
        quote!((if #(#tests)&&* { #load } else { #zero }))
    }

    /// Something made of a reference to the tangent at a place, which must not be in a field without a bar.
    pub(super) fn referred_direction(&self, place: &Place, tokens: TokenStream) -> TokenStream {
        if self.role != Role::Tangent || !self.is_new(place.root) {
            return tokens;
        }
        let proof = self.has_bar_proof(place, Span::call_site());
        if proof.is_empty() { tokens } else { quote!(({ #proof #tokens })) }
    }

    /// A value like another whose floats are zero.
    pub(super) fn zero_tangent(&self, value: &Expr, span: Span) -> TokenStream {
        let rt = &self.rt;
        let reference = self.reference_to(value);
        match value.ty.is_structural() {
            true => quote_spanned!(span=> #rt::Differentiable::zero_bar(#reference)),
            false if matches!(value.ty, Type::Slice(_)) => quote_spanned!(span=> {
                use #rt::zero::*;
                (#reference)
                    .iter()
                    .map(|value| (&&&Zero(value)).zero_tangent())
                    .collect::<::std::vec::Vec<_>>()
            }),
            false => quote_spanned!(span=> {
                use #rt::zero::*;
                (&&&Zero(#reference)).zero_tangent()
            }),
        }
    }
}
