//! The forward sweep: the primal with pushes before what overwrites needed values.

use super::moves::clone_what_stays;
use super::values::{clone_wanted, unset};
use crate::analyses::{Facts, Mode, Save};
use crate::index::{BitSet, Scope, StmtId, Var};
use crate::ir::{
    Block, Body, Call, CallMode, Expr, Guard, Loop, Place, Resize, Slot, Stmt, StmtKind, Sweep,
    Target, Transfer, Variable, completes, declared_by, each_stmt, exits_of_block,
};
use proc_macro2::Span;

/// Builds the forward sweep.
pub(super) fn forward(body: &Body, facts: &Facts) -> Body {
    let mut builder = Forward {
        primal: body,
        facts,
        out: body.clone(),
        scopes: Vec::new(),
        stored: stored_vars(body, facts),
        half_assigned: half_assigned_vars(body, facts),
        declared: declared_vars(body, facts),
        hoisted: BitSet::new(),
    };
    builder.out.kept = facts.storage.kept().to_vec();
    let mut stmts: Vec<Stmt> = builder.result_placeholder().into_iter().collect();
    let returns = exits_of_block(&body.block).iter().any(|exit| exit.0 == body.target.label);
    if returns {
        // What is kept must be there also where a `return` comes first.
        stmts.extend(builder.hoist_kept());
        let inner = builder.stmts(&body.block);
        let inner = builder.out.new_block(inner);
        let target = Some(Target { label: body.target.label, exit: None });
        stmts.push(builder.emit(StmtKind::Block { target, body: inner }, Span::call_site()));
        builder.out.target.label = builder.out.numbering.label();
    } else {
        stmts.extend(builder.stmts(&body.block));
    }
    builder.out.target.exit = None;
    builder.out.block.stmts = stmts;
    clone_what_stays(&mut builder.out, &|_| true, &|_| false);
    builder.out
}

struct Forward<'a> {
    primal: &'a Body,
    facts: &'a Facts,
    out: Body,
    /// The scopes around the current statement, that of the body apart.
    scopes: Vec<Scope>,
    /// Variables that are pushed or kept, so that they must have a value when that happens.
    stored: BitSet<Var>,
    /// Variables that are declared or referred to also where primal values are not wanted, and that some statements assign only if they are.
    half_assigned: BitSet<Var>,
    /// Variables whose declarations run.
    declared: BitSet<Var>,
    /// Variables declared at the beginning because an exit may come before their declaration.
    hoisted: BitSet<Var>,
}

fn stored_vars(body: &Body, facts: &Facts) -> BitSet<Var> {
    let mut stored: BitSet<Var> = facts.storage.kept().iter().map(|kept| kept.var).collect();
    for &point in facts.graph.order() {
        stored.extend(facts.storage.saves(point).iter().map(|save| body.root_of(&save.place)));
    }
    stored
}

fn half_assigned_vars(body: &Body, facts: &Facts) -> BitSet<Var> {
    let [mut referred_to, mut declared, mut assigned] = [(); 3].map(|()| BitSet::<Var>::new());
    each_stmt(
        &body.block,
        &mut |stmt| match (&stmt.kind, facts.liveness.runs(stmt.id, Mode::Bare)) {
            (StmtKind::Bind { view }, true) => {
                referred_to.insert(body.root_of(&Place::var(*view)));
            }
            (StmtKind::Let { var, value: None }, true) => {
                declared.insert(*var);
            }
            (StmtKind::Assign { place, value: _ }, false) => {
                assigned.insert(place.root);
            }
            (..) => {}
        },
    );
    // rustc does not see that what is assigned under one condition is read under the same.
    let is_declared = |var| declared.contains(var) && body.vars[var].ty.has_placeholder();
    assigned.iter().filter(|&var| referred_to.contains(var) || is_declared(var)).collect()
}

fn declared_vars(body: &Body, facts: &Facts) -> BitSet<Var> {
    let mut declared = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if facts.liveness.runs(stmt.id, Mode::Primal) {
            declared.extend(declared_by(stmt));
        }
    });
    declared
}

impl Forward<'_> {
    fn emit(&mut self, kind: StmtKind, span: Span) -> Stmt {
        self.out.stmt(kind, span)
    }

    /// Where the result is only computed if primal values are wanted, it needs some other value.
    fn result_placeholder(&mut self) -> Option<Stmt> {
        let result = self.primal.result?;
        let mut always = true;
        each_stmt(&self.primal.block, &mut |stmt| {
            if let StmtKind::Assign { place, value: _ } = &stmt.kind {
                let runs = self.facts.liveness.runs(stmt.id, Mode::Bare);
                always &= runs || place.root != result;
            }
        });
        let variable = &self.primal.vars[result];
        let (value, span) = (Expr::placeholder(&variable.ty)?, variable.span);
        let assign = StmtKind::Assign { place: Place::var(result), value };
        (!always).then(|| self.emit(assign, span))
    }

    /// An early `return` may leave the body before a kept variable is declared.
    fn hoist_kept(&mut self) -> Vec<Stmt> {
        let declared: BitSet<Var> = self.primal.block.stmts.iter().flat_map(declared_by).collect();
        let kept: Vec<Var> = self.out.kept_vars().collect();
        let mut stmts = Vec::new();
        for var in kept.into_iter().filter(|&var| declared.contains(var)) {
            let variable = &self.primal.vars[var];
            let (value, span) = (Some(unset(&variable.ty)), variable.span);
            stmts.push(self.emit(StmtKind::Let { var, value }, span));
            self.hoisted.insert(var);
        }
        stmts
    }

    fn block(&mut self, block: &Block) -> Block {
        self.scopes.push(block.scope);
        let mut stmts = self.stmts(block);
        self.scopes.pop();
        if completes(block) {
            stmts.extend(self.scope_end(block.scope, None));
        }
        Block { scope: block.scope, stmts }
    }

    fn stmts(&mut self, block: &Block) -> Vec<Stmt> {
        block.stmts.iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    /// The pushes of what dies at the end of a scope, or because an exit leaves it.
    fn scope_end(&mut self, scope: Scope, exit: Option<StmtId>) -> Vec<Stmt> {
        let Some(point) = self.facts.graph.scope_end(scope, exit) else { return Vec::new() };
        self.pushes(self.facts.storage.saves(point), Transfer::Move)
    }

    fn pushes(&mut self, saves: &[Save], transfer: Transfer) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for save in saves {
            let Some(place) = save.pushed() else { continue };
            let span = self.primal.vars[save.place.root].span;
            let push = self.emit(StmtKind::Push { place, transfer }, span);
            stmts.extend(self.guarded(save.guard(), vec![push]));
        }
        stmts
    }

    fn guarded(&mut self, guard: Guard, stmts: Vec<Stmt>) -> Vec<Stmt> {
        super::backward::guarded(&mut self.out, guard, stmts)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let runs = |mode| self.facts.liveness.runs(stmt.id, mode);
        let (primal, bare) = (runs(Mode::Primal), runs(Mode::Bare));
        if !primal || !self.facts.graph.is_reachable(self.facts.graph.at(stmt.id)) {
            return Vec::new();
        }
        let mut stmts = match &stmt.kind {
            StmtKind::Exit { .. } => {
                let mut stmts = Vec::new();
                for scope in self.scopes.clone().into_iter().rev() {
                    stmts.extend(self.scope_end(scope, Some(stmt.id)));
                }
                stmts.push(stmt.clone());
                stmts
            }
            _ => {
                let point = self.facts.graph.at(stmt.id);
                let mut stmts = self.pushes(self.facts.storage.saves(point), Transfer::Copy);
                stmts.extend(self.primal_stmt(stmt));
                stmts
            }
        };
        if !bare {
            stmts = self.only_if_primal(stmts);
        }
        stmts
    }

    /// The statement itself, as the forward sweep runs it.
    fn primal_stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let Stmt { id, span, kind } = stmt;
        let kind = match kind {
            StmtKind::If { test, then, otherwise } => StmtKind::If {
                test: test.clone(),
                then: self.block(then),
                otherwise: self.block(otherwise),
            },
            StmtKind::Loop(inner) => {
                let (target, body) = (self.target(&inner.target), self.block(&inner.body));
                let trips = inner.trips.filter(|trips| self.declared.contains(*trips));
                StmtKind::Loop(Loop { target, kind: inner.kind.clone(), trips, body })
            }
            StmtKind::Block { target, body } => StmtKind::Block {
                target: target.as_ref().map(|target| self.target(target)),
                body: self.block(body),
            },
            StmtKind::Call(call) => StmtKind::Call(self.call(stmt, call)),
            StmtKind::Let { var, value: Some(value) } if self.hoisted.contains(*var) => {
                StmtKind::Assign { place: Place::var(*var), value: value.clone() }
            }
            StmtKind::Let { var, value: None } => {
                if self.hoisted.contains(*var) {
                    return Vec::new();
                }
                let needs_value = self.stored.contains(*var) || self.half_assigned.contains(*var);
                let value = needs_value.then(|| unset(&self.primal.vars[*var].ty));
                StmtKind::Let { var: *var, value }
            }
            // How long the list was matters to the backward sweep only.
            StmtKind::Resize(resize) => StmtKind::Resize(Resize { len: None, ..resize.clone() }),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Exit { .. } => kind.clone(),
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        };
        let mut stmts = vec![Stmt { id: *id, span: *span, kind }];
        clone_wanted(&mut stmts[0], &|var| self.stored.contains(var));
        self.hoist_call_results(&mut stmts);
        stmts
    }

    /// What tells how control left a construct is told only if somebody asks.
    fn target(&self, target: &Target) -> Target {
        let exit = target.exit.filter(|exit| self.declared.contains(*exit));
        Target { label: target.label, exit }
    }

    /// An active call that is split runs the forward sweep of its callee.
    fn call(&mut self, stmt: &Stmt, call: &Call) -> Call {
        let active =
            super::call::activity(self.primal, self.facts, &self.facts.activity, stmt, call);
        let mut call = call.clone();
        if active.any.is_never() {
            // Nothing of it runs again.
            call.mode = CallMode::Split;
            call.kept = None;
            return call;
        }
        if call.mode == CallMode::Joint {
            call.kept = None;
            return call;
        }
        for (arg, condition) in call.args.iter_mut().zip(active.args) {
            arg.slot = if condition.is_never() { Slot::Passive } else { Slot::Marker(condition) };
        }
        call.sweep = Sweep::Forward { primal: Guard::always(self.primal.pairs()) };
        call
    }

    /// A call declares its result; where that is declared already, it goes through another variable.
    fn hoist_call_results(&mut self, stmts: &mut Vec<Stmt>) {
        let [Stmt { kind: StmtKind::Call(call), span, .. }] = stmts.as_mut_slice() else { return };
        let span = *span;
        let mut moves = Vec::new();
        for slot in [&mut call.result, &mut call.kept, &mut call.failure] {
            let Some(var) = slot.filter(|&var| self.hoisted.contains(var)) else { continue };
            let Variable { name, ty, .. } = self.out.vars[var].clone();
            let inner = self.out.local(&name, ty, span);
            moves.push((var, inner));
            *slot = Some(inner);
        }
        for (var, inner) in moves {
            let value = self.out.load(inner);
            stmts.push(self.out.stmt(StmtKind::Assign { place: Place::var(var), value }, span));
        }
    }

    /// Runs statements only if primal values are wanted. What they declare is declared before, with
    /// a placeholder.
    fn only_if_primal(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for stmt in stmts {
            let Stmt { id, span, kind } = stmt;
            match kind {
                StmtKind::Let { var, value } => {
                    let initial = Some(unset(&self.out.vars[var].ty));
                    outside.push(self.emit(StmtKind::Let { var, value: initial }, span));
                    if let Some(value) = value {
                        let kind = StmtKind::Assign { place: Place::var(var), value };
                        inside.push(Stmt { id, span, kind });
                    }
                }
                StmtKind::Call(mut call) => {
                    let results = [&mut call.result, &mut call.kept, &mut call.failure];
                    let mut moves = Vec::new();
                    for slot in results {
                        let Some(var) = *slot else { continue };
                        let Variable { name, ty, .. } = self.out.vars[var].clone();
                        let initial = Some(unset(&ty));
                        outside.push(self.out.stmt(StmtKind::Let { var, value: initial }, span));
                        let inner = self.out.local(&name, ty, span);
                        *slot = Some(inner);
                        moves.push((var, inner));
                    }
                    inside.push(Stmt { id, span, kind: StmtKind::Call(call) });
                    for (var, inner) in moves {
                        let place = Place::var(var);
                        let value = self.out.load(inner);
                        inside.push(self.emit(StmtKind::Assign { place, value }, span));
                    }
                }
                // A reference costs nothing and cannot be declared without its place.
                kind @ StmtKind::Bind { .. } => outside.push(Stmt { id, span, kind }),
                kind => inside.push(Stmt { id, span, kind }),
            }
        }
        let guard = Guard::primal_only(self.primal.pairs());
        outside.extend(self.guarded(guard, inside));
        outside
    }
}
