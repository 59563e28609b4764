//! Values that change places: `mem::swap` and its kin, `swap`, `reverse` and `rotate` of lists. All of
//! them are exchanges of two places, which undo themselves.

use super::places::strip;
use super::{Lowerer, Operand};
use crate::ir::{BinaryOp, Expr, ExprKind, Op, Place, Projection, Range, StmtKind};
use crate::types::Type;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// A function of `std::mem`.
#[derive(Clone, Copy)]
pub(super) enum Mem {
    Swap,
    Replace,
    Take,
}

/// The function of `std::mem` that a path names.
pub(super) fn mem_function(path: &syn::ExprPath, args: usize) -> Option<Mem> {
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (["mem", name] | ["std" | "core", "mem", name]) = names.as_slice() else { return None };
    match (*name, args) {
        ("swap", 2) => Some(Mem::Swap),
        ("replace", 2) => Some(Mem::Replace),
        ("take", 1) => Some(Mem::Take),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// `mem::swap(&mut a, &mut b)`, `mem::replace(&mut a, e)`, `mem::take(&mut a)`
    pub(super) fn mem_call(
        &mut self,
        function: Mem,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<Expr> {
        self.attempt("an exchange", |this| match (function, args) {
            (Mem::Swap, [a, b]) => this.mem_swap(a, b, span),
            (Mem::Replace, [place, value]) => this.mem_replace(place, value, span),
            (Mem::Take, [place]) => this.mem_take(place, span),
            (Mem::Swap | Mem::Replace | Mem::Take, _) => None,
        })
    }

    fn mem_swap(&mut self, a: &syn::Expr, b: &syn::Expr, span: Span) -> Option<Expr> {
        let mut a = self.exchanged(a)?;
        let b = self.after(&mut a, |this| this.exchanged(b))?;
        let types = (self.type_of(&a), self.type_of(&b));
        self.types.unify(&types.0, &types.1);
        self.exchange(a, b, span);
        Some(Expr::new(ExprKind::Op(Op::Tuple, Vec::new()), Type::unit(), span))
    }

    fn mem_replace(&mut self, place: &syn::Expr, value: &syn::Expr, span: Span) -> Option<Expr> {
        let mut place = self.exchanged(place)?;
        let value = self.after(&mut place, |this| this.value(value));
        Some(self.replace(place, value, span))
    }

    fn mem_take(&mut self, place: &syn::Expr, span: Span) -> Option<Expr> {
        let place = self.exchanged(place)?;
        let ty = self.type_of(&place);
        let known = self.types.shallow(&ty);
        let value = match &known {
            Type::Bool | Type::Vec(_) => Expr::placeholder(&known)?,
            _ if self.types.is_float(&ty) => Expr::zero(ty),
            _ if self.types.is_int(&ty) => Expr::literal("0", ty),
            Type::Named(name) => {
                let of: syn::Type = syn::parse_str(name).ok()?;
                let default = syn::parse_quote!(<#of as ::core::default::Default>::default());
                let default = self.opaque_value(&default);
                self.types.unify(&default.ty, &ty);
                default
            }
            Type::Array(..)
            | Type::Slice(_)
            | Type::Tuple(_)
            | Type::Float(_)
            | Type::Int(_)
            | Type::Unknown
            | Type::Infer(_) => return None,
        };
        Some(self.replace(place, value, span))
    }

    /// Puts a value in a place and yields the one that was there.
    pub(super) fn replace(&mut self, place: Place, value: Expr, span: Span) -> Expr {
        let ty = self.type_of(&place);
        self.types.unify(&ty, &value.ty);
        let other = self.name_value("replaced", value);
        self.exchange(place, Place::var(other), span);
        self.load(other, span)
    }

    /// The place that a `&mut` argument refers to.
    fn exchanged(&mut self, arg: &syn::Expr) -> Option<Place> {
        if let syn::Expr::Reference(reference) = strip(arg)
            && let syn::Expr::Path(path) = strip(&reference.expr)
            && let Some(var) = self.path_variable(path)
            && self.is_reference(var)
        {
            // The references would change places, not what they refer to.
            self.errors.report(
                arg.span(),
                "a reference that is assigned again is not supported",
                "exchange the values (`mem::swap(a, b)`, `a.swap_with_slice(b)`) or the lists themselves",
            );
        }
        match self.operand(arg)? {
            Operand::Reference { place, mutable: true, .. } => Some(place),
            Operand::Reference { .. } | Operand::Value(_) => None,
        }
    }

    /// Exchanges the values of two places.
    pub(super) fn exchange(&mut self, a: Place, b: Place, span: Span) {
        if self.can_borrow_both(&a, &b) {
            self.emit(StmtKind::Swap { a, b }, span);
            return;
        }
        let ty = self.type_of(&a);
        // Nothing is moved out of what references refer to.
        let value = |place: &Place| {
            let load = Expr::load(place.clone(), ty.clone(), span);
            if ty.is_copy() { load } else { Expr::op(Op::Clone, vec![load], ty.clone()) }
        };
        let kept = self.name_value("swapped", value(&a));
        let second = value(&b);
        self.emit(StmtKind::Assign { place: a, value: second }, span);
        let kept = self.load(kept, span);
        self.emit(StmtKind::Assign { place: b, value: kept }, span);
    }

    /// Whether generated code can exchange two places in one go: they belong to different variables,
    /// to different fields of one, or are elements of one list.
    fn can_borrow_both(&self, a: &Place, b: &Place) -> bool {
        let (a, b) = (self.body.resolve(a), self.body.resolve(b));
        if a.root != b.root || a.is_in_another_field_than(&b) {
            return true;
        }
        // A part of a list is its list, as far as elements go.
        let steps = |place: &Place| {
            let steps = place.projections.iter().cloned();
            steps.filter(|step| !matches!(step, Projection::Slice { .. })).collect::<Vec<_>>()
        };
        match (steps(&a).as_slice(), steps(&b).as_slice()) {
            ([list @ .., Projection::Index(_)], [other @ .., Projection::Index(_)]) => {
                list == other
            }
            _ => false,
        }
    }

    /// A method call whose value is dropped: methods that exchange elements of lists.
    pub(super) fn exchanging_method(
        &mut self,
        call: &syn::ExprMethodCall,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<()> {
        match (call.method.to_string().as_str(), args) {
            ("swap", [a, b]) => self.swap(&call.receiver, a, b, span),
            ("reverse", []) => {
                let list = self.exchange_list(&call.receiver, span)?;
                // The length is read once: what is exchanged in the loop has a fixed index then.
                let mut end = self.len_of(list.clone(), span);
                self.put_aside(&mut end);
                self.reverse(&list, Expr::usize(0), end, span);
                Some(())
            }
            ("rotate_left" | "rotate_right", [count]) => {
                self.rotate(call, count, call.method == "rotate_left", span)
            }
            ("swap_with_slice", [other]) => self.swap_with_slice(&call.receiver, other, span),
            _ => None,
        }
    }

    /// `a.swap(i, j)`
    fn swap(&mut self, list: &syn::Expr, a: &syn::Expr, b: &syn::Expr, span: Span) -> Option<()> {
        let mut list = self.list(list)?;
        let mut indices = self.after(&mut list, |this| this.values(&[a, b]));
        for index in &mut indices {
            self.types.unify(&index.ty, &Type::USIZE);
            self.put_aside(index);
        }
        let second = list.index(indices.pop()?);
        let first = list.index(indices.pop()?);
        self.exchange(first, second, span);
        Some(())
    }

    /// The list whose elements a method exchanges, with its indices captured.
    pub(super) fn exchange_list(&mut self, receiver: &syn::Expr, span: Span) -> Option<Place> {
        let list = self.list(receiver)?;
        Some(self.fixed_list(list, true, span))
    }

    /// Turns the elements `start..end` round.
    pub(super) fn reverse(&mut self, list: &Place, start: Expr, end: Expr, span: Span) {
        let from_zero = start.as_literal().is_some_and(|start| &**start == "0");
        let len = if from_zero {
            end.clone()
        } else {
            Expr::binary(BinaryOp::Sub, end.clone(), start.clone())
        };
        let half = Expr::binary(BinaryOp::Div, len, Expr::usize(2));
        let range = Range { start: Expr::usize(0), end: half, inclusive: false, adaptors: vec![] };
        self.each_index(range, span, |this, k| {
            let last = Expr::binary(BinaryOp::Sub, end, Expr::usize(1));
            let back = Expr::binary(BinaryOp::Sub, last, k.clone());
            let front = if from_zero { k } else { Expr::binary(BinaryOp::Add, start, k) };
            this.exchange(list.index(front), list.index(back), span);
        });
    }

    /// A rotation is three reversals.
    fn rotate(
        &mut self,
        call: &syn::ExprMethodCall,
        count: &syn::Expr,
        left: bool,
        span: Span,
    ) -> Option<()> {
        let mut list = self.list(&call.receiver)?;
        let count = self.after(&mut list, |this| this.usize_operand(count));
        let list = self.fixed_list(list, true, span);
        let mut len = self.len_of(list.clone(), span);
        self.put_aside(&mut len);
        let outside = Expr::test(BinaryOp::Gt, count.clone(), len.clone());
        let bound = if left { "mid <= self.len()" } else { "k <= self.len()" };
        self.panic_if(outside, &format!("assertion failed: {bound}"), span);
        let mut middle = if left { count } else { Expr::binary(BinaryOp::Sub, len.clone(), count) };
        self.put_aside(&mut middle);
        self.reverse(&list, Expr::usize(0), middle.clone(), span);
        self.reverse(&list, middle, len.clone(), span);
        self.reverse(&list, Expr::usize(0), len, span);
        Some(())
    }

    /// `a.swap_with_slice(b)`
    fn swap_with_slice(&mut self, a: &syn::Expr, b: &syn::Expr, span: Span) -> Option<()> {
        let mut a = self.list(a)?;
        let b = self.after(&mut a, |this| this.list(b))?;
        let [a, b] = [a, b].map(|list| self.fixed_list(list, true, span));
        let mut len = self.len_of(a.clone(), span);
        self.put_aside(&mut len);
        let other = self.len_of(b.clone(), span);
        let differ = Expr::test(BinaryOp::Ne, len.clone(), other);
        self.panic_if(differ, "destination and source slices have different lengths", span);
        let range = Range { start: Expr::usize(0), end: len, inclusive: false, adaptors: vec![] };
        self.each_index(range, span, |this, k| {
            this.exchange(a.index(k.clone()), b.index(k), span);
        });
        Some(())
    }
}
