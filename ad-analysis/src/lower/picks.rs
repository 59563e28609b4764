//! Ends of chains that pick one float, if there is one: `reduce`, `last`, `max_by`, `min_by`, with what
//! is to be done if there is none: `unwrap`, `expect`, `unwrap_or`.

use super::closures::Function;
use super::items::Item;
use super::places::strip;
use super::{Destination, Lowerer};
use crate::index::Var;
use crate::ir::{BinaryOp, Expr, ExprKind, Op, Place, StmtKind};
use crate::types::Type;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// What becomes of the value so far and an item.
enum Pick {
    /// The item.
    Last,
    /// What a function makes of both.
    Reduced(Function),
    /// The one that a comparison prefers.
    Compared { function: Function, op: BinaryOp },
}

impl Lowerer<'_> {
    /// The value of `chain.reduce(f).unwrap()` and its kin.
    pub(super) fn picked(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let otherwise = match (name.as_str(), args.as_slice()) {
            ("unwrap", []) | ("expect", [_]) => None,
            ("unwrap_or", [value]) => Some(*value),
            _ => return None,
        };
        let syn::Expr::MethodCall(end) = strip(&call.receiver) else { return None };
        let before = self.out.len();
        let value = self.picked_by(end, otherwise);
        if value.is_none() {
            self.out.truncate(before);
        }
        value
    }

    fn picked_by(
        &mut self,
        end: &syn::ExprMethodCall,
        otherwise: Option<&syn::Expr>,
    ) -> Option<Expr> {
        let span = end.span();
        let args: Vec<&syn::Expr> = end.args.iter().collect();
        let name = end.method.to_string();
        if !matches!(name.as_str(), "last" | "reduce" | "max_by" | "min_by") {
            return None;
        }
        let pipeline = self.iterator(&end.receiver)?;
        let pick = match (name.as_str(), args.as_slice()) {
            ("last", []) => Pick::Last,
            ("reduce", [function]) => Pick::Reduced(self.function(function, 2)?),
            (_, [function]) => {
                let function = self.function(function, 2)?;
                comparison(function.body())?;
                // Of equal items `max_by` picks the last one, `min_by` the first one.
                let op = if name == "max_by" { BinaryOp::Le } else { BinaryOp::Gt };
                Pick::Compared { function, op }
            }
            _ => return None,
        };
        let ty = self.types.float_literal();
        let picked = self.name_value("picked", Expr::zero(ty.clone()));
        let found = self.name_value("found", Expr::literal("false", Type::Bool));
        self.mutable.insert(picked);
        self.mutable.insert(found);
        let item_ty = self.types.fresh();
        let wanted = item_ty.clone();
        let sink = Box::new(move |this: &mut Lowerer<'_>, item| {
            let mut value = this.item_value(item);
            this.types.unify(&wanted, &value.ty);
            this.put_aside(&mut value);
            let test = this.load(found, span);
            let then = this.in_block(|this| this.pick(&pick, picked, value.clone(), span));
            let otherwise = this.in_block(|this| {
                this.assign(Place::var(picked), value, span);
                let yes = Expr::literal("true", Type::Bool);
                this.assign(Place::var(found), yes, span);
            });
            this.emit(StmtKind::If { test, then, otherwise }, span);
        });
        self.drive(pipeline, None, span, sink);
        if !self.types.is_float(&item_ty) {
            return None;
        }
        self.unless(found, otherwise, picked, span);
        Some(self.load(picked, span))
    }

    /// What is done where nothing was found.
    fn unless(&mut self, found: Var, otherwise: Option<&syn::Expr>, picked: Var, span: Span) {
        let test = Expr::negated(self.load(found, span));
        let then = self.in_block(|this| match otherwise {
            Some(value) => this.lower_into(value, &Destination::Place(Place::var(picked))),
            None => {
                let panic = this.diverging_statement("called `Option::unwrap()` on a `None` value");
                this.emit(panic, span);
            }
        });
        let otherwise = self.body.new_block(Vec::new());
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }

    fn pick(&mut self, pick: &Pick, picked: Var, value: Expr, span: Span) {
        let known = self.load(picked, span);
        match pick {
            Pick::Last => self.assign(Place::var(picked), value, span),
            Pick::Reduced(function) => {
                self.resting.insert(picked);
                let items = vec![Item::value(known), Item::value(value)];
                let next = self.inline(function, items);
                self.resting.remove(picked);
                let next = self.item_value(next);
                self.assign(Place::var(picked), next, span);
            }
            Pick::Compared { function, op } => {
                let lent = |value| Item::Lent(Box::new(Item::value(value)));
                let items = vec![lent(known), lent(value.clone())];
                let mut operands = Vec::new();
                let mut panics = false;
                self.inline_with(function, items, |this, body| {
                    let (left, right, has_none) = comparison(body).expect("looked at before");
                    operands = this.values(&[left, right]);
                    panics = has_none;
                    Item::unit(span)
                });
                let right = operands.pop().expect("two operands");
                let left = operands.pop().expect("two operands");
                if panics {
                    self.refuse_nan(&left, &right, span);
                }
                // Written such that a NaN counts as equal.
                let test = match op {
                    BinaryOp::Le => Expr::negated(Expr::test(BinaryOp::Gt, left, right)),
                    op => Expr::test(*op, left, right),
                };
                let then = self.in_block(|this| this.assign(Place::var(picked), value, span));
                let otherwise = self.body.new_block(Vec::new());
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
        }
    }

    /// The comparison of a NaN has no value to unwrap.
    fn refuse_nan(&mut self, left: &Expr, right: &Expr, span: Span) {
        let is_nan = |value: &Expr| {
            let args = vec![value.clone()];
            Expr::new(ExprKind::Op(Op::Method("is_nan".into()), args), Type::Bool, span)
        };
        let test = Expr::test(BinaryOp::Or, is_nan(left), is_nan(right));
        let then = self.in_block(|this| {
            let panic = this.diverging_statement("called `Option::unwrap()` on a `None` value");
            this.emit(panic, span);
        });
        let otherwise = self.body.new_block(Vec::new());
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }
}

/// The operands of `a.partial_cmp(&b).unwrap()`, and whether it panics if there is no order; with
/// `unwrap_or(Ordering::Equal)` it does not.
fn comparison(body: &syn::Expr) -> Option<(&syn::Expr, &syn::Expr, bool)> {
    let syn::Expr::MethodCall(call) = strip(body) else { return None };
    let panics = match call.method.to_string().as_str() {
        "unwrap" | "expect" => true,
        "unwrap_or" => {
            let is_equal = matches!(strip(call.args.first()?), syn::Expr::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident == "Equal"));
            if !is_equal {
                return None;
            }
            false
        }
        _ => return None,
    };
    let syn::Expr::MethodCall(inner) = strip(&call.receiver) else { return None };
    if inner.method != "partial_cmp" || inner.args.len() != 1 {
        return None;
    }
    let right = match strip(&inner.args[0]) {
        syn::Expr::Reference(reference) => &reference.expr,
        other => other,
    };
    Some((&inner.receiver, right, panics))
}

/// Whether a function that orders values does nothing else, as far as its syntax tells.
pub(super) fn is_comparison(function: &syn::Expr) -> bool {
    match strip(function) {
        syn::Expr::Closure(closure) => {
            let mut body = strip(&closure.body);
            if let syn::Expr::MethodCall(call) = body
                && ["unwrap", "expect", "unwrap_or"].contains(&call.method.to_string().as_str())
            {
                body = strip(&call.receiver);
            }
            matches!(body, syn::Expr::MethodCall(call)
                if ["partial_cmp", "total_cmp", "cmp"].contains(&call.method.to_string().as_str())
                    && is_place(&call.receiver)
                    && call.args.iter().all(is_place))
        }
        syn::Expr::Path(path) => {
            path.path.segments.last().is_some_and(|last| last.ident == "total_cmp")
        }
        _ => false,
    }
}

/// Whether an expression only says where a value is.
fn is_place(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Field(field) => is_place(&field.base),
        syn::Expr::Index(index) => is_place(&index.expr) && is_place(&index.index),
        syn::Expr::Reference(reference) => {
            reference.mutability.is_none() && is_place(&reference.expr)
        }
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        syn::Expr::Binary(binary) => {
            super::expr::compound_op(&binary.op).is_none()
                && is_place(&binary.left)
                && is_place(&binary.right)
        }
        _ => false,
    }
}
