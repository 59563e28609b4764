//! Methods that yield an `Option` or a `Result`, and those that take one apart.

use super::choices::leaves;
use super::closures::Function;
use super::items::Item;
use super::optional::{Failure, Optional, variables_of};
use super::order::Changing;
use super::places::strip;
use super::whole_options::place_of;
use super::{Destination, Lowerer, Operand};
use crate::ir::{BinaryOp, Expr, ExprKind, Op, Opaque, Place, Projection};
use crate::stdlib::{self, Role};
use crate::types::Type;
use proc_macro2::Span;
use quote::quote;
use std::borrow::Cow;

impl Lowerer<'_> {
    /// A method call that yields an `Option` or a `Result`.
    pub(super) fn optional_method(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        if call.turbofish.is_some() {
            return None;
        }
        if let Some(found) = self.by_optional_getter(call) {
            return Some(found);
        }
        let name = call.method.to_string();
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        match (name.as_str(), args.as_slice()) {
            ("first" | "last" | "first_mut" | "last_mut", [])
            | ("get" | "get_mut", [_])
            | ("split_first" | "split_last", []) => self.element_if_any(call, &name),
            ("pop", []) => self.popped_if_any(call),
            ("reduce" | "max_by" | "min_by" | "max_by_key" | "min_by_key" | "find", [_]) => {
                self.picked_if_any(call)
            }
            ("position", [function]) => self.position_if_any(call, function),
            ("next" | "next_back", []) if self.is_iterator(&call.receiver) => {
                self.next_if_any(call)
            }
            ("next", []) => self.picked_if_any(call),
            // Of an iterator that goes on to be used it would be lost how far it has come.
            ("nth", [count]) if matches!(strip(&call.receiver), syn::Expr::MethodCall(_)) => {
                let receiver = &call.receiver;
                self.optional(&syn::parse_quote!(#receiver.skip(#count).next()))
            }
            ("last", _) => None,
            ("try_fold", [initial, function]) => self.try_fold(call, initial, function),
            ("then" | "then_some", [value]) => self.value_if(call, value, name == "then"),
            (name, _) if stdlib::is(name, Role::StepsOptional) => {
                let optional = self.optional(&call.receiver)?;
                self.optional_step(optional, name, &args, call)
            }
            _ => None,
        }
    }

    /// `v.first()`, `v.get(i)` and their kin.
    fn element_if_any(&mut self, call: &syn::ExprMethodCall, name: &str) -> Option<Optional> {
        let span = call.method.span();
        if matches!(call.args.first().map(strip), Some(syn::Expr::Range(_))) {
            return None;
        }
        let list = self.attempt("an element of a list", |this| this.list(&call.receiver));
        let Some(list) = list else {
            return if name == "last" { self.picked_if_any(call) } else { None };
        };
        let list = self.body.resolve(&list);
        let list = self.capture(list, "list");
        let mutable = name.ends_with("_mut");
        let len = self.len_of(list.clone(), span);
        let is_last = name.contains("last");
        let index = match call.args.first() {
            Some(index) => self.usize_operand(index),
            None if is_last => {
                // Not used where there is no element.
                let one = Expr::usize(1);
                let before = Expr::new(
                    ExprKind::Op(Op::Method("wrapping_sub".into()), vec![len.clone(), one]),
                    Type::USIZE,
                    span,
                );
                let var = self.name_value("last", before);
                self.load(var, span)
            }
            None => Expr::usize(0),
        };
        let some = match call.args.first() {
            Some(_) => Expr::test(BinaryOp::Lt, index.clone(), len),
            None => Expr::test(BinaryOp::Gt, len, Expr::usize(0)),
        };
        let some = self.name_value("is_some", some);
        let reference = |place| Item::Operand(Operand::Reference { place, mutable, span });
        let element = reference(list.index(index.clone()));
        let payload = match name {
            "split_first" => {
                let rest = Projection::Slice { start: Some(Expr::usize(1)), end: None };
                Item::Tuple(vec![element, reference(list.then(rest))])
            }
            "split_last" => {
                let rest = Projection::Slice { start: None, end: Some(index) };
                Item::Tuple(vec![element, reference(list.then(rest))])
            }
            _ => element,
        };
        Some(Optional { some: self.load(some, span), payload, failure: Failure::None })
    }

    /// `v.pop()`
    fn popped_if_any(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        let span = call.method.span();
        let list = self.popped_list(&syn::Expr::MethodCall(call.clone()))?;
        let parts = self.new_parts("popped", span);
        let len = self.len_of(list.clone(), span);
        let some = Expr::test(BinaryOp::Gt, len, Expr::usize(0));
        self.assign(Place::var(parts.some), some, span);
        let test = self.load(parts.some, span);
        self.only_if(test, span, |this| {
            let taken = this.take_last(&list, span);
            this.assign(Place::var(parts.payload), taken, span);
        });
        Some(self.optional_of(parts, span))
    }

    /// `condition.then(|| e)`, `condition.then_some(e)`
    fn value_if(
        &mut self,
        call: &syn::ExprMethodCall,
        value: &syn::Expr,
        is_lazy: bool,
    ) -> Option<Optional> {
        let span = call.method.span();
        let test = self.value(&call.receiver);
        if self.types.shallow(&test.ty) != Type::Bool {
            return None;
        }
        let function = if is_lazy { Some(self.function(value, 0)?) } else { None };
        let parts = self.new_parts("value", span);
        self.assign(Place::var(parts.some), test, span);
        let eager = if is_lazy { None } else { Some(self.value(value)) };
        let test = self.load(parts.some, span);
        self.only_if(test, span, |this| {
            let value = match (eager, function) {
                (Some(value), _) => value,
                (None, Some(function)) => {
                    let item = this.inline(&function, Vec::new());
                    this.item_value(item)
                }
                (None, None) => unreachable!("it is one or the other"),
            };
            this.assign(Place::var(parts.payload), value, span);
        });
        Some(self.optional_of(parts, span))
    }

    fn optional_step(
        &mut self,
        optional: Optional,
        name: &str,
        args: &[&syn::Expr],
        call: &syn::ExprMethodCall,
    ) -> Option<Optional> {
        let span = call.method.span();
        match (name, args) {
            ("copied" | "cloned" | "clone", []) => {
                let payload = match optional.payload {
                    Item::Operand(operand) => Item::value(self.cloned_item(Item::Operand(operand))),
                    Item::Lent(item) => *item,
                    Item::Tuple(_) => return None,
                };
                Some(Optional { payload, ..optional })
            }
            ("as_ref", []) => Some(self.lent(optional, false)),
            ("as_mut", []) => Some(self.lent(optional, true)),
            ("as_deref" | "as_deref_mut", []) => {
                let lent = self.lent(optional, name == "as_deref_mut");
                Some(self.unboxed_payload(lent))
            }
            ("ok", []) => Some(Optional { failure: Failure::None, ..optional }),
            ("ok_or", [error]) => {
                let error = self.verbatim_cut(error);
                Some(Optional { failure: Failure::Code(error), ..optional })
            }
            ("ok_or_else", [function]) => {
                let function = self.verbatim_cut(function);
                let tokens = &function.tokens;
                let error = Opaque { tokens: quote!((#tokens)()), ..function };
                Some(Optional { failure: Failure::Code(error), ..optional })
            }
            ("map_err", [function]) => {
                let error = match &optional.failure {
                    Failure::Code(error) => Some(error.clone()),
                    Failure::Of(failure) => Some(self.error_of(*failure)),
                    Failure::None | Failure::Lost => None,
                };
                let failure = match error {
                    Some(error) => {
                        let function = self.verbatim_cut(function);
                        let (f, e) = (&function.tokens, &error.tokens);
                        let reads = function.reads.iter().chain(&error.reads).copied().collect();
                        let facade = self.facade();
                        // The error tells the type of the parameter, which a closure that is called where it is would have to say.
                        let tokens = quote!(#facade::__private::mapped_error(#e, #f));
                        Failure::Code(Opaque { tokens, reads, ..function })
                    }
                    // What does not look at the error needs none.
                    None => match strip(function) {
                        syn::Expr::Closure(closure)
                            if matches!(closure.inputs.first(), Some(syn::Pat::Wild(_)))
                                && !leaves(&closure.body) =>
                        {
                            Failure::Code(self.verbatim_cut(&closure.body))
                        }
                        _ => Failure::Lost,
                    },
                };
                Some(Optional { failure, ..optional })
            }
            ("map", [function]) => {
                let function = self.function(function, 1)?;
                let Optional { some, payload, failure } = optional;
                let parts = self.new_parts("mapped", span);
                let (test, mut some) = (some.clone(), Changing(some));
                self.after(&mut some, |this| {
                    this.only_if(test, span, |this| {
                        let item = this.inline(&function, vec![payload]);
                        let value = this.item_value(item);
                        this.assign(Place::var(parts.payload), value, span);
                    });
                });
                let Changing(some) = some;
                let payload = Item::value(self.load(parts.payload, span));
                Some(Optional { some, payload, failure })
            }
            ("and_then", [function]) => {
                let function = self.function(function, 1).filter(|f| !leaves(f.body()))?;
                let parts = self.new_parts("value", span);
                self.only_if(optional.some.clone(), span, |this| {
                    this.inline_with(&function, vec![optional.payload], |this, body| {
                        this.lower_into(body, &Destination::Optional(parts));
                        Item::unit(span)
                    });
                });
                let failure = match optional.failure {
                    Failure::None => Failure::None,
                    Failure::Code(_) | Failure::Of(_) | Failure::Lost => Failure::Lost,
                };
                Some(Optional { failure, ..self.optional_of(parts, span) })
            }
            ("filter", [function]) => {
                let function = self.function(function, 1)?;
                let lent = Item::Lent(Box::new(optional.payload.clone()));
                let (test, mut optional) = (optional.some.clone(), optional);
                let some =
                    self.after(&mut optional, |this| this.payload_test(test, lent, &function));
                Some(Optional { some, ..optional })
            }
            ("or" | "or_else", [other]) => self.or_else(optional, other, name == "or_else", span),
            ("take", []) => {
                let (parts, whole) = (variables_of(&optional), place_of(&optional));
                if parts.is_none() && whole.is_none() {
                    return None;
                }
                let taken = self.new_parts("taken", span);
                self.store_optional(optional, taken, span);
                match (parts, whole) {
                    (Some(parts), _) => {
                        let none = Expr::literal("false", Type::Bool);
                        self.assign(Place::var(parts.some), none, span);
                    }
                    (None, Some(whole)) => self.empty(whole, span),
                    (None, None) => unreachable!("it is one or the other"),
                }
                Some(self.optional_of(taken, span))
            }
            _ => None,
        }
    }

    fn or_else(
        &mut self,
        mut optional: Optional,
        other: &syn::Expr,
        is_lazy: bool,
        span: Span,
    ) -> Option<Optional> {
        let function = match is_lazy {
            true => {
                let other = without_error(other);
                Some(self.function(&other, 0).filter(|f| !leaves(f.body()))?)
            }
            false => None,
        };
        let eager = match is_lazy {
            true => None,
            false => Some(self.after(&mut optional, |this| this.optional(other))?),
        };
        let failure = match (&optional.failure, &eager) {
            (Failure::None, Some(Optional { failure: Failure::None, .. }) | None) => Failure::None,
            _ => Failure::Lost,
        };
        let parts = self.new_parts("value", span);
        self.store_optional(optional, parts, span);
        let none = Expr::negated(self.load(parts.some, span));
        self.only_if(none, span, |this| match (eager, function) {
            (Some(eager), _) => this.store_optional(eager, parts, span),
            (None, Some(function)) => {
                this.inline_with(&function, Vec::new(), |this, body| {
                    this.lower_into(body, &Destination::Optional(parts));
                    Item::unit(span)
                });
            }
            (None, None) => unreachable!("it is one or the other"),
        });
        Some(Optional { failure, ..self.optional_of(parts, span) })
    }

    /// The value of a method that takes an `Option` or a `Result` apart.
    pub(super) fn optional_end(&mut self, call: &syn::ExprMethodCall) -> Option<Item> {
        let name = call.method.to_string();
        if call.turbofish.is_some() || !stdlib::is(&call.method, Role::EndsOptional) {
            return None;
        }
        let whole = syn::Expr::MethodCall(call.clone());
        if super::conversions::is_of_any_number(&whole) {
            return self.converted(&whole).map(Item::value);
        }
        self.attempt("what is in an `Option` or a `Result`", |this| {
            let optional = this.optional(&call.receiver)?;
            this.end_of(optional, &name, call)
        })
    }

    /// The same as an operand, unless it is several references.
    pub(super) fn optional_value(&mut self, call: &syn::ExprMethodCall) -> Option<Operand> {
        self.attempt("what is in an `Option` or a `Result`", |this| {
            let item = this.optional_end(call)?;
            let is_one = !matches!(item, Item::Tuple(_)) || this.is_data(&item);
            is_one.then(|| this.operand_of(item))
        })
    }

    /// `let (first, rest) = v.split_first().unwrap();` makes two references.
    pub(super) fn parts_of_optional(&mut self, pat: &syn::Pat, init: &syn::Expr) -> bool {
        let (syn::Pat::Tuple(_), syn::Expr::MethodCall(call)) = (pat, strip(init)) else {
            return false;
        };
        let parts = self.attempt("several parts in an `Option`", |this| {
            this.optional_end(call).filter(|item| matches!(item, Item::Tuple(_)))
        });
        let Some(item) = parts else { return false };
        self.bind_item(pat, item);
        true
    }

    fn end_of(
        &mut self,
        mut optional: Optional,
        name: &str,
        call: &syn::ExprMethodCall,
    ) -> Option<Item> {
        let span = call.method.span();
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let Optional { some, payload, failure: _ } = optional.clone();
        match (name, args.as_slice()) {
            ("is_some" | "is_ok", []) => Some(Item::value(some)),
            ("is_none" | "is_err", []) => Some(Item::value(Expr::negated(some))),
            ("is_some_and" | "is_ok_and", [function]) => {
                let function = self.function(function, 1)?;
                Some(Item::value(self.payload_test(some, payload, &function)))
            }
            ("is_none_or", [function]) => {
                let function = self.function(function, 1)?;
                let mut otherwise = Changing(Expr::negated(some.clone()));
                let holds =
                    self.after(&mut otherwise, |this| this.payload_test(some, payload, &function));
                Some(Item::value(Expr::test(BinaryOp::Or, otherwise.0, holds)))
            }
            ("unwrap", []) => {
                self.panic_unless(some, "called `unwrap()` on a `None` or an `Err` value", span);
                Some(payload)
            }
            ("expect", [message]) => {
                let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = strip(message)
                else {
                    return None;
                };
                self.panic_unless(some, &text.value(), span);
                Some(payload)
            }
            ("unwrap_or", [other]) if let Some(element) = self.element_behind(&payload) => {
                let other = self.after(&mut optional, |this| this.operand(other))?;
                let Optional { some, payload, failure: _ } = optional;
                self.list_or(some, [payload, Item::Operand(other)], element, span)
            }
            ("unwrap_or", [other]) => {
                let value = self.after(&mut optional, |this| this.value(other));
                let Optional { some, payload, failure: _ } = optional;
                Some(self.or_value(some, payload, value, None, span))
            }
            ("unwrap_or_default", []) => {
                let Item::Operand(Operand::Value(value)) = &payload else { return None };
                let value = match self.types.is_float(&value.ty) {
                    true => Expr::zero(value.ty.clone()),
                    false => return None,
                };
                Some(self.or_value(some, payload, value, None, span))
            }
            ("map_or", [other, function]) => {
                let value = self.after(&mut optional, |this| this.value(other));
                let Optional { some, payload, failure: _ } = optional;
                let function = self.function(function, 1)?;
                Some(self.or_value(some, payload, value, Some(function), span))
            }
            ("unwrap_or_else", [other]) => {
                let arity = ignored_errors(other)?;
                let other = self.function(other, arity)?;
                let args = (0..arity).map(|_| Item::unit(span)).collect();
                self.either(
                    some,
                    span,
                    |this| this.item_of_payload(payload, None),
                    |this| this.inline(&other, args),
                )
            }
            ("map_or_else", [other, function]) => {
                let arity = ignored_errors(other)?;
                let other = self.function(other, arity)?;
                let function = self.function(function, 1)?;
                let args = (0..arity).map(|_| Item::unit(span)).collect();
                let map = |this: &mut Self| this.item_of_payload(payload, Some(function));
                self.either(some, span, map, |this| this.inline(&other, args))
            }
            _ => None,
        }
    }

    /// Whether there is a payload of which a function says that something holds.
    fn payload_test(&mut self, some: Expr, payload: Item, function: &Function) -> Expr {
        self.test_if(some, |this| {
            let item = this.inline(function, vec![payload]);
            Some(this.item_value(item))
        })
    }

    fn item_of_payload(&mut self, payload: Item, map: Option<Function>) -> Item {
        match map {
            Some(function) => self.inline(&function, vec![payload]),
            None => payload,
        }
    }

    /// One of two values.
    fn either(
        &mut self,
        some: Expr,
        span: Span,
        then: impl FnOnce(&mut Self) -> Item,
        otherwise: impl FnOnce(&mut Self) -> Item,
    ) -> Option<Item> {
        let ty = self.types.fresh();
        let var = self.body.local("value", ty, span);
        self.emit(crate::ir::StmtKind::Let { var, value: None }, span);
        let store = |this: &mut Self, item: Item| {
            if let Some(last) = this.out.last()
                && matches!(&last.kind, crate::ir::StmtKind::Opaque(opaque) if opaque.ending != crate::ir::Ending::Continues)
            {
                return;
            }
            let value = this.item_value(item);
            this.assign(Place::var(var), value, span);
        };
        let then = self.in_block(|this| {
            let item = then(this);
            store(this, item);
        });
        let otherwise = self.in_block(|this| {
            let item = otherwise(this);
            store(this, item);
        });
        self.emit(crate::ir::StmtKind::If { test: some, then, otherwise }, span);
        Some(Item::value(self.load(var, span)))
    }

    /// A value, unless there is a payload.
    fn or_value(
        &mut self,
        some: Expr,
        payload: Item,
        other: Expr,
        map: Option<Function>,
        span: Span,
    ) -> Item {
        let var = self.name_value("value", other);
        self.mutable.insert(var);
        self.only_if(some, span, |this| {
            let item = this.item_of_payload(payload, map);
            let value = this.item_value(item);
            this.assign(Place::var(var), value, span);
        });
        Item::value(self.load(var, span))
    }

    /// An `Option` of a reference to a `Box`, as one of a reference to what is in it.
    fn unboxed_payload(&mut self, optional: Optional) -> Optional {
        let payload = match optional.payload {
            Item::Operand(Operand::Reference { place, mutable, span }) => {
                let place = self.unboxed(place);
                Item::Operand(Operand::Reference { place, mutable, span })
            }
            payload @ (Item::Operand(Operand::Value(_)) | Item::Tuple(_) | Item::Lent(_)) => {
                payload
            }
        };
        Optional { payload, ..optional }
    }

    fn panic_unless(&mut self, some: Expr, message: &str, span: Span) {
        self.panic_if(Expr::negated(some), message, span);
    }

    /// What an item is as an operand.
    pub(super) fn operand_of(&mut self, item: Item) -> Operand {
        match item {
            Item::Operand(operand) => operand,
            Item::Lent(item) => {
                let value = self.copied_item(*item);
                let span = value.span;
                let place = self.place_of_value(value, "item");
                Operand::Reference { place, mutable: false, span }
            }
            item @ Item::Tuple(_) => Operand::Value(self.item_value(item)),
        }
    }
}

/// How many parameters what is called instead of unwrapping has: the error, which it must not look at,
/// or nothing.
fn ignored_errors(expr: &syn::Expr) -> Option<usize> {
    let is_ignored = |pat: &syn::Pat| match pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(ident) => ident.ident.to_string().starts_with('_'),
        _ => false,
    };
    match strip(expr) {
        syn::Expr::Closure(closure) => {
            closure.inputs.iter().all(is_ignored).then_some(closure.inputs.len())
        }
        _ => Some(0),
    }
}

/// A function that does not look at the error that it is given, `|_| other`, without that.
fn without_error(function: &syn::Expr) -> Cow<'_, syn::Expr> {
    let syn::Expr::Closure(closure) = strip(function) else { return Cow::Borrowed(function) };
    match closure.inputs.iter().collect::<Vec<_>>()[..] {
        [syn::Pat::Wild(_)] => {
            let inputs = syn::punctuated::Punctuated::new();
            Cow::Owned(syn::Expr::Closure(syn::ExprClosure { inputs, ..closure.clone() }))
        }
        _ => Cow::Borrowed(function),
    }
}
