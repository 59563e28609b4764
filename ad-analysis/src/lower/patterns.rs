//! Patterns: of `let`, of loops, of parameters.

use super::arrays::few;
use super::enums::is_variant;
use super::only_elements::uses_only_elements;
use super::subjects::{is_plain, is_rest, positions};
use super::variants::names_of;
use super::{Destination, Lowerer, Operand};
use crate::index::Var;
use crate::ir::{BinaryOp, Binding, Expr, ExprKind, Op, Place, Projection, StmtKind, View};
use crate::read::looks_like_variable;
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;
use syn::Pat;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// Whether a pattern can be taken apart here.
    pub(super) fn understands(pat: &Pat) -> bool {
        match pat {
            Pat::Ident(pat) => pat
                .subpat
                .as_ref()
                .is_none_or(|(_, inner)| is_rest(inner) || Self::understands(inner)),
            Pat::Wild(_) | Pat::Rest(_) => true,
            Pat::Reference(pat) => Self::understands(&pat.pat),
            Pat::Tuple(pat) => pat.elems.iter().all(Self::understands),
            Pat::Slice(pat) => pat.elems.iter().all(Self::understands),
            Pat::Paren(pat) => Self::understands(&pat.pat),
            Pat::Type(pat) => Self::understands(&pat.pat),
            Pat::Struct(_) | Pat::TupleStruct(_) => Self::understands_struct(pat),
            _ => false,
        }
    }

    /// Whether the names of a pattern can be declared before there is a value.
    pub(super) fn can_be_deferred(pat: &Pat) -> bool {
        match pat {
            Pat::Ident(pat) => pat.by_ref.is_none() && pat.subpat.is_none(),
            Pat::Wild(_) => true,
            Pat::Tuple(pat) => pat.elems.iter().all(Self::can_be_deferred),
            Pat::Paren(pat) => Self::can_be_deferred(&pat.pat),
            Pat::Type(pat) => Self::can_be_deferred(&pat.pat),
            _ => false,
        }
    }

    /// Binds an operand to the names of a pattern.
    pub(super) fn bind_operand(&mut self, pat: &Pat, operand: Operand) {
        match pat {
            Pat::Paren(inner) => self.bind_operand(&inner.pat, operand),
            Pat::Type(inner) => {
                let operand = match &*inner.ty {
                    syn::Type::Reference(reference) => self.reference_to(&reference.elem, operand),
                    _ => operand,
                };
                self.bind_operand(&inner.pat, operand);
            }
            Pat::Ident(ident) => self.bind_name(ident, operand),
            // A reference pattern takes the value behind the reference.
            Pat::Reference(inner) => {
                let value = self.value_of(operand);
                self.bind_operand(&inner.pat, Operand::Value(value));
            }
            Pat::Wild(_) => {
                if let Operand::Value(value) = operand {
                    self.discard(value);
                }
            }
            Pat::Struct(_) | Pat::TupleStruct(_)
                if is_plain(pat) && !is_variant(pat) && !Self::understands_struct(pat) =>
            {
                self.unsupported_pattern(pat);
            }
            other if !is_plain(other) => {
                let subject = self.verbatim_operand(&operand);
                self.bind_verbatim(other, &subject, None);
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                let span = pat.span();
                match operand {
                    Operand::Value(value) => {
                        let place = self.place_of_value(value, "parts");
                        self.destructure(pat, &place, None, span);
                    }
                    Operand::Reference { place, mutable, span: _ } => {
                        self.destructure(pat, &place, Some(mutable), span);
                    }
                }
            }
            // These have been tested, and bind nothing.
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) => {}
            Pat::Or(_) if names_of(pat).is_empty() => {}
            other => self.unsupported_pattern(other),
        }
    }

    /// Binds an operand to a name.
    fn bind_name(&mut self, ident: &syn::PatIdent, operand: Operand) {
        if !looks_like_variable(&ident.ident) {
            return;
        }
        let name = ident.ident.to_string();
        let span = ident.ident.span();
        let operand = match (operand, &ident.subpat, ident.by_ref) {
            (Operand::Value(value), Some(_), _) | (Operand::Value(value), None, Some(_)) => {
                let (ty, place) = (value.ty.clone(), self.place_of_value(value, "whole"));
                Operand::Value(Expr::load(place, ty, span))
            }
            (operand, _, _) => operand,
        };
        match (&operand, ident.by_ref) {
            (Operand::Value(value), Some(_)) => {
                let place = value.as_place().expect("it has just been given one").clone();
                self.bind_reference(&name, &place, ident.mutability.is_some(), span);
            }
            (Operand::Value(value), None)
                if ident.mutability.is_none()
                    && let Some(place) = self.unchanging_list(value, &name) =>
            {
                self.bind_reference(&name, &place, false, span);
            }
            (Operand::Value(value), None) => {
                let var = self.declare(&name, value.clone(), span);
                if ident.mutability.is_some() {
                    self.mutable.insert(var);
                }
            }
            (Operand::Reference { place, mutable, span: _ }, None)
                if ident.mutability.is_some() =>
            {
                self.rebindable(&name, (place, *mutable), false, span);
            }
            (Operand::Reference { place, mutable, span: _ }, _) => {
                self.bind_reference(&name, place, *mutable, span);
            }
        }
        if let Some((_, inner)) = ident.subpat.as_ref().filter(|(_, inner)| !is_rest(inner)) {
            self.bind_operand(inner, operand);
        }
    }

    /// The part of a parameter that a value is copied from, if nobody can tell the copy from it.
    fn unchanging_list(&self, value: &Expr, name: &str) -> Option<Place> {
        let place = self.body.resolve(value.as_place()?);
        let is_part = !place.projections.is_empty();
        let is_unchanging = matches!(self.body.vars[place.root].binding, Binding::Shared);
        let function = &self.annotated.function;
        // A number is no list, whatever else has its name in the function.
        if self.is_number(&value.ty) {
            return None;
        }
        (is_part && is_unchanging && uses_only_elements(function, name)).then_some(place)
    }

    /// Takes a value apart: the names of the pattern are bound to its parts, or to references to them.
    /// `reference` says whether these are `&mut`.
    pub(super) fn destructure(
        &mut self,
        pat: &Pat,
        place: &Place,
        reference: Option<bool>,
        span: Span,
    ) {
        let part = |this: &mut Self, place: Place| {
            if let Some(mutable) = reference {
                Operand::Reference { place, mutable, span }
            } else {
                let ty = this.type_of(&place);
                Operand::Value(Expr::load(place, ty, span))
            }
        };
        match pat {
            Pat::Slice(slice) if reference.is_none() && has_named_rest(slice) => {
                match self.parts_with_rest(slice, place, span) {
                    Some(parts) => {
                        for (pat, value) in parts {
                            self.bind_operand(pat, Operand::Value(value));
                        }
                    }
                    None => self.unsupported_pattern(pat),
                }
            }
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                for (pat, place) in self.parts_of(pat, place).unwrap_or_default() {
                    let operand = part(self, place);
                    self.bind_operand(pat, operand);
                }
            }
            Pat::Reference(inner) if reference.is_some() => {
                self.destructure(&inner.pat, place, None, span);
            }
            other => {
                let operand = part(self, place.clone());
                self.bind_operand(other, operand);
            }
        }
    }

    /// The patterns of the parts of a place, and those parts. `None`, with an error, if they cannot be
    /// told.
    pub(super) fn parts_of<'p>(
        &mut self,
        pat: &'p Pat,
        place: &Place,
    ) -> Option<Vec<(&'p Pat, Place)>> {
        match pat {
            Pat::Tuple(tuple) => {
                let ty = self.type_of(place);
                let has_rest = tuple.elems.iter().any(is_rest);
                let len = match self.types.shallow(&ty) {
                    Type::Tuple(fields) => fields.len(),
                    _ if !has_rest => {
                        self.expect_tuple(place, tuple.elems.len());
                        tuple.elems.len()
                    }
                    _ if tuple.elems.last().is_some_and(is_rest) => tuple.elems.len(),
                    _ => {
                        self.unsupported_pattern(pat);
                        return None;
                    }
                };
                let places = positions(&tuple.elems, len);
                let parts = tuple.elems.iter().zip(places);
                Some(
                    parts
                        .filter_map(|(pat, position)| Some((pat, place.field(position?))))
                        .collect(),
                )
            }
            Pat::Slice(slice) => Some(self.elements_of(slice, place)),
            Pat::Struct(_) | Pat::TupleStruct(_) => {
                self.expect_struct(place, pat);
                let fields = Self::fields_of_pattern(pat).into_iter();
                Some(fields.map(|(name, pat)| (pat, place.then(Projection::Field(name)))).collect())
            }
            _ => Some(Vec::new()),
        }
    }

    fn elements_of<'p>(
        &mut self,
        slice: &'p syn::PatSlice,
        place: &Place,
    ) -> Vec<(&'p Pat, Place)> {
        let rest = slice.elems.iter().position(is_rest);
        let span = slice.span();
        let mut parts = Vec::new();
        for (n, pat) in slice.elems.iter().enumerate() {
            let behind = slice.elems.len() - n;
            let from_end = |this: &mut Self, count: usize| {
                let len = this.len_of(place.clone(), span);
                Expr::binary(BinaryOp::Sub, len, Expr::usize(count))
            };
            let part = match rest {
                Some(rest) if n == rest && matches!(pat, Pat::Rest(_)) => continue,
                Some(rest) if n == rest => {
                    let start = (n > 0).then(|| Expr::usize(n));
                    let end = (behind > 1).then(|| from_end(self, behind - 1));
                    place.then(Projection::Slice { start, end })
                }
                Some(rest) if n > rest => {
                    let index = from_end(self, behind);
                    place.index(index)
                }
                _ => place.index(Expr::usize(n)),
            };
            parts.push((pat, part));
        }
        parts
    }

    /// The parts of an array of numbers, one of which is an array of the others: `let [w, v @ ..] = array;`.
    fn parts_with_rest<'p>(
        &mut self,
        slice: &'p syn::PatSlice,
        place: &Place,
        span: Span,
    ) -> Option<Vec<(&'p Pat, Expr)>> {
        let ty = self.type_of(place);
        let Type::Array(element, len) = self.types.shallow(&ty) else { return None };
        let others = few(&syn::parse_str(&len).ok()?)?.checked_sub(slice.elems.len() - 1)?;
        if !self.is_number(&element) {
            return None;
        }
        let element = Type::clone(&element);
        let load = |at: usize| Expr::load(place.index(Expr::usize(at)), element.clone(), span);
        let mut at = 0;
        let parts = slice.elems.iter().map(|pat| {
            let begin = at;
            if !is_rest(pat) {
                at += 1;
                return (pat, load(begin));
            }
            at += others;
            let items = (begin..at).map(load).collect();
            let ty = Type::array(element.clone(), &others.to_string());
            (pat, Expr::new(ExprKind::Op(Op::Array, items), ty, pat.span()))
        });
        Some(parts.collect())
    }

    pub(super) fn expect_tuple(&mut self, place: &Place, len: usize) {
        let fields = (0..len).map(|_| self.types.fresh()).collect();
        let ty = self.type_of(place);
        self.types.unify(&ty, &Type::Tuple(fields));
    }

    /// Declares a variable of the user's for a value.
    pub(super) fn declare(&mut self, name: &str, value: Expr, span: Span) -> Var {
        let var = self.user_variable(name, value.ty.clone(), Binding::Value, span);
        self.emit(StmtKind::Let { var, value: Some(value) }, span);
        var
    }

    /// Evaluates a value for its effects.
    pub(super) fn discard(&mut self, value: Expr) {
        if matches!(value.kind, ExprKind::Opaque(_)) || self.holds_temporaries(&value) {
            self.name_value("unused", value);
        }
    }

    /// Declares a local reference: a name for a place whose indices are captured now.
    pub(super) fn bind_reference(&mut self, name: &str, place: &Place, mutable: bool, span: Span) {
        let view = self.make_view(name, place, mutable, span);
        self.bind(name, view);
    }

    pub(super) fn make_view(
        &mut self,
        name: &str,
        place: &Place,
        mutable: bool,
        span: Span,
    ) -> Var {
        let spelled = self.capture(place.clone(), name);
        let (place, through) = (self.body.resolve(&spelled), self.body.through(&spelled));
        self.view_of(name, View { place, mutable, through }, span)
    }

    /// Declares a local reference to a place whose indices are captured.
    pub(super) fn view_of(&mut self, name: &str, view: View, span: Span) -> Var {
        let ty = self.type_of(&view.place);
        let binding = Binding::View(Rc::new(view));
        let is_taken = self.is_taken(name);
        let view = self.body.variable(if is_taken { name } else { "" }, ty, binding, span);
        if !is_taken {
            // The name may be one of the library's own, which is taken from now on.
            self.body.names.reserve(name);
            self.variable_mut(view).name = name.to_owned();
        }
        self.emit(StmtKind::Bind { view }, span);
        view
    }

    /// Replaces the indices of a place by variables that hold their present values.
    pub(super) fn capture(&mut self, place: Place, name: &str) -> Place {
        let Place { root, projections } = place;
        let steps = projections.into_iter().map(|step| match step {
            step @ (Projection::Field(_) | Projection::Boxed) => step,
            Projection::Index(index) => {
                Projection::Index(self.captured(index, &format!("{name}_index")))
            }
            Projection::Slice { start, end } => Projection::Slice {
                start: start.map(|start| self.captured(start, &format!("{name}_start"))),
                end: end.map(|end| self.captured(end, &format!("{name}_end"))),
            },
            Projection::Got { getter, at } => {
                Projection::Got { getter, at: self.captured(at, &format!("{name}_at")) }
            }
        });
        let projections = steps.collect();
        Place { root, projections }
    }

    pub(super) fn captured(&mut self, value: Expr, hint: &str) -> Expr {
        let is_counter = value.as_var().is_some_and(|var| self.counters.contains(var));
        if value.as_literal().is_some() || is_counter {
            return value;
        }
        let span = value.span;
        let var = self.name_value(hint, value);
        self.load(var, span)
    }

    /// Declares the names of a pattern without values, for an expression that assigns them later.
    pub(super) fn declare_deferred(
        &mut self,
        pat: &Pat,
        ty: &Type,
        names: &mut Vec<(String, Var)>,
    ) -> Destination {
        match pat {
            Pat::Paren(inner) => self.declare_deferred(&inner.pat, ty, names),
            Pat::Type(inner) => {
                let annotated = self.lower_type(&inner.ty);
                self.types.unify(&annotated, ty);
                self.declare_deferred(&inner.pat, ty, names)
            }
            Pat::Ident(ident) => {
                let name = ident.ident.to_string();
                let var = self.new_user_variable(&name, ty.clone(), ident.ident.span());
                if ident.mutability.is_some() {
                    self.mutable.insert(var);
                }
                self.emit(StmtKind::Let { var, value: None }, ident.ident.span());
                names.push((name, var));
                Destination::Place(Place::var(var))
            }
            Pat::Tuple(tuple) => {
                let fields: Vec<Type> = tuple.elems.iter().map(|_| self.types.fresh()).collect();
                self.types.unify(ty, &Type::Tuple(fields.clone().into()));
                let parts = tuple.elems.iter().zip(&fields);
                Destination::Tuple(
                    parts.map(|(pat, ty)| self.declare_deferred(pat, ty, names)).collect(),
                )
            }
            Pat::Wild(_) => Destination::Discard,
            other => {
                self.unsupported_pattern(other);
                Destination::Discard
            }
        }
    }

    /// A variable of the user's whose name is not in scope yet.
    pub(super) fn new_user_variable(&mut self, name: &str, ty: Type, span: Span) -> Var {
        let shadowed = self.scopes.last().and_then(|scope| scope.get(name).copied());
        let var = self.user_variable(name, ty, Binding::Value, span);
        let scope = self.scopes.last_mut().expect("a scope is open");
        match shadowed {
            Some(shadowed) => scope.insert(name.to_owned(), shadowed),
            None => scope.remove(name),
        };
        var
    }

    pub(super) fn unsupported_pattern(&self, pat: &Pat) {
        self.errors.report(
            pat.span(),
            "this pattern is not supported here",
            "bind the value to a name and take it apart with field accesses and indices",
        );
    }
}

/// Whether the pattern of a list has a name for several elements.
fn has_named_rest(slice: &syn::PatSlice) -> bool {
    slice
        .elems
        .iter()
        .any(|pat| is_rest(pat) && matches!(pat, Pat::Ident(ident) if ident.by_ref.is_none()))
}
