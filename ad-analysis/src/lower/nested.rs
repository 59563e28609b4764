//! `flat_map` and `flatten`: a loop inside of a loop, for each item that is an iterator itself.

use super::chains::Sink;
use super::closures::Function;
use super::items::Item;
use super::optional::Optional;
use super::pipelines::{Pipeline, Stage};
use super::places::strip;
use super::{Destination, Lowerer};
use crate::index::Label;
use crate::ir::LoopKind;
use syn::spanned::Spanned;

/// The loop that an iterator is, as its stages see it.
#[derive(Clone, Copy)]
pub(super) struct Whole<'l> {
    /// The user's name for it.
    pub(super) name: Option<&'l syn::Label>,
    /// What the user's `break` leaves.
    pub(super) leaves: Label,
    /// What stages leave that let no more items pass.
    pub(super) label: Label,
    /// The iterator that this one is an item of.
    pub(super) around: Option<&'l Around<'l>>,
}

/// The iterator whose items are iterators.
#[derive(Clone, Copy)]
pub(super) struct Around<'l> {
    /// What happens to the items of its items.
    rest: &'l [Stage],
    whole: Whole<'l>,
}

/// What an item is gone through as.
enum Inner {
    Iterator(Pipeline),
    /// An iterator of one item at most.
    Option(Optional),
}

impl Lowerer<'_> {
    /// The items of the iterator that a function makes of an item, on their way through the other stages.
    pub(super) fn pass_each(
        &mut self,
        function: &Function,
        item: Item,
        rest: &[Stage],
        whole: Whole<'_>,
        sink: Sink<'_>,
    ) {
        let span = function.body().span();
        let inner = self.within(function, vec![item], |this, body| {
            let pipeline = this.attempt("an iterator inside of another one", |this| {
                this.iterator_of(body).map(Inner::Iterator)
            });
            pipeline.or_else(|| this.optional(body).map(Inner::Option))
        });
        let Pipeline { sequence, stages } = match inner {
            Some(Inner::Iterator(pipeline)) => pipeline,
            Some(Inner::Option(Optional { some, payload, failure: _ })) => {
                self.only_if(some, span, |this| this.pass(rest, payload, whole, sink));
                return;
            }
            None => {
                self.misfit = true;
                return;
            }
        };
        let var = self.body.local("k", sequence.ty, span);
        self.counters.insert(var);
        self.made.insert(var);
        let own = self.body.numbering.label();
        // `break` leaves the whole loop, `continue` goes on with the next item of the inner one.
        let body = self.iteration(whole.name, whole.leaves, &Destination::Discard, |this| {
            let around = Around { rest, whole };
            let mut outer = Some(&around);
            while let Some(Around { rest, whole }) = outer {
                this.leave_where_enough(rest, whole.label, span);
                outer = whole.around;
            }
            this.leave_where_enough(&stages, own, span);
            let position = this.load(var, span);
            let item = this.item_at(&sequence.items, position);
            let inner = Whole { label: own, around: Some(&around), ..whole };
            let onwards: Sink<'_> = Box::new(|this, item, _| this.pass(rest, item, whole, sink));
            this.pass(&stages, item, inner, onwards);
        });
        self.emit_loop(own, LoopKind::Counted { var, range: sequence.range }, body, span);
    }

    /// The iterator that the body of a function makes.
    fn iterator_of(&mut self, body: &syn::Expr) -> Option<Pipeline> {
        let syn::Expr::Block(block) = strip(body) else { return self.iterated(body) };
        let (syn::Stmt::Expr(tail, None), before) = block.block.stmts.split_last()? else {
            return None;
        };
        if block.label.is_some() {
            return None;
        }
        let before = syn::Block { stmts: before.to_vec(), ..block.block.clone() };
        self.scopes.push(super::Scope::default());
        self.block_into(&before, &Destination::Discard);
        let iterator = self.iterator_of(tail);
        self.scopes.pop();
        iterator
    }
}
