//! Ends of chains that pick one item, if there is one: `next`, `find`, `reduce`, `last`, `max_by`, `min_by`, with what
//! is to be done if there is none: `unwrap`, `expect`, `unwrap_or`.

use super::chains::Sink;
use super::closures::Function;
use super::items::{Item, Slots};
use super::optional::{Failure, Optional};
use super::places::strip;
use super::{Destination, Lowerer};
use crate::index::{Label, Var};
use crate::ir::{BinaryOp, Class, Ending, Expr, ExprKind, Op, Opaque, Place, StmtKind};
use crate::types::Type;
use proc_macro2::{Ident, Span};
use quote::quote;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Which of the items is picked.
enum Pick {
    /// The first one, or the first one that passes a test: the others are not looked at.
    First(Option<Function>),
    Last,
    Best(Choice),
}

/// What becomes of what was picked so far and an item.
enum Choice {
    /// What a function makes of both.
    Reduced(Function),
    /// The one that a comparison prefers.
    Compared { function: Function, wanted: Wanted },
}

/// Which of the items a comparison prefers.
enum Wanted {
    /// The largest one; of equal ones the last.
    Largest,
    /// The smallest one; of equal ones the first.
    Smallest,
}

impl Lowerer<'_> {
    /// The value of `chain.reduce(f).unwrap()` and its kin.
    pub(super) fn picked(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let otherwise = match (name.as_str(), args.as_slice()) {
            ("unwrap", []) | ("expect", [_]) => None,
            // With effects it is evaluated in any case, by `optional_end`.
            ("unwrap_or", [value]) if !self.body_is_noticed(value) => Some(*value),
            _ => return None,
        };
        let syn::Expr::MethodCall(end) = strip(&call.receiver) else { return None };
        let span = end.span();
        let picked = self.attempt("one of the items", |this| {
            // Where something else is referred to is not known then.
            this.picked_by(end).filter(|(_, slots)| otherwise.is_none() || !slots.refer())
        });
        let (found, slots) = picked?;
        self.unless(found, otherwise, &slots, span);
        let item = self.filled(&slots, span);
        Some(self.item_value(item))
    }

    /// The same as an `Option`.
    pub(super) fn picked_if_any(&mut self, end: &syn::ExprMethodCall) -> Option<Optional> {
        let (found, slots) = self.picked_by(end)?;
        let (some, payload) = (self.load(found, end.span()), self.filled(&slots, end.span()));
        Some(Optional { some, payload, failure: Failure::None })
    }

    /// Whether something was picked, and what.
    fn picked_by(&mut self, end: &syn::ExprMethodCall) -> Option<(Var, Slots)> {
        let span = end.span();
        let args: Vec<&syn::Expr> = end.args.iter().collect();
        let name = end.method.to_string();
        if !matches!(name.as_str(), "next" | "find" | "last" | "reduce" | "max_by" | "min_by") {
            return None;
        }
        let pipeline = match name.as_str() {
            "next" | "find" => self.iterator_by_reference(&end.receiver)?,
            _ => self.iterator(&end.receiver)?,
        };
        let pick = match (name.as_str(), args.as_slice()) {
            ("next", []) => Pick::First(None),
            ("find", [function]) => Pick::First(Some(self.function(function, 1)?)),
            ("last", []) => Pick::Last,
            ("reduce", [function]) => Pick::Best(Choice::Reduced(self.function(function, 2)?)),
            (_, [function]) => {
                let function = self.function(function, 2)?;
                comparison(function.body())?;
                let wanted = if name == "max_by" { Wanted::Largest } else { Wanted::Smallest };
                Pick::Best(Choice::Compared { function, wanted })
            }
            _ => return None,
        };
        let declarations = self.out.len();
        let found = self.state("found", Expr::literal("false", Type::Bool));
        let mut slots = None;
        let sink: Sink<'_> = Box::new(|this, item, label| {
            let item = this.settled(item);
            let Some(picked) = this.slots_after_loop(&item, found, span) else {
                this.misfit = true;
                return;
            };
            this.pick(&pick, (found, &picked), item, label, span);
            slots = Some(picked);
        });
        self.drive(pipeline, None, span, sink)?;
        let slots = slots?;
        self.declare_picked(&slots, declarations, span)?;
        Some((found, slots))
    }

    /// Declares the variables for what is picked, with values of their types. `None` if these are not
    /// known, or carry no derivative: then the chain is kept as it is.
    fn declare_picked(&mut self, slots: &Slots, at: usize, span: Span) -> Option<()> {
        let vars = slots.vars();
        if let [only] = vars.as_slice() {
            let (ty, float) = (self.body.vars[*only].ty.clone(), self.types.float_literal());
            if self.types.is_open(&ty) {
                self.types.unify(&ty, &float);
            }
        }
        let types: Vec<Type> = vars.iter().map(|var| self.body.vars[*var].ty.clone()).collect();
        let carries = types.iter().any(|ty| self.types.resolve(ty).may_carry_floats());
        if !carries && !slots.refer() {
            return None;
        }
        for (var, ty) in vars.into_iter().zip(types) {
            let value = Some(self.zero_of(&ty)?);
            let stmt = self.body.stmt(StmtKind::Let { var, value }, span);
            self.out.insert(at, stmt);
        }
        Some(())
    }

    /// What is done where nothing was found.
    fn unless(&mut self, found: Var, otherwise: Option<&syn::Expr>, slots: &Slots, span: Span) {
        let test = Expr::negated(self.load(found, span));
        self.only_if(test, span, |this| match (otherwise, slots) {
            (Some(value), Slots::Value(var) | Slots::Lent(var)) => {
                this.lower_into(value, &Destination::Place(Place::var(*var)));
            }
            (Some(value), Slots::Tuple(_)) => {
                let item = this.item_of(value);
                let item = this.settled(item);
                this.put_in(slots, item, span);
            }
            (Some(_), Slots::Place { .. }) => unreachable!("only where there is nothing else"),
            (None, _) => {
                let panic = this.diverging_statement("called `Option::unwrap()` on a `None` value");
                this.emit(panic, span);
            }
        });
    }

    /// What is done with an item, in the loop of a label.
    fn pick(&mut self, pick: &Pick, so_far: (Var, &Slots), item: Item, label: Label, span: Span) {
        let (found, picked) = so_far;
        let take = |this: &mut Self, item| {
            this.put_in(picked, item, span);
            this.assign(Place::var(found), Expr::literal("true", Type::Bool), span);
        };
        let take_and_leave = |this: &mut Self, item| {
            take(this, item);
            this.emit(StmtKind::Exit { label, code: 0 }, span);
        };
        match pick {
            Pick::First(Some(function)) => {
                let test = self.test_of(function, &item);
                self.only_if(test, span, |this| take_and_leave(this, item));
            }
            Pick::First(None) => take_and_leave(self, item),
            Pick::Last => take(self, item),
            Pick::Best(choice) => {
                let test = self.load(found, span);
                let then = self.in_block(|this| this.choose(choice, picked, item.clone(), span));
                let otherwise = self.in_block(|this| take(this, item));
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
        }
    }

    fn choose(&mut self, choice: &Choice, picked: &Slots, item: Item, span: Span) {
        let known = self.filled(picked, span);
        match choice {
            Choice::Reduced(function) => {
                let vars = picked.vars();
                self.resting.extend(vars.iter().copied());
                let next = self.inline(function, vec![known, item]);
                vars.iter().for_each(|var| self.resting.remove(*var));
                let next = self.settled(next);
                self.put_in(picked, next, span);
            }
            Choice::Compared { function, wanted } => {
                let lent = |item: &Item| Item::Lent(Box::new(item.clone()));
                let items = vec![lent(&known), lent(&item)];
                let is_greater = self.is_greater(function, items, span);
                let test = match wanted {
                    Wanted::Largest => Expr::negated(is_greater),
                    Wanted::Smallest => is_greater,
                };
                self.only_if(test, span, |this| this.put_in(picked, item, span));
            }
        }
    }

    /// Whether the first item comes after the second one, in the order of a comparison.
    fn is_greater(&mut self, function: &Function, items: Vec<Item>, span: Span) -> Expr {
        let mut compared = Vec::new();
        let mut order = Order::Total;
        self.inline_with(function, items, |this, body| {
            let comparison = comparison(body).expect("looked at before");
            compared = this.values(&[comparison.left, comparison.right]);
            order = comparison.order;
            Item::unit(span)
        });
        for value in &mut compared {
            self.put_aside(value);
        }
        let right = compared.pop().expect("two operands");
        let left = compared.pop().expect("two operands");
        match order {
            Order::Partial => Expr::test(BinaryOp::Gt, left, right),
            Order::Unwrapped => {
                self.refuse_nan(&left, &right, span);
                Expr::test(BinaryOp::Gt, left, right)
            }
            Order::Total => self.is_totally_greater(&left, &right, span),
        }
    }

    /// `left.total_cmp(&right).is_gt()` of two variables.
    fn is_totally_greater(&mut self, left: &Expr, right: &Expr, span: Span) -> Expr {
        let vars = [left, right].map(|value| value.as_var().expect("put aside"));
        let [a, b] = vars.map(|var| Ident::new(&self.body.vars[var].name, span));
        let opaque = Opaque {
            tokens: quote!(#a.total_cmp(&#b).is_gt()),
            reads: vars.to_vec(),
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::Pure,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: None,
        };
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), Type::Bool, span);
        let var = self.name_value("greater", value);
        self.load(var, span)
    }

    /// The comparison of a NaN has no value to unwrap.
    fn refuse_nan(&mut self, left: &Expr, right: &Expr, span: Span) {
        let is_nan = |value: &Expr| {
            let args = vec![value.clone()];
            Expr::new(ExprKind::Op(Op::Method("is_nan".into()), args), Type::Bool, span)
        };
        let test = Expr::test(BinaryOp::Or, is_nan(left), is_nan(right));
        self.panic_if(test, "called `Option::unwrap()` on a `None` value", span);
    }
}

/// A comparison that is understood.
struct Comparison<'e> {
    left: &'e syn::Expr,
    right: &'e syn::Expr,
    order: Order,
}

/// How values are compared.
enum Order {
    /// By `partial_cmp`, where a NaN counts as equal.
    Partial,
    /// By `partial_cmp`, where a NaN panics.
    Unwrapped,
    /// By `total_cmp`.
    Total,
}

/// `a.partial_cmp(&b).unwrap()`, `a.partial_cmp(&b).unwrap_or(Ordering::Equal)`, `a.total_cmp(&b)`.
fn comparison(body: &syn::Expr) -> Option<Comparison<'_>> {
    let syn::Expr::MethodCall(call) = strip(body) else {
        let syn::Expr::Call(call) = strip(body) else { return None };
        let (syn::Expr::Path(path), 2) = (strip(&call.func), call.args.len()) else { return None };
        let is_total = path.path.segments.last().is_some_and(|last| last.ident == "total_cmp");
        let (left, right) = (&call.args[0], compared(&call.args[1]));
        return is_total.then_some(Comparison { left, right, order: Order::Total });
    };
    if call.method == "total_cmp" && call.args.len() == 1 {
        let (left, right) = (&*call.receiver, compared(&call.args[0]));
        return Some(Comparison { left, right, order: Order::Total });
    }
    let order = match call.method.to_string().as_str() {
        "unwrap" | "expect" => Order::Unwrapped,
        "unwrap_or" => {
            let is_equal = matches!(strip(call.args.first()?), syn::Expr::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident == "Equal"));
            if !is_equal {
                return None;
            }
            Order::Partial
        }
        _ => return None,
    };
    let syn::Expr::MethodCall(inner) = strip(&call.receiver) else { return None };
    let known = inner.method == "partial_cmp" && inner.args.len() == 1;
    known.then(|| Comparison { left: &inner.receiver, right: compared(&inner.args[0]), order })
}

/// What an argument of a comparison refers to.
fn compared(arg: &syn::Expr) -> &syn::Expr {
    match strip(arg) {
        syn::Expr::Reference(reference) => &reference.expr,
        other => other,
    }
}
