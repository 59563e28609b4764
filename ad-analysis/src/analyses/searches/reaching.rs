//! What becomes of numbers that were searched, behind their loops?
//!
//! ```text
//! x                          as it was found
//! x * k, h(x, k)             mixed with what depends on the independents: of the derivative a part is missing
//! (x * x - a) / (2.0 * x)    a step of a method that computes with it
//! x - (x * x - a) / …        has the derivative of the root, as far as a step of Newton's method gives it
//! ```
//!
//! Inside of its loop a number may be a step on the way to a result, as the time and the step size of an integration are: what it is mixed with there
//! and what goes into the next iteration is left alone. What is computed anew in each iteration is found as it would be behind the loop.

use super::Searched;
use super::entered::Others;
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::Zones;
use crate::flow::FlowGraph;
use crate::index::{Point, StmtId, Zone};
use crate::ir::{BinaryOp, Body, Expr, ExprKind, Op, UnaryOp, each_stmt};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet};

/// The statements that search what a dependent gets.
pub(super) fn reaching(
    searched: &[Searched],
    body: &Body,
    zones: &Zones,
    graph: &FlowGraph,
) -> BTreeSet<StmtId> {
    let others = solve(graph, &Others::than(searched, body, zones, graph));
    let mut calculated = BTreeMap::new();
    each_stmt(&body.block, &mut |stmt| {
        if let Some(value) = stmt.value().filter(|value| is_calculation(value)) {
            calculated.insert(stmt.id, value.clone());
        }
    });
    let of_dependents: BTreeSet<Zone> =
        body.dependents.iter().flat_map(|&var| zones.of_var(var)).collect();
    let computed = graph.order().iter().flat_map(|&point| {
        let effects = &graph.info(point).effects;
        let others = &others;
        let is_computed =
            move |zone: &&Zone| others.after(point).has(**zone) && !effects.uses.contains(zone);
        effects.writes.iter().filter(is_computed).copied()
    });
    let computed = computed.collect();
    let loops: BTreeSet<StmtId> = searched.iter().map(|one| one.of).collect();
    let reaching = Reaching {
        carried: loops.iter().map(|&of| carried(of, zones, graph)).collect(),
        loops: loops.into_iter().collect(),
        body,
        zones,
        graph,
        others: &others,
        searched,
        calculated,
        computed,
        of_dependents,
    };
    let solution = solve(graph, &reaching);
    let end = graph.end();
    let dependents: Vec<Zone> = reaching.of_dependents.iter().copied().collect();
    let found = reaching.found_in(end, solution.before(end), &dependents);
    let found: BTreeSet<usize> =
        [found.raw, found.mixed, found.step].into_iter().flatten().collect();
    let of_found = |one: &&Searched| found.iter().any(|&column| reaching.loops[column] == one.of);
    searched.iter().filter(of_found).map(|one| one.stmt).collect()
}

/// The numbers that follow from themselves in an iteration of a loop before. A list that grows does not.
fn carried(of: StmtId, zones: &Zones, graph: &FlowGraph) -> BTreeSet<Zone> {
    let (mut steps, mut nodes) = (DiGraph::<Zone, ()>::new(), BTreeMap::new());
    let within = graph.order().iter().map(|&point| graph.info(point));
    for info in within.filter(|info| info.inside.contains(&of)) {
        let mut node = |zone: Zone| *nodes.entry(zone).or_insert_with(|| steps.add_node(zone));
        let carries = |zone: &&Zone| zones.may_carry_floats(**zone);
        let [from, to] = [&info.effects.uses, &info.effects.writes]
            .map(|zones| zones.iter().filter(carries).map(|&zone| node(zone)).collect::<Vec<_>>());
        for (&from, &to) in from.iter().flat_map(|from| to.iter().map(move |to| (from, to))) {
            steps.update_edge(from, to, ());
        }
    }
    let circles = tarjan_scc(&steps).into_iter();
    let circles =
        circles.filter(|circle| circle.len() > 1 || steps.contains_edge(circle[0], circle[0]));
    circles.flatten().map(|node| steps[node]).collect()
}

/// Whether a value is computed of numbers: of others flows tell more, part by part.
fn is_calculation(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Op(Op::Binary(_) | Op::Unary(_), _))
}

struct Reaching<'a> {
    /// The loops that search: a step that computes with one end of an interval stands for the other one, too.
    loops: Vec<StmtId>,
    /// What goes into the next iteration of these, by way of any others.
    carried: Vec<BTreeSet<Zone>>,
    body: &'a Body,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    /// Where derivatives pass otherwise.
    others: &'a Solution,
    searched: &'a [Searched],
    /// What statements compute.
    calculated: BTreeMap<StmtId, Expr>,
    /// What has a derivative somewhere that is not computed of its own value: where it gets a number that was searched elsewhere, the one is
    /// chosen or the other.
    computed: BTreeSet<Zone>,
    of_dependents: BTreeSet<Zone>,
}

/// What a value has of numbers that were searched, by the positions of their loops.
#[derive(Clone, Default)]
struct Found {
    /// As they were found, moved and scaled.
    raw: BTreeSet<usize>,
    /// Mixed with what depends on the independents.
    mixed: BTreeSet<usize>,
    /// In a step of a method.
    step: BTreeSet<usize>,
    /// Whether the value depends on the independents.
    is_active: bool,
}

/// What the columns of a number say.
const RAW: usize = 0;
const MIXED: usize = 1;
const STEP: usize = 2;
const COLUMNS: usize = 3;

impl Found {
    fn join(mut self, other: Self) -> Self {
        self.raw.extend(other.raw);
        self.mixed.extend(other.mixed);
        self.step.extend(other.step);
        self.is_active |= other.is_active;
        self
    }

    /// Of a value computed of all this: nothing is known of how.
    fn mixed(mut self) -> Self {
        self.mixed.append(&mut self.step);
        if self.is_active {
            self.mixed.append(&mut self.raw);
        }
        self
    }

    /// Of a quotient: what is divided may be what a root makes vanish.
    fn quotient(mut self, divisor: Self) -> Self {
        self.step.append(&mut self.mixed);
        let known = self.step.clone();
        let mut found = self.join(divisor);
        found.mixed.append(&mut std::mem::take(&mut found.step));
        if found.is_active {
            found.mixed.append(&mut found.raw);
        }
        found.mixed.retain(|column| !known.contains(column));
        Self { step: known, ..found }
    }

    /// Of a product: that of a step and a number is one.
    fn product(self, other: Self) -> Self {
        let step: BTreeSet<usize> = self.step.union(&other.step).copied().collect();
        let mut found = self.join(other).mixed();
        found.mixed.retain(|column| !step.contains(column));
        Self { step, ..found }
    }

    /// Of a sum or a difference: with a step from it, a number has the derivative of the root.
    fn sum(mut self, mut other: Self) -> Self {
        self.take_step(&mut other);
        other.take_step(&mut self);
        let are_steps = self.is_step() && other.is_step();
        let found = self.join(other);
        if are_steps { found } else { found.mixed() }
    }

    fn take_step(&mut self, step: &mut Self) {
        let taken: BTreeSet<usize> = self.raw.intersection(&step.step).copied().collect();
        for column in taken {
            self.raw.remove(&column);
            step.step.remove(&column);
            self.is_active = true;
        }
    }

    /// Whether it is made of steps and constants.
    fn is_step(&self) -> bool {
        let has_step = !self.step.is_empty();
        self.mixed.is_empty() && self.raw.is_empty() && (has_step || !self.is_active)
    }
}

impl Reaching<'_> {
    fn found_in(&self, point: Point, facts: &Grid, zones: &[Zone]) -> Found {
        let mut found = Found::default();
        for &zone in zones {
            let is_active = self.others.before(point).has(zone);
            found.is_active |= is_active;
            for column in 0..self.loops.len() {
                let has = |state| facts.contains(zone, column * COLUMNS + state);
                // What has got a derivative on one way has been computed with.
                if has(RAW) && !is_active {
                    found.raw.insert(column);
                }
                if has(MIXED) {
                    found.mixed.insert(column);
                }
                if has(STEP) {
                    found.step.insert(column);
                }
            }
        }
        found
    }

    fn found_by(&self, point: Point, facts: &Grid, expr: &Expr) -> Found {
        let args = |args: &[Expr]| -> Vec<Found> {
            args.iter().map(|arg| self.found_by(point, facts, arg)).collect()
        };
        if !expr.ty.may_carry_floats() {
            return Found::default();
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                let zones = self.zones.of_place(&self.body.resolve(place));
                self.found_in(point, facts, &zones)
            }
            ExprKind::Literal(_) | ExprKind::Guard(_) | ExprKind::Opaque(_) => Found::default(),
            ExprKind::Op(op, operands) => {
                let found = args(operands);
                let all = |found: Vec<Found>| found.into_iter().fold(Found::default(), Found::join);
                match (op, <[Found; 2]>::try_from(found)) {
                    (Op::Binary(BinaryOp::Add | BinaryOp::Sub), Ok([a, b])) => a.sum(b),
                    (Op::Binary(BinaryOp::Mul), Ok([a, b])) => a.product(b),
                    (Op::Binary(BinaryOp::Div), Ok([a, b])) => a.quotient(b),
                    (Op::Unary(UnaryOp::Neg) | Op::Real | Op::Number, found) => {
                        all(found.map_or_else(|found| found, Vec::from))
                    }
                    (_, found) => all(found.map_or_else(|found| found, Vec::from)).mixed(),
                }
            }
        }
    }

    /// What statements write that are no calculations: by what flows where.
    fn found_by_flows(&self, point: Point, facts: &Grid) -> Vec<(Vec<Zone>, Found)> {
        let flows = self.graph.info(point).effects.flows.iter();
        flows
            .map(|flow| (flow.to.clone(), self.found_in(point, facts, &flow.from).mixed()))
            .collect()
    }

    fn found_at(&self, point: Point, facts: &Grid) -> Vec<(Vec<Zone>, Found)> {
        let value = self.graph.info(point).stmt.and_then(|stmt| self.calculated.get(&stmt));
        let Some(value) = value else { return self.found_by_flows(point, facts) };
        let found = self.found_by(point, facts, value);
        let written = self.graph.info(point).effects.writes.iter().copied();
        vec![(written.filter(|&zone| self.zones.may_carry_floats(zone)).collect(), found)]
    }

    /// Puts into a zone what a value has.
    fn put(&self, point: Point, facts: &mut Grid, zone: Zone, found: &Found) {
        let is_active = self.others.after(point).has(zone);
        let inside = &self.graph.info(point).inside;
        for (column, of) in self.loops.iter().enumerate() {
            let is_inside = inside.contains(of);
            let mut put = |state| facts.insert(zone, column * COLUMNS + state);
            let is_chosen = self.computed.contains(&zone);
            let is_raw = found.raw.contains(&column);
            match is_inside {
                true if is_raw && is_chosen && self.of_dependents.contains(&zone) => put(MIXED),
                true if is_raw && !is_active => put(RAW),
                true => {
                    let is_mixed = is_raw || found.mixed.contains(&column);
                    if is_mixed && !self.carried[column].contains(&zone) {
                        put(MIXED);
                    }
                }
                false => {
                    if is_raw {
                        put(if is_active || is_chosen { MIXED } else { RAW });
                    }
                    if found.mixed.contains(&column) {
                        put(MIXED);
                    }
                    if found.step.contains(&column) {
                        put(STEP);
                    }
                }
            }
        }
    }
}

impl Analysis for Reaching<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        self.bottom()
    }

    // Bottom: nothing is searched.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), self.loops.len() * COLUMNS)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let written = self.found_at(point, facts);
        for &zone in &self.graph.info(point).effects.kills {
            facts.clear(zone);
        }
        for (zones, found) in written {
            zones.into_iter().for_each(|zone| self.put(point, facts, zone, &found));
        }
        for searched in self.searched.iter().filter(|searched| searched.point == point) {
            let column = self.loops.iter().position(|of| *of == searched.of);
            let column = column.expect("it is one of the loops");
            facts.insert(searched.zone, column * COLUMNS + RAW);
        }
    }
}
