//! The backward sweep: the structure of the primal, walked from its end to its beginning.
//!
//! Each scope of the primal becomes a scope that starts by restoring what died at the end of the
//! primal's, declares the bars of its variables, and reverses the statements. Which way control went
//! through a construct is read from the variables that [reification](crate::reify) added; a statement
//! after a possible exit is reversed only if that exit was not taken.

mod lists;
mod read;
mod restore;

use super::ParamBar;
use super::values::{clone_wanted, unset, zero_bar};
use crate::analyses::{DefId, Facts, Side};
use crate::index::{BitSet, IndexVec, Label, Point, StmtId, Var};
use crate::ir::{
    Adaptor, BinaryOp, Binding, Block, Body, Condition, Expr, Guard, Loop, LoopKind, Op, Place,
    Range, Stmt, StmtKind, Target, Variable, completes, declared_by, each_stmt_mut, exits_of,
    exits_of_block,
};
use crate::reify::Reified;
use crate::types::Type;
use proc_macro2::Span;
use std::collections::HashMap;

/// What the reversal of a body yields.
pub(super) struct Reversed {
    pub(super) backward: Body,
    /// The bars, by parameter of the primal.
    pub(super) bars: Vec<ParamBar>,
    /// The bar of the result.
    pub(super) seed: Option<Var>,
    /// All variables that hold bars.
    pub(super) bars_held: BitSet<Var>,
    /// Those that are the bar of a variable of the primal, each with that variable.
    pub(super) bars_of: Vec<(Var, Var)>,
    /// Variables that hold what was overwritten, each with the place of the primal that was.
    pub(super) overwritten: Vec<(Var, Place)>,
}

/// Builds the backward sweep.
pub(super) fn backward(body: &Body, reified: &Reified, facts: &Facts) -> Reversed {
    let mut builder = Backward {
        primal: body,
        reified,
        facts,
        out: body.clone(),
        bars: IndexVec::filled(None, body.vars.len()),
        bars_held: BitSet::new(),
        bars_of: Vec::new(),
        overwritten: Vec::new(),
        restored: restored_vars(body, facts),
        repeated: vec![HashMap::new()],
        pending: HashMap::new(),
        captured: HashMap::new(),
        own: HashMap::new(),
    };
    let (bars, seed) = builder.header();
    let stmts = builder.body();
    builder.out.block.stmts = stmts;
    // What is read once may be read again. Out of what a `&` refers to the function itself moves nothing.
    let is_shared = |var| body.vars.get(var).is_some_and(|v| matches!(v.binding, Binding::Shared));
    each_stmt_mut(&mut builder.out.block, &mut |stmt| clone_wanted(stmt, &|var| !is_shared(var)));
    builder.out.target = body.target.clone();
    builder.out.target.exit = None;
    let Backward { out, bars_held, bars_of, overwritten, .. } = builder;
    Reversed { backward: out, bars, seed, bars_held, bars_of, overwritten }
}

/// Wraps statements in a condition on the instance, unless it always or never holds.
pub(super) fn guarded(body: &mut Body, guard: Guard, stmts: Vec<Stmt>) -> Vec<Stmt> {
    if stmts.is_empty() || guard.is_never() {
        return Vec::new();
    }
    if guard.is_always() {
        return stmts;
    }
    let span = stmts[0].span;
    let (then, otherwise) = (body.new_block(stmts), body.new_block(Vec::new()));
    vec![body.stmt(StmtKind::If { test: Expr::guard(guard), then, otherwise }, span)]
}

/// Variables that something is restored to.
fn restored_vars(body: &Body, facts: &Facts) -> BitSet<Var> {
    let points = facts.graph.order().iter();
    let saves = points.flat_map(|&point| facts.storage.saves(point));
    let restored = saves.filter(|save| !save.to_place.is_never());
    restored.map(|save| body.root_of(&save.place)).collect()
}

pub(super) struct Backward<'a> {
    pub(super) primal: &'a Body,
    pub(super) reified: &'a Reified,
    pub(super) facts: &'a Facts,
    pub(super) out: Body,
    /// The bars, by variable of the primal.
    pub(super) bars: IndexVec<Var, Option<Var>>,
    /// All variables that hold bars.
    bars_held: BitSet<Var>,
    /// Those that are the bar of a variable of the primal, each with that variable.
    bars_of: Vec<(Var, Var)>,
    /// Variables that hold what was overwritten, each with the place of the primal that was.
    overwritten: Vec<(Var, Place)>,
    restored: BitSet<Var>,
    /// Definitions that have been repeated, by scope of the backward sweep, innermost last.
    repeated: Vec<HashMap<DefId, (Var, Condition)>>,
    /// The variables that say which exit was taken, while its partial iteration is reversed.
    pending: HashMap<Label, Var>,
    /// Values that a statement left behind, put aside before what it overwrote is restored.
    captured: HashMap<Var, Var>,
    /// What a statement overwrote, where only its own adjoint reads it.
    own: HashMap<Point, Var>,
}

impl Backward<'_> {
    pub(super) fn emit(&mut self, kind: StmtKind, span: Span) -> Stmt {
        self.out.stmt(kind, span)
    }

    pub(super) fn guarded(&mut self, guard: Guard, stmts: Vec<Stmt>) -> Vec<Stmt> {
        guarded(&mut self.out, guard, stmts)
    }

    /// Parameters: each primal parameter that is passed again, its bar, the seed.
    fn header(&mut self) -> (Vec<ParamBar>, Option<Var>) {
        self.out.params.clear();
        self.out.kept = self.facts.storage.kept().to_vec();
        let mut bars = Vec::new();
        for &param in &self.primal.params {
            let Variable { name, ty, binding, span, .. } = self.primal.vars[param].clone();
            let by_caller = matches!(binding, Binding::Exclusive);
            if by_caller {
                // The caller's storage is out of reach: what is read of it is a copy.
                self.out.vars[param].binding = Binding::Value;
                if let Type::Slice(element) = &ty {
                    self.out.vars[param].ty = Type::Vec(element.clone());
                    self.out.vars[param].declared = None;
                }
            } else {
                self.out.vars[param].binding = Binding::Shared;
                self.out.params.push(param);
            }
            let has_bar = self.primal.independents.contains(&param)
                || self.primal.dependents.contains(&param);
            let bar = has_bar.then(|| {
                let hint = format!("{name}_b");
                let bar = self.out.variable(&hint, ty.clone(), Binding::Exclusive, span);
                self.bars_held.insert(bar);
                self.out.params.push(bar);
                self.set_bar(param, bar);
                bar
            });
            let shape = self.reified.shapes.get(&param).map(|&shape| self.out.load(shape));
            let used = !self.facts.needed.bar(param).is_never();
            let scratch = (bar.is_some() && by_caller && used).then(|| zero_bar(&ty, shape));
            bars.push(ParamBar { param, bar, scratch });
        }
        self.out.result = None;
        let seed = self.primal.result.filter(|result| self.primal.dependents.contains(result));
        let seed = seed.map(|result| {
            let Variable { name, ty, span, .. } = self.primal.vars[result].clone();
            let bar = self.bar_variable(&format!("{name}_b"), ty, span);
            self.out.params.push(bar);
            self.set_bar(result, bar);
            bar
        });
        (bars, seed)
    }

    /// The statements of the whole sweep.
    fn body(&mut self) -> Vec<Stmt> {
        let end = self.facts.graph.end();
        if !self.facts.graph.is_reachable(end) {
            return Vec::new();
        }
        let declared: Vec<Var> = self.primal.block.stmts.iter().flat_map(declared_by).collect();
        let mut stmts = Vec::new();
        for &var in &declared {
            if self.restored.contains(var) && !self.out.kept_vars().any(|kept| kept == var) {
                stmts.push(self.declare_storage(var));
            }
        }
        stmts.extend(self.recomputations(end, Side::Before));
        stmts.extend(self.recomputations(end, Side::After));
        let primal = self.primal;
        let mut inner = self.pending_exit(&primal.target, end, &primal.block);
        inner.extend(self.local_bars(&declared));
        inner.extend(self.unpassed_bars());
        let reversed = self.reverse_stmts(&primal.block.stmts);
        if reversed.is_empty() {
            return Vec::new();
        }
        stmts.extend(inner);
        stmts.extend(reversed);
        stmts
    }

    /// Bars of `&mut` parameters that are neither independent nor dependent but carry activity.
    fn unpassed_bars(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for &param in &self.primal.params {
            let is_exclusive = matches!(self.primal.vars[param].binding, Binding::Exclusive);
            let active = !self.facts.needed.bar(param).is_never();
            if is_exclusive && active && self.bars[param].is_none() {
                stmts.push(self.declare_bar(param));
            }
        }
        stmts
    }

    fn declare_storage(&mut self, var: Var) -> Stmt {
        let variable = &self.out.vars[var];
        let (value, span) = (unset(&variable.ty), variable.span);
        self.emit(StmtKind::Let { var, value: Some(value) }, span)
    }

    /// Declares the bars of variables of a scope.
    fn local_bars(&mut self, declared: &[Var]) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for &var in declared {
            let is_value = matches!(self.primal.vars[var].binding, Binding::Value);
            let is_bookkeeping = self.reified.shapes.values().any(|&shape| shape == var);
            let active = !self.facts.needed.bar(var).is_never();
            if is_value && active && !is_bookkeeping && self.bars[var].is_none() {
                stmts.push(self.declare_bar(var));
            }
        }
        stmts
    }

    /// A variable for a bar.
    pub(super) fn bar_variable(&mut self, hint: &str, ty: Type, span: Span) -> Var {
        let bar = self.out.local(hint, ty, span);
        self.bars_held.insert(bar);
        bar
    }

    fn set_bar(&mut self, var: Var, bar: Var) {
        self.bars[var] = Some(bar);
        self.bars_of.push((bar, var));
    }

    fn declare_bar(&mut self, var: Var) -> Stmt {
        let Variable { name, ty, span, .. } = self.primal.vars[var].clone();
        let shape = self.reified.shapes.get(&var).map(|&shape| self.shape_of(shape, var));
        let zero = zero_bar(&ty, shape);
        let bar = self.bar_variable(&format!("{name}_b"), zero.ty.clone(), span);
        self.set_bar(var, bar);
        self.emit(StmtKind::Let { var: bar, value: Some(zero) }, span)
    }

    /// The shape of a variable where it dies.
    fn shape_of(&mut self, shape: Var, var: Var) -> Expr {
        let dies = |point: &&Point| self.facts.graph.info(**point).dies.contains(&var);
        let point = self.facts.graph.order().iter().find(dies).copied();
        let point = point.unwrap_or(self.facts.graph.end());
        self.read(&self.primal.load(shape), point, Side::Before)
    }

    /// Reverses a block in a scope of its own.
    fn reverse_block(&mut self, block: &Block) -> Block {
        self.repeated.push(HashMap::new());
        let declared: Vec<Var> = block.stmts.iter().flat_map(declared_by).collect();
        let mut stmts = self.restore_scope(block, &declared);
        let bars = self.local_bars(&declared);
        let reversed = self.reverse_stmts(&block.stmts);
        self.repeated.pop();
        // Bars alone do nothing; pops must happen.
        if !reversed.is_empty() {
            stmts.extend(bars);
            stmts.extend(reversed);
        } else if !stmts.iter().any(contains_pop) {
            stmts.clear();
        }
        self.out.new_block(stmts)
    }

    /// `if test { then } else { otherwise }`, if there is anything to do.
    pub(super) fn choose(
        &mut self,
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    ) -> Vec<Stmt> {
        if then.is_empty() && otherwise.is_empty() {
            return Vec::new();
        }
        let span = then.first().or(otherwise.first()).map_or_else(Span::call_site, |s| s.span);
        if test.as_literal().is_some_and(|text| &**text == "true") {
            return then;
        }
        if test.as_literal().is_some_and(|text| &**text == "false") {
            return otherwise;
        }
        let (test, then, otherwise) = if then.is_empty() {
            (Expr::negated(test), otherwise, then)
        } else {
            (test, then, otherwise)
        };
        let (then, otherwise) = (self.out.new_block(then), self.out.new_block(otherwise));
        vec![self.emit(StmtKind::If { test, then, otherwise }, span)]
    }

    /// Whether one of these exits was taken.
    fn taken(&self, exits: &[(Label, u8)]) -> Expr {
        let tests = exits.iter().map(|(label, code)| match self.pending.get(label) {
            Some(&pending) => Expr::test(BinaryOp::Eq, self.out.load(pending), Expr::code(*code)),
            None => Expr::literal("false", Type::Bool),
        });
        let known: Vec<Expr> =
            tests.filter(|test| test.as_literal().is_none_or(|text| &**text != "false")).collect();
        let any = known.into_iter().reduce(|a, b| Expr::test(BinaryOp::Or, a, b));
        any.unwrap_or_else(|| Expr::literal("false", Type::Bool))
    }

    /// Reverses statements; each only if control got to it.
    fn reverse_stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut result = Vec::new();
        let mut rest = stmts;
        while !rest.is_empty() {
            // The run of statements that are reached under the same condition.
            let mut start = rest.len() - 1;
            while start > 0 && exits_of(&rest[start - 1]).is_empty() {
                start -= 1;
            }
            let exits: Vec<_> = rest[..start].iter().flat_map(exits_of).collect();
            self.repeated.push(HashMap::new());
            let mut run = Vec::new();
            for stmt in rest[start..].iter().rev() {
                run.extend(self.reverse_stmt(stmt));
            }
            let scope = self.repeated.pop().expect("pushed above");
            if exits.is_empty() {
                // The run is not wrapped, so what it computed again stays visible.
                self.repeated.last_mut().expect("a scope is open").extend(scope);
            }
            let test = self.taken(&exits);
            result.extend(self.choose(test, Vec::new(), run));
            rest = &rest[..start];
        }
        result
    }

    fn reverse_stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        // From where a function fails or panics there is no way back.
        if !self.facts.graph.is_on_the_way(self.facts.graph.at(stmt.id)) {
            return Vec::new();
        }
        match &stmt.kind {
            StmtKind::If { test, then, otherwise } => self
                .reverse_construct(stmt, |this, after| {
                    this.reverse_if(after, test, then, otherwise)
                }),
            StmtKind::Loop(inner) => {
                self.reverse_construct(stmt, |this, after| this.reverse_loop(stmt, after, inner))
            }
            StmtKind::Block { target, body } => self.reverse_construct(stmt, |this, after| {
                this.reverse_labelled(stmt, after, target.as_ref(), body)
            }),
            StmtKind::Exit { .. } => Vec::new(),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_) => self.reverse_simple(stmt),
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        }
    }

    /// Whether control gets out of a construct again, at its end or by an exit.
    fn is_left(&self, construct: StmtId) -> bool {
        let graph = &self.facts.graph;
        let mut exits = graph.leaving(construct).iter();
        graph.is_reachable(graph.after(construct)) || exits.any(|&point| graph.is_reachable(point))
    }

    /// Reverses a construct under the condition that there is anything to do in it: what says which way control went is
    /// not there if there is nothing.
    fn reverse_construct(
        &mut self,
        stmt: &Stmt,
        reverse: impl FnOnce(&mut Self, Point) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let Some(condition) = self.facts.needed.reversed(stmt.id).cloned() else {
            return Vec::new();
        };
        if !self.is_left(stmt.id) {
            return Vec::new();
        }
        let after = self.facts.graph.after(stmt.id);
        let mut stmts = self.recomputations(after, Side::After);
        let reversed = reverse(self, after);
        stmts.extend(self.guarded(Guard::both(condition), reversed));
        stmts
    }

    fn reverse_labelled(
        &mut self,
        stmt: &Stmt,
        after: Point,
        target: Option<&Target>,
        body: &Block,
    ) -> Vec<Stmt> {
        let mut stmts = match target {
            Some(target) => self.pending_exit(target, after, body),
            None => Vec::new(),
        };
        let body = self.reverse_block(body);
        if body.stmts.is_empty() {
            return Vec::new();
        }
        stmts.push(self.emit(StmtKind::Block { target: None, body }, stmt.span));
        stmts
    }

    fn reverse_if(&mut self, after: Point, test: &Expr, then: &Block, other: &Block) -> Vec<Stmt> {
        let (reversed_then, reversed_other) = (self.reverse_block(then), self.reverse_block(other));
        if reversed_then.stmts.is_empty() && reversed_other.stmts.is_empty() {
            return Vec::new();
        }
        let test = match (completes(then), completes(other)) {
            (true, true) => self.read(test, after, Side::After),
            (true, false) => Expr::negated(self.taken(&exits_of_block(other))),
            (false, _) => self.taken(&exits_of_block(then)),
        };
        self.choose(test, reversed_then.stmts, reversed_other.stmts)
    }

    fn reverse_loop(&mut self, stmt: &Stmt, after: Point, inner: &Loop) -> Vec<Stmt> {
        let mut stmts = self.pending_exit(&inner.target, after, &inner.body);
        let mut body = self.reverse_block(&inner.body);
        if body.stmts.is_empty() {
            return Vec::new();
        }
        // The exit was taken in the last iteration, which is reversed first.
        let mut left: Vec<Label> =
            exits_of_block(&inner.body).into_iter().map(|exit| exit.0).collect();
        left.dedup();
        for label in left {
            if let Some(&pending) = self.pending.get(&label) {
                let place = Place::var(pending);
                let assign = StmtKind::Assign { place, value: Expr::code(0) };
                body.stmts.push(self.emit(assign, stmt.span));
            }
        }
        let trips =
            inner.trips.map(|trips| self.read(&self.primal.load(trips), after, Side::After));
        let kind = match (&inner.kind, trips) {
            (LoopKind::Counted { var, range }, trips) => {
                let mut range = range.clone();
                for operand in range.operands_mut() {
                    *operand = self.read(operand, after, Side::After);
                }
                range.adaptors.extend(trips.map(Adaptor::Take));
                LoopKind::Counted { var: *var, range: range.reversed() }
            }
            (LoopKind::While { .. } | LoopKind::Forever, trips) => {
                let end = trips.expect("loops without a range count their iterations");
                let var = self.out.local("trip", Type::USIZE, stmt.span);
                let (start, adaptors) = (Expr::usize(0), Vec::new());
                LoopKind::Counted { var, range: Range { start, end, inclusive: false, adaptors } }
            }
        };
        let target = Target { label: inner.target.label, exit: None };
        stmts.push(self.emit(StmtKind::Loop(Loop { target, kind, trips: None, body }), stmt.span));
        stmts
    }

    /// Puts aside by which exit a construct was left.
    fn pending_exit(&mut self, target: &Target, after: Point, body: &Block) -> Vec<Stmt> {
        let (own, others): (Vec<_>, Vec<_>) =
            exits_of_block(body).into_iter().partition(|exit| exit.0 == target.label);
        let Some((_, only)) = own.first() else { return Vec::new() };
        let mut value = match target.exit {
            Some(exit) => self.read(&self.primal.load(exit), after, Side::After),
            None => Expr::code(*only),
        };
        // If an exit left an outer construct, this one was not left by an exit of its own.
        let outer = self.taken(&others);
        if outer.as_literal().is_none() {
            value = Expr::op(Op::Select, vec![outer, Expr::code(0), value], Type::U8);
        }
        let pending = self.out.local("taken", Type::U8, Span::call_site());
        self.pending.insert(target.label, pending);
        vec![self.emit(StmtKind::Let { var: pending, value: Some(value) }, Span::call_site())]
    }

    fn reverse_simple(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let facts = self.facts;
        let point = facts.graph.at(stmt.id);
        let effects = &facts.graph.info(point).effects;
        let mut stmts = self.recomputations(point, Side::After);
        let saves = facts.storage.saves(point);
        let restores = saves.iter().any(|save| !save.to_place.is_never());
        let reads_after = effects.flows.iter().any(|flow| !flow.needs.after.is_empty());
        // What a split call kept lies above what was pushed before the call.
        let restore_first = !matches!(stmt.kind, StmtKind::Call(ref call) if call.kept.is_some());
        stmts.extend(self.recomputations_if(point, Side::Before, Some(false)));
        if restore_first {
            if restores && reads_after {
                stmts.extend(self.capture(stmt, point));
            }
            stmts.extend(self.restore(saves, point, stmt.span));
        }
        stmts.extend(self.recomputations_if(point, Side::Before, Some(true)));
        stmts.extend(match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } => {
                self.reverse_assign(stmt, &Place::var(*var), value)
            }
            StmtKind::Assign { place, value } => {
                let place = self.primal.resolve(place);
                self.reverse_assign(stmt, &place, value)
            }
            StmtKind::Resize(resize) => self.reverse_resize(stmt, resize),
            StmtKind::Swap { a, b } => self.reverse_swap(stmt, a, b),
            StmtKind::Call(call) => self.reverse_call(stmt, call),
            // Without a value, or not simple.
            StmtKind::Let { value: None, .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. } => Vec::new(),
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        });
        if !restore_first {
            stmts.extend(self.restore(saves, point, stmt.span));
        }
        self.captured.clear();
        stmts
    }

    /// The variable that holds what the statement at a point overwrote, if only its own adjoint
    /// reads that.
    pub(super) fn own_value(&self, point: Point) -> Option<Var> {
        self.own.get(&point).copied()
    }
}

/// The exits inside a block that leave it, with their statements.
fn exits_with_ids(block: &Block) -> Vec<(StmtId, (Label, u8))> {
    let mut found = Vec::new();
    let leaving = exits_of_block(block);
    crate::ir::each_stmt(block, &mut |stmt| {
        if let StmtKind::Exit { label, code } = stmt.kind
            && leaving.contains(&(label, code))
        {
            found.push((stmt.id, (label, code)));
        }
    });
    found
}

fn contains_pop(stmt: &Stmt) -> bool {
    let mut found = matches!(stmt.kind, StmtKind::Pop { .. });
    crate::ir::each_block(stmt, &mut |block| found |= block.stmts.iter().any(contains_pop));
    found
}
