//! Lists made from iterators: `collect`, `extend`, `unzip`, `partition`.

use super::chains::Sink;
use super::items::Item;
use super::places::strip;
use super::sequences::{Sequence, is_endless};
use super::{Destination, Lowerer};
use crate::index::Var;
use crate::ir::{Expr, ExprKind, LoopKind, Op, Place, Range, StmtKind};
use crate::read::words_in;
use crate::types::Type;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// `collect` into a `Vec`.
    pub(super) fn collect(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let Type::Vec(element) = self.types.shallow(wanted?) else { return None };
        let element = Type::clone(&element);
        if !self.may_be_collected(&element) {
            return None;
        }
        let mut pipeline = self.iterator(&call.receiver)?;
        pipeline.yields(element.clone());
        let by_position = pipeline.stages.is_empty();
        if !by_position || !self.has_zero(&element) {
            let list = self.empty_list(element, span);
            self.drive(pipeline, None, span, pushed_to(list, span))?;
            return Some(self.load(list, span));
        }
        self.collected(pipeline.sequence, element, span)
    }

    /// Integers carry no derivative: where a list of them is made, the chain is kept as it is. So it is with references, of which no list
    /// with a bar can be made.
    pub(super) fn may_be_collected(&self, element: &Type) -> bool {
        let known = self.types.resolve(element);
        !self.types.is_int(element) && !known.is_discrete() && !known.is_reference()
    }

    /// Whether some value of a type can be made; what is not known yet is taken for a number.
    fn has_zero(&self, ty: &Type) -> bool {
        match self.types.shallow(ty) {
            Type::Vec(_) | Type::Slice(_) | Type::Named(_) => false,
            Type::Tuple(fields) => fields.iter().all(|field| self.has_zero(field)),
            Type::Array(element, _) => self.has_zero(&element),
            _ => true,
        }
    }

    /// A list of items whose number is known before.
    fn collected(&mut self, sequence: Sequence, element: Type, span: Span) -> Option<Expr> {
        let (len, items) = self.numbered(sequence);
        let len = self.frozen(len, "len");
        let list = self.empty_list(element.clone(), span);
        let declaration = self.out.len() - 1;
        let number = self.body.local("k", Type::USIZE, span);
        let sequence = Sequence::of(len.clone(), items);
        self.counters.insert(number);
        let label = self.body.numbering.label();
        let mut grows = false;
        let body = self.iteration(None, label, &Destination::Discard, |this| {
            let position = this.load(number, span);
            let item = this.item_at(&sequence.items, position.clone());
            let value = this.item_value(item);
            this.types.unify(&element, &value.ty);
            grows = !this.has_zero(&element);
            if grows {
                this.push_value(&Place::var(list), value, span);
            } else {
                this.assign(Place::var(list).index(position), value, span);
            }
        });
        let kind = LoopKind::Counted { var: number, range: sequence.range };
        self.emit_loop(label, kind, body, span);
        if std::mem::take(&mut self.misfit) {
            return None;
        }
        if !grows {
            let ty = self.body.vars[list].ty.clone();
            let args = vec![self.zero_of(&element)?, len];
            let value = Expr::new(ExprKind::Op(Op::VecRepeat, args), ty, span);
            self.out[declaration].kind = StmtKind::Let { var: list, value: Some(value) };
        }
        Some(self.load(list, span))
    }

    /// A variable for a list that is about to be made.
    pub(super) fn empty_list(&mut self, element: Type, span: Span) -> Var {
        let ty = Type::vec(element);
        let list = self.body.local("list", ty.clone(), span);
        self.mutable.insert(list);
        let value = Expr::new(ExprKind::Op(Op::Vec, Vec::new()), ty, span);
        self.emit(StmtKind::Let { var: list, value: Some(value) }, span);
        self.made.insert(list);
        list
    }

    /// `list.extend(iterator)`
    pub(super) fn extend_each(
        &mut self,
        list: &Place,
        source: &syn::Expr,
        span: Span,
    ) -> Option<()> {
        let pipeline = self.iterated(source)?;
        if is_endless(&pipeline.sequence.range.end) && pipeline.stages.is_empty() {
            return None;
        }
        let list = list.clone();
        let sink: Sink<'_> = Box::new(move |this, item, _| {
            let value = this.item_value(item);
            this.push_value(&list, value, span);
        });
        self.drive(pipeline, None, span, sink)
    }

    /// The two lists that the context wants, made empty.
    fn two_lists(&mut self, wanted: Option<&Type>, span: Span) -> Option<[Var; 2]> {
        let Type::Tuple(parts) = self.types.shallow(wanted?) else { return None };
        let [first, second] = &*parts else { return None };
        let mut elements = Vec::new();
        for part in [first, second] {
            let Type::Vec(element) = self.types.shallow(part) else { return None };
            elements.push(Type::clone(&element));
        }
        if !elements.iter().any(|element| self.may_be_collected(element)) {
            return None;
        }
        let lists: Vec<Var> =
            elements.into_iter().map(|element| self.empty_list(element, span)).collect();
        lists.try_into().ok()
    }

    fn pair_of(&self, lists: [Var; 2], span: Span) -> Expr {
        let lists: Vec<Expr> = lists.into_iter().map(|list| self.load(list, span)).collect();
        let ty = Type::Tuple(lists.iter().map(|list| list.ty.clone()).collect());
        Expr::new(ExprKind::Op(Op::Tuple, lists), ty, span)
    }

    /// `unzip` into two `Vec`s.
    pub(super) fn unzip(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let pipeline = self.iterator(&call.receiver)?;
        let lists = self.two_lists(wanted, span)?;
        let sink: Sink<'_> = Box::new(move |this, item, _| {
            let parts = this.halves_of(item, span);
            for (list, part) in lists.into_iter().zip(parts) {
                this.push_value(&Place::var(list), part, span);
            }
        });
        self.drive(pipeline, None, span, sink)?;
        Some(self.pair_of(lists, span))
    }

    /// The values of the parts of an item that is a pair.
    fn halves_of(&mut self, item: Item, span: Span) -> [Expr; 2] {
        match self.settled(item) {
            Item::Tuple(parts) if parts.len() == 2 => {
                let mut values = parts.into_iter().map(|part| self.item_value(part));
                [(); 2].map(|()| values.next().expect("two parts"))
            }
            item => {
                let value = self.item_value(item);
                let fields = (0..2).map(|_| self.types.fresh()).collect();
                self.types.unify(&value.ty, &Type::Tuple(fields));
                let whole = self.place_of_value(value, "parts");
                [0, 1].map(|position| {
                    let place = whole.field(position);
                    let ty = self.type_of(&place);
                    Expr::load(place, ty, span)
                })
            }
        }
    }

    /// `partition` into two `Vec`s.
    pub(super) fn partition(
        &mut self,
        call: &syn::ExprMethodCall,
        function: &syn::Expr,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let pipeline = self.iterator(&call.receiver)?;
        let function = self.function(function, 1)?;
        let lists = self.two_lists(wanted, span)?;
        let sink: Sink<'_> = Box::new(move |this, item, _| {
            let item = this.settled(item);
            let test = this.test_of(&function, &item);
            let [then, otherwise] = lists.map(|list| {
                let item = item.clone();
                this.in_block(|this| {
                    let value = this.item_value(item);
                    this.push_value(&Place::var(list), value, span);
                })
            });
            this.emit(StmtKind::If { test, then, otherwise }, span);
        });
        self.drive(pipeline, None, span, sink)?;
        Some(self.pair_of(lists, span))
    }

    /// `list.concat()`, `[a, b].concat()`
    pub(super) fn concat(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let span = call.span();
        if let syn::Expr::Array(array) = strip(&call.receiver) {
            let lists: Option<Vec<Place>> =
                array.elems.iter().map(|list| self.list_at(list)).collect();
            let lists = lists?;
            let element = self.element_type(lists.first()?);
            let whole = self.empty_list(element, span);
            for list in lists {
                self.extend_by(&Place::var(whole), list, span);
            }
            return Some(self.load(whole, span));
        }
        let rows = self.list_at(&call.receiver)?;
        let row = self.element_type(&rows);
        let element = self.types.shallow(&row).element()?.clone();
        let rows = self.fixed_list(rows, false, span);
        let whole = self.empty_list(element, span);
        let end = self.len_of(rows.clone(), span);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        self.each_index(range, span, |this, k| {
            this.extend_by(&Place::var(whole), rows.index(k), span);
        });
        Some(self.load(whole, span))
    }

    /// Whether a value that is repeated may have a derivative other than that of numbers: one of constants is made as it is written.
    pub(super) fn may_be_active_copies(&self, ty: &Type, written: &syn::Expr) -> bool {
        let mut words = BTreeSet::new();
        words_in(written.to_token_stream(), &mut words);
        self.holds_users_types(ty) && words.iter().any(|word| self.find(word).is_some())
    }

    /// Whether there are values of types of users in a value.
    pub(super) fn holds_users_types(&self, ty: &Type) -> bool {
        match self.types.shallow(ty) {
            Type::Named(_) => true,
            Type::Array(element, _) | Type::Vec(element) => self.holds_users_types(&element),
            Type::Tuple(parts) => parts.iter().any(|part| self.holds_users_types(part)),
            Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Slice(_)
            | Type::Unknown
            | Type::Infer(_) => false,
        }
    }

    /// `vec![item; len]` of a value of which derivatives are not those of numbers: each element is a copy.
    pub(super) fn vec_of_copies(&mut self, item: Expr, len: Expr, span: Span) -> Expr {
        let ty = item.ty.clone();
        let item = self.name_value("item", item);
        let end = self.frozen(len, "len");
        let list = self.empty_list(ty.clone(), span);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        self.each_index(range, span, |this, _| {
            let copy = Expr::op(Op::Clone, vec![this.load(item, span)], ty);
            this.push_value(&Place::var(list), copy, span);
        });
        self.load(list, span)
    }

    /// Some value of a type of numbers.
    pub(super) fn zero_of(&mut self, ty: &Type) -> Option<Expr> {
        if self.types.is_float(ty) {
            return Some(Expr::zero(ty.clone()));
        }
        if self.types.is_int(ty) {
            return Some(Expr::literal("0", ty.clone()));
        }
        match self.types.shallow(ty) {
            Type::Bool => Some(Expr::literal("false", Type::Bool)),
            Type::Tuple(fields) => {
                let zeros: Option<Vec<Expr>> =
                    fields.iter().map(|field| self.zero_of(field)).collect();
                Some(Expr::op(Op::Tuple, zeros?, ty.clone()))
            }
            Type::Array(element, len) => {
                let zero = self.zero_of(&element)?;
                Some(Expr::op(Op::Repeat(len), vec![zero], ty.clone()))
            }
            _ => None,
        }
    }
}

/// Appends each item to a list.
fn pushed_to<'s>(list: Var, span: Span) -> Sink<'s> {
    Box::new(move |this, item, _| {
        let value = this.item_value(item);
        this.push_value(&Place::var(list), value, span);
    })
}
