//! What do the numbers of a loop have from elsewhere than from what they were when it was entered?
//!
//! The ends of an interval may carry derivatives into a bisection, which come out of it as those of its middle. The root has nothing of
//! them: it follows from what the loop compares. So for a search the values with which its numbers enter count for constants.

use super::Searched;
use crate::analyses::Activity;
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::Zones;
use crate::flow::FlowGraph;
use crate::index::{Point, StmtId, Zone};
use crate::ir::{BinaryOp, Body, Expr, ExprKind, Op, StmtKind, UnaryOp, each_stmt, places_in};
use std::collections::{BTreeMap, BTreeSet};

/// Where derivatives pass in a loop, if none do through what its own numbers are when it is entered.
pub(super) struct Gained {
    solution: Solution,
}

impl Gained {
    pub(super) fn of(of: StmtId, zones: &Zones, graph: &FlowGraph, activity: &Activity) -> Self {
        let within = |&&point: &&Point| graph.info(point).inside.contains(&of);
        let points = graph.order().iter().filter(within);
        let own = points.flat_map(|&point| graph.info(point).effects.writes.iter().copied());
        let own: BTreeSet<Zone> = own.collect();
        Self { solution: solve(graph, &Entered { of, own, zones, graph, activity }) }
    }

    /// Whether any of these has a derivative, or is found out of one that has, as what a comparison says.
    pub(super) fn is_told(&self, point: Point, zones: &[Zone]) -> bool {
        !self.solution.before(point).union_of(zones).is_clear()
    }

    pub(super) fn has_after(&self, point: Point, zone: Zone) -> bool {
        self.solution.after(point).contains(zone, PASSES)
    }
}

/// The columns: what has a derivative, and what is found out of that.
const PASSES: usize = 0;
const TOLD: usize = 1;

struct Entered<'a> {
    of: StmtId,
    /// What the loop writes.
    own: BTreeSet<Zone>,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    activity: &'a Activity,
}

impl Analysis for Entered<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        let mut grid = self.bottom();
        let start = self.graph.start();
        let others = self.zones.all().filter(|zone| !self.own.contains(zone));
        others
            .filter(|&zone| self.activity.is_varied(start, &[zone]))
            .for_each(|zone| grid.insert(zone, PASSES));
        grid
    }

    // Bottom: nothing has any.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), TOLD + 1)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let info = self.graph.info(point);
        if info.inside.contains(&self.of) {
            let is_told = !facts.union_of(&info.effects.uses).is_clear();
            pass(self.graph, point, facts);
            if is_told {
                info.effects.writes.iter().for_each(|&zone| facts.insert(zone, TOLD));
            }
            return;
        }
        for zone in self.zones.all() {
            facts.clear(zone);
            if !self.own.contains(&zone) && self.activity.is_varied_after(point, zone) {
                facts.insert(zone, PASSES);
            }
        }
    }
}

/// Where derivatives pass, if none do through what is searched.
pub(super) struct Others<'a> {
    pub(super) body: &'a Body,
    pub(super) zones: &'a Zones,
    pub(super) graph: &'a FlowGraph,
    /// What is searched, by loops.
    pub(super) searched: BTreeMap<StmtId, BTreeSet<Zone>>,
}

impl<'a> Others<'a> {
    pub(super) fn than(
        searched: &[Searched],
        body: &'a Body,
        zones: &'a Zones,
        graph: &'a FlowGraph,
    ) -> Self {
        let mut by_loops: BTreeMap<StmtId, BTreeSet<Zone>> = BTreeMap::new();
        for Searched { of, zone, .. } in searched {
            by_loops.entry(*of).or_default().insert(*zone);
        }
        Self { body, zones, graph, searched: by_loops }
    }

    fn leave_out(&self, point: Point, facts: &mut Grid) {
        let info = self.graph.info(point);
        for stmt in info.inside.iter().chain(&info.stmt) {
            for &zone in self.searched.get(stmt).into_iter().flatten() {
                facts.clear(zone);
            }
        }
    }
}

impl Analysis for Others<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        let mut grid = self.bottom();
        let independents = self.body.independents.iter().flat_map(|&var| self.zones.of_var(var));
        independents
            .filter(|&zone| self.zones.may_carry_floats(zone))
            .for_each(|zone| grid.insert(zone, 0));
        grid
    }

    // Bottom: nothing has any.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), 1)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        self.leave_out(point, facts);
        pass(self.graph, point, facts);
        self.leave_out(point, facts);
    }
}

/// What is written at a point has what it is made of.
fn pass(graph: &FlowGraph, point: Point, facts: &mut Grid) {
    let effects = &graph.info(point).effects;
    let gained: Vec<_> = effects.flows.iter().map(|flow| facts.union_of(&flow.from)).collect();
    for &zone in &effects.kills {
        facts.clear(zone);
    }
    for (flow, columns) in effects.flows.iter().zip(&gained) {
        flow.to.iter().for_each(|&zone| facts.add(zone, columns));
    }
}

/// The statements that move and scale numbers, and do not compute with them otherwise: a step of an equation is no search, though
/// its size may be chosen by comparisons.
pub(super) fn linear_in(body: &Body, zones: &Zones, numbers: &BTreeSet<Zone>) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    each_stmt(&body.block, &mut |stmt| {
        let value = match &stmt.kind {
            StmtKind::Let { value, .. } => value.as_ref(),
            StmtKind::Assign { value, .. } | StmtKind::Increment { value, .. } => Some(value),
            StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => None,
        };
        let is_swap = matches!(stmt.kind, StmtKind::Swap { .. });
        if is_swap
            || value
                .is_some_and(|value| is_linear(value, &|expr| mentions(body, zones, numbers, expr)))
        {
            found.insert(stmt.id);
        }
    });
    found
}

fn mentions(body: &Body, zones: &Zones, numbers: &BTreeSet<Zone>, expr: &Expr) -> bool {
    let mut found = false;
    places_in(expr, &mut |place| {
        let read = zones.of_place(&body.resolve(place));
        found |= read.iter().any(|zone| numbers.contains(zone));
    });
    found
}

/// Whether a value is a sum of multiples of the numbers that expressions may mention, or one of several such.
fn is_linear(expr: &Expr, mentions: &dyn Fn(&Expr) -> bool) -> bool {
    if !mentions(expr) {
        return true;
    }
    let all = |args: &[Expr]| args.iter().all(|arg| is_linear(arg, mentions));
    match &expr.kind {
        ExprKind::Load(_) => true,
        ExprKind::Literal(_) | ExprKind::Guard(_) | ExprKind::Opaque(_) => false,
        ExprKind::Op(op, args) => match op {
            Op::Binary(BinaryOp::Add | BinaryOp::Sub) | Op::Unary(UnaryOp::Neg) => all(args),
            Op::Binary(BinaryOp::Mul) => all(args) && !args.iter().all(mentions),
            Op::Binary(BinaryOp::Div) => all(args) && !mentions(&args[1]),
            Op::Method(name) => LINEAR.contains(&&**name) && all(args),
            Op::Select | Op::Tuple | Op::Array | Op::Real | Op::Number => all(args),
            _ => false,
        },
    }
}

/// Methods that choose one of their operands, or their sign or their mean.
const LINEAR: [&str; 6] = ["min", "max", "clamp", "abs", "midpoint", "copysign"];
