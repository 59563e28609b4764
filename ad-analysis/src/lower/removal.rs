//! Elements taken out of the middle of a `Vec`: `retain`, `dedup`, `drain`, `split_off`. What remains is moved
//! to the front by exchanges, and the rest is cut off.

use super::items::Item;
use super::pipelines::Pipeline;
use super::places::strip;
use super::sequences::{Items, Sequence};
use super::{Lowerer, Operand};
use crate::index::Var;
use crate::ir::{BinaryOp, Expr, ExprKind, Op, Place, Projection, Range};
use crate::types::Type;
use proc_macro2::Span;

impl Lowerer<'_> {
    /// A method call whose value is dropped: methods that take elements out of a `Vec`.
    pub(super) fn removing_method(
        &mut self,
        list: &Place,
        name: &str,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<()> {
        match (name, args) {
            ("retain", [function]) => self.retain(list, function, span),
            ("dedup", []) => self.dedup(list, span),
            ("drain", [range]) => {
                let (start, end) = self.bounds_of(list, range, span)?;
                self.cut_out(list, start, end, span);
                Some(())
            }
            _ => None,
        }
    }

    /// `list.retain(function)`
    fn retain(&mut self, list: &Place, function: &syn::Expr, span: Span) -> Option<()> {
        let function = self.function(function, 1)?;
        let kept = self.state("kept", Expr::usize(0));
        let mut end = self.len_of(list.clone(), span);
        self.put_aside(&mut end);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        self.each_index(range, span, |this, k| {
            let place = list.index(k.clone());
            let item = Item::Operand(Operand::Reference { place, mutable: false, span });
            let test = this.inline(&function, vec![item]);
            let test = this.item_value(test);
            this.types.unify(&test.ty, &Type::Bool);
            this.only_if(test, span, |this| this.keep(list, kept, k, span));
        });
        let kept = self.load(kept, span);
        self.throw_away(list, kept, span);
        Some(())
    }

    /// Moves an element behind those that are kept already.
    fn keep(&mut self, list: &Place, kept: Var, k: Expr, span: Span) {
        let mut to = self.load(kept, span);
        self.put_aside(&mut to);
        self.exchange(list.index(to), list.index(k), span);
        let next = Expr::binary(BinaryOp::Add, self.load(kept, span), Expr::usize(1));
        self.assign(Place::var(kept), next, span);
    }

    /// `list.dedup()`, of numbers.
    fn dedup(&mut self, list: &Place, span: Span) -> Option<()> {
        let element = self.element_type(list);
        if !self.is_scalar(&element) {
            return None;
        }
        let mut end = self.len_of(list.clone(), span);
        self.put_aside(&mut end);
        let some = Expr::test(BinaryOp::Gt, end.clone(), Expr::usize(0));
        self.only_if(some, span, |this| {
            let kept = this.state("kept", Expr::usize(1));
            let start = Expr::usize(1);
            let range = Range { start, end, inclusive: false, adaptors: Vec::new() };
            this.each_index(range, span, |this, k| {
                let last = Expr::binary(BinaryOp::Sub, this.load(kept, span), Expr::usize(1));
                let [new, old] = [k.clone(), last]
                    .map(|index| Expr::load(list.index(index), element.clone(), span));
                let test = Expr::negated(Expr::test(BinaryOp::Eq, new, old));
                this.only_if(test, span, |this| this.keep(list, kept, k, span));
            });
            let kept = this.load(kept, span);
            this.truncate(list, kept, span);
        });
        Some(())
    }

    /// The bounds of a range of elements, which are there.
    fn bounds_of(&mut self, list: &Place, range: &syn::Expr, span: Span) -> Option<(Expr, Expr)> {
        let syn::Expr::Range(range) = strip(range) else { return None };
        let start = match &range.start {
            Some(start) => self.usize_operand(start),
            None => Expr::usize(0),
        };
        let mut end = match &range.end {
            Some(end) => self.usize_operand(end),
            None => self.len_of(list.clone(), span),
        };
        if matches!(range.limits, syn::RangeLimits::Closed(_)) {
            end = Expr::binary(BinaryOp::Add, end, Expr::usize(1));
        }
        self.put_aside(&mut end);
        // The slice is made for its panics.
        let bounds = Projection::Slice { start: Some(start.clone()), end: Some(end.clone()) };
        self.make_view("part", &list.then(bounds), false, span);
        Some((start, end))
    }

    /// Takes a range of elements out, by turning them to the end.
    fn cut_out(&mut self, list: &Place, start: Expr, end: Expr, span: Span) {
        let mut len = self.len_of(list.clone(), span);
        self.put_aside(&mut len);
        let rest = Expr::binary(BinaryOp::Sub, len.clone(), end.clone());
        let mut remaining = Expr::binary(BinaryOp::Add, start.clone(), rest);
        self.put_aside(&mut remaining);
        // The order of what is cut off does not matter.
        self.reverse(list, start.clone(), len, span);
        self.reverse(list, start, remaining.clone(), span);
        self.throw_away(list, remaining, span);
    }

    /// `list.drain(range)` as an iterator: over a copy of what is taken out.
    pub(super) fn drained(&mut self, list: &syn::Expr, range: &syn::Expr) -> Option<Pipeline> {
        let span = syn::spanned::Spanned::span(list);
        let list = self.growing_list(list)?;
        let element = self.element_type(&list);
        if !self.is_number(&element) {
            return None;
        }
        let (start, end) = self.bounds_of(&list, range, span)?;
        let copy = self.copy_of_part(&list, start.clone(), end.clone(), span);
        self.cut_out(&list, start, end, span);
        let len = self.len_of(copy.clone(), span);
        let items = Items::Element { list: copy, mutable: false };
        Some(Pipeline::over(Sequence::of(len, items).copied()))
    }

    fn copy_of_part(&mut self, list: &Place, start: Expr, end: Expr, span: Span) -> Place {
        let element = self.element_type(list);
        let part = list.then(Projection::Slice { start: Some(start), end: Some(end) });
        let part = Expr::load(part, Type::slice(element.clone()), span);
        let copy = Expr::new(ExprKind::Op(Op::ToVec, vec![part]), Type::vec(element), span);
        Place::var(self.name_value("part", copy))
    }

    /// The value of `list.split_off(at)`.
    pub(super) fn split_off(&mut self, list: &Place, at: &syn::Expr, span: Span) -> Option<Expr> {
        let element = self.element_type(list);
        if !self.is_number(&element) {
            return None;
        }
        let at = self.usize_operand(at);
        let mut end = self.len_of(list.clone(), span);
        self.put_aside(&mut end);
        let copy = self.copy_of_part(list, at.clone(), end, span);
        self.truncate(list, at, span);
        self.made.insert(copy.root);
        Some(self.load(copy.root, span))
    }
}
