//! `Option`s that are kept whole: those in parameters, fields and elements. To the analyses they are enums with a derivative: what is in
//! them is a payload `Some::0`, and whether there is something tells a truth value, `Some::?`. So they are found in parts where they are,
//! and what is assigned to them is a literal of a variant.
//!
//! ```text
//! if let Some(b) = self.b { … }           if self.b.Some::? { let b = self.b.Some::0; … }
//! self.b = Some(x);                       self.b = Some { Some::0: x };
//! ```

use super::items::Item;
use super::optional::{Failure, Optional};
use super::optional_syntax::{is_none_of_option, yields_optional};
use super::places::strip;
use super::signature::may_be_differentiated;
use super::types::is_std;
use super::{Lowerer, Operand};
use crate::ir::{Expr, ExprKind, Op, Place, Projection, StmtKind};
use crate::options::OfStruct;
use crate::payloads::{payload_name, variant_name};
use crate::types::{Type, TypeName};
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments};

/// What is in an `Option`.
struct Payload {
    ty: Type,
    /// Whether the `Option` holds a reference to it.
    is_referred_to: bool,
}

impl Lowerer<'_> {
    /// The type `Option<payload>`. What it holds tells its name, however it is spelled.
    pub(super) fn option_of(&mut self, path: &syn::Path, payload: &syn::Type) -> Type {
        let spelled = || Type::Named(path.to_token_stream().to_string().into());
        if path.segments.len() > 1 && !is_std(path) || path.segments.len() > 3 {
            return spelled();
        }
        let ty = self.lower_type(payload);
        let ty = self.types.resolve(&ty);
        let spelling = format!("Option<{ty}>");
        match ty.is_seen() {
            true if !ty.may_carry_floats() => Type::Named(TypeName::compound(&spelling)),
            true => Type::Named(spelling.into()),
            false => spelled(),
        }
    }

    /// What an `Option` of data holds, by its type.
    fn payload_of(&mut self, ty: &Type) -> Option<Payload> {
        let Type::Named(name) = self.types.shallow(ty) else { return None };
        let payload = payload_in(&name).filter(|_| self.names_are_unique)?;
        let (payload, is_referred_to) = match &payload {
            syn::Type::Reference(reference) if reference.mutability.is_none() => {
                (&*reference.elem, true)
            }
            payload => (payload, false),
        };
        let ty = self.lower_type(payload);
        let is_found = match is_referred_to {
            // What is found there is the reference, by which parts of it are found as well.
            true => !self.is_number(&ty),
            false => true,
        };
        // What has no derivative is left to rustc.
        let may_matter = self.types.resolve(&ty).may_carry_floats();
        (is_found && may_matter && self.is_of_data(&ty)).then_some(Payload { ty, is_referred_to })
    }

    /// Whether values of a type are numbers, characters, lists and tuples of them, and structs and enums of which declarations tell something.
    pub(super) fn is_of_data(&mut self, ty: &Type) -> bool {
        let ty = self.types.shallow(ty);
        if let Some(held) = self.held_in_box(&ty) {
            return self.is_of_data(&held);
        }
        match &ty {
            Type::Float(_) | Type::Int(_) | Type::Bool => true,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                self.is_of_data(element)
            }
            Type::Tuple(fields) => fields.iter().all(|field| self.is_of_data(field)),
            Type::Named(name) => {
                name.is_without_floats()
                    || self.declared_name(&ty).is_some_and(|owner| {
                        let of = self.struct_named(name);
                        self.options.declared.is_of_data(&owner)
                            || of.is_some_and(|of| self.options.held.of(&of.ident).is_some())
                    })
            }
            // The type of a number may not be told yet.
            Type::Unknown | Type::Infer(_) => self.is_number(&ty),
        }
    }

    /// Whether a type is seen to be that of `Option`s of floats, or of lists with them.
    pub(super) fn is_float_in_option(&mut self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                self.is_float_in_option(element)
            }
            ty => self
                .payload_of(ty)
                .is_some_and(|payload| may_be_differentiated(&payload.ty) == Some(true)),
        }
    }

    /// Whether values of a type are `Option`s, or hold some by way of a type parameter: they differ in shape.
    pub(super) fn holds_option(&self, name: &str) -> bool {
        let of = self.struct_named(name);
        let held = of.and_then(|of| self.options.held.of(&of.ident));
        payload_in(name).is_some() || held.is_some_and(OfStruct::has_option)
    }

    /// The type of what is in an `Option` that is kept whole.
    pub(super) fn field_of_option(&mut self, owner: &Type, name: &str) -> Option<Type> {
        if name != payload_name("Some", "0") {
            return None;
        }
        self.payload_of(owner).map(|payload| payload.ty)
    }

    /// The `Option` that a place holds.
    pub(super) fn optional_place(&mut self, expr: &syn::Expr) -> Option<Optional> {
        self.attempt("an `Option`", |this| {
            let span = expr.span();
            let operand = this.operand(expr)?;
            let (place, reference) = match operand {
                Operand::Value(value) => (value.as_place()?.clone(), None),
                Operand::Reference { place, mutable, span: _ } => (place, Some(mutable)),
            };
            let ty = this.type_of(&place);
            let payload = this.payload_of(&ty)?;
            let place = this.body.resolve(&place);
            let place = this.capture(place, "option");
            let step = |name: String| Projection::Field(name.into());
            let test = place.clone().then(step(variant_name("Some")));
            let some = Expr::load(test, Type::Bool, span);
            let place = place.then(step(payload_name("Some", "0")));
            let payload = match (payload.is_referred_to, reference) {
                (true, _) => Item::Operand(Operand::Reference { place, mutable: false, span }),
                (false, Some(mutable)) => {
                    Item::Operand(Operand::Reference { place, mutable, span })
                }
                (false, None) => Item::value(Expr::load(place, payload.ty, span)),
            };
            Some(Optional { some, payload, failure: Failure::None })
        })
    }

    /// Whether an expression denotes a place with an `Option` that is kept whole.
    pub(super) fn is_whole_option(&mut self, expr: &syn::Expr) -> bool {
        let expr = match strip(expr) {
            syn::Expr::Reference(reference) => strip(&reference.expr),
            expr => expr,
        };
        is_place(expr) && self.glimpse(|this| this.optional_place(expr)).is_some()
    }

    /// What yields an `Option` that is to be kept whole, of this type; `None` where that is a place with one, or another type.
    pub(super) fn whole_option(&mut self, expr: &syn::Expr, ty: &Type) -> Option<Expr> {
        let payload = self.payload_of(ty)?;
        let bare = strip(expr);
        let is_variable = match bare {
            syn::Expr::Path(path) => path
                .path
                .get_ident()
                .and_then(|name| self.find(&name.to_string()))
                .is_some_and(|var| self.optionals.contains_key(&var)),
            _ => false,
        };
        let is_made = match bare {
            syn::Expr::Call(_) | syn::Expr::MethodCall(_) => true,
            bare => is_variable || is_none_of_option(bare) || yields_optional(bare),
        };
        let is_of_values = !payload.is_referred_to || is_none_of_option(bare);
        if !is_made || !is_of_values || self.has_attributes(expr) {
            return None;
        }
        self.attempt("an `Option`", |this| {
            let optional = this.optional(bare)?;
            Some(this.put_together(optional, ty, &payload, expr.span()))
        })
    }

    /// A value out of parts.
    fn put_together(
        &mut self,
        optional: Optional,
        ty: &Type,
        payload: &Payload,
        span: Span,
    ) -> Expr {
        let Optional { some, payload: item, failure: _ } = optional;
        let present = |this: &mut Self| {
            let value = this.item_value(item);
            this.types.unify(&payload.ty, &value.ty);
            let fields: Vec<Rc<str>> = vec![payload_name("Some", "0").into()];
            let op = Op::Struct("::core::option::Option::Some".into(), fields.into());
            Expr::new(ExprKind::Op(op, vec![value]), ty.clone(), span)
        };
        match some.as_literal().map(|text| &**text) {
            Some("false") => return none(ty, span),
            Some(_) => return present(self),
            None => {}
        }
        let var = self.body.local("option", ty.clone(), span);
        self.emit(StmtKind::Let { var, value: None }, span);
        let then = self.in_block(|this| {
            let value = present(this);
            this.assign(Place::var(var), value, span);
        });
        let otherwise = self.in_block(|this| {
            this.assign(Place::var(var), none(ty, span), span);
        });
        self.emit(StmtKind::If { test: some, then, otherwise }, span);
        self.load(var, span)
    }

    /// Makes an `Option` that is kept whole one that holds nothing.
    pub(super) fn empty(&mut self, place: Place, span: Span) {
        let ty = self.type_of(&place);
        self.assign(place, none(&ty, span), span);
    }

    /// `self.b = Some(e);`
    pub(super) fn assign_whole_option(&mut self, assign: &syn::ExprAssign) -> bool {
        if !is_place(strip(&assign.left)) {
            return false;
        }
        let ty = self.glimpse(|this| {
            let place = this.place(&assign.left)?;
            let ty = this.type_of(&place);
            this.payload_of(&ty).map(|_| ty)
        });
        let Some(ty) = ty else { return false };
        let operands = self.attempt("an assignment of an `Option`", |this| {
            let mut value = this.whole_option(&assign.right, &ty)?;
            let place = this.after(&mut value, |this| this.place(&assign.left))?;
            (!this.is_in_temporary(&place)).then_some((place, value))
        });
        let Some((place, value)) = operands else { return false };
        self.assign(place, value, assign.span());
        true
    }
}

fn none(ty: &Type, span: Span) -> Expr {
    let op = Op::Struct("::core::option::Option::None".into(), Rc::new([]));
    Expr::new(ExprKind::Op(op, Vec::new()), ty.clone(), span)
}

/// The place of an `Option` that is kept whole, if it may be changed.
pub(super) fn place_of(optional: &Optional) -> Option<Place> {
    let payload = match &optional.payload {
        Item::Operand(Operand::Value(value)) => value.as_place()?,
        Item::Operand(Operand::Reference { place, mutable: true, span: _ }) => place,
        Item::Operand(Operand::Reference { .. }) | Item::Tuple(_) | Item::Lent(_) => return None,
    };
    let (last, before) = payload.projections.split_last()?;
    let is_payload =
        matches!(last, Projection::Field(name) if **name == *payload_name("Some", "0"));
    is_payload.then(|| Place { root: payload.root, projections: before.to_vec() })
}

fn is_place(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => true,
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

/// The argument of `Option<…>`.
fn payload_in(name: &str) -> Option<syn::Type> {
    if !name.contains("Option") {
        return None;
    }
    let path: syn::TypePath = syn::parse_str(name).ok().filter(|path: &syn::TypePath| {
        path.qself.is_none() && (path.path.segments.len() == 1 || is_std(&path.path))
    })?;
    argument_of(path.path.segments.last().filter(|last| last.ident == "Option")?)
}

/// The only argument of a type.
fn argument_of(of: &syn::PathSegment) -> Option<syn::Type> {
    let PathArguments::AngleBracketed(args) = &of.arguments else { return None };
    match args.args.first() {
        Some(GenericArgument::Type(ty)) if args.args.len() == 1 => Some(ty.clone()),
        _ => None,
    }
}
