//! Sequences: what iterators go through, as maps from positions to items. An adaptor that only picks
//! and arranges (`zip`, `skip`, `rev`, …) makes a map from a map, so that a loop over any sequence is a
//! loop over a range.

use super::closures::Function;
use super::items::Item;
use super::lengths::{Length, integer};
use super::{Lowerer, Operand};
use crate::ir::StmtKind;
use crate::ir::{Adaptor, BinaryOp, Binding, Expr, ExprKind, Op, Place, Projection, Range};
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;

/// The positions in the order in which they are visited, and the items there.
#[derive(Clone)]
pub(super) struct Sequence {
    pub(super) range: Range,
    /// The type of the positions.
    pub(super) ty: Type,
    pub(super) items: Items,
}

/// What is at a position.
#[derive(Clone)]
pub(super) enum Items {
    /// The position.
    Position,
    /// The number that many after the first of a range.
    Number { first: Expr },
    /// The same of a range without an end.
    Counted { first: Expr },
    /// A reference to an element.
    Element { list: Place, mutable: bool },
    /// A reference to a part of a list, that many elements long.
    Part { list: Place, mutable: bool, stride: Stride },
    /// What the item refers to.
    Copied(Box<Items>),
    /// What a function makes of the item.
    Mapped(Box<Items>, Rc<Function>),
    /// The item at another position.
    Moved(Box<Items>, Move),
    /// Two items.
    Zipped(Box<Items>, Box<Items>),
    /// So many items of one sequence, then those of another.
    Chained { first: Box<Items>, len: Expr, second: Box<Items> },
    /// The same item, at all positions.
    Repeated(Item),
}

/// How the parts of a list lie.
#[derive(Clone)]
pub(super) enum Stride {
    /// One begins at each element.
    Windows { len: Expr },
    /// One begins where the one before ends.
    Chunks { len: Expr },
    /// As before; the last may be shorter.
    Remainder { len: Expr, total: Expr },
    /// From the end on; the last, at the beginning, may be shorter.
    FromEnd { len: Expr, total: Expr },
}

/// Where to look instead of at `k`.
#[derive(Clone)]
pub(super) enum Move {
    /// At `k + n`.
    Ahead(Expr),
    /// At `k * n`.
    Times(Expr),
    /// At `n - 1 - k`.
    Back(Expr),
    /// At `n - k`.
    Down(Expr),
    /// At `k % n`.
    Round(Expr),
}

impl Sequence {
    /// All positions from 0 to a length.
    pub(super) fn of(len: Expr, items: Items) -> Self {
        let range =
            Range { start: Expr::usize(0), end: len, inclusive: false, adaptors: Vec::new() };
        Self { range, ty: Type::USIZE, items }
    }

    /// Whether positions are visited one by one, from the first.
    fn is_plain(&self) -> bool {
        self.range.adaptors.is_empty() && !self.range.inclusive
    }

    fn map(self, wrap: impl FnOnce(Box<Items>) -> Items) -> Self {
        Self { items: wrap(Box::new(self.items)), ..self }
    }

    pub(super) fn copied(self) -> Self {
        self.map(Items::Copied)
    }

    pub(super) fn mapped(self, function: Function) -> Self {
        self.map(|items| Items::Mapped(items, Rc::new(function)))
    }

    /// States what type the items are to have.
    pub(super) fn yields(&mut self, ty: Type) {
        if let Items::Mapped(_, function) = &mut self.items {
            Rc::make_mut(function).yields(ty);
        }
    }

    pub(super) fn reversed(mut self) -> Self {
        self.range = self.range.reversed();
        self
    }
}

impl Items {
    /// The items by their number, where the positions are the numbers from `first` on.
    fn counted_from(self, first: &Expr) -> Self {
        let inner = |items: Box<Items>| Box::new(items.counted_from(first));
        match self {
            Items::Position => Items::Number { first: first.clone() },
            Items::Mapped(items, function) => Items::Mapped(inner(items), function),
            Items::Copied(items) => Items::Copied(inner(items)),
            Items::Moved(items, step) => Items::Moved(inner(items), step),
            Items::Zipped(left, right) => Items::Zipped(inner(left), inner(right)),
            Items::Chained { first, len, second } => {
                Items::Chained { first: inner(first), len, second: inner(second) }
            }
            items @ (Items::Number { .. }
            | Items::Counted { .. }
            | Items::Element { .. }
            | Items::Part { .. }
            | Items::Repeated(_)) => items,
        }
    }

    /// Whether looking at an item for nothing makes a difference.
    pub(super) fn has_effects(&self) -> bool {
        self.runs(&Function::has_effects)
    }

    /// Whether it is noticed if an item is not looked at.
    pub(super) fn is_noticed(&self) -> bool {
        self.runs(&Function::is_noticed)
    }

    /// Whether an item is there or made of what is there: nothing happens where it is not looked at.
    pub(super) fn are_there(&self) -> bool {
        match self {
            Items::Position | Items::Element { .. } | Items::Part { .. } => true,
            Items::Copied(inner) | Items::Moved(inner, _) => inner.are_there(),
            Items::Zipped(left, right) => left.are_there() && right.are_there(),
            Items::Number { .. }
            | Items::Counted { .. }
            | Items::Mapped(..)
            | Items::Chained { .. }
            | Items::Repeated(_) => false,
        }
    }

    /// Whether looking at an item runs a function of some kind.
    fn runs(&self, is_of_kind: &dyn Fn(&Function) -> bool) -> bool {
        match self {
            Items::Mapped(inner, function) => inner.runs(is_of_kind) || is_of_kind(function),
            Items::Copied(inner) | Items::Moved(inner, _) => inner.runs(is_of_kind),
            Items::Zipped(left, right) | Items::Chained { first: left, second: right, .. } => {
                left.runs(is_of_kind) || right.runs(is_of_kind)
            }
            Items::Position
            | Items::Number { .. }
            | Items::Counted { .. }
            | Items::Element { .. }
            | Items::Part { .. }
            | Items::Repeated(_) => false,
        }
    }
}

impl Lowerer<'_> {
    /// A value that the body of a loop cannot change.
    pub(super) fn frozen(&mut self, value: Expr, hint: &str) -> Expr {
        if value.as_literal().is_some() || integer(&value).is_some() {
            return value;
        }
        let is_fixed = value.as_var().is_some_and(|var| match self.body.vars[var].binding {
            Binding::Value => !self.mutable.contains(var),
            Binding::Global(_) => true,
            Binding::Shared | Binding::Exclusive | Binding::View(_) => false,
        });
        if is_fixed {
            return value;
        }
        let span = value.span;
        let var = self.name_value(hint, value);
        self.load(var, span)
    }

    /// `a.method(b)` of two lengths.
    pub(super) fn count(&self, method: &str, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        Expr::new(ExprKind::Op(Op::Method(method.into()), vec![typed(a), b]), Type::USIZE, span)
    }

    /// The difference of two lengths, at least 0.
    pub(super) fn less(&self, a: Expr, b: Expr) -> Expr {
        match (number(&a), number(&b)) {
            _ if is_endless(&a) => a,
            (_, Some(0)) => a,
            (Some(a), Some(b)) => Expr::usize(a.saturating_sub(b)),
            _ => self.count("saturating_sub", a, b),
        }
    }

    /// The smaller one of two lengths.
    fn smaller(&self, a: Expr, b: Expr) -> Expr {
        match (number(&a), number(&b)) {
            _ if a == b || is_endless(&b) => a,
            _ if is_endless(&a) => b,
            (Some(a), Some(b)) => Expr::usize(a.min(b)),
            (Some(_), None) => self.count("min", b, a),
            _ => self.count("min", a, b),
        }
    }

    /// The length of a sequence and its items by their number.
    pub(super) fn numbered(&mut self, sequence: Sequence) -> (Expr, Items) {
        let Sequence { range, ty, items } = sequence;
        let Range { start, end, inclusive, adaptors } = range;
        let is_count = self.types.shallow(&ty) == Type::USIZE;
        let start = self.frozen(start, "start");
        if !is_count {
            // Only ranges have other positions than `usize`.
            self.check_width(&ty, &adaptors, start.span);
            let length = self.count_of_integers(start.clone(), end, inclusive);
            return self.adapted_by(adaptors, length, items.counted_from(&start));
        }
        let items = match number(&start) {
            Some(0) => items,
            _ => Items::Moved(Box::new(items), Move::Ahead(start.clone())),
        };
        let length = match inclusive {
            true => self.count_to(start, end),
            false => Length { len: self.less(end, start), last: None },
        };
        self.adapted_by(adaptors, length, items)
    }

    /// What adaptors of a range make of so many items.
    fn adapted_by(
        &mut self,
        adaptors: Vec<Adaptor>,
        mut length: Length,
        mut items: Items,
    ) -> (Expr, Items) {
        for adaptor in adaptors {
            length.len = self.frozen(length.len, "len");
            let step = match adaptor {
                Adaptor::Rev => match &length.last {
                    Some(last) => Move::Down(last.clone()),
                    None => Move::Back(length.len.clone()),
                },
                Adaptor::StepBy(count) => {
                    let count = self.frozen(count, "step");
                    length = self.in_steps(length, count.clone());
                    Move::Times(count)
                }
                Adaptor::Take(_) => unreachable!("`take` shortens the range"),
            };
            items = Items::Moved(Box::new(items), step);
        }
        (length.len, items)
    }

    pub(super) fn zipped(&mut self, left: Sequence, right: Sequence) -> Sequence {
        let (left_len, left) = self.numbered(left);
        let (right_len, right) = self.numbered(right);
        let len = self.smaller(left_len, right_len);
        Sequence::of(len, Items::Zipped(Box::new(left), Box::new(right)))
    }

    pub(super) fn enumerated(&mut self, sequence: Sequence) -> Sequence {
        let (len, items) = self.numbered(sequence);
        Sequence::of(len, Items::Zipped(Box::new(Items::Position), Box::new(items)))
    }

    /// The items of one sequence, then those of another.
    pub(super) fn chained(&mut self, left: Sequence, right: Sequence) -> Sequence {
        let (left_len, first) = self.numbered(left);
        let (right_len, second) = self.numbered(right);
        let len = self.frozen(left_len, "len");
        let total = if is_endless(&len) || is_endless(&right_len) {
            endless()
        } else {
            sum(len.clone(), right_len)
        };
        let (first, second) = (Box::new(first), Box::new(second));
        Sequence::of(total, Items::Chained { first, len, second })
    }

    /// The items of a sequence again and again.
    pub(super) fn cycled(&mut self, sequence: Sequence) -> Sequence {
        let (len, items) = self.numbered(sequence);
        let len = self.frozen(len, "len");
        let is_empty = Expr::test(BinaryOp::Eq, len.clone(), Expr::usize(0));
        let args = vec![is_empty, Expr::usize(0), endless()];
        let total = match number(&len) {
            Some(0) => Expr::usize(0),
            Some(_) => endless(),
            None => {
                let total = Expr::new(ExprKind::Op(Op::Select, args), Type::USIZE, len.span);
                self.frozen(total, "total")
            }
        };
        Sequence::of(total, Items::Moved(Box::new(items), Move::Round(len)))
    }

    /// All but the first `count`.
    pub(super) fn skipped(&mut self, sequence: Sequence, count: Expr) -> Sequence {
        let is_count = self.types.shallow(&sequence.ty) == Type::USIZE;
        if sequence.is_plain() && is_count {
            let Sequence { mut range, ty, items } = sequence;
            range.start = match (number(&range.start), number(&count)) {
                (Some(0), _) => count,
                (Some(a), Some(b)) => Expr::usize(a.saturating_add(b)),
                _ => self.count("saturating_add", typed(range.start), count),
            };
            return Sequence { range, ty, items };
        }
        let (len, items) = self.numbered(sequence);
        let count = self.frozen(count, "skipped");
        let len = self.less(len, count.clone());
        Sequence::of(len, Items::Moved(Box::new(items), Move::Ahead(count)))
    }

    /// The first `count`.
    pub(super) fn taken(&mut self, sequence: Sequence, count: Expr) -> Sequence {
        let (len, items) = self.numbered(sequence);
        let len = self.smaller(len, count);
        Sequence::of(len, items)
    }

    /// Each `count`th.
    pub(super) fn stepped(&mut self, mut sequence: Sequence, count: Expr) -> Sequence {
        let has_steps = |adaptor: &Adaptor| matches!(adaptor, Adaptor::StepBy(_));
        if sequence.range.adaptors.iter().any(has_steps) {
            let (len, items) = self.numbered(sequence);
            sequence = Sequence::of(len, items);
        }
        sequence.range.adaptors.push(Adaptor::StepBy(count));
        sequence
    }

    /// The parts of a list.
    pub(super) fn parts(
        &mut self,
        list: Place,
        mutable: bool,
        method: &str,
        size: Expr,
        span: Span,
    ) -> Option<Sequence> {
        self.types.unify(&size.ty, &Type::USIZE);
        let size = self.frozen(size, "size");
        self.assert_not_zero(&size, span);
        let total = self.len_of(list.clone(), span);
        let (count, stride) = match method {
            "windows" => {
                let more = sum(total, Expr::usize(1));
                (self.less(more, size.clone()), Stride::Windows { len: size })
            }
            "chunks_exact" | "chunks_exact_mut" => {
                (Expr::binary(BinaryOp::Div, total, size.clone()), Stride::Chunks { len: size })
            }
            "chunks" | "chunks_mut" => {
                let total = self.frozen(total, "total");
                let count = self.count("div_ceil", total.clone(), size.clone());
                (count, Stride::Remainder { len: size, total })
            }
            "rchunks" | "rchunks_mut" => {
                let total = self.frozen(total, "total");
                let count = self.count("div_ceil", total.clone(), size.clone());
                (count, Stride::FromEnd { len: size, total })
            }
            "rchunks_exact" | "rchunks_exact_mut" => {
                let total = self.frozen(total, "total");
                let count = Expr::binary(BinaryOp::Div, total.clone(), size.clone());
                (count, Stride::FromEnd { len: size, total })
            }
            _ => return None,
        };
        Some(Sequence::of(count, Items::Part { list, mutable, stride }))
    }

    /// Parts of no elements panic, here as there.
    fn assert_not_zero(&mut self, size: &Expr, span: Span) {
        if number(size).is_some_and(|size| size > 0) {
            return;
        }
        let test = Expr::test(BinaryOp::Eq, size.clone(), Expr::usize(0));
        let panic = self.diverging_statement("the size of windows and chunks must be non-zero");
        let panic = self.body.stmt(panic, span);
        let (then, otherwise) = (self.body.new_block(vec![panic]), self.body.new_block(Vec::new()));
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }

    /// The item at a position.
    pub(super) fn item_at(&mut self, items: &Items, position: Expr) -> Item {
        let span = position.span;
        match items {
            Items::Position => Item::value(position),
            Items::Number { first } => Item::value(self.number_at(first, position)),
            Items::Counted { first } => Item::value(self.counted_at(first, position)),
            Items::Element { list, mutable } => {
                let place = list.index(position);
                Item::Operand(Operand::Reference { place, mutable: *mutable, span })
            }
            Items::Part { list, mutable, stride } => {
                let times = |len: &Expr| Expr::binary(BinaryOp::Mul, position.clone(), len.clone());
                let (start, end) = match stride {
                    Stride::Windows { len } => (position.clone(), sum(position, len.clone())),
                    Stride::Chunks { len } => (times(len), sum(times(len), len.clone())),
                    Stride::Remainder { len, total } => {
                        let end = sum(times(len), len.clone());
                        (times(len), self.smaller(end, total.clone()))
                    }
                    Stride::FromEnd { len, total } => {
                        let end = Expr::binary(BinaryOp::Sub, total.clone(), times(len));
                        (self.less(end.clone(), len.clone()), end)
                    }
                };
                let place = list.then(Projection::Slice { start: Some(start), end: Some(end) });
                Item::Operand(Operand::Reference { place, mutable: *mutable, span })
            }
            Items::Copied(inner) => {
                let item = self.item_at(inner, position);
                Item::value(self.cloned_item(item))
            }
            Items::Mapped(inner, function) => {
                let item = self.item_at(inner, position);
                self.inline(function, vec![item])
            }
            Items::Moved(inner, step) => {
                let position = match step {
                    Move::Ahead(count) => sum(position, count.clone()),
                    Move::Times(count) => Expr::binary(BinaryOp::Mul, position, count.clone()),
                    Move::Round(len) => Expr::binary(BinaryOp::Rem, position, len.clone()),
                    Move::Back(len) => {
                        let last = Expr::binary(BinaryOp::Sub, len.clone(), Expr::usize(1));
                        Expr::binary(BinaryOp::Sub, last, position)
                    }
                    Move::Down(last) => Expr::binary(BinaryOp::Sub, last.clone(), position),
                };
                self.item_at(inner, position)
            }
            Items::Zipped(left, right) => {
                let both = [left, right].into_iter();
                Item::Tuple(
                    self.in_order(both, |this, items| this.item_at(items, position.clone())),
                )
            }
            Items::Chained { first, len, second } => {
                self.chained_item(first, len, second, position)
            }
            Items::Repeated(item) => item.clone(),
        }
    }
}

/// The length of a sequence without end.
pub(super) fn endless() -> Expr {
    Expr::literal("usize::MAX", Type::USIZE)
}

pub(super) fn is_endless(len: &Expr) -> bool {
    len.as_literal().is_some_and(|len| &**len == "usize::MAX")
}

/// The number, if a length is a literal.
pub(super) fn number(value: &Expr) -> Option<usize> {
    value.as_literal()?.trim_end_matches("usize").replace('_', "").parse().ok()
}

/// A length of which a method can be called.
pub(super) fn typed(value: Expr) -> Expr {
    match number(&value) {
        Some(number) => Expr::literal(&format!("{number}_usize"), Type::USIZE),
        None if is_made_of_literals(&value) => Expr::op(Op::Cast, vec![value], Type::USIZE),
        None => value,
    }
}

/// Whether nothing in an expression has a type that methods could be called on.
fn is_made_of_literals(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Op(_, args) => args.iter().all(is_made_of_literals),
        ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

pub(super) fn sum(a: Expr, b: Expr) -> Expr {
    match (number(&a), number(&b)) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        _ => Expr::binary(BinaryOp::Add, a, b),
    }
}
