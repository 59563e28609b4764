//! Conversions between types of which one is the user's: `Target::from(x)` and `x.into()`, where the files of the crate declare them. They
//! are calls of what rustc finds by both types. A type may have a function of that name besides: generated code proves that it has none.
//!
//! ```text
//! Vec4::from(q)                         from_value = call _::into::<Vec4>(q)
//! let (x, y): (f64, f64) = v.into();    into_value = call _::into::<(f64, f64)>(v)
//! ```

use super::Lowerer;
use super::calls::OnFailure;
use super::on_references::OperatorOperand;
use super::places::strip;
use crate::ir::{ArgKind, Callee, Expr, Resolution};
use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

/// What the call is to become, and the function that proves to be the one of the trait.
struct Into {
    target: TokenStream,
    proved: Option<TokenStream>,
}

impl Lowerer<'_> {
    /// The value of `Target::from(x)`.
    pub(super) fn conversion_by_path(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let syn::Expr::Path(path) = strip(&call.func) else { return None };
        let mut owner = path.path.clone();
        let name = owner.segments.pop()?.ident;
        owner.segments.pop_punct();
        let (true, Some(operand), 1) = (name == "from", call.args.first(), call.args.len()) else {
            return None;
        };
        if path.qself.is_some() || owner.segments.is_empty() || !self.may_be_conversion(&name) {
            return None;
        }
        let of = self.options.declared.name_of(&owner.to_token_stream().to_string());
        if !self.options.declared.converts_to(&of) || self.has_function(&of, "from") {
            return None;
        }
        self.attempt("a conversion to a type of the crate", |this| {
            let operand = this.operand_of_conversion(operand)?;
            let into = Into { target: quote!(#owner), proved: Some(quote!(#owner::from)) };
            Some(this.conversion_call(into, &name, operand, call.span()))
        })
    }

    /// The value of `x.into()`, where the type that is wanted is seen.
    pub(super) fn conversion_by_method(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let is_conversion = call.method == "into" && call.args.is_empty();
        if !is_conversion || !self.may_be_conversion(&call.method) {
            return None;
        }
        let wanted = wanted?.clone();
        self.attempt("a conversion of a type of the crate", |this| {
            let operand = this.operand_of_conversion(&call.receiver)?;
            let wanted = this.declared_target(&operand.value.ty, &wanted).unwrap_or(wanted);
            let target = this.target_spelled(&wanted)?;
            let proved = match this.types.shallow(&operand.value.ty) {
                Type::Tuple(_) | Type::Array(..) => None,
                ty @ Type::Named(_) => {
                    let of = this.declared_name(&ty)?;
                    if this.has_function(&of, "into") {
                        return None;
                    }
                    if this.declared_name(&wanted).as_ref() == Some(&of) {
                        return this.converted_into_itself(&of, operand.value);
                    }
                    this.options.declared.conversions_from(&of).next()?;
                    let of: TokenStream = of.parse().ok()?;
                    Some(quote!(#of::into))
                }
                Type::Float(_)
                | Type::Int(_)
                | Type::Bool
                | Type::Slice(_)
                | Type::Vec(_)
                | Type::Unknown
                | Type::Infer(_) => return None,
            };
            let into = Into { target, proved };
            let value = this.conversion_call(into, &call.method, operand, call.span());
            this.types.unify(&value.ty, &wanted);
            Some(value)
        })
    }

    /// The value of `x.into()` of the type of `x`: `x`. Generated code proves that the type has no other function of that name, in an item,
    /// which sees no type parameters.
    fn converted_into_itself(&mut self, of: &str, value: Expr) -> Option<Expr> {
        let around = self.annotated.surroundings();
        let is_own = around.is_some_and(|around| {
            self.options.declared.name_of("Self") == of && has_arguments(&around.self_type)
        });
        let ty: syn::Type = syn::parse_str(of).ok().filter(|ty| !is_own && !has_arguments(ty))?;
        let (of, facade) = (ty.to_token_stream(), self.facade());
        self.add_item(quote! {
            const _: fn() = || {
                #facade::__private::method::same(<#of>::into, <#of as ::core::convert::Into<#of>>::into);
            };
        });
        Some(value)
    }

    /// Conversions have no second derivatives.
    fn may_be_conversion(&self, name: &Ident) -> bool {
        self.calls.has(name) && self.options.second_order.is_none()
    }

    /// What is converted, unless it is a reference: conversions of references are others.
    fn operand_of_conversion(&mut self, operand: &syn::Expr) -> Option<OperatorOperand> {
        let operand = self.operand_of_operator(operand);
        (!operand.is_reference).then_some(operand)
    }

    fn conversion_call(
        &mut self,
        into: Into,
        name: &Ident,
        operand: OperatorOperand,
        span: Span,
    ) -> Expr {
        let mut args = vec![ArgKind::Value(operand.value)];
        self.separate(&mut args);
        let ty = self.types.fresh();
        let result = self.body.local(&format!("{name}_value"), ty, span);
        let callee = Callee::Conversion(into.target.clone());
        self.emit_call(callee, name, args, Some(result), OnFailure::Impossible, span);
        if let Some(function) = into.proved {
            self.last_call().resolution = Resolution::MethodOf(function);
        }
        if let Ok(target) = syn::parse2(into.target) {
            self.declare_as(result, Some(&target));
        }
        self.results.insert(result);
        self.of_users.insert(result);
        self.load(result, span)
    }

    /// The tuple that a value is converted into, of which only the number of parts is known.
    fn declared_target(&mut self, source: &Type, wanted: &Type) -> Option<Type> {
        let Type::Tuple(parts) = self.types.shallow(wanted) else { return None };
        let of = self.declared_name(source)?;
        let mut targets = self.options.declared.conversions_from(&of).filter(
            |target| matches!(target, syn::Type::Tuple(tuple) if tuple.elems.len() == parts.len()),
        );
        let (target, None) = (targets.next()?.clone(), targets.next()) else { return None };
        Some(self.lower_type(&target))
    }

    /// A type, if it is known.
    fn target_spelled(&self, ty: &Type) -> Option<TokenStream> {
        match self.types.shallow(ty) {
            Type::Named(name) => name.parse().ok(),
            Type::Float(FloatKind::F64) => Some(quote!(f64)),
            Type::Float(FloatKind::F32) => Some(quote!(f32)),
            Type::Int(IntKind::Named(name)) => name.parse().ok(),
            Type::Bool => Some(quote!(bool)),
            Type::Tuple(parts) => {
                let parts: Option<Vec<TokenStream>> =
                    parts.iter().map(|part| self.target_spelled(part)).collect();
                let parts = parts?;
                Some(quote!((#(#parts,)*)))
            }
            Type::Array(element, len) => {
                let (element, len) = (self.target_spelled(&element)?, len.parse::<TokenStream>());
                let len = len.ok()?;
                Some(quote!([#element; #len]))
            }
            Type::Float(FloatKind::Open(_) | FloatKind::Generic(_) | FloatKind::Directions(_))
            | Type::Int(IntKind::Open(_))
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Unknown
            | Type::Infer(_) => None,
        }
    }
}

/// Whether a type has arguments.
fn has_arguments(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return true };
    path.path.segments.iter().any(|segment| !segment.arguments.is_none())
}
