//! Ends of chains that pick one item, if there is one: `next`, `find`, `reduce`, `last`, `max_by`, `min_by`, with what
//! is to be done if there is none: `unwrap`, `expect`, `unwrap_or`.

use super::chains::Sink;
use super::closures::Function;
use super::items::{Item, Slots};
use super::optional::{Failure, Optional};
use super::places::strip;
use super::{Destination, Lowerer, Operand};
use crate::index::{Label, Var};
use crate::ir::{BinaryOp, Class, Ending, Expr, ExprKind, Op, Opaque, Place, StmtKind};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
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
    Compared { by: By, wanted: Wanted },
}

/// How items are compared.
enum By {
    /// By what a function says of two.
    Comparison(Function),
    /// By what a function gives for each. It is picked together with the item.
    Key(Function),
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
        let wanted = match name.as_str() {
            "max_by" | "max_by_key" => Some(Wanted::Largest),
            "min_by" | "min_by_key" => Some(Wanted::Smallest),
            "next" | "find" | "last" | "reduce" => None,
            _ => return None,
        };
        let pipeline = match name.as_str() {
            "next" | "find" => self.iterator_by_reference(&end.receiver)?,
            _ => self.iterator(&end.receiver)?,
        };
        let pick = match (name.as_str(), args.as_slice()) {
            ("next", []) => Pick::First(None),
            ("find", [function]) => Pick::First(Some(self.function(function, 1)?)),
            ("last", []) => Pick::Last,
            ("reduce", [function]) => Pick::Best(Choice::Reduced(self.function(function, 2)?)),
            ("max_by_key" | "min_by_key", [function]) => {
                let by = By::Key(self.function(function, 1)?);
                Pick::Best(Choice::Compared { by, wanted: wanted? })
            }
            (_, [function]) => {
                let by = By::Comparison(self.function(function, 2)?);
                Pick::Best(Choice::Compared { by, wanted: wanted? })
            }
            _ => return None,
        };

        let declarations = self.out.len();
        let found = self.state("found", Expr::literal("false", Type::Bool));
        let mut slots = None;
        let sink: Sink<'_> = Box::new(|this, item, label| {
            let item = this.settled(item);
            let item = match &pick {
                Pick::Best(Choice::Compared { by: By::Key(function), wanted: _ }) => {
                    this.with_key(function, item)
                }
                Pick::Best(_) | Pick::First(_) | Pick::Last => item,
            };
            let Some(picked) = this.slots_after_loop(&item, found, span) else {
                this.misfit = true;
                return;
            };
            this.pick(&pick, (found, &picked), item, label, span);
            slots = Some(picked);
        });
        self.drive(pipeline, None, span, sink)?;

        let slots = slots?;
        if let Pick::Best(Choice::Compared { by: By::Key(_), .. }) = &pick
            && let Slots::Tuple(mut parts) = slots
        {
            let (item, key) = (parts.pop()?, parts.pop()?);
            self.declare_picked(&item, declarations, end)?;
            for var in key.vars() {
                let ty = self.body.vars[var].ty.clone();
                let nothing = Expr::op(Op::Placeholder, Vec::new(), ty.clone());
                let value = Some(self.zero_of(&ty).unwrap_or(nothing));
                let stmt = self.body.stmt(StmtKind::Let { var, value }, span);
                self.out.insert(declarations, stmt);
            }
            return Some((found, item));
        }
        self.declare_picked(&slots, declarations, end)?;
        Some((found, slots))
    }

    /// An item behind its key.
    fn with_key(&mut self, function: &Function, item: Item) -> Item {
        let key = self.inline(function, vec![Item::Lent(Box::new(item.clone()))]);
        let key = self.settled(key);
        self.misfit |= !self.may_be_key(&key);
        Item::Tuple(vec![key, item])
    }

    /// Whether a key consists of integers, or of what the macro does not see the type of.
    fn may_be_key(&self, item: &Item) -> bool {
        match item {
            Item::Operand(Operand::Value(value)) => {
                let is_bool = self.types.shallow(&value.ty) == Type::Bool;
                is_bool || self.types.is_int(&value.ty) || self.types.is_open(&value.ty)
            }
            Item::Tuple(parts) => parts.iter().all(|part| self.may_be_key(part)),
            Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => false,
        }
    }

    /// What a key consists of.
    fn key_of(&mut self, item: &Item) -> Vec<Expr> {
        match item {
            Item::Tuple(parts) => parts.iter().flat_map(|part| self.key_of(part)).collect(),
            item => vec![self.item_value(item.clone())],
        }
    }

    /// Whether the key of the first item comes after that of the second one.
    fn has_greater_key(&mut self, [known, new]: [&Item; 2], span: Span) -> Expr {
        let mut keys = [known, new].map(|item| {
            let Item::Tuple(parts) = item else { unreachable!("an item behind its key") };
            self.key_of(&parts[0])
        });
        if let [[known], [new]] = keys.each_ref().map(Vec::as_slice)
            && self.types.is_int(&known.ty)
        {
            return Expr::test(BinaryOp::Gt, known.clone(), new.clone());
        }
        keys.iter_mut().flatten().for_each(|part| self.put_aside(part));
        let count = keys[0].len();
        let code = |names: &[Ident]| {
            let (known, new) = names.split_at(count);
            quote!(::core::cmp::Ord::cmp(&(#(&#known,)*), &(#(&#new,)*)).is_gt())
        };
        self.asked(&keys.concat(), code, span)
    }

    /// Declares the variables for what is picked, with values of their types. `None` if these are not
    /// known, or carry no derivative and the chain only reads: then it is kept as it is.
    fn declare_picked(
        &mut self,
        slots: &Slots,
        at: usize,
        end: &syn::ExprMethodCall,
    ) -> Option<()> {
        let span = end.span();
        let vars = slots.vars();
        if let [only] = vars.as_slice() {
            let (ty, float) = (self.body.vars[*only].ty.clone(), self.types.float_literal());
            if self.types.is_open(&ty) {
                self.types.unify(&ty, &float);
            }
        }
        let types: Vec<Type> = vars.iter().map(|var| self.body.vars[*var].ty.clone()).collect();
        let carries = types.iter().any(|ty| self.types.resolve(ty).may_carry_floats());
        if !carries && !slots.refer() && self.only_reads(end) {
            return None;
        }
        for (var, ty) in vars.into_iter().zip(types) {
            let value = Some(match self.zero_of(&ty) {
                Some(zero) => zero,
                None => self.placeholder_of(var, &ty)?,
            });
            let stmt = self.body.stmt(StmtKind::Let { var, value }, span);
            self.out.insert(at, stmt);
        }
        Some(())
    }

    /// What stands for a value of a user's type as long as there is none. The variable states the type.
    fn placeholder_of(&mut self, var: Var, ty: &Type) -> Option<Expr> {
        if !self.is_of_data(ty) {
            return None;
        }
        let stated = syn::parse_str(&self.types.resolve(ty).to_string()).ok();
        self.declare_as(var, stated.as_ref());
        Some(Expr::op(Op::Placeholder, Vec::new(), ty.clone()))
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
                // What is picked has no type for rustc before this.
                let test = Expr::negated(self.load(found, span));
                let then = self.in_block(|this| take(this, item.clone()));
                let otherwise = self.in_block(|this| this.choose(choice, picked, item, span));
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
            Choice::Compared { by, wanted } => {
                let is_greater = match by {
                    By::Comparison(function) => {
                        let lent = |item: &Item| Item::Lent(Box::new(item.clone()));
                        self.is_greater(function, vec![lent(&known), lent(&item)], span)
                    }
                    By::Key(_) => self.has_greater_key([&known, &item], span),
                };
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
        if comparison(function.body()).is_none() {
            let order = self.inline(function, items);
            let mut order = self.item_value(order);
            self.put_aside(&mut order);
            return self.asked(&[order], |names| quote!(#(#names)*.is_gt()), span);
        }
        let mut order = Order::Total;
        let compared = self.inline_with(function, items, |this, body| {
            let comparison = comparison(body).expect("looked at before");
            order = comparison.order;
            let compared = this.values(&[comparison.left, comparison.right]);
            Item::Tuple(compared.into_iter().map(Item::value).collect())
        });
        let Item::Tuple(compared) = self.settled(compared) else { unreachable!("two operands") };
        let [left, right] = [0, 1].map(|side| {
            let mut value = self.item_value(compared[side].clone());
            self.put_aside(&mut value);
            value
        });
        match order {
            Order::Partial => Expr::test(BinaryOp::Gt, left, right),
            Order::Unwrapped => {
                self.refuse_nan(&left, &right, span);
                Expr::test(BinaryOp::Gt, left, right)
            }
            Order::Total => {
                let code = |names: &[Ident]| {
                    let (left, right) = (&names[0], &names[1]);
                    quote!(#left.total_cmp(&#right).is_gt())
                };
                self.asked(&[left, right], code, span)
            }
        }
    }

    /// A truth value that code finds of variables.
    fn asked(
        &mut self,
        values: &[Expr],
        code: impl FnOnce(&[Ident]) -> TokenStream,
        span: Span,
    ) -> Expr {
        let vars: Vec<Var> =
            values.iter().map(|value| value.as_var().expect("put aside")).collect();
        let names: Vec<Ident> =
            vars.iter().map(|var| Ident::new(&self.body.vars[*var].name, span)).collect();
        let opaque = Opaque {
            tokens: code(&names),
            reads: vars,
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
