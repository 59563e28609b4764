//! `Vec`s that are parts of something else, and grow or shrink: they are taken out, changed, and put back,
//! by exchanges that cost nothing.

use super::Lowerer;
use crate::ir::{Expr, ExprKind, Op, Place, Stmt, StmtKind, each_block, exits_of};
use crate::types::Type;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

impl Lowerer<'_> {
    /// Does something to the `Vec` that a method is called on, which may be a variable or a part of one.
    pub(super) fn with_list<R>(
        &mut self,
        receiver: &syn::Expr,
        args: &[&syn::Expr],
        span: Span,
        change: impl FnOnce(&mut Self, &Place) -> Option<R>,
    ) -> Option<R> {
        let list = self.attempt("a list that grows", |this| this.growing_list(receiver));
        if let Some(list) = list {
            return change(self, &list);
        }
        self.attempt("a list of a list that grows", |this| {
            let row = this.row(receiver)?;
            // The row is away while the arguments are evaluated.
            if args.iter().any(|arg| this.mentions(&arg.to_token_stream(), &row)) {
                return None;
            }
            let taken = this.empty_vec_like(&row, span);
            this.exchange(row.clone(), taken.clone(), span);
            let start = this.out.len();
            let result = change(this, &taken)?;
            // It must not be away for good.
            if this.out[start..].iter().any(may_leave) {
                return None;
            }
            this.exchange(row, taken, span);
            Some(result)
        })
    }

    /// The place of a `Vec` in a list or in a tuple, with its indices captured.
    fn row(&mut self, receiver: &syn::Expr) -> Option<Place> {
        let place = self.place(receiver)?;
        let ty = self.type_of(&place);
        let Type::Vec(_) = self.types.shallow(&ty) else { return None };
        let place = self.body.resolve(&place);
        Some(self.capture(place, "row"))
    }

    /// A variable for an empty `Vec` of the type that a place has.
    pub(super) fn empty_vec_like(&mut self, place: &Place, span: Span) -> Place {
        let ty = self.type_of(place);
        let ty = self.types.shallow(&ty);
        let empty = Expr::new(ExprKind::Op(Op::Vec, Vec::new()), ty, span);
        let var = self.name_value("taken", empty);
        self.mutable.insert(var);
        Place::var(var)
    }

    /// Whether code mentions the variable that a place is a part of.
    fn mentions(&self, code: &TokenStream, place: &Place) -> bool {
        code.clone().into_iter().any(|token| match token {
            TokenTree::Ident(ident) => self.find(&ident.to_string()).is_some_and(|var| {
                self.rebound.contains_key(&var)
                    || self.iterators.contains_key(&var)
                    || self.closures.contains_key(&var)
                    || self.body.root_of(&Place::var(var)) == place.root
            }),
            TokenTree::Group(group) => self.mentions(&group.stream(), place),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
}

/// Whether control may leave by way of a statement.
fn may_leave(stmt: &Stmt) -> bool {
    !exits_of(stmt).is_empty() || may_fail(stmt)
}

/// Whether there is a call in a statement whose failure is that of the function.
fn may_fail(stmt: &Stmt) -> bool {
    let mut fails = matches!(&stmt.kind, StmtKind::Call(call) if call.carrier.is_some());
    each_block(stmt, &mut |block| fails |= block.stmts.iter().any(may_fail));
    fails
}
