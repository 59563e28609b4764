//! `Vec`s that grow and shrink.
//!
//! All of it is said with two changes of length, at the end of a list: elements are appended, or the
//! list is truncated. What moves elements inside of a list (`insert`, `remove`) is an append or a
//! truncation with exchanges of neighbours, which the backward sweep undoes without having stored
//! anything.

use super::places::strip;
use super::rows::Arguments;
use super::{Lowerer, Operand};
use crate::ir::{
    Adaptor, BinaryOp, Binding, Change, Expr, ExprKind, Loop, LoopKind, Op, Place, Projection,
    Range, Resize, StmtKind, Target,
};
use crate::types::Type;
use proc_macro2::Span;

impl Lowerer<'_> {
    /// A method call whose value is dropped: methods that change the length of a `Vec`.
    pub(super) fn growing_method(
        &mut self,
        call: &syn::ExprMethodCall,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<()> {
        let name = call.method.to_string();
        let wanted = matches!(
            (name.as_str(), args.len()),
            ("push" | "extend_from_slice" | "extend" | "append" | "truncate" | "remove", 1)
                | ("swap_remove" | "reserve" | "reserve_exact", 1)
                | ("resize" | "insert", 2)
                | ("clear" | "pop" | "shrink_to_fit" | "dedup", 0)
                | ("retain" | "drain", 1)
        );
        if !wanted {
            return None;
        }
        let args = match name.as_str() {
            "extend_from_slice" | "extend" | "append" | "retain" | "drain" => {
                Arguments::Parts(args)
            }
            _ => Arguments::Values(args),
        };
        self.with_list(&call.receiver, args, span, |this, list, args| {
            this.grow(list, &name, args, span)
        })
    }

    /// Does what a method does to a list.
    fn grow(&mut self, list: &Place, name: &str, args: &[&syn::Expr], span: Span) -> Option<()> {
        match (name, args) {
            ("push", [item]) => self.push(list, item, span),
            ("extend_from_slice" | "extend", [source]) => self.extend(list, source, span)?,
            ("append", [source]) => self.append(list, source, span)?,
            ("truncate", [len]) => self.truncate_method(list, len, span),
            ("clear", []) => self.throw_away(list, Expr::usize(0), span),
            ("pop", []) => self.pop_statement(list, span),
            ("resize", [len, item]) => self.resize_method(list, len, item, span),
            ("insert", [at, item]) => self.insert(list, at, item, span),
            ("remove" | "swap_remove", [at]) => {
                self.remove(list, at, name == "remove", span)?;
            }
            // What a list has room for is no value of the function.
            ("reserve" | "reserve_exact", [count]) => {
                let count = self.value(count);
                self.discard(count);
            }
            ("shrink_to_fit", []) => {}
            _ => self.removing_method(list, name, args, span)?,
        }
        Some(())
    }

    /// A method call that changes the length of a `Vec` and yields an element of it.
    pub(super) fn shrinking_value(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let span = call.method.span();
        let name = call.method.to_string();
        match (name.as_str(), call.args.first()) {
            ("remove" | "swap_remove", Some(at)) if call.args.len() == 1 => {
                let at = Arguments::Values(&[at]);
                self.with_list(&call.receiver, at, span, |this, list, at| {
                    this.remove(list, at.first()?, name == "remove", span)
                })
            }
            ("split_off", Some(at)) if call.args.len() == 1 => {
                let at = Arguments::Values(&[at]);
                self.with_list(&call.receiver, at, span, |this, list, at| {
                    this.split_off(list, at.first()?, span)
                })
            }
            _ => None,
        }
    }

    /// The `Vec` that a method is called on: a variable, or a reference to one.
    pub(super) fn growing_list(&mut self, receiver: &syn::Expr) -> Option<Place> {
        let place = self.place(receiver)?;
        let root = self.body.resolve(&place);
        let ty = self.type_of(&place);
        let is_vec = matches!(self.types.shallow(&ty), Type::Vec(_));
        let is_owned =
            matches!(self.body.vars[root.root].binding, Binding::Value | Binding::Exclusive);
        (root.is_whole() && is_vec && is_owned).then_some(place)
    }

    pub(super) fn element_type(&mut self, list: &Place) -> Type {
        let ty = self.type_of(list);
        let element = self.types.shallow(&ty).element().cloned();
        element.unwrap_or_else(|| self.types.fresh())
    }

    fn change(&mut self, list: &Place, change: Change, span: Span) {
        let resize = Resize { list: list.clone(), change, len: None };
        self.emit(StmtKind::Resize(resize), span);
    }

    /// Keeps the first elements of a list, no more than it has.
    pub(super) fn truncate(&mut self, list: &Place, len: Expr, span: Span) {
        self.change(list, Change::Truncate(len), span);
    }

    /// Throws the elements from an index on away. Lists among them are emptied before: their bars come back as
    /// zeros, which must have the shape that they had.
    pub(super) fn throw_away(&mut self, list: &Place, from: Expr, span: Span) {
        let element = self.element_type(list);
        if self.types.is_open(&element) {
            self.thrown_away.push((element, span));
        } else if let Type::Vec(_) = self.types.shallow(&element) {
            let end = self.len_of(list.clone(), span);
            let range = Range { start: from.clone(), end, inclusive: false, adaptors: Vec::new() };
            self.each_index(range, span, |this, k| {
                let place = list.index(k);
                let thrown = this.empty_vec_like(&place, span);
                this.exchange(place, thrown, span);
            });
        }
        self.truncate(list, from, span);
    }

    /// Refuses what was thrown away and not emptied, because what it is was not known yet.
    pub(super) fn refuse_unemptied(&mut self) {
        for (element, span) in std::mem::take(&mut *self.thrown_away) {
            let element = self.types.resolve(&element);
            if matches!(element, Type::Vec(_)) && element.may_carry_floats() {
                self.errors.report(
                    span,
                    "the macro does not see here that this is a list of lists",
                    "give its type where it is made: `let mut rows: Vec<Vec<f64>> = …;`",
                );
            }
        }
    }

    /// The index of the last element of a list that has one.
    pub(super) fn last_index(&mut self, list: &Place, span: Span) -> Expr {
        let len = self.len_of(list.clone(), span);
        Expr::binary(BinaryOp::Sub, len, Expr::usize(1))
    }

    /// Runs statements only if a test holds.
    pub(super) fn only_if(&mut self, test: Expr, span: Span, lower: impl FnOnce(&mut Self)) {
        let then = self.in_block(lower);
        let otherwise = self.body.new_block(Vec::new());
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }

    /// Panics if a test holds, as the standard library does.
    pub(super) fn panic_if(&mut self, test: Expr, message: &str, span: Span) {
        self.only_if(test, span, |this| {
            let panic = this.diverging_statement(message);
            this.emit(panic, span);
        });
    }

    fn push(&mut self, list: &Place, item: &syn::Expr, span: Span) {
        let item = self.value(item);
        self.push_value(list, item, span);
    }

    pub(super) fn push_value(&mut self, list: &Place, item: Expr, span: Span) {
        let element = self.element_type(list);
        self.types.unify(&element, &item.ty);
        let ty = Type::array(item.ty.clone(), "1");
        let items = Expr::new(ExprKind::Op(Op::Array, vec![item]), ty, span);
        self.change(list, Change::Extend(items), span);
    }

    /// `v.extend_from_slice(&w)`, `v.extend(&w)`, `v.extend(w.iter())`, `v.extend(w)`
    fn extend(&mut self, list: &Place, source: &syn::Expr, span: Span) -> Option<()> {
        let appended = self.attempt("a list that is appended", |this| this.appended(source));
        if let Some(source) = appended {
            self.extend_by(list, source, span);
            return Some(());
        }
        self.extend_each(list, source, span)
    }

    pub(super) fn extend_by(&mut self, list: &Place, source: Place, span: Span) {
        let element = self.element_type(list);
        let ty = self.type_of(&source);
        if let Some(other) = self.types.shallow(&ty).element().cloned() {
            self.types.unify(&element, &other);
        }
        let whole = source.then(Projection::Slice { start: None, end: None });
        let mut items = Expr::load(whole, Type::slice(element.clone()), span);
        if self.body.root_of(&source) == self.body.root_of(list) {
            // The list cannot be read while it grows, nor can its bar.
            let copy = Expr::new(ExprKind::Op(Op::ToVec, vec![items]), Type::vec(element), span);
            let copy = self.name_value("items", copy);
            let whole = Place::var(copy).then(Projection::Slice { start: None, end: None });
            items = Expr::load(whole.clone(), self.type_of(&whole), span);
        }
        self.change(list, Change::Extend(items), span);
    }

    /// The list whose elements an argument of `extend` yields.
    fn appended(&mut self, source: &syn::Expr) -> Option<Place> {
        if let syn::Expr::MethodCall(call) = strip(source)
            && call.args.is_empty()
        {
            match call.method.to_string().as_str() {
                "iter" => return self.list_at(&call.receiver),
                "copied" | "cloned" => return self.appended(&call.receiver),
                "to_vec" | "clone" | "as_slice" => {}
                _ => return None,
            }
        }
        self.list_at(source)
    }

    /// The list that an expression is, or refers to.
    pub(super) fn list_at(&mut self, expr: &syn::Expr) -> Option<Place> {
        let place = match self.operand(expr)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "items"),
        };
        self.known_list(place)
    }

    /// `v.append(&mut w)`
    fn append(&mut self, list: &Place, source: &syn::Expr, span: Span) -> Option<()> {
        let source = match strip(source) {
            syn::Expr::Reference(reference) => self.growing_list(&reference.expr)?,
            other => self.growing_list(other)?,
        };
        self.extend_by(list, source.clone(), span);
        self.throw_away(&source, Expr::usize(0), span);
        Some(())
    }

    fn truncate_method(&mut self, list: &Place, len: &syn::Expr, span: Span) {
        let rest = self.usize_operand(len);
        let present = self.len_of(list.clone(), span);
        let test = Expr::test(BinaryOp::Lt, rest.clone(), present);
        self.only_if(test, span, |this| this.throw_away(list, rest, span));
    }

    /// An index or a number of elements that is read more than once.
    pub(super) fn usize_operand(&mut self, expr: &syn::Expr) -> Expr {
        let mut value = self.value(expr);
        self.types.unify(&value.ty, &Type::USIZE);
        self.put_aside(&mut value);
        value
    }

    /// `v.pop();` does nothing to an empty list.
    fn pop_statement(&mut self, list: &Place, span: Span) {
        let len = self.len_of(list.clone(), span);
        let test = Expr::test(BinaryOp::Gt, len, Expr::usize(0));
        self.only_if(test, span, |this| {
            let last = this.last_index(list, span);
            this.throw_away(list, last, span);
        });
    }

    /// `v.resize(n, e)`
    fn resize_method(&mut self, list: &Place, len: &syn::Expr, item: &syn::Expr, span: Span) {
        let len = self.usize_operand(len);
        let mut item = self.value(item);
        self.put_aside(&mut item);
        let element = self.element_type(list);
        self.types.unify(&element, &item.ty);
        let present = self.len_of(list.clone(), span);
        let grows = Expr::test(BinaryOp::Gt, len.clone(), present.clone());
        let lacking = Expr::binary(BinaryOp::Sub, len.clone(), present);
        let then = self.in_block(|this| {
            let ty = Type::vec(item.ty.clone());
            let items = Expr::new(ExprKind::Op(Op::VecRepeat, vec![item, lacking]), ty, span);
            this.change(list, Change::Extend(items), span);
        });
        let otherwise = self.in_block(|this| this.throw_away(list, len, span));
        self.emit(StmtKind::If { test: grows, then, otherwise }, span);
    }

    /// `v.insert(at, e)`: the element is appended and exchanged with those before it.
    fn insert(&mut self, list: &Place, at: &syn::Expr, item: &syn::Expr, span: Span) {
        let at = self.usize_operand(at);
        let item = self.value(item);
        let len = self.len_of(list.clone(), span);
        let outside = Expr::test(BinaryOp::Gt, at.clone(), len);
        self.panic_if(outside, "insertion index should be <= len", span);
        self.push_value(list, item, span);
        let start = Expr::binary(BinaryOp::Add, at, Expr::usize(1));
        let end = self.len_of(list.clone(), span);
        self.exchange_neighbours(list, start, end, true, span);
    }

    /// `v.remove(at)`, `v.swap_remove(at)`: the element is exchanged with those after it, or with the
    /// last, and taken from the end.
    fn remove(
        &mut self,
        list: &Place,
        at: &syn::Expr,
        keep_order: bool,
        span: Span,
    ) -> Option<Expr> {
        let element = self.element_type(list);
        if !self.may_be_taken(&element) {
            return None;
        }
        let at = self.usize_operand(at);
        let len = self.len_of(list.clone(), span);
        let outside = Expr::test(BinaryOp::Ge, at.clone(), len.clone());
        let name = if keep_order { "removal" } else { "swap_remove" };
        self.panic_if(outside, &format!("{name} index should be < len"), span);
        if keep_order {
            let start = Expr::binary(BinaryOp::Add, at, Expr::usize(1));
            self.exchange_neighbours(list, start, len, false, span);
        } else {
            let last = self.last_index(list, span);
            self.exchange(list.index(at), list.index(last), span);
        }
        Some(self.take_last(list, span))
    }

    /// Takes the last element of a list that has one.
    pub(super) fn take_last(&mut self, list: &Place, span: Span) -> Expr {
        let last = self.last_index(list, span);
        let element = self.element_type(list);
        if let Type::Vec(_) = self.types.shallow(&element) {
            let place = list.index(last.clone());
            let taken = self.empty_vec_like(&place, span);
            self.exchange(place, taken.clone(), span);
            self.truncate(list, last, span);
            self.made.insert(taken.root);
            return self.load(taken.root, span);
        }
        let mut value = Expr::load(list.index(last.clone()), element.clone(), span);
        if !self.is_scalar(&element) {
            value = Expr::new(ExprKind::Op(Op::Clone, vec![value]), element, span);
        }
        let taken = self.name_value("popped", value);
        self.throw_away(list, last, span);
        self.load(taken, span)
    }

    /// Whether an element of a type can be taken from its list: a number, as far as is known, or a list.
    pub(super) fn may_be_taken(&self, ty: &Type) -> bool {
        let known = self.types.resolve(ty);
        self.is_scalar(ty)
            || self.types.is_open(ty)
            || known.is_copy()
            || matches!(known, Type::Vec(_))
    }

    /// Whether values of a type are numbers.
    pub(super) fn is_scalar(&self, ty: &Type) -> bool {
        let known = self.types.shallow(ty);
        self.types.is_float(ty) || self.types.is_int(ty) || known == Type::Bool
    }

    /// Exchanges each element in a range with the one before it, in order or in the opposite order.
    fn exchange_neighbours(
        &mut self,
        list: &Place,
        start: Expr,
        end: Expr,
        reversed: bool,
        span: Span,
    ) {
        let adaptors = if reversed { vec![Adaptor::Rev] } else { Vec::new() };
        let range = Range { start, end, inclusive: false, adaptors };
        self.each_index(range, span, |this, index| {
            let before = Expr::binary(BinaryOp::Sub, index.clone(), Expr::usize(1));
            this.exchange(list.index(index), list.index(before), span);
        });
    }

    /// A loop over a range of indices.
    pub(super) fn each_index(
        &mut self,
        range: Range,
        span: Span,
        visit: impl FnOnce(&mut Self, Expr),
    ) {
        let var = self.body.local("k", Type::USIZE, span);
        let target = Target { label: self.body.numbering.label(), exit: None };
        let body = self.in_block(|this| {
            let index = this.whole(var, span);
            visit(this, index);
        });
        let kind = LoopKind::Counted { var, range };
        self.emit(StmtKind::Loop(Loop { target, kind, trips: None, body }), span);
    }
}
