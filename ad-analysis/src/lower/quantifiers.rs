//! Ends of chains whose value carries no derivative: `any`, `all`, `count`, `position`. A chain that only reads is kept as it is; where
//! it may do more, for it looks at values of users' types or calls functions, it becomes a loop.

use super::access::Use;
use super::chains::Sink;
use super::items::Item;
use super::optional::{Failure, Optional};
use super::{Lowerer, Operand};
use crate::index::{Label, Var};
use crate::ir::{BinaryOp, Class, Expr, Place, StmtKind};
use crate::types::Type;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// `any` and `all`: a loop that ends where an item decides.
    pub(super) fn quantified(
        &mut self,
        call: &syn::ExprMethodCall,
        function: &syn::Expr,
    ) -> Option<Expr> {
        if self.only_reads(call) {
            return self.kept_end(call, Type::Bool);
        }
        let span = call.span();
        let is_any = call.method == "any";
        let pipeline = self.iterator_by_reference(&call.receiver)?;
        let function = self.function(function, 1)?;
        let [first, decided] = if is_any { ["false", "true"] } else { ["true", "false"] };
        let result =
            self.state(if is_any { "any" } else { "all" }, Expr::literal(first, Type::Bool));
        let sink: Sink<'_> = Box::new(|this, item, label| {
            let test = this.truth_of(&function, item);
            let decides = if is_any { test } else { Expr::negated(test) };
            this.leave_with(decides, result, decided, label, span);
        });
        self.drive(pipeline, None, span, sink)?;
        Some(self.load(result, span))
    }

    /// `count`: how many items there are.
    pub(super) fn counted(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        if self.only_reads(call) {
            return self.kept_end(call, Type::USIZE);
        }
        let span = call.span();
        let pipeline = self.iterator(&call.receiver)?;
        let count = self.state("count", Expr::usize(0));
        let sink: Sink<'_> = Box::new(|this, item, _| {
            this.settled(item);
            this.count_on(count, BinaryOp::Add, span);
        });
        self.drive(pipeline, None, span, sink)?;
        Some(self.load(count, span))
    }

    /// `position`: how many items come before the first one that passes a test.
    pub(super) fn position_if_any(
        &mut self,
        call: &syn::ExprMethodCall,
        function: &syn::Expr,
    ) -> Option<Optional> {
        if self.only_reads(call) {
            return self.kept_position(call);
        }
        let span = call.span();
        let pipeline = self.iterator_by_reference(&call.receiver)?;
        let function = self.function(function, 1)?;
        let found = self.state("found", Expr::literal("false", Type::Bool));
        let position = self.state("position", Expr::usize(0));
        let sink: Sink<'_> = Box::new(|this, item, label| {
            let test = this.truth_of(&function, item);
            this.leave_with(test, found, "true", label, span);
            this.count_on(position, BinaryOp::Add, span);
        });
        self.drive(pipeline, None, span, sink)?;
        let payload = Item::value(self.load(position, span));
        Some(Optional { some: self.load(found, span), payload, failure: Failure::None })
    }

    fn kept_position(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        if !self.glimpse(|this| this.iterator_by_reference(&call.receiver).is_some()) {
            return None;
        }
        let optional = self.verbatim_optional(&syn::Expr::MethodCall(call.clone()));
        if let Item::Operand(Operand::Value(payload)) = &optional.payload {
            self.types.unify(&payload.ty, &Type::USIZE);
        }
        Some(optional)
    }

    fn leave_with(&mut self, test: Expr, result: Var, value: &str, label: Label, span: Span) {
        self.only_if(test, span, |this| {
            this.assign(Place::var(result), Expr::literal(value, Type::Bool), span);
            this.emit(StmtKind::Exit { label, code: 0 }, span);
        });
    }

    /// Whether a chain is code that may be kept as it is.
    pub(super) fn only_reads(&self, call: &syn::ExprMethodCall) -> bool {
        let access = self.access_of(&syn::Expr::MethodCall(call.clone()), Use::Read);
        access.class != Class::Once
    }

    /// The chain as it is, whose type is known.
    fn kept_end(&mut self, call: &syn::ExprMethodCall, ty: Type) -> Option<Expr> {
        if !self.glimpse(|this| this.iterator(&call.receiver).is_some()) {
            return None;
        }
        let value = self.opaque_value(&syn::Expr::MethodCall(call.clone()));
        self.types.unify(&value.ty, &ty);
        Some(value)
    }
}
