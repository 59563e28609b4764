//! Iterators over nothing that exists: `iter::once`, `iter::repeat`, `iter::successors`, `iter::from_fn`,
//! ranges without end.

use super::items::Item;
use super::pipelines::{Pipeline, Stage};
use super::sequences::{Items, Move, Sequence, endless};
use super::{Lowerer, Operand};
use crate::ir::{Expr, Place};
use crate::types::Type;

impl Lowerer<'_> {
    /// The iterator that a function of `std::iter` makes.
    pub(super) fn source(&mut self, call: &syn::ExprCall) -> Option<Pipeline> {
        let syn::Expr::Path(path) = super::places::strip(&call.func) else { return None };
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        match (function_of_iter(path)?.as_str(), args.as_slice()) {
            ("once", [item]) => Some(self.repeated(item, Expr::usize(1))),
            ("repeat", [item]) => Some(self.repeated(item, endless())),
            ("repeat_n", [item, count]) => {
                let pipeline = self.repeated(item, Expr::usize(0));
                let count = self.value(count);
                self.types.unify(&count.ty, &Type::USIZE);
                let len = self.frozen(count, "count");
                let sequence = Sequence::of(len, pipeline.into_sequence()?.items);
                Some(Pipeline::over(sequence))
            }
            ("zip", [first, second]) => {
                let first = self.iterated(first)?;
                self.adapted(first, "zip", &[second])
            }
            ("repeat_with", [function]) => {
                let function = self.function(function, 0)?;
                let positions = Sequence::of(endless(), Items::Position);
                Some(Pipeline::over(positions.mapped(function)))
            }
            ("from_fn", [function]) => {
                let function = self.function(function, 0)?;
                let positions = Sequence::of(endless(), Items::Position);
                Pipeline::over(positions).then(Stage::MapWhile(function))
            }
            ("successors", [first, function]) => {
                let function = self.function(function, 1)?;
                let syn::Expr::Call(some) = super::places::strip(first) else { return None };
                if !matches!(&*some.func, syn::Expr::Path(path) if path.path.is_ident("Some")) {
                    return None;
                }
                let first = self.value(some.args.first()?);
                let next = self.state("next", first);
                let present = self.state("present", Expr::literal("true", Type::Bool));
                let positions = Sequence::of(endless(), Items::Position);
                Pipeline::over(positions).then(Stage::Succeed { function, next, present })
            }
            _ => None,
        }
    }

    /// An item that comes so many times.
    pub(super) fn repeated(&mut self, item: &syn::Expr, len: Expr) -> Pipeline {
        let item = self.item_of(item);
        let item = self.fixed(item);
        Pipeline::over(Sequence::of(len, Items::Repeated(item)))
    }

    /// An item that does not depend on when it is looked at.
    pub(super) fn fixed(&mut self, item: Item) -> Item {
        match item {
            Item::Operand(Operand::Reference { place, mutable, span }) => {
                let Place { root, projections } = self.body.resolve(&place);
                let place = self.capture(Place { root, projections }, "item");
                Item::Operand(Operand::Reference { place, mutable, span })
            }
            item @ Item::Operand(Operand::Value(_)) => self.settled(item),
            Item::Tuple(parts) => {
                Item::Tuple(parts.into_iter().map(|part| self.fixed(part)).collect())
            }
            Item::Lent(item) => Item::Lent(Box::new(self.fixed(*item))),
        }
    }

    /// `a..`
    pub(super) fn endless_range(&mut self, start: &syn::Expr) -> Option<Pipeline> {
        let start = self.value(start);
        if self.types.is_float(&start.ty) {
            return None;
        }
        let start = self.frozen(start, "start");
        let items = if self.types.shallow(&start.ty) == Type::USIZE {
            Items::Moved(Box::new(Items::Position), Move::Ahead(start))
        } else if self.may_end(&start) {
            Items::Counted { first: start }
        } else {
            Items::Number { first: start }
        };
        Some(Pipeline::over(Sequence::of(endless(), items)))
    }
}

/// The name of a function of `std::iter`, called by its path.
fn function_of_iter(path: &syn::ExprPath) -> Option<String> {
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["iter", name] | ["std" | "core", "iter", name] => Some((*name).to_owned()),
        _ => None,
    }
}
