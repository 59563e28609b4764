//! Adjoint liveness: which statements does the forward sweep run?
//!
//! `Live(∅) = ∅`, `Live(I; D) = Use(I⃖) ∪ (Live(D) ⊗ Dep(I))` (Hascoët, Reversal strategies 2007),
//! solved twice: for `PRIMAL = true` the results are live at the turn and every statement of the user
//! runs; for `PRIMAL = false` only what the backward sweep reads is live.
//!
//! # Limitations
//! An exit is live as soon as anything in the construct it leaves is.

use super::{Activity, Needed, Optimisation, Optimisations, Side};
use crate::dataflow::{Analysis, Direction, Grid, solve};
use crate::effects::Zones;
use crate::flow::{FlowGraph, PointKind};
use crate::index::{BitSet, Point, StmtId, Var, Zone};
use crate::ir::{
    Block, Body, CallMode, Class, Expr, ExprKind, Op, Stmt, StmtKind, declared_by, each_block,
    each_expr, each_stmt,
};
use crate::reify::Reified;
use crate::rules;
use crate::types::{FloatKind, Type};

/// The columns of the grid.
const MODES: usize = 2;

/// Whether the values of the primal are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// They are: `PRIMAL = true`.
    Primal = 0,
    /// They are not: `PRIMAL = false`.
    Bare = 1,
}

/// The statements that the forward sweep runs.
#[derive(Debug, PartialEq)]
pub struct Liveness {
    run: [BitSet<StmtId>; MODES],
}

struct Live<'a> {
    body: &'a Body,
    reified: &'a Reified,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    needed: &'a Needed,
    run: &'a [BitSet<StmtId>; MODES],
}

impl Analysis for Live<'_> {
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self) -> Grid {
        let mut grid = self.bottom();
        let results = self.body.result.iter().chain(&self.body.params);
        for zone in results.flat_map(|&var| self.zones.of_var(var)) {
            grid.insert(zone, Mode::Primal as usize);
        }
        grid
    }

    // Bottom: not live.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), MODES)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let info = self.graph.info(point);
        self.read(point, Side::After, facts);
        for (mode, run) in self.run.iter().enumerate() {
            let happens = info.stmt.is_none_or(|stmt| run.contains(stmt));
            // What is added for the backward sweep runs only where it writes something that is live.
            let is_added = || info.stmt.is_some_and(|stmt| self.reified.added.contains(stmt));
            if matches!(info.kind, PointKind::ScopeEnd { .. }) || happens || is_added() {
                for &zone in &info.effects.kills {
                    facts.remove(zone, mode);
                }
            }
            if happens {
                for &zone in &info.effects.uses {
                    facts.insert(zone, mode);
                }
            }
        }
        self.read(point, Side::Before, facts);
        if self.needed.own(point).is_some() {
            for &zone in &info.effects.writes {
                self.both(zone, facts);
            }
        }
    }
}

impl Live<'_> {
    fn read(&self, point: Point, side: Side, facts: &mut Grid) {
        for (zone, _) in self.needed.direct(point, side) {
            self.both(*zone, facts);
        }
    }

    fn both(&self, zone: Zone, facts: &mut Grid) {
        for mode in 0..MODES {
            facts.insert(zone, mode);
        }
    }
}

impl Liveness {
    /// Solves the equations: what is live decides which statements run, which decides what is live.
    pub fn of(
        body: &Body,
        reified: &Reified,
        zones: &Zones,
        graph: &FlowGraph,
        activity: &Activity,
        needed: &Needed,
        enabled: Optimisations,
    ) -> Self {
        let mut run = [BitSet::new(), BitSet::new()];
        let everything = !enabled.has(Optimisation::AdjointLiveness);
        each_stmt(&body.block, &mut |stmt| {
            // A value that only its overwriting puts aside is put aside by no one else.
            let own = needed.own(graph.at(stmt.id)).is_some();
            let added = reified.added.contains(stmt.id);
            // Not every value has a shape: it is asked for only where it is needed.
            let on_demand = added && takes_shape(stmt);
            let must_run = || must_run(body, graph, activity, stmt);
            let bare = !on_demand && (everything || own || must_run());
            if !added {
                run[Mode::Primal as usize].insert(stmt.id);
            }
            if bare {
                run[Mode::Primal as usize].insert(stmt.id);
                run[Mode::Bare as usize].insert(stmt.id);
            }
        });
        loop {
            let live = solve(graph, &Live { body, reified, zones, graph, needed, run: &run });
            let mut grew = false;
            for (mode, running) in run.iter_mut().enumerate() {
                let mut found = running.clone();
                each_stmt(&body.block, &mut |stmt| {
                    let point = graph.at(stmt.id);
                    let writes = &graph.info(point).effects.writes;
                    let result = needed.direct(point, Side::After);
                    let is_live = |&zone: &Zone| {
                        live.after(point).contains(zone, mode)
                            || result.iter().any(|(needed, _)| *needed == zone)
                    };
                    if writes.iter().any(is_live) {
                        found.insert(stmt.id);
                    }
                });
                declare_what_is_written(body, zones, graph, &mut found);
                close_over_structure(body, &mut found);
                grew |= running.join(&found);
            }
            if !grew {
                return Self { run };
            }
        }
    }

    /// Whether the forward sweep runs a statement.
    pub fn runs(&self, stmt: StmtId, mode: Mode) -> bool {
        self.run[mode as usize].contains(stmt)
    }
}

fn takes_shape(stmt: &Stmt) -> bool {
    matches!(stmt.value().map(|value| &value.kind), Some(ExprKind::Op(Op::Shape, _)))
}

/// Whether a statement runs even if nothing of it is read.
fn must_run(body: &Body, graph: &FlowGraph, activity: &Activity, stmt: &Stmt) -> bool {
    let point = graph.at(stmt.id);
    let effects = &graph.info(point).effects;
    let is_impure = effects.class.is_some_and(|class| class > Class::Pure) || is_checked(stmt);
    let is_active = || effects.flows.iter().any(|flow| !activity.condition(point, flow).is_never());
    match &stmt.kind {
        // The backward sweep of a split call reads what its forward sweep keeps. A joint call is
        // repeatable, or it is refused.
        StmtKind::Call(call) => {
            let replaceable = call.result.is_none_or(|var| body.vars[var].ty.has_placeholder());
            let may_fail = call.carrier.is_some() || call.failure.is_some();
            call.mode != CallMode::Joint || !is_active() || !replaceable || may_fail
        }
        // A value of unknown type cannot be left out: nothing can stand in for it.
        StmtKind::Let { var, value: _ } => is_impure || !body.vars[*var].ty.has_placeholder(),
        StmtKind::Assign { place, value: _ } => {
            let is_result = body.result == Some(place.root);
            is_impure || (is_result && !body.vars[place.root].ty.has_placeholder())
        }
        StmtKind::Opaque(opaque) => is_impure || !opaque.declares.is_empty(),
        StmtKind::Exit { label, code: _ } => *label == body.target.label,
        // Nothing is live in a loop that never ends, and yet control must not get past it.
        StmtKind::Loop(_) => is_impure || !graph.is_reachable(graph.after(stmt.id)),
        StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::If { .. }
        | StmtKind::Block { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => is_impure,
    }
}

/// Whether generated code checks the value: that of a function of a trait of a type parameter. Without the value nothing would tell what
/// the derivative is.
fn is_checked(stmt: &Stmt) -> bool {
    let mut found = false;
    each_expr(stmt, &mut |expr| found |= calls_trait(expr));
    found
}

fn calls_trait(expr: &Expr) -> bool {
    let ExprKind::Op(op, args) = &expr.kind else { return false };
    let is_parameter =
        || args.first().is_some_and(|arg| matches!(arg.ty, Type::Float(FloatKind::Generic(_))));
    let is_own = match op {
        Op::Called(_) => true,
        Op::Method(name) => rules::method(name).is_some() && is_parameter(),
        _ => false,
    };
    is_own || args.iter().any(calls_trait)
}

/// What is written is declared, also where the value that it is declared with is overwritten before it is read.
fn declare_what_is_written(
    body: &Body,
    zones: &Zones,
    graph: &FlowGraph,
    run: &mut BitSet<StmtId>,
) {
    let mut written: BitSet<Var> = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if run.contains(stmt.id) {
            let writes = &graph.info(graph.at(stmt.id)).effects.writes;
            written.extend(writes.iter().map(|&zone| zones.var(zone)));
        }
    });
    each_stmt(&body.block, &mut |stmt| {
        if declared_by(stmt).iter().any(|&var| written.contains(var)) {
            run.insert(stmt.id);
        }
    });
}

/// A construct runs if something in it does; its exits run with it. References are made wherever control
/// comes by, so that what they need is there even if nothing reads them.
fn close_over_structure(body: &Body, run: &mut BitSet<StmtId>) {
    references_of(&body.block, run);
    loop {
        let mut grew = false;
        each_stmt(&body.block, &mut |stmt| {
            let (mut inside, mut exits) = (Vec::new(), Vec::new());
            each_block(stmt, &mut |block| {
                each_stmt(block, &mut |inner| {
                    inside.push(inner.id);
                    if let StmtKind::Exit { label, code: _ } = inner.kind {
                        exits.push((label, inner.id));
                    }
                });
            });
            if inside.into_iter().any(|inner| run.contains(inner)) {
                grew |= run.insert(stmt.id);
            }
            if run.contains(stmt.id) {
                each_block(stmt, &mut |block| grew |= references_of(block, run));
            }
            if let Some(target) = stmt.target()
                && run.contains(stmt.id)
            {
                for (_, exit) in exits.into_iter().filter(|(label, _)| *label == target.label) {
                    grew |= run.insert(exit);
                }
            }
        });
        if !grew {
            return;
        }
    }
}

/// Lets the references of a block be made; says whether that is new of any of them.
fn references_of(block: &Block, run: &mut BitSet<StmtId>) -> bool {
    let references = block.stmts.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Bind { .. }));
    references.fold(false, |grew, stmt| run.insert(stmt.id) | grew)
}
