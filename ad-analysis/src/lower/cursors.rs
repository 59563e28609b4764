//! Iterators with a name: bound by `let` and gone through later, or advanced by hand. What is left of a
//! sequence is then told by two positions, which are variables like any others.

use super::elements::unwrapped;
use super::items::Item;
use super::optional::{Failure, Optional};
use super::pipelines::{Pipeline, Stage};
use super::places::strip;
use super::sequences::{Items, Sequence, endless};
use super::{Destination, Lowerer};
use crate::index::Var;
use crate::ir::{BinaryOp, Expr, Place, Range, StmtKind, each_expr, each_stmt};
use crate::stdlib::{self, Role};
use crate::types::Type;
use proc_macro2::Span;
use syn::Pat;
use syn::spanned::Spanned;

/// What a name stands for that is bound to an iterator.
#[derive(Clone)]
pub(super) enum NamedIterator {
    /// It is gone through as a whole.
    Whole(Box<Pipeline>),
    /// It may be advanced.
    Cursor(Box<Cursor>),
}

/// What is left of a sequence.
#[derive(Clone)]
pub(super) struct Cursor {
    front: Var,
    back: Var,
    items: Items,
}

/// Where an item is taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// `next`
    Front,
    /// `next_back`
    Back,
}

impl Lowerer<'_> {
    /// `let name = iterator;`
    pub(super) fn iterator_local(&mut self, pat: &Pat, init: &syn::Expr) -> bool {
        let Pat::Ident(ident) = pat else { return false };
        let is_candidate = match strip(init) {
            syn::Expr::MethodCall(call) => {
                call.attrs.is_empty()
                    && call.turbofish.is_none()
                    && stdlib::is(&call.method, Role::MakesIterator)
            }
            syn::Expr::Call(_) => true,
            _ => false,
        };
        if !is_candidate {
            return false;
        }
        let named = self.attempt("an iterator with a name", |this| {
            let pipeline = this.iterator(init)?;
            if ident.mutability.is_some() { this.cursor(pipeline) } else { this.waiting(pipeline) }
        });
        let Some(named) = named else { return false };
        // The iterator itself is kept too, until it turns out that nothing needs it: as a whole, for variables of its parts would stay.
        let value = self.opaque_whole(init);
        let var = value.as_var().expect("verbatim code has a variable for its value");
        self.rename(var, &ident.ident.to_string());
        if ident.mutability.is_some() {
            self.mutable.insert(var);
        }
        self.iterators.insert(var, named);
        true
    }

    fn waiting(&mut self, mut pipeline: Pipeline) -> Option<NamedIterator> {
        let Range { start, end, .. } = pipeline.sequence.range.clone();
        pipeline.sequence.range.start = self.frozen(start, "start");
        pipeline.sequence.range.end = self.frozen(end, "end");
        Some(NamedIterator::Whole(Box::new(pipeline)))
    }

    fn cursor(&mut self, pipeline: Pipeline) -> Option<NamedIterator> {
        let sequence = pipeline.into_sequence()?;
        let (len, items) = self.numbered(sequence);
        let front = self.state("front", Expr::usize(0));
        let back = self.state("back", len);
        Some(NamedIterator::Cursor(Box::new(Cursor { front, back, items })))
    }

    fn name_of_iterator(&self, expr: &syn::Expr) -> Option<Var> {
        let syn::Expr::Path(path) = strip(expr) else { return None };
        let var = self.find(&path.path.get_ident()?.to_string())?;
        self.iterators.contains_key(&var).then_some(var)
    }

    /// What a name stands for, which is followed here.
    fn iterator_named(&mut self, expr: &syn::Expr) -> Option<NamedIterator> {
        let var = self.name_of_iterator(expr)?;
        self.followed.insert(var);
        self.iterators.get(&var).cloned()
    }

    /// Whether an expression is the name of an iterator.
    pub(super) fn is_iterator(&self, expr: &syn::Expr) -> bool {
        self.name_of_iterator(expr).is_some()
    }

    /// The iterator that has a name, gone through from here on.
    pub(super) fn named_iterator(&mut self, expr: &syn::Expr) -> Option<Pipeline> {
        match self.iterator_named(expr)? {
            NamedIterator::Whole(pipeline) => Some(*pipeline),
            NamedIterator::Cursor(cursor) => {
                let Cursor { front, back, items } = *cursor;
                let [start, end] = [front, back].map(|var| self.load(var, expr.span()));
                let range = Range { start, end, inclusive: false, adaptors: Vec::new() };
                Some(Pipeline::over(Sequence { range, ty: Type::USIZE, items }))
            }
        }
    }

    /// A copy of the iterator that has a name, if nothing of it changes on the way.
    pub(super) fn copy_of_iterator(&mut self, expr: &syn::Expr) -> Option<Pipeline> {
        self.named_iterator(expr).filter(|pipeline| pipeline.stages.is_empty())
    }

    /// `iterator.by_ref()`, `&mut iterator`: what is taken is gone afterwards.
    pub(super) fn lent_iterator(&mut self, expr: &syn::Expr) -> Option<Pipeline> {
        let NamedIterator::Cursor(cursor) = self.iterator_named(expr)? else {
            return None;
        };
        Self::advancing(vec![(*cursor, Side::Front)])
    }

    /// The iterator of a method that takes `&mut self`: one that has a name is advanced.
    pub(super) fn iterator_by_reference(&mut self, expr: &syn::Expr) -> Option<Pipeline> {
        match strip(expr) {
            syn::Expr::Path(_) => self.lent_iterator(expr),
            _ => self.iterator(expr),
        }
    }

    fn advancing(cursors: Vec<(Cursor, Side)>) -> Option<Pipeline> {
        let positions = Sequence::of(endless(), Items::Position);
        Pipeline::over(positions).then(Stage::Next(cursors))
    }

    /// The cursor of `iterator.next()`.
    fn advanced(&mut self, expr: &syn::Expr) -> Option<(Cursor, Side)> {
        let syn::Expr::MethodCall(call) = strip(expr) else { return None };
        let side = match (call.method.to_string().as_str(), call.args.len()) {
            ("next", 0) => Side::Front,
            ("next_back", 0) => Side::Back,
            _ => return None,
        };
        match self.iterator_named(&call.receiver)? {
            NamedIterator::Cursor(cursor) => Some((*cursor, side)),
            NamedIterator::Whole(_) => None,
        }
    }

    fn has_next(&self, cursor: &Cursor, span: Span) -> Expr {
        Expr::test(BinaryOp::Lt, self.load(cursor.front, span), self.load(cursor.back, span))
    }

    /// Takes the position of an item that is there.
    fn take_position(&mut self, cursor: &Cursor, side: Side, span: Span) -> Expr {
        let one = Expr::usize(1);
        match side {
            Side::Front => {
                let position = self.load(cursor.front, span);
                let position = self.name_value("position", position);
                let next = Expr::binary(BinaryOp::Add, self.load(cursor.front, span), one);
                self.assign(Place::var(cursor.front), next, span);
                self.counters.insert(position);
                self.load(position, span)
            }
            Side::Back => {
                let next = Expr::binary(BinaryOp::Sub, self.load(cursor.back, span), one);
                self.assign(Place::var(cursor.back), next, span);
                let position = self.load(cursor.back, span);
                let position = self.name_value("position", position);
                self.counters.insert(position);
                self.load(position, span)
            }
        }
    }

    /// The items that some cursors yield, all of which are advanced. Without one of them control leaves.
    pub(super) fn next_items(
        &mut self,
        cursors: &[(Cursor, Side)],
        leave: StmtKind,
        span: Span,
    ) -> Item {
        if let [(cursor, side)] = cursors {
            let test = Expr::negated(self.has_next(cursor, span));
            self.only_if(test, span, |this| this.emit(leave, span));
            let position = self.take_position(cursor, *side, span);
            return self.item_at(&cursor.items, position);
        }
        let mut all: Option<Expr> = None;
        let mut positions = Vec::new();
        for (cursor, side) in cursors {
            let position = self.state("position", Expr::usize(0));
            let test = self.has_next(cursor, span);
            let present = self.name_value("present", test);
            let test = self.load(present, span);
            self.only_if(test.clone(), span, |this| {
                let taken = this.take_position(cursor, *side, span);
                this.assign(Place::var(position), taken, span);
            });
            all = Some(match all {
                Some(all) => Expr::test(BinaryOp::And, all, test),
                None => test,
            });
            positions.push(self.load(position, span));
        }
        if let Some(all) = all {
            self.only_if(Expr::negated(all), span, |this| this.emit(leave, span));
        }
        let items = cursors.iter().zip(positions);
        Item::Tuple(items.map(|((cursor, _), at)| self.item_at(&cursor.items, at)).collect())
    }

    /// `iterator.next()`, where it is tested whether there is an item.
    pub(super) fn next_if_any(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        let span = call.method.span();
        let (cursor, side) = self.advanced(&syn::Expr::MethodCall(call.clone()))?;
        if !cursor.items.are_there() {
            return None;
        }
        let position = self.state("position", Expr::usize(0));
        let test = self.has_next(&cursor, span);
        let some = self.name_value("is_some", test);
        let some = self.load(some, span);
        self.only_if(some.clone(), span, |this| {
            let taken = this.take_position(&cursor, side, span);
            this.assign(Place::var(position), taken, span);
        });
        let position = self.load(position, span);
        let payload = self.item_at(&cursor.items, position);
        Some(Optional { some, payload, failure: Failure::None })
    }

    /// The item of `iterator.next().unwrap()` and its kin.
    pub(super) fn taken_item(&mut self, expr: &syn::Expr) -> Option<Item> {
        let syn::Expr::MethodCall(call) = strip(expr) else { return None };
        let span = call.method.span();
        if call.method == "unwrap_or" && call.args.len() == 1 {
            // What has effects is evaluated in any case.
            if self.body_is_noticed(&call.args[0]) {
                return None;
            }
            let (cursor, side) = self.advanced(without_copies(&call.receiver))?;
            return Some(self.item_or(&cursor, side, &call.args[0], span));
        }
        let (inner, message) = unwrapped(call)?;
        let inner = syn::Expr::MethodCall(inner.clone());
        let next = without_copies(&inner);
        let (cursor, side) = self.advanced(next)?;
        let empty = Expr::negated(self.has_next(&cursor, span));
        self.panic_if(empty, &message, span);
        let position = self.take_position(&cursor, side, span);
        let item = self.item_at(&cursor.items, position);
        let is_copied = !std::ptr::eq(next, &inner);
        Some(if is_copied { Item::value(self.cloned_item(item)) } else { item })
    }

    /// The value of `iterator.next().unwrap_or(value)`.
    fn item_or(&mut self, cursor: &Cursor, side: Side, default: &syn::Expr, span: Span) -> Item {
        let ty = self.types.fresh();
        let var = self.body.local("item", ty, span);
        self.emit(StmtKind::Let { var, value: None }, span);
        let test = self.has_next(cursor, span);
        let then = self.in_block(|this| {
            let position = this.take_position(cursor, side, span);
            let item = this.item_at(&cursor.items, position);
            let value = this.item_value(item);
            this.assign(Place::var(var), value, span);
        });
        let otherwise = self.in_block(|this| {
            this.lower_into(default, &Destination::Place(Place::var(var)));
        });
        self.emit(StmtKind::If { test, then, otherwise }, span);
        Item::value(self.load(var, span))
    }

    /// `iterator.next();`
    pub(super) fn advance_statement(&mut self, call: &syn::ExprMethodCall) -> Option<()> {
        let span = call.method.span();
        let (cursor, side) = self.advanced(&syn::Expr::MethodCall(call.clone()))?;
        let test = self.has_next(&cursor, span);
        self.only_if(test, span, |this| {
            let position = this.take_position(&cursor, side, span);
            let item = this.item_at(&cursor.items, position);
            let value = this.copied_item(item);
            this.discard(value);
        });
        Some(())
    }

    /// `while let Some(pattern) = iterator.next() { … }`, or with several of them in a tuple.
    pub(super) fn while_next(&mut self, repetition: &syn::ExprWhile, span: Span) -> bool {
        let syn::Expr::Let(condition) = strip(&repetition.cond) else { return false };
        let (pats, nexts): (Vec<&Pat>, Vec<&syn::Expr>) =
            match (&*condition.pat, strip(&condition.expr)) {
                (Pat::Tuple(pats), syn::Expr::Tuple(nexts))
                    if pats.elems.len() == nexts.elems.len() =>
                {
                    (pats.elems.iter().collect(), nexts.elems.iter().collect())
                }
                (pat, next) => (vec![pat], vec![next]),
            };
        let pats: Option<Vec<&Pat>> = pats.into_iter().map(pattern_of_some).collect();
        let cursors: Option<Vec<_>> = nexts.into_iter().map(|next| self.advanced(next)).collect();
        let (Some(pats), Some(cursors)) = (pats, cursors) else { return false };
        // Where one of several is missing, the items of the others are thrown away.
        if cursors.len() > 1 && cursors.iter().any(|(cursor, _)| cursor.items.is_noticed()) {
            return false;
        }
        let Some(pipeline) = Self::advancing(cursors) else { return false };
        let sink = Box::new(|this: &mut Lowerer<'_>, item, _| {
            match (pats.as_slice(), item) {
                ([pat], item) => this.bind_item(pat, item),
                (pats, Item::Tuple(items)) => {
                    for (pat, item) in pats.iter().zip(items) {
                        this.bind_item(pat, item);
                    }
                }
                (_, Item::Operand(_) | Item::Lent(_)) => unreachable!("there is a part for each"),
            }
            this.block_into(&repetition.body, &Destination::Discard);
        });
        let done = self.attempt("a loop over what is left of an iterator", |this| {
            this.drive(pipeline, repetition.label.as_ref(), span, sink)
        });
        done.is_some()
    }

    /// Refuses code that was kept as it is and mentions names that are no variables, or iterators that other
    /// code has advanced.
    pub(super) fn refuse_kept_names(&self) {
        let refuse = |reads: &[Var], span: Span| {
            for var in reads {
                let is_cursor = matches!(self.iterators.get(var), Some(NamedIterator::Cursor(_)));
                if is_cursor && self.followed.contains(*var) {
                    self.errors.report(
                        span,
                        "an iterator with a name is not supported here",
                        "go through it with `for` or a chain that `docs/language.md` lists, advance it with \
                         `next()`, as in `while let Some(…) = it.next()`, or write the iterator where it is used",
                    );
                }
                if self.rebound.contains_key(var) {
                    self.errors.report(
                        span,
                        "a reference that is assigned again is not supported here",
                        "copy it by a `let` without `mut` before, and use the copy",
                    );
                }
            }
        };
        each_stmt(&self.body.block, &mut |stmt| {
            if let StmtKind::Opaque(opaque) = &stmt.kind {
                refuse(&opaque.reads, stmt.span);
            }
            each_expr(stmt, &mut |expr| {
                if let crate::ir::ExprKind::Opaque(opaque) = &expr.kind {
                    refuse(&opaque.reads, expr.span);
                }
            });
        });
    }
}

/// `p` of `Some(p)`, if it can be taken apart.
fn pattern_of_some(pat: &Pat) -> Option<&Pat> {
    let Pat::TupleStruct(some) = pat else { return None };
    let [inner] = some.elems.iter().collect::<Vec<_>>()[..] else { return None };
    (some.path.is_ident("Some") && super::items::takes(inner)).then_some(inner)
}

/// `e` of `e.copied()` and `e.cloned()`.
fn without_copies(expr: &syn::Expr) -> &syn::Expr {
    match strip(expr) {
        syn::Expr::MethodCall(call)
            if call.args.is_empty() && (call.method == "copied" || call.method == "cloned") =>
        {
            &call.receiver
        }
        _ => expr,
    }
}
