//! The body of a callee as a block of its caller: with variables, labels and scopes of the caller.

use crate::index::{BitSet, Label, Var};
use crate::ir::{
    Adaptor, Arg, ArgKind, Binding, Block, Body, Call, Change, Expr, ExprKind, Loop, LoopKind,
    Place, Projection, Range, Resize, Stmt, StmtKind, Target, Through, View, each_place, each_stmt,
    exits_of_block, written_by,
};
use crate::types::Type;
use proc_macro2::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// Copies one callee for one call.
pub(super) struct Copier<'a> {
    caller: &'a mut Body,
    callee: &'a Body,
    /// Variables of the caller that are written after their declaration.
    written: &'a BitSet<Var>,
    /// What stands for the variables of the callee.
    vars: HashMap<Var, Var>,
    labels: HashMap<Label, Label>,
    /// What comes before the body.
    prologue: Vec<Stmt>,
}

impl<'a> Copier<'a> {
    pub(super) fn new(caller: &'a mut Body, callee: &'a Body, written: &'a BitSet<Var>) -> Self {
        let (vars, labels) = (HashMap::new(), HashMap::new());
        Self { caller, callee, written, vars, labels, prologue: Vec::new() }
    }

    /// The statements that do what the call does.
    pub(super) fn call(mut self, call: &Call, span: Span) -> Vec<Stmt> {
        let callee = self.callee;
        let mut rewritten = BitSet::new();
        each_stmt(&callee.block, &mut |stmt| rewritten.extend(written_by(callee, stmt)));
        // Values come before references: those may refer to what the values are computed from.
        for (arg, &param) in call.args.iter().zip(&callee.params) {
            if let ArgKind::Value(value) = &arg.kind {
                self.value(param, value, rewritten.contains(param), span);
            }
        }
        for (arg, &param) in call.args.iter().zip(&callee.params) {
            match &arg.kind {
                ArgKind::Shared(place) => self.reference(param, place, false, span),
                ArgKind::Exclusive(place) => {
                    let mutable = matches!(callee.vars[param].binding, Binding::Exclusive);
                    self.reference(param, place, mutable, span);
                }
                ArgKind::Value(_) | ArgKind::Omitted => {}
            }
        }
        let result = call.result.or_else(|| callee.result.map(|result| self.declared(result)));
        if let (Some(to), Some(from)) = (result, callee.result) {
            self.vars.insert(from, to);
            self.settle_type(to, &callee.vars[from].ty);
        }
        self.body(result, span)
    }

    /// The body, after what declares the result.
    fn body(mut self, result: Option<Var>, span: Span) -> Vec<Stmt> {
        let callee = self.callee;
        let is_left =
            exits_of_block(&callee.block).iter().any(|(label, _)| *label == callee.target.label);
        let binds = self.prologue.iter().any(|stmt| matches!(stmt.kind, StmtKind::Bind { .. }));
        let last = callee.result.and_then(|result| last_value(callee, result));
        if !is_left && !binds && (callee.result.is_none() || last.is_some()) {
            let mut stmts = std::mem::take(&mut self.prologue);
            let count = callee.block.stmts.len() - usize::from(last.is_some());
            for stmt in &callee.block.stmts[..count] {
                stmts.push(self.stmt(stmt));
            }
            if let (Some((value, span)), Some(var)) = (last, result) {
                let value = Some(self.expr(value));
                stmts.push(self.caller.stmt(StmtKind::Let { var, value }, span));
            }
            return stmts;
        }
        let mut stmts = Vec::new();
        if let Some(var) = result {
            stmts.push(self.caller.stmt(StmtKind::Let { var, value: None }, span));
        }
        let target = is_left.then(|| self.target(&callee.target));
        let mut inner = std::mem::take(&mut self.prologue);
        for stmt in &callee.block.stmts {
            inner.push(self.stmt(stmt));
        }
        let body = self.caller.new_block(inner);
        stmts.push(self.caller.stmt(StmtKind::Block { target, body }, span));
        stmts
    }

    /// A parameter that is passed by value.
    fn value(&mut self, param: Var, value: &Expr, is_written: bool, span: Span) {
        if let Some(var) = value.as_var()
            && !is_written
            && !self.written.contains(var)
            && matches!(self.caller.vars[var].binding, Binding::Value)
            && self.caller.vars[var].ty == self.callee.vars[param].ty
        {
            self.vars.insert(param, var);
            return;
        }
        let var = self.declared(param);
        let declare = StmtKind::Let { var, value: Some(value.clone()) };
        let stmt = self.caller.stmt(declare, span);
        self.prologue.push(stmt);
    }

    /// A parameter that is a reference to a place.
    fn reference(&mut self, param: Var, place: &Place, mutable: bool, span: Span) {
        if place.is_whole() {
            self.vars.insert(param, place.root);
            return;
        }
        let place = self.captured(place, span);
        let through = if mutable { self.caller.through(&place) } else { None };
        let binding = View { place: self.caller.resolve(&place), mutable, through };
        let ty = self.caller.place_type(&place);
        let variable = &self.callee.vars[param];
        let view = Binding::View(Rc::new(binding));
        let view = self.caller.variable(&variable.name, ty, view, variable.span);
        self.vars.insert(param, view);
        let stmt = self.caller.stmt(StmtKind::Bind { view }, span);
        self.prologue.push(stmt);
    }

    /// The place with indices that never change.
    fn captured(&mut self, place: &Place, span: Span) -> Place {
        let mut place = place.clone();
        for step in &mut place.projections {
            match step {
                Projection::Field(_) | Projection::Boxed => {}
                Projection::Index(index) | Projection::Got { at: index, .. } => {
                    self.capture(index, span);
                }
                Projection::Slice { start, end } => {
                    for bound in [start, end].into_iter().flatten() {
                        self.capture(bound, span);
                    }
                }
            }
        }
        place
    }

    fn capture(&mut self, index: &mut Expr, span: Span) {
        let is_fixed = index.as_var().is_some_and(|var| {
            let is_view = matches!(self.caller.vars[var].binding, Binding::View(_));
            !is_view && !self.written.contains(var)
        });
        if is_fixed || index.as_literal().is_some() {
            return;
        }
        let var = self.caller.local("index", index.ty.clone(), span);
        let value = std::mem::replace(index, self.caller.load(var));
        let stmt = self.caller.stmt(StmtKind::Let { var, value: Some(value) }, span);
        self.prologue.push(stmt);
    }

    /// What the caller now knows of its result.
    fn settle_type(&mut self, result: Var, ty: &Type) {
        let variable = &mut self.caller.vars[result];
        if variable.ty == Type::Unknown {
            variable.ty = ty.clone();
        }
    }

    /// A new variable like one of the callee.
    fn declared(&mut self, var: Var) -> Var {
        let variable = &self.callee.vars[var];
        let copy = self.caller.local(&variable.name, variable.ty.clone(), variable.span);
        let declared = variable.declared.clone();
        // The lifetimes of a signature have no meaning in another function.
        let declared = declared.filter(|tokens| !tokens.to_string().contains('\''));
        let assumed = variable.assumed;
        let new = &mut self.caller.vars[copy];
        (new.declared, new.assumed) = (declared, assumed);
        self.vars.insert(var, copy);
        copy
    }

    /// What stands for a variable.
    fn var(&mut self, var: Var) -> Var {
        if let Some(known) = self.vars.get(&var) {
            return *known;
        }
        match &self.callee.vars[var].binding {
            Binding::Global(path) => {
                let path = path.clone();
                let copy = self.global(var, &path.to_string());
                self.vars.insert(var, copy);
                copy
            }
            Binding::View(view) => {
                let view = self.view(view);
                let copy = self.declared(var);
                self.caller.vars[copy].binding = Binding::View(Rc::new(view));
                copy
            }
            Binding::Value | Binding::Shared | Binding::Exclusive => self.declared(var),
        }
    }

    fn global(&mut self, var: Var, path: &str) -> Var {
        let is_same = |binding: &Binding| matches!(binding, Binding::Global(other) if other.to_string() == path);
        let known = self.caller.vars.enumerated().find(|(_, variable)| is_same(&variable.binding));
        if let Some(known) = known.map(|(known, _)| known) {
            return known;
        }
        let copy = self.declared(var);
        self.caller.vars[copy].binding = self.callee.vars[var].binding.clone();
        copy
    }

    fn view(&mut self, view: &View) -> View {
        let place = self.place(&view.place);
        let before = place.projections.len();
        let resolved = self.caller.resolve(&place);
        let more = resolved.projections.len() - before;
        let through = match view.through {
            Some(Through { view, depth }) => {
                Some(Through { view: self.var(view), depth: depth + more })
            }
            None if view.mutable => self.caller.through(&place),
            None => None,
        };
        View { place: resolved, mutable: view.mutable, through }
    }

    fn label(&mut self, label: Label) -> Label {
        let numbering = &mut self.caller.numbering;
        *self.labels.entry(label).or_insert_with(|| numbering.label())
    }

    fn target(&mut self, target: &Target) -> Target {
        Target { label: self.label(target.label), exit: target.exit.map(|exit| self.var(exit)) }
    }

    fn block(&mut self, block: &Block) -> Block {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        self.caller.new_block(stmts)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let kind = self.kind(&stmt.kind);
        self.caller.stmt(kind, stmt.span)
    }

    fn kind(&mut self, kind: &StmtKind) -> StmtKind {
        match kind {
            StmtKind::Let { var, value } => {
                let value = value.as_ref().map(|value| self.expr(value));
                StmtKind::Let { var: self.var(*var), value }
            }
            StmtKind::Assign { place, value } => {
                StmtKind::Assign { place: self.place(place), value: self.expr(value) }
            }
            StmtKind::Resize(Resize { list, change, len }) => StmtKind::Resize(Resize {
                list: self.place(list),
                change: match change {
                    Change::Extend(items) => Change::Extend(self.expr(items)),
                    Change::Truncate(rest) => Change::Truncate(self.expr(rest)),
                },
                len: len.map(|len| self.var(len)),
            }),
            StmtKind::Swap { a, b } => StmtKind::Swap { a: self.place(a), b: self.place(b) },
            StmtKind::Bind { view } => StmtKind::Bind { view: self.var(*view) },
            StmtKind::Call(call) => StmtKind::Call(self.inner_call(call)),
            StmtKind::Opaque(opaque) => StmtKind::Opaque(opaque.clone()),
            StmtKind::If { test, then, otherwise } => StmtKind::If {
                test: self.expr(test),
                then: self.block(then),
                otherwise: self.block(otherwise),
            },
            StmtKind::Loop(inner) => StmtKind::Loop(self.repetition(inner)),
            StmtKind::Block { target, body } => {
                let target = target.as_ref().map(|target| self.target(target));
                StmtKind::Block { target, body: self.block(body) }
            }
            StmtKind::Exit { label, code } => {
                StmtKind::Exit { label: self.label(*label), code: *code }
            }
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("it is not in functions that are inlined"),
        }
    }

    fn inner_call(&mut self, call: &Call) -> Call {
        let mut copy = call.clone();
        copy.result = call.result.map(|result| self.var(result));
        for Arg { kind, slot: _ } in &mut copy.args {
            match kind {
                ArgKind::Value(value) => *value = self.expr(value),
                ArgKind::Shared(place) | ArgKind::Exclusive(place) => *place = self.place(place),
                ArgKind::Omitted => {}
            }
        }
        copy
    }

    fn repetition(&mut self, inner: &Loop) -> Loop {
        let target = self.target(&inner.target);
        let kind = match &inner.kind {
            LoopKind::Counted { var, range } => {
                let range = self.range(range);
                LoopKind::Counted { var: self.var(*var), range }
            }
            LoopKind::While { test } => LoopKind::While { test: self.expr(test) },
            LoopKind::Forever => LoopKind::Forever,
        };
        let trips = inner.trips.map(|trips| self.var(trips));
        Loop { target, kind, trips, body: self.block(&inner.body) }
    }

    fn range(&mut self, range: &Range) -> Range {
        let adaptors = range.adaptors.iter().map(|adaptor| match adaptor {
            Adaptor::Rev => Adaptor::Rev,
            Adaptor::StepBy(count) => Adaptor::StepBy(self.expr(count)),
            Adaptor::Take(count) => Adaptor::Take(self.expr(count)),
        });
        let adaptors = adaptors.collect();
        let (start, end) = (self.expr(&range.start), self.expr(&range.end));
        Range { start, end, inclusive: range.inclusive, adaptors }
    }

    fn place(&mut self, place: &Place) -> Place {
        let projections = place.projections.iter().map(|step| match step {
            Projection::Field(_) | Projection::Boxed => step.clone(),
            Projection::Index(index) => Projection::Index(self.expr(index)),
            Projection::Slice { start, end } => Projection::Slice {
                start: start.as_ref().map(|start| self.expr(start)),
                end: end.as_ref().map(|end| self.expr(end)),
            },
            Projection::Got { getter, at } => {
                Projection::Got { getter: getter.clone(), at: self.expr(at) }
            }
        });
        let projections = projections.collect();
        Place { root: self.var(place.root), projections }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Load(place) => ExprKind::Load(self.place(place)),
            ExprKind::Op(op, args) => {
                let args = args.iter().map(|arg| self.expr(arg)).collect();
                ExprKind::Op(op.clone(), args)
            }
            kind @ (ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_)) => {
                kind.clone()
            }
        };
        Expr::new(kind, expr.ty.clone(), expr.span)
    }
}

/// The value of the result, if the last statement says it and no other mentions it.
fn last_value(body: &Body, result: Var) -> Option<(&Expr, Span)> {
    let (last, rest) = body.block.stmts.split_last()?;
    let StmtKind::Assign { place, value } = &last.kind else { return None };
    let mut mentioned = false;
    for stmt in rest {
        let mut visit =
            |stmt: &Stmt| each_place(stmt, &mut |place| mentioned |= place.root == result);
        visit(stmt);
        crate::ir::each_block(stmt, &mut |block| each_stmt(block, &mut visit));
    }
    let is_whole = place.is_whole() && place.root == result;
    (is_whole && !mentioned).then_some((value, last.span))
}
