//! Chains of iterator adaptors: loops over what they go through.

use super::choices::leaves;
use super::closures::{Function, has_return};
use super::items::Item;
use super::nested::Whole;
use super::optional::{self, Failure};
use super::optional_syntax::{mentions_error, yields_optional};
use super::pipelines::{Pipeline, Stage};
use super::places::strip;
use super::sequences::Sequence;
use super::{Destination, Lowerer, Operand};
use crate::index::{Label, Var};
use crate::ir::{BinaryOp, Block, Expr, ExprKind, LoopKind, Op, Place, StmtKind, Target, UnaryOp};
use crate::stdlib::{self, Role};
use crate::types::Type;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// What is done with an item at the end of its way, in the loop of a label.
pub(super) type Sink<'s> = Box<dyn for<'l, 'a> FnOnce(&'l mut Lowerer<'a>, Item, Label) + 's>;

impl Lowerer<'_> {
    /// The loop that an iterator is. `None` if an iterator inside of it is not understood.
    pub(super) fn drive(
        &mut self,
        pipeline: Pipeline,
        name: Option<&syn::Label>,
        span: Span,
        sink: Sink<'_>,
    ) -> Option<()> {
        let Pipeline { sequence: Sequence { range, ty, items }, stages } = pipeline;
        let var = self.body.local("k", ty, span);
        self.counters.insert(var);
        self.made.insert(var);
        let label = self.body.numbering.label();
        let body = self.iteration(name, label, &Destination::Discard, |this| {
            this.leave_where_enough(&stages, label, span);
            let position = this.load(var, span);
            let item = this.item_at(&items, position);
            let whole = Whole { name, leaves: label, label, around: None };
            this.pass(&stages, item, whole, sink);
        });
        let kind = match stages.first() {
            // These leave by themselves, and know nothing of positions.
            Some(Stage::Next(_) | Stage::Succeed { .. }) => LoopKind::Forever,
            _ => LoopKind::Counted { var, range },
        };
        self.emit_loop(label, kind, body, span);
        (!std::mem::take(&mut self.misfit)).then_some(())
    }

    /// Leaves a loop where one of its stages lets no more items pass, before there is another one.
    pub(super) fn leave_where_enough(&mut self, stages: &[Stage], label: Label, span: Span) {
        for stage in stages {
            match stage {
                Stage::Take { left } => self.leave_at_zero(*left, label, span),
                Stage::Succeed { present, .. } => {
                    let test = Expr::negated(self.load(*present, span));
                    self.only_if(test, span, |this| {
                        this.emit(StmtKind::Exit { label, code: 0 }, span);
                    });
                }
                Stage::Copied
                | Stage::Map(_)
                | Stage::Filter(_)
                | Stage::FilterMap(_)
                | Stage::Inspect(_)
                | Stage::TakeWhile(_)
                | Stage::MapWhile(_)
                | Stage::SkipWhile { .. }
                | Stage::Scan { .. }
                | Stage::Enumerate { .. }
                | Stage::Skip { .. }
                | Stage::StepBy { .. }
                | Stage::Flatten(_)
                | Stage::Next(_) => {}
            }
        }
    }

    fn empty_block(&mut self) -> Block {
        self.body.new_block(Vec::new())
    }

    fn leave_at_zero(&mut self, left: Var, label: Label, span: Span) {
        let test = Expr::test(BinaryOp::Eq, self.load(left, span), Expr::usize(0));
        let then = self.in_block(|this| this.emit(StmtKind::Exit { label, code: 0 }, span));
        let otherwise = self.empty_block();
        self.emit(StmtKind::If { test, then, otherwise }, span);
    }

    /// Adds to a variable of an iterator, or takes from it.
    pub(super) fn count_on(&mut self, var: Var, op: BinaryOp, span: Span) {
        let value = Expr::binary(op, self.load(var, span), Expr::usize(1));
        self.emit(StmtKind::Assign { place: Place::var(var), value }, span);
    }

    /// An item on its way through the stages.
    pub(super) fn pass(&mut self, stages: &[Stage], item: Item, whole: Whole<'_>, sink: Sink<'_>) {
        let label = whole.label;
        let Some((stage, rest)) = stages.split_first() else {
            sink(self, item, label);
            return;
        };
        match stage {
            Stage::Copied => {
                let value = self.cloned_item(item);
                self.pass(rest, Item::value(value), whole, sink);
            }
            Stage::Map(function) => {
                let item = self.inline(function, vec![item]);
                self.pass(rest, item, whole, sink);
            }
            Stage::Inspect(function) => {
                let item = self.settled(item);
                let lent = Item::Lent(Box::new(item.clone()));
                let value = self.inline(function, vec![lent]);
                let value = self.item_value(value);
                self.discard(value);
                self.pass(rest, item, whole, sink);
            }
            Stage::Filter(function) => {
                let item = self.settled(item);
                let test = self.test_of(function, &item);
                let span = test.span;
                let then = self.in_block(|this| this.pass(rest, item, whole, sink));
                let otherwise = self.empty_block();
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            Stage::TakeWhile(function) => {
                let item = self.settled(item);
                let test = self.test_of(function, &item);
                let span = test.span;
                let then = self.in_block(|this| this.pass(rest, item, whole, sink));
                let otherwise =
                    self.in_block(|this| this.emit(StmtKind::Exit { label, code: 0 }, span));
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            Stage::SkipWhile { function, skipping } => {
                let item = self.settled(item);
                let span = function.body().span();
                let test = self.load(*skipping, span);
                let then = self.in_block(|this| {
                    let value = this.test_of(function, &item);
                    this.assign(Place::var(*skipping), value, span);
                });
                let otherwise = self.empty_block();
                self.emit(StmtKind::If { test, then, otherwise }, span);
                let test = Expr::negated(self.load(*skipping, span));
                let then = self.in_block(|this| this.pass(rest, item, whole, sink));
                let otherwise = self.empty_block();
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            Stage::FilterMap(function) => {
                let span = function.body().span();
                let absent = self.body.numbering.label();
                let body = self.in_block(|this| {
                    let item = this.option_item(function, vec![item], absent);
                    this.pass(rest, item, whole, sink);
                });
                let target = Some(Target { label: absent, exit: None });
                self.emit(StmtKind::Block { target, body }, span);
            }
            Stage::MapWhile(function) => {
                let item = self.option_item(function, vec![item], label);
                self.pass(rest, item, whole, sink);
            }
            Stage::Scan { function, state } => {
                let span = function.body().span();
                let place = Place::var(*state);
                let lent = Item::Operand(Operand::Reference { place, mutable: true, span });
                let item = self.option_item(function, vec![lent, item], label);
                self.pass(rest, item, whole, sink);
            }
            Stage::Enumerate { count } => {
                let span = Span::call_site();
                let number = self.load(*count, span);
                let number = self.name_value("number", number);
                self.count_on(*count, BinaryOp::Add, span);
                let number = Item::value(self.load(number, span));
                self.pass(rest, Item::Tuple(vec![number, item]), whole, sink);
            }
            Stage::Skip { left } => {
                let span = Span::call_site();
                let item = self.settled(item);
                let test = Expr::test(BinaryOp::Gt, self.load(*left, span), Expr::usize(0));
                let then = self.in_block(|this| this.count_on(*left, BinaryOp::Sub, span));
                let otherwise = self.in_block(|this| this.pass(rest, item, whole, sink));
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            Stage::StepBy { left, between } => {
                let span = Span::call_site();
                let item = self.settled(item);
                let test = Expr::test(BinaryOp::Gt, self.load(*left, span), Expr::usize(0));
                let then = self.in_block(|this| this.count_on(*left, BinaryOp::Sub, span));
                let otherwise = self.in_block(|this| {
                    this.assign(Place::var(*left), between.clone(), span);
                    this.pass(rest, item, whole, sink);
                });
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            Stage::Take { left } => {
                self.count_on(*left, BinaryOp::Sub, Span::call_site());
                self.pass(rest, item, whole, sink);
            }
            Stage::Flatten(function) => self.pass_each(function, item, rest, whole, sink),
            Stage::Next(cursors) => {
                let span = Span::call_site();
                let leave = StmtKind::Exit { label, code: 0 };
                let item = self.next_items(cursors, leave, span);
                self.pass(rest, item, whole, sink);
            }
            Stage::Succeed { function, next, present } => {
                let value = self.load(*next, function.body().span());
                let item = self.settled(Item::value(value));
                self.succeed(function, *next, *present, item.clone());
                self.pass(rest, item, whole, sink);
            }
        }
    }

    /// The value that `successors` yields next, if there is one.
    fn succeed(&mut self, function: &Function, next: Var, present: Var, item: Item) {
        let span = function.body().span();
        let absent = self.body.numbering.label();
        let no = Expr::literal("false", Type::Bool);
        self.assign(Place::var(present), no, span);
        let body = self.in_block(|this| {
            let item = this.option_item(function, vec![Item::Lent(Box::new(item))], absent);
            let value = this.item_value(item);
            this.assign(Place::var(next), value, span);
            let yes = Expr::literal("true", Type::Bool);
            this.assign(Place::var(present), yes, span);
        });
        let target = Some(Target { label: absent, exit: None });
        self.emit(StmtKind::Block { target, body }, span);
    }

    /// What a function says of an item that it gets by reference.
    pub(super) fn test_of(&mut self, function: &Function, item: &Item) -> Expr {
        self.truth_of(function, Item::Lent(Box::new(item.clone())))
    }

    /// What a function says of an item.
    pub(super) fn truth_of(&mut self, function: &Function, item: Item) -> Expr {
        let test = self.inline(function, vec![item]);
        let test = self.item_value(test);
        self.types.unify(&test.ty, &Type::Bool);
        test
    }

    /// What is in the option that a function returns; without anything in it, control leaves.
    fn option_item(&mut self, function: &Function, args: Vec<Item>, absent: Label) -> Item {
        self.inline_with(function, args, |this, body| {
            let span = body.span();
            if has_return(body) {
                let parts = this.new_parts("value", span);
                this.left_by_returns(body, Destination::Optional(parts));
                let optional = this.optional_of(parts, span);
                return this.payload_unless(optional, absent, span);
            }
            if !is_option(body) {
                return this.present_item(body, absent);
            }
            let ty = this.types.fresh();
            let var = this.body.local("value", ty, span);
            this.emit(StmtKind::Let { var, value: None }, span);
            this.option_into(body, &Destination::Place(Place::var(var)), absent);
            Item::value(this.load(var, span))
        })
    }

    /// The same of an option that is there already.
    fn present_item(&mut self, expr: &syn::Expr, absent: Label) -> Item {
        let span = expr.span();
        let Some(optional) = self.optional(expr) else {
            self.misfit = true;
            return Item::unit(span);
        };
        self.payload_unless(optional, absent, span)
    }

    fn payload_unless(&mut self, optional: optional::Optional, absent: Label, span: Span) -> Item {
        self.only_if(Expr::negated(optional.some), span, |this| {
            this.emit(StmtKind::Exit { label: absent, code: 0 }, span);
        });
        optional.payload
    }

    fn option_into(&mut self, expr: &syn::Expr, destination: &Destination, absent: Label) {
        let span = expr.span();
        match option_of(expr) {
            Some(Optional::Some(value)) => self.lower_into(value, destination),
            Some(Optional::None) => self.emit(StmtKind::Exit { label: absent, code: 0 }, span),
            Some(Optional::Block(before, tail)) => {
                self.block_into(&before, &Destination::Discard);
                self.option_into(tail, destination, absent);
            }
            Some(Optional::If(cond, branches)) => {
                let test = self.truth_value(cond);
                let [then, otherwise] = branches.each_ref().map(|branch| {
                    self.in_block(|this| this.option_into(branch, destination, absent))
                });
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            None => unreachable!("looked at before"),
        }
    }

    /// States what type the value of a chain is to have.
    pub(super) fn want(&mut self, expr: &syn::Expr, ty: Type) {
        self.wanted = is_typed_by_context(expr).then_some(ty);
    }

    /// The value of a chain that ends here, if it is understood.
    pub(super) fn chain(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let wanted = self.wanted.take();
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let stated = call.turbofish.as_ref().and_then(|turbofish| turbofish.args.first());
        let stated = match stated {
            Some(syn::GenericArgument::Type(ty)) => Some(self.lower_type(ty)),
            _ => None,
        };
        let wanted = stated.as_ref().or(wanted.as_ref());
        let method = call.method.to_string();
        self.attempt("a chain of iterators", |this| match (method.as_str(), args.as_slice()) {
            ("sum", []) => this.accumulated(call, BinaryOp::Add, wanted),
            ("product", []) => this.accumulated(call, BinaryOp::Mul, wanted),
            ("fold", [initial, function]) if stated.is_none() => this.fold(call, initial, function),
            ("for_each", [function]) => this.for_each(call, function),
            ("collect", []) => this.collect(call, wanted),
            ("unzip", []) if stated.is_none() => this.unzip(call, wanted),
            ("partition", [function]) if stated.is_none() => this.partition(call, function, wanted),
            ("concat", []) => this.concat(call),
            ("unwrap", []) | ("expect", [_]) => this.array_from_list(call, wanted),
            ("map", [function]) if stated.is_none() => this.array_map(call, function, wanted),
            ("count", []) => this.counted(call),
            ("any" | "all", [function]) => this.quantified(call, function),
            _ => None,
        })
    }

    /// `sum` and `product`.
    fn accumulated(
        &mut self,
        call: &syn::ExprMethodCall,
        op: BinaryOp,
        wanted: Option<&Type>,
    ) -> Option<Expr> {
        let span = call.span();
        let ty = self.types.fresh();
        if let Some(wanted) = wanted {
            self.types.unify(&ty, wanted);
        }
        // Integers carry no derivative: the chain is kept as it is, unless it calls what has to be looked into.
        let known = self.types.shallow(&ty);
        let is_number = self.types.is_float(&known)
            || self.types.is_open(&known)
            || matches!(known, Type::Int(_)) && self.may_have_effects(call, std::iter::empty());
        if let Type::Named(_) = &known {
            return self.accumulated_by_users(call, &known);
        }
        if !is_number {
            return None;
        }
        let pipeline = self.iterator(&call.receiver)?;
        let var = self.body.local(&call.method.to_string(), ty.clone(), span);
        self.mutable.insert(var);
        let declaration = self.out.len();
        self.emit(StmtKind::Let { var, value: None }, span);
        let sink: Sink<'_> = Box::new(|this, item, _| {
            let value = this.item_value(item);
            let known = this.load(var, span);
            let value = this.operation(op, known, value, span);
            this.assign(Place::var(var), value, span);
        });
        self.drive(pipeline, None, span, sink)?;
        let start = if self.types.is_int(&ty) {
            Expr::literal(if op == BinaryOp::Add { "0" } else { "1" }, ty)
        } else if op == BinaryOp::Add {
            // As in the standard library, whose empty sum is -0.
            Expr::new(ExprKind::Op(Op::Unary(UnaryOp::Neg), vec![Expr::zero(ty.clone())]), ty, span)
        } else {
            Expr::literal("1.0", ty)
        };
        self.out[declaration].kind = StmtKind::Let { var, value: Some(start) };
        self.made.insert(var);
        Some(self.load(var, span))
    }

    fn for_each(&mut self, call: &syn::ExprMethodCall, function: &syn::Expr) -> Option<Expr> {
        let span = call.span();
        let pipeline = self.iterator(&call.receiver)?;
        let function = self.function(function, 1)?;
        let sink: Sink<'_> = Box::new(|this, item, _| {
            let value = this.inline(&function, vec![item]);
            let value = this.item_value(value);
            this.discard(value);
        });
        self.drive(pipeline, None, span, sink)?;
        Some(Expr::new(ExprKind::Op(Op::Tuple, Vec::new()), Type::unit(), span))
    }

    fn fold(
        &mut self,
        call: &syn::ExprMethodCall,
        initial: &syn::Expr,
        function: &syn::Expr,
    ) -> Option<Expr> {
        let span = call.span();
        let mut pipeline = self.iterator(&call.receiver)?;
        let initial = self.after(&mut pipeline, |this| this.item_of(initial));
        let function = self.function(function, 2)?;
        let state = self.accumulator(initial)?;
        let sink: Sink<'_> = Box::new(|this, item, _| {
            let known = this.state_item(&state, span);
            // While the function runs, the variables of the state are not written.
            let vars = state.vars();
            this.resting.extend(vars.iter().copied());
            let next = this.inline(&function, vec![known, item]);
            vars.iter().for_each(|var| this.resting.remove(*var));
            this.store_state(&state, next, span);
        });
        self.drive(pipeline, None, span, sink)?;
        let item = self.state_item(&state, span);
        Some(self.item_value(item))
    }

    /// `try_fold`: a loop that ends where a step yields nothing. It is understood if the body of the closure says itself whether it does.
    pub(super) fn try_fold(
        &mut self,
        call: &syn::ExprMethodCall,
        initial: &syn::Expr,
        function: &syn::Expr,
    ) -> Option<optional::Optional> {
        let span = call.span();
        self.attempt("a chain of iterators", |this| {
            let mut pipeline = this.iterator_by_reference(&call.receiver)?;
            let initial = this.after(&mut pipeline, |this| this.item_of(initial));
            let Item::Operand(Operand::Value(initial)) = initial else { return None };
            let function = this.function(function, 2)?;
            if leaves(function.body()) || !yields_optional(function.body()) {
                return None;
            }
            let parts = this.new_parts("folded", span);
            this.assign(Place::var(parts.payload), initial, span);
            this.assign(Place::var(parts.some), Expr::literal("true", Type::Bool), span);
            let sink: Sink<'_> = Box::new(|this, item, label| {
                let state = Item::value(this.load(parts.payload, span));
                // A step writes it last.
                this.resting.extend([parts.payload]);
                this.inline_with(&function, vec![state, item], |this, body| {
                    this.lower_into(body, &Destination::Optional(parts));
                    Item::unit(span)
                });
                this.resting.remove(parts.payload);
                let is_over = Expr::negated(this.load(parts.some, span));
                this.only_if(is_over, span, |this| {
                    this.emit(StmtKind::Exit { label, code: 0 }, span);
                });
            });
            this.drive(pipeline, None, span, sink)?;
            let fails = mentions_error(function.body());
            let failure = if fails { Failure::Lost } else { Failure::None };
            Some(optional::Optional { failure, ..this.optional_of(parts, span) })
        })
    }

    fn accumulator(&mut self, initial: Item) -> Option<State> {
        match initial {
            Item::Operand(Operand::Value(value)) => {
                let var = self.name_value("folded", value);
                self.mutable.insert(var);
                Some(State::Var(var))
            }
            Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => None,
            Item::Tuple(parts) => {
                let parts = self.settled(Item::Tuple(parts));
                let Item::Tuple(parts) = parts else { return None };
                let parts: Option<Vec<State>> =
                    parts.into_iter().map(|part| self.accumulator(part)).collect();
                parts.map(State::Tuple)
            }
        }
    }

    fn state_item(&self, state: &State, span: Span) -> Item {
        match state {
            State::Var(var) => Item::value(self.load(*var, span)),
            State::Tuple(parts) => {
                Item::Tuple(parts.iter().map(|part| self.state_item(part, span)).collect())
            }
        }
    }

    fn store_state(&mut self, state: &State, next: Item, span: Span) {
        match (state, next) {
            (State::Tuple(_), next @ Item::Tuple(_)) => {
                let next = self.settled(next);
                self.store_settled(state, next, span);
            }
            (state, next) => self.store_settled(state, next, span),
        }
    }

    fn store_settled(&mut self, state: &State, next: Item, span: Span) {
        match (state, next) {
            (State::Var(var), next) => {
                let value = self.item_value(next);
                self.assign(Place::var(*var), value, span);
            }
            (State::Tuple(states), Item::Tuple(parts)) => {
                for (state, part) in states.iter().zip(parts) {
                    self.store_settled(state, part, span);
                }
            }
            (State::Tuple(states), next @ (Item::Operand(_) | Item::Lent(_))) => {
                let value = self.item_value(next);
                let fields = states.iter().map(|_| self.types.fresh()).collect();
                self.types.unify(&value.ty, &Type::Tuple(fields));
                let whole = self.place_of_value(value, "parts");
                for (position, state) in states.iter().enumerate() {
                    let place = whole.field(position);
                    let ty = self.type_of(&place);
                    let part = Item::value(Expr::load(place, ty, span));
                    self.store_settled(state, part, span);
                }
            }
        }
    }
}

/// The variables that `fold` keeps its value in.
enum State {
    Var(Var),
    Tuple(Vec<State>),
}

impl State {
    fn vars(&self) -> Vec<Var> {
        match self {
            State::Var(var) => vec![*var],
            State::Tuple(parts) => parts.iter().flat_map(State::vars).collect(),
        }
    }
}

/// An expression that is an option, as far as its syntax tells.
enum Optional<'e> {
    Some(&'e syn::Expr),
    None,
    Block(syn::Block, &'e syn::Expr),
    If(&'e syn::Expr, Box<[syn::Expr; 2]>),
}

fn option_of(expr: &syn::Expr) -> Option<Optional<'_>> {
    match strip(expr) {
        syn::Expr::Call(call) if is_path(&call.func, "Some") => {
            call.args.first().map(Optional::Some)
        }
        expr if is_path(expr, "None") => Some(Optional::None),
        syn::Expr::Block(block) if block.label.is_none() => match block.block.stmts.split_last()? {
            (syn::Stmt::Expr(tail, None), before) => {
                let before = syn::Block { stmts: before.to_vec(), ..block.block.clone() };
                Some(Optional::Block(before, tail))
            }
            _ => None,
        },
        syn::Expr::If(choice) => {
            let (_, otherwise) = choice.else_branch.as_ref()?;
            let then = &choice.then_branch;
            let then = syn::parse_quote!(#then);
            let has_let = matches!(strip(&choice.cond), syn::Expr::Let(_));
            (!has_let).then(|| Optional::If(&choice.cond, Box::new([then, (**otherwise).clone()])))
        }
        _ => None,
    }
}

pub(super) fn is_path(expr: &syn::Expr, name: &str) -> bool {
    matches!(strip(expr), syn::Expr::Path(path) if path.path.is_ident(name))
}

/// Whether it may matter what type an expression is to have.
pub(super) fn is_typed_by_context(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::MethodCall(call) => {
            let is_typed = stdlib::is(&call.method, Role::TypedByContext)
                || super::conversions::may_convert(&call.method);
            call.attrs.is_empty() && is_typed
        }
        syn::Expr::Call(call) => call.attrs.is_empty(),
        // The list in what is collected.
        syn::Expr::Try(exit) => match strip(&exit.expr) {
            syn::Expr::MethodCall(call) => call.method == "collect",
            _ => false,
        },
        syn::Expr::Tuple(tuple) => {
            tuple.attrs.is_empty() && tuple.elems.iter().any(is_typed_by_context)
        }
        syn::Expr::Array(array) => {
            array.attrs.is_empty() && array.elems.iter().any(is_typed_by_context)
        }
        _ => false,
    }
}

/// Whether an expression is written such that it is seen where there is something in the option.
fn is_option(expr: &syn::Expr) -> bool {
    match option_of(expr) {
        Some(Optional::Some(_) | Optional::None) => true,
        Some(Optional::Block(_, tail)) => is_option(tail),
        Some(Optional::If(_, branches)) => branches.iter().all(is_option),
        None => false,
    }
}
