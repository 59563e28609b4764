//! `a.chain(b)`: the items of one sequence, then those of another. Where both are found in the same list,
//! an index is chosen; otherwise the values are, by a branch.

use super::items::Item;
use super::sequences::Items;
use super::{Lowerer, Operand};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, Op, Place, Projection, StmtKind};
use crate::types::Type;

impl Lowerer<'_> {
    /// Whether items of one sequence can stand where those of the other do: as elements of one list, or
    /// as copies.
    pub(super) fn can_follow(&mut self, first: &Items, second: &Items) -> bool {
        match (first, second) {
            (Items::Moved(first, _), second) => self.can_follow(first, second),
            (first, Items::Moved(second, _)) => self.can_follow(first, second),
            (Items::Element { list, mutable }, Items::Element { list: other, mutable: too })
                if list == other && mutable == too =>
            {
                true
            }
            (
                Items::Element { list, mutable: false },
                Items::Repeated(Item::Operand(Operand::Reference {
                    place, mutable: false, ..
                })),
            ) if place.projections.split_last().is_some_and(|(last, before)| {
                matches!(last, Projection::Index(_))
                    && place.root == list.root
                    && before == list.projections
            }) =>
            {
                true
            }
            (Items::Zipped(a, b), Items::Zipped(c, d)) => {
                self.can_follow(a, c) && self.can_follow(b, d)
            }
            (Items::Chained { first: inner, second: last, .. }, second) => {
                self.can_follow(inner, second) && self.can_follow(last, second)
            }
            (first, second) => self.are_copies(first) && self.are_copies(second),
        }
    }

    /// Whether a copy of an item is as good as the item, as far as can be told before it is lowered.
    fn are_copies(&mut self, items: &Items) -> bool {
        match items {
            Items::Position | Items::Number { .. } | Items::Counted { .. } | Items::Mapped(..) => {
                true
            }
            Items::Element { list, mutable } => {
                let element = self.element_type(list);
                !mutable && (self.is_number(&element) || self.is_of_data(&element))
            }
            Items::Part { .. } => false,
            Items::Copied(inner) | Items::Moved(inner, _) => self.are_copies(inner),
            Items::Zipped(a, b) | Items::Chained { first: a, second: b, .. } => {
                self.are_copies(a) && self.are_copies(b)
            }
            Items::Repeated(item) => self.is_data(item),
        }
    }

    /// The item at a position of `first.chain(second)`.
    pub(super) fn chained_item(
        &mut self,
        first: &Items,
        len: &Expr,
        second: &Items,
        position: Expr,
    ) -> Item {
        let span = position.span;
        let test = Expr::test(BinaryOp::Lt, position.clone(), len.clone());
        let beyond = Expr::binary(BinaryOp::Sub, position.clone(), len.clone());
        let (mut then, a) = self.item_in_block(first, position);
        let (mut otherwise, b) = self.item_in_block(second, beyond);
        if then.stmts.is_empty()
            && otherwise.stmts.is_empty()
            && let Some(item) = either(&test, &a, &b)
        {
            return item;
        }
        if ![&a, &b].into_iter().all(|item| self.may_be_copied(item)) {
            self.misfit = true;
        }
        let slots = self.slots(&a, Some(&b), span);
        for var in slots.vars() {
            self.emit(StmtKind::Let { var, value: None }, span);
        }
        for (block, item) in [(&mut then, a), (&mut otherwise, b)] {
            let outer = std::mem::take(&mut self.out);
            self.put_in(&slots, item, span);
            block.stmts.extend(std::mem::replace(&mut self.out, outer));
        }
        self.emit(StmtKind::If { test, then, otherwise }, span);
        self.filled(&slots, span)
    }

    /// Whether a copy is as good as an item, as far as is known.
    fn may_be_copied(&mut self, item: &Item) -> bool {
        match item {
            Item::Operand(Operand::Reference { place, mutable: false, span: _ }) => {
                let ty = self.type_of(place);
                self.may_be_data(item) || self.is_of_data(&ty)
            }
            Item::Tuple(parts) => parts.iter().all(|part| self.may_be_copied(part)),
            Item::Lent(item) => self.may_be_copied(item),
            Item::Operand(_) => self.may_be_data(item),
        }
    }

    fn item_in_block(&mut self, items: &Items, position: Expr) -> (Block, Item) {
        let mut item = Item::unit(position.span);
        let block = self.in_block(|this| item = this.item_at(items, position));
        (block, item)
    }
}

/// One of two elements of a list, as the element at one of two indices.
fn either(test: &Expr, a: &Item, b: &Item) -> Option<Item> {
    match (a, b) {
        (Item::Tuple(first), Item::Tuple(second)) if first.len() == second.len() => {
            let parts = first.iter().zip(second).map(|(a, b)| either(test, a, b));
            parts.collect::<Option<Vec<Item>>>().map(Item::Tuple)
        }
        (
            Item::Operand(Operand::Reference { place: a, mutable, span }),
            Item::Operand(Operand::Reference { place: b, mutable: too, span: _ }),
        ) if a.root == b.root && mutable == too => {
            let (Projection::Index(i), list) = a.projections.split_last()? else { return None };
            let (Projection::Index(j), other) = b.projections.split_last()? else { return None };
            let args = vec![test.clone(), i.clone(), j.clone()];
            let index = Expr::new(ExprKind::Op(Op::Select, args), Type::USIZE, *span);
            let mut projections = list.to_vec();
            projections.push(Projection::Index(index));
            let place = Place { root: a.root, projections };
            let item = Operand::Reference { place, mutable: *mutable, span: *span };
            (list == other).then_some(Item::Operand(item))
        }
        _ => None,
    }
}
