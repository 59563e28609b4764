//! Methods: of floats, of integers, of lists.

use super::calls::OnFailure;
use super::places::strip;
use super::{Lowerer, Operand};
use crate::ir::{
    Adaptor, BinaryOp, Expr, ExprKind, Loop, LoopKind, Op, Place, Range, StmtKind, Target,
};
use crate::rules;
use crate::stdlib::{self, Role};
use crate::types::{IntKind, Type};
use proc_macro2::{Ident, Span};
use std::borrow::Cow;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// The value of a method call.
    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let span = call.span();
        if let Some(item) = self.method_with_functions(call) {
            return self.item_value(item);
        }
        if let Some(found) = self.by_getter(call) {
            return self.value_of(found);
        }
        if let Some(told) = self.by_query(call) {
            return told;
        }
        let expr = syn::Expr::MethodCall(call.clone());
        if let Some(number) = self.generic_constant(&expr).or_else(|| self.converted(&expr)) {
            return number;
        }
        if super::conversions::may_convert(&call.method) {
            let wanted = self.wanted.take();
            if let Some(value) = self
                .converted_as(&expr, wanted.as_ref())
                .or_else(|| self.conversion_by_method(call, wanted.as_ref()))
            {
                return value;
            }
        }
        let name = call.method.to_string();
        let count = call.args.len();
        if let Some(value) = self
            .operator_method(call, span)
            .or_else(|| self.renamed_method(call))
            .or_else(|| self.pair_method(call, span))
            .or_else(|| self.contained(call))
            .or_else(|| self.elementwise(call))
            .or_else(|| self.method_value(call, OnFailure::Impossible, span))
        {
            return value;
        }
        if let Some(item) = self.taken_item(&expr) {
            return self.item_value(item);
        }
        if let Some(value) = self.chain(call).or_else(|| self.picked(call)) {
            return value;
        }
        if call.turbofish.is_some() {
            return self.opaque_value(&expr);
        }
        if let Some(value) = self.list_method(call, &name, span) {
            return value;
        }
        let element = self.attempt("an element", |this| {
            this.element_value(call).or_else(|| this.shrinking_value(call))
        });
        if let Some(value) = element {
            return value;
        }
        if let Some(operand) = self.optional_value(call) {
            self.note_referent(&operand);
            return self.value_of(operand);
        }
        if name == "to_bits" && count == 0 && self.may_be_number(&call.receiver) {
            return match self.bits_of(&self.dereferenced(&call.receiver), span) {
                Some(bits) => bits,
                None => self.opaque_value(&expr),
            };
        }
        let is_rule = rules::method(&name).is_some_and(|rule| rule.args.len() == count + 1);
        let is_test = rules::TESTS.contains(&name.as_str()) && count == 0;
        let is_discrete = stdlib::is(&name, Role::Discrete) && count <= 1;
        if !is_rule && !is_test && !is_discrete {
            let value = self.method_of_operation(call);
            return value.unwrap_or_else(|| self.opaque_value(&expr));
        }
        if !self.may_be_number(&call.receiver) {
            return self.opaque_value(&expr);
        }
        let takes_integer =
            rules::method(&name).is_some_and(|rule| rule.args.iter().any(|arg| arg.is_int));
        let lowered = self.attempt("a method of numbers", |this| {
            let receiver = this.with_type_of_parameter(&call.receiver);
            let receiver = this.dereferenced(&receiver);
            let rest = call.args.iter().map(|arg| match takes_integer {
                true => Cow::Borrowed(arg),
                false => this.with_type_of_parameter(arg),
            });
            let rest: Vec<Cow<'_, syn::Expr>> = rest.collect();
            let mut exprs: Vec<&syn::Expr> = vec![&receiver];
            exprs.extend(rest.iter().map(|arg| &**arg));
            let args = this.values(&exprs);
            let receiver = this.types.shallow(&args[0].ty);
            match receiver {
                Type::Int(_) | Type::Bool if is_rule || is_discrete => {
                    Some(this.discrete_method(&name, args, span))
                }
                _ if this.types.is_int(&receiver) && (is_rule || is_discrete) => {
                    Some(this.discrete_method(&name, args, span))
                }
                Type::Infer(_) | Type::Unknown if is_rule && this.may_be_array(&args[0]) => None,
                Type::Float(_) | Type::Infer(_) | Type::Unknown if is_rule || is_test => {
                    Some(this.apply_method(&name, args, span))
                }
                _ => None,
            }
        });
        lowered.unwrap_or_else(|| self.opaque_value(&expr))
    }

    /// `(p / size).cells()`: what an operator of a user's type gives is named, and the method called on that name.
    fn method_of_operation(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let syn::Expr::Binary(operation) = strip(&call.receiver) else { return None };
        let syn::Expr::Path(left) = strip(&operation.left) else { return None };
        let left = self.find(&left.path.get_ident()?.to_string())?;
        let of = self.types.shallow(&self.body.vars[left].ty);
        if !call.args.is_empty() || !self.names_user_type(&of) {
            return None;
        }
        let value = self.value(&call.receiver);
        let var = self.name_value("operand", value);
        let name = Ident::new("__operand", call.receiver.span());
        self.scopes.push(super::Scope::default());
        self.bind(&name.to_string(), var);
        let receiver = Box::new(syn::parse_quote!(#name));
        let call = syn::ExprMethodCall { receiver, ..call.clone() };
        let value = self.opaque_value(&syn::Expr::MethodCall(call));
        self.scopes.pop();
        Some(value)
    }

    /// `(a..b).contains(&x)` of a float: `x >= a && x < b`.
    fn contained(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let syn::Expr::Range(range) = strip(&call.receiver) else { return None };
        let syn::Expr::Reference(subject) = strip(call.args.first()?) else { return None };
        if call.method != "contains" || call.args.len() != 1 {
            return None;
        }
        self.attempt("a range of floats", |this| {
            let subject = [&*subject.expr];
            let bounds = [&range.start, &range.end];
            let exprs: Vec<&syn::Expr> =
                bounds.iter().filter_map(|bound| bound.as_deref()).chain(subject).collect();
            let mut values = this.values(&exprs);
            let mut value = values.pop()?;
            if !this.types.is_float(&value.ty) {
                return None;
            }
            if !matches!(value.kind, ExprKind::Load(_)) {
                this.put_aside(&mut value);
            }
            let mut values = values.into_iter();
            let bounds = bounds.map(|bound| bound.as_ref().and_then(|_| values.next()));
            this.range_test(bounds, &range.limits, &value)
        })
    }

    /// The receiver of a method of numbers: what it refers to, if it is a `&mut`.
    pub(super) fn dereferenced(&self, receiver: &syn::Expr) -> syn::Expr {
        let syn::Expr::Path(path) = strip(receiver) else { return receiver.clone() };
        let var = path.path.get_ident().and_then(|ident| self.find(&ident.to_string()));
        match var {
            Some(var) if self.is_mutable_reference(var) => syn::parse_quote!(*#path),
            _ => receiver.clone(),
        }
    }

    /// Whether an expression may be a number, as far as can be told without lowering it.
    pub(super) fn may_be_number(&self, expr: &syn::Expr) -> bool {
        match strip(expr) {
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(ident) => self.find(&ident.to_string()).is_none_or(|var| {
                    let ty = self.types.shallow(&self.body.vars[var].ty);
                    !matches!(
                        ty,
                        Type::Array(..)
                            | Type::Slice(_)
                            | Type::Vec(_)
                            | Type::Tuple(_)
                            | Type::Named(_)
                    )
                }),
                None => true,
            },
            syn::Expr::Closure(_) | syn::Expr::Range(_) | syn::Expr::Array(_) => false,
            _ => true,
        }
    }

    fn discrete_method(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Expr {
        let receiver = args[0].ty.clone();
        let ty = match name {
            "is_power_of_two" | "is_positive" | "is_negative" => Type::Bool,
            "pow" => {
                self.types.unify(&args[1].ty, &Type::Int(IntKind::Named("u32")));
                receiver
            }
            "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "ilog2"
            | "ilog10" => Type::Int(IntKind::Named("u32")),
            "abs_diff" | "unsigned_abs" => self.types.int_literal(),
            _ => {
                for arg in &args[1..] {
                    self.types.unify(&receiver, &arg.ty);
                }
                receiver
            }
        };
        Expr::new(ExprKind::Op(Op::Method(name.into()), args), ty, span)
    }

    /// Methods of lists that have a value.
    fn list_method(&mut self, call: &syn::ExprMethodCall, name: &str, span: Span) -> Option<Expr> {
        let wanted = matches!(name, "len" | "is_empty" | "to_vec" | "to_owned" | "clone");
        if !wanted || !call.args.is_empty() {
            return None;
        }
        self.attempt("a method of lists", |this| this.value_of_list(call, name, span))
    }

    fn value_of_list(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        span: Span,
    ) -> Option<Expr> {
        let place = match self.operand(&call.receiver)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "list"),
        };
        let ty = self.type_of(&place);
        let known = self.types.shallow(&ty);
        let element = known.element().cloned();
        let whole = Expr::load(place.clone(), known.clone(), span);
        let op = |op, ty| Some(Expr::new(ExprKind::Op(op, vec![whole.clone()]), ty, span));
        match (name, element) {
            ("len", Some(_)) => Some(self.len_of(place, span)),
            ("is_empty", Some(_)) => {
                let len = self.len_of(place, span);
                Some(Expr::test(BinaryOp::Eq, len, Expr::usize(0)))
            }
            ("to_vec", Some(element)) => op(Op::ToVec, Type::vec(element)),
            ("to_owned", Some(element)) if matches!(known, Type::Slice(_)) => {
                op(Op::ToVec, Type::vec(element))
            }
            ("clone", Some(_)) if !matches!(known, Type::Slice(_)) => op(Op::Clone, known),
            // What an annotated function returns is a value, no pointer that is shared.
            ("clone", None)
                if self.types.is_open(&known)
                    && place.is_whole()
                    && self.results.contains(place.root) =>
            {
                op(Op::Clone, known)
            }
            // Neither is what has a bar: emission proves that it has one.
            ("clone", None) if self.may_be_struct(&place, &known) => op(Op::Clone, known),
            // A derivative passes through, so what is cloned has a bar, or it is an error.
            ("clone", None) if self.is_unseen(&known) && self.calls.has(&call.method) => {
                op(Op::Clone, known)
            }
            // A clone of a scalar is its value.
            ("clone" | "to_owned", None)
                if self.types.is_float(&known) || self.types.is_int(&known) =>
            {
                self.prove_copy(&known, &call.method);
                Some(whole)
            }
            _ => None,
        }
    }

    /// A method call whose value is dropped: methods that change a list.
    pub(super) fn method_statement(&mut self, call: &syn::ExprMethodCall) {
        let span = call.span();
        if let Some(item) = self.method_with_functions(call) {
            let value = self.item_value(item);
            self.discard(value);
            return;
        }
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        if self
            .operator_statement_method(call, span)
            .or_else(|| self.method_effect(call, span))
            .is_some()
        {
            return;
        }
        let method = call.method.to_string();
        let done = self.attempt("a method that changes a list", |this| {
            match (method.as_str(), args.as_slice()) {
                ("fill", [value]) => this.fill(&call.receiver, value, span),
                ("copy_from_slice" | "clone_from_slice", [source]) => {
                    this.copy_from_slice(&call.receiver, source, span)
                }
                _ => this
                    .exchanging_method(call, &args, span)
                    .or_else(|| this.sorting_method(call, &args, span))
                    .or_else(|| this.growing_method(call, &args, span))
                    .or_else(|| this.advance_statement(call))
                    .or_else(|| this.chain(call).map(|_| ())),
            }
        });
        if done.is_none() {
            self.opaque_statement_expr(&syn::Expr::MethodCall(call.clone()));
        }
    }

    /// The list a method is called on, if it is known to be one.
    pub(super) fn list(&mut self, receiver: &syn::Expr) -> Option<Place> {
        let place = match self.operand(receiver)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => value.as_place()?.clone(),
        };
        let ty = self.type_of(&place);
        self.types.shallow(&ty).element()?;
        Some(place)
    }

    /// `a.fill(value)`
    fn fill(&mut self, list: &syn::Expr, value: &syn::Expr, span: Span) -> Option<()> {
        let mut list = self.list(list)?;
        let mut value = self.after(&mut list, |this| this.value(value));
        self.put_aside(&mut value);
        self.each_element(&list, span, |this, element| {
            this.assign(element, value.clone(), span);
        });
        Some(())
    }

    /// `a.copy_from_slice(b)`: lists of different lengths panic, here as there.
    fn copy_from_slice(&mut self, list: &syn::Expr, source: &syn::Expr, span: Span) -> Option<()> {
        let mut list = self.list(list)?;
        let source = self.after(&mut list, |this| this.list(source))?;
        let lens = [self.len_of(list.clone(), span), self.len_of(source.clone(), span)];
        self.assert_equal(&lens, span);
        let index_of = source;
        self.each_element(&list, span, |this, element| {
            let index = match element.projections.last() {
                Some(crate::ir::Projection::Index(index)) => index.clone(),
                _ => unreachable!("an element has an index"),
            };
            let from = index_of.index(index);
            let ty = this.type_of(&from);
            this.assign(element, Expr::load(from, ty, span), span);
        });
        Some(())
    }

    fn assert_equal(&mut self, lens: &[Expr; 2], span: Span) {
        let test = Expr::test(BinaryOp::Ne, lens[0].clone(), lens[1].clone());
        let message = "copy_from_slice: the slices have different lengths";
        let panic = self.diverging_statement(message);
        let panic = self.body.stmt(panic, span);
        let (then, otherwise) = (self.body.new_block(vec![panic]), self.body.new_block(Vec::new()));
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }

    /// A loop over the elements of a list.
    pub(super) fn each_element(
        &mut self,
        list: &Place,
        span: Span,
        visit: impl FnOnce(&mut Self, Place),
    ) {
        let list = self.fixed_list(list.clone(), true, span);
        let end = self.len_of(list.clone(), span);
        let var = self.body.local("k", Type::USIZE, span);
        let adaptors: Vec<Adaptor> = Vec::new();
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors };
        let target = Target { label: self.body.numbering.label(), exit: None };
        let body = self.in_block(|this| {
            let index = this.whole(var, span);
            visit(this, list.index(index));
        });
        let kind = LoopKind::Counted { var, range };
        self.emit(StmtKind::Loop(Loop { target, kind, trips: None, body }), span);
    }
}
